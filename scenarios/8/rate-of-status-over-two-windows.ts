import { scenario, assertRealTime } from '../../src/scenario/index.js';

export default scenario({
  title: 'however ten seconds are counted, no 4400 reads of a state fit into them',
  exercises: ['8/rate-status-above'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  // Nothing raises the limit: whether idle workers do is open.
  workers: 0,
  exclusive: true,
  draw: (_, limits) => {
    assertRealTime(limits, '8/rate-of-status');
    return {};
  },
  script: (_, s) => [s.run('job'), Array.from({ length: 11 }, () => s.burst('status', 400, { job: 'job' }))],
});
