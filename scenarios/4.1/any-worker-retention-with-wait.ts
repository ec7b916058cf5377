import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import {
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
  WAIT_MAX_MS,
} from '../../src/spec/limits.js';

export default scenario({
  title: 'with any worker, wait neither shortens the minute of retention nor extends it beyond five',
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS + limits.marginMs);
    return { waitMs: arb.oneOf(30_000, 90_000, WAIT_MAX_MS), marginMs: arb.margin(limits) };
  },
  script: ({ waitMs, marginMs }, s) => [
    s.runsync('job', { wait: waitMs }),
    s.await('job', s.ended, { everyMs: 1_000 }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_WITH_WAIT_MAX_MS).plus(marginMs) }),
  ],
});
