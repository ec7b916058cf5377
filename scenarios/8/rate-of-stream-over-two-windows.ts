import { scenario, wantsRealTime } from '../../src/scenario/index.js';

export default scenario({
  title: 'however ten seconds are counted, no 4400 reads of a stream fit into them',
  exercises: ['8/rate-stream-above'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  exclusive: true,
  draw: (_, limits) => {
    wantsRealTime(limits, '8/rate-of-stream');
    return {};
  },
  script: (_, s) => [
    s.run('job'),
    // Once it is seen ended no worker runs, and nothing raises the limit.
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 500 }),
    s.pause(s.wait(100)),
    Array.from({ length: 11 }, () => s.burst('stream', 400, { job: 'job' })),
  ],
});
