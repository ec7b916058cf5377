import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: '100 cancels, and 100 more each second, exceed the limit',
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) => [
    Array.from({ length: 5 }, () => s.burst('cancel', 20)),
    [1_500, 3_000, 4_500].map((ms) => [
      s.pause(s.sinceStart(ms)),
      Array.from({ length: 5 }, () => s.burst('cancel', 20)),
    ]),
  ],
});
