import { fits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a retried job that waits or runs is not taken away when its first result would have expired',
  exercises: ['4.6/retried-job-not-expired', '4.6/retried-job-runs', '4.6/retries-runsync-job'],
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => {
    fits(limits, RUNSYNC_RETENTION_MS);
    return { laterMs: arb.integer(1_000, 40_000), marginMs: arb.margin(limits), waits: arb.boolean() };
  },
  script: ({ laterMs, marginMs, waits }, s) => [
    s.runsync('job', { plan: [{ fail: 'once' }], planOnRetry: [{ hang: true }], policy: s.far }),
    waits ? [s.hog('hog'), s.begins('hog')] : [],
    s.retry('job', { at: s.wait(laterMs) }),
    s.status('job'),
    s.status('job', { at: s.after('job', 'submitted', RUNSYNC_RETENTION_MS).plus(2 * marginMs + 1_000) }),
    waits ? s.cancel('hog') : [],
    s.begins('job'),
    s.cancel('job'),
  ],
});
