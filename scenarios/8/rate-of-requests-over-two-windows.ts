import { scenario, assertRealTime } from '../../src/scenario/index.js';

export default scenario({
  title: 'wherever windows begin, 45 calls of /requests do not fit into ten seconds',
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  draw: (_, limits) => {
    assertRealTime(limits, '8/rate-of-requests');
    return {};
  },
  script: (_, s) => [Array.from({ length: 45 }, () => s.requests())],
});
