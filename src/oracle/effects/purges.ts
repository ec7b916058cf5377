/** What a purge takes and what it leaves: section 4.7. */
import { livesThrough, staysEnded } from '../scene/left-alone.js';
import type { CallEvent } from '../../history/events.js';
import type { Scene } from '../scene/scene.js';
import { answerOf } from '../observed/reading.js';
import { precedes, sightingsOf } from '../cast/sightings.js';

export function purges(scene: Scene): void {
  for (const call of scene.session.calls)
    if (call.op === 'purge-queue' && answerOf(call) === 'ok') onePurge(scene, call);
}

function onePurge(scene: Scene, call: CallEvent): void {
  for (const job of scene.cast.jobs) {
    const observed = scene.lifeOf(job);
    if (observed.kind !== 'explained') continue;
    const seen = sightingsOf(job);
    if (staysEnded(scene, job, call)) scene.pass('4.7/keeps-finished');
    const ran = seen.some(({ call: earlier, shows }) => shows === 'IN_PROGRESS' && precedes(earlier, call));
    if (ran && livesThrough(scene, job, call)) scene.pass('4.7/keeps-running');
    const started = seen.some(({ shows }) => shows === 'IN_PROGRESS' || shows === 'COMPLETED');
    if (precedes(call, job.submitted) && started) scene.pass('4.7/later-jobs-unaffected');
    if (observed.mustBe((at) => at.place === 'purged')) {
      const { sync } = job;
      const { life } = job.life;
      // A waiting call's own answer tells nothing of the queue; a later look at its job does.
      const looked = seen.some(({ call: later }) => later.op === 'status' && precedes(call, later));
      if (looked && sync) scene.pass('4.7/removes-waiting-runsync');
      if (looked && life.lowPriority) scene.pass('4.7/removes-waiting-low-priority');
      if (looked && observed.mustBe((at) => at.retries > 0)) scene.pass('4.7/removes-waiting-retried');
    }
  }
}
