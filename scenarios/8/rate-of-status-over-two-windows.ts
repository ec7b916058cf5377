import { scenario, assertRealTime } from '../../src/scenario/index.js';

export default scenario({
  title: 'wherever windows begin, 4400 status reads do not fit into ten seconds',
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  // No worker raises the limit: whether idle ones do is open.
  workers: 0,
  exclusive: true,
  draw: (_, limits) => {
    assertRealTime(limits, '8/rate-of-status');
    return {};
  },
  script: (_, s) => {
    // A service that counts for each job counts a third of them.
    const jobs = ['one', 'two', 'three'];
    return [s.run(jobs), Array.from({ length: 11 }, () => s.burst('status', 400, { jobs }))];
  },
});
