import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the window of a rate is ten seconds long, wherever it begins',
  needs: ['dedicated', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  // Twelve calls in less than a window: a fixed window may begin once in between, so that four could be
  // correct.
  script: (_, s) => [
    s.purge(),
    s.purge(),
    Array.from({ length: 5 }, () => [s.purge({ at: s.wait(1_700) }), s.purge()]),
  ],
});
