import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'with any worker, a result of /run is kept for half an hour and no longer, read or not',
  exercises: [
    '4.2/retention-kept',
    '4.2/retention-gone',
    '4.2/retention-not-restarted-by-reading',
    '7/result-expired-run-status',
    '7/result-expired-run-stream',
    '7/result-expired-run-cancel',
    '7/result-expired-run-retry',
    '4.6/expired-result-not-retried',
    '3/completed-stays',
  ],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUN_RETENTION_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.run('job'),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 1_000 }),
    s.status('job', { at: s.after('job', 'ended', 15 * MINUTE_MS).plus(0) }),
    s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
    s.stream('job'),
    s.retry('job'),
    s.cancel('job'),
    s.status('job'),
  ],
});
