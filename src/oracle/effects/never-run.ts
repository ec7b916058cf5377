/** A job that was cancelled or purged while it waited does not start when its turn would have come. */
import type { Scene } from '../scene/scene.js';
import { answerOf } from '../observed/reading.js';
import { precedes, sightingsOf } from '../cast/sightings.js';

export function neverRun(scene: Scene): void {
  for (const job of scene.cast.jobs) {
    const life = scene.lifeOf(job);
    const purged = life.mustBe((at) => at.place === 'purged');
    if (!purged && !life.mustBe((at) => at.place === 'cancelled' && at.goneFrom === 'queue')) continue;
    const calls = purged ? scene.session.calls : job.calls;
    const end = calls.findLast(
      (call) =>
        call.op === (purged ? 'purge-queue' : 'cancel') &&
        answerOf(call) === 'ok' &&
        precedes(job.submitted, call),
    );
    const looked = sightingsOf(job).at(-1)?.call;
    if (end === undefined || looked === undefined || looked.op !== 'status') continue;
    // Another job that still waited, or came, after this one had gone has found a worker meanwhile.
    const passed = scene.cast.jobs.some((other) => {
      const seen = sightingsOf(other);
      const waited =
        precedes(end, other.submitted) ||
        seen.some(({ call, shows }) => shows === 'IN_QUEUE' && precedes(end, call));
      const ran = seen.some(
        ({ call, shows }) => (shows === 'IN_PROGRESS' || shows === 'COMPLETED') && precedes(call, looked),
      );
      return other !== job && waited && ran;
    });
    if (passed) scene.pass(purged ? '4.7/purged-jobs-never-run' : '3/cancelled-never-starts');
  }
}
