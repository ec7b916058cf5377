import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a retried job that waits or runs is not deleted when its first result would have expired',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_MS);
    return { laterMs: arb.integer(1_000, 40_000), marginMs: arb.margin(limits) };
  },
  script: ({ laterMs, marginMs }, s) => {
    const expired = { at: s.after('waits', 'submitted', RUNSYNC_RETENTION_MS).plus(2 * marginMs + 1_000) };
    return [
      s.runsync(['runs', 'waits'], {
        plan: [{ fail: 'once' }],
        planOnRetry: [{ hang: true }],
        policy: s.noTimeouts,
      }),
      s.retry('runs', { at: s.wait(laterMs) }),
      s.awaitStarted('runs'),
      s.retry('waits'),
      s.status(['runs', 'waits'], expired),
      s.cancel('runs'),
      s.awaitStarted('waits'),
      s.cancel('waits'),
    ];
  },
});
