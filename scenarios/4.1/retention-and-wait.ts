import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import {
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
  WAIT_MAX_MS,
} from '../../src/spec/limits.js';

export default scenario.each(
  {
    needs: ['scripted-worker'],
    draw: (arb, limits) => {
      assertWithinLimits(limits, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS + limits.marginMs);
      return { marginMs: arb.margin(limits) };
    },
  },
  (one) => ({
    'retention-of-an-outlived-wait': one({
      title: 'how long a result is kept if the job took longer than its call waited',
      draw: (arb, limits) => {
        assertWithinLimits(limits, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS + limits.marginMs);
        return { marginMs: arb.margin(limits), waitMs: arb.sleep(limits, 100_000, 140_000) };
      },
      script: ({ marginMs, waitMs }, s) => [
        s.runsync('job', { plan: s.works(6_000), wait: 1_000 }),
        s.await('job', s.ended, { everyMs: 500 }),
        s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
        s.status('job', {
          at: s.after('job', 'ended', RUNSYNC_RETENTION_WITH_WAIT_MAX_MS).plus(marginMs + 1),
        }),
        // Longer than a minute, so that it shows whether the result is kept as long as the call could wait.
        s.runsync('long', { plan: s.works(waitMs + 5_000), wait: waitMs }),
        s.await('long', s.ended, { everyMs: 500 }),
        s.status('long', { at: s.after('long', 'ended', waitMs).minus(marginMs) }),
        s.status('long', { at: s.after('long', 'ended', waitMs).plus(marginMs + 1) }),
      ],
    }),
    'retention-with-a-long-wait': one({
      title: 'how long a result is kept after a call with a wait of three minutes',
      script: ({ marginMs }, s) => [
        s.runsync('job', { plan: s.works(500), wait: 180_000 }),
        [RUNSYNC_RETENTION_MS, 180_000, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS].map((keptMs) => [
          s.status('job', { at: s.after('job', 'ended', keptMs).minus(marginMs) }),
          s.status('job', { at: s.after('job', 'ended', keptMs).plus(marginMs) }),
        ]),
      ],
    }),
    'retention-with-wait': one({
      title: 'with wait, a result is kept for at least one minute and at most five',
      workers: 5,
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
    }),
    'wait-does-not-shorten-retention': one({
      title: 'a short wait does not make the result disappear within its minute',
      draw: (arb, limits) => {
        assertWithinLimits(limits, RUNSYNC_RETENTION_MS);
        return { waitMs: arb.integer(1_000, 5_000), marginMs: arb.margin(limits) };
      },
      script: ({ waitMs, marginMs }, s) => [
        s.runsync('job', { plan: s.works(300), wait: waitMs }),
        s.status('job', { at: s.wait(waitMs) }),
        s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
      ],
    }),
  }),
);
