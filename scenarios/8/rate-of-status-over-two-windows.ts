import { scenario, wantsRealTime } from '../../src/scenario/index.js';
import { RATE_WINDOW_MS } from '../../src/spec/rates.js';

export default scenario({
  title: 'however ten seconds are counted, no 4400 reads of a state fit into them',
  exercises: ['8/rate-status-above'],
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  exclusive: true,
  draw: (_, limits) => {
    wantsRealTime(limits, '8/rate-of-status');
    return {};
  },
  script: (_, s, { marginMs }) => [
    s.run('job'),
    // Once it is seen ended no worker runs, and nothing raises the limit.
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 500 }),
    // Those looks count, too, until their window is over.
    s.pause(s.wait(RATE_WINDOW_MS + 2 * marginMs + 1)),
    Array.from({ length: 11 }, () => s.burst('status', 400, { job: 'job' })),
  ],
});
