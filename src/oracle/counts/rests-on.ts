/** What a count rests on besides the counter: that jobs are where they should be. Where one of these is broken, it decides nothing. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { precedes } from '../cast/sightings.js';
import { answerOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

/** Jobs wait that should run. */
const LATE: readonly RequirementId[] = [
  '1/free-worker-takes-job',
  '1/freed-worker-takes-waiting-job',
  '2.2/low-priority-job-runs',
];
/** Jobs run, or have run, that should wait. */
const EARLY: readonly RequirementId[] = [
  '1/waits-when-no-worker-free',
  '1/no-more-jobs-in-progress-than-workers',
];

/** Too high where jobs wait that should run: the others are too low then. */
const HIGH_WHERE_LATE: ReadonlySet<RequirementId> = new Set([
  '4.8/counts-in-queue',
  '4.8/counts-workers-idle',
  '2.6/removed-counts-queued',
]);

/** What a purge has left in the queue is counted there, and completes. */
const AFTER_PURGES: ReadonlySet<RequirementId> = new Set([
  '4.8/counts-in-queue',
  '4.8/completed-counts-nothing-else',
]);
const OF_PURGES: readonly RequirementId[] = [
  '4.7/removes-all-waiting',
  '4.7/removes-waiting-runsync',
  '4.7/removes-waiting-retried',
  '4.7/removes-waiting-low-priority',
  '4.7/purged-jobs-never-run',
  '2.6/removed-counts-queued',
];

export function restsOn(
  scene: Scene,
  count: RequirementId,
  call: CallEvent,
  isTooHigh: boolean,
): readonly RequirementId[] {
  const purged =
    isTooHigh &&
    AFTER_PURGES.has(count) &&
    scene.cast.roll.purges.some((one) => answerOf(one) === 'ok' && precedes(one, call));
  const dispatch = HIGH_WHERE_LATE.has(count) === isTooHigh ? LATE : EARLY;
  if (isTooHigh) return purged ? [...dispatch, ...OF_PURGES] : dispatch;
  // A purge that was refused may have removed them all the same.
  const refused = (code: number): boolean =>
    scene.cast.roll.of('purge-queue').some((one) => one.reply?.status === code && precedes(one, call));
  return [
    ...dispatch,
    ...(refused(401) ? (['5/unauthorized-purge-has-no-effect'] as const) : []),
    ...(refused(429) ? (['8/refused-call-has-no-effect'] as const) : []),
  ];
}
