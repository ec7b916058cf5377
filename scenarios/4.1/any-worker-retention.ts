import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS, WAIT_DEFAULT_MS } from '../../src/spec/limits.js';
import { looksTwice, RETENTION_GONE } from '../retention-looks.js';

export default scenario({
  title: 'with any worker, a result of /runsync is kept for one minute and no longer, read or not',
  onlyWith: {
    '4.1/retention-gone': RETENTION_GONE,
    '4.1/retention-not-restarted-by-reading': RETENTION_GONE,
    '7/result-expired-status': RETENTION_GONE,
    '7/result-expired-stream': RETENTION_GONE,
    '7/result-expired-cancel': RETENTION_GONE,
    '7/result-expired-retry': RETENTION_GONE,
    '4.6/expired-result-not-retried': RETENTION_GONE,
  },
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s, limits) => [
    s.runsync('job'),
    s.status('job', { at: s.after('job', 'ended', 30_000).plus(0) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
    looksTwice(limits)
      ? s.status('job', { at: s.after('job', 'ended', WAIT_DEFAULT_MS).plus(marginMs) })
      : [],
    s.stream('job'),
    s.retry('job'),
    s.cancel('job'),
    s.status('job'),
  ],
});
