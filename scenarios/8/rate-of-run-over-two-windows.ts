import { scenario, assertRealTime } from '../../src/scenario/index.js';

export default scenario({
  title: 'wherever windows begin, 2200 submissions do not fit into ten seconds',
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  draw: (_, limits) => {
    assertRealTime(limits, '8/rate-of-run');
    return {};
  },
  script: (_, s) => [Array.from({ length: 11 }, () => s.burst('run', 200)), s.purge()],
});
