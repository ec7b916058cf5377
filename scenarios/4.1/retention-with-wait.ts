import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import {
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
  WAIT_MAX_MS,
} from '../../src/spec/limits.js';

export default scenario({
  title: 'with wait, a result is kept for at least one minute and at most five',
  needs: ['scripted-worker'],
  workers: 5,
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) =>
    [1_000, 5_000, 60_000, 90_000, WAIT_MAX_MS].map((wait) => {
      const job = `${wait}`;
      return s.lane(
        job,
        s.runsync(job, { plan: s.works(500), wait }),
        s.status(job, { at: s.after(job, 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
        s.status(job, { at: s.after(job, 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
        s.status(job, { at: s.after(job, 'ended', RUNSYNC_RETENTION_WITH_WAIT_MAX_MS).plus(marginMs) }),
      );
    }),
});
