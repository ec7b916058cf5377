import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'with any worker, a result of /run is kept for half an hour and no longer, read or not',
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUN_RETENTION_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.run('job'),
    s.await('job', s.ended, { everyMs: 1_000 }),
    s.status('job', { at: s.after('job', 'ended', 15 * MINUTE_MS).plus(0) }),
    s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
    s.stream('job'),
    s.retry('job'),
    s.cancel('job'),
    s.status('job'),
  ],
});
