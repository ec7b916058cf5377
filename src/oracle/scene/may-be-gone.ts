/** Whether a job may be told as unknown by the time of a call, or what is told of it is open for another reason. */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import { UNSUCCESSFUL_KEPT_MS } from '../model/life.js';
import { answerOf, idInPath } from '../observed/reading.js';
import type { Scene } from './scene.js';

/** By then its ttl can have struck, or the shortest retention be over: it may be told as unknown before the key is. */
export function mayBeGone(job: Job, call: CallEvent): boolean {
  const ageMs = (call.receivedMs ?? Infinity) - job.life.submittedFromMs;
  // A lifespan set by `/status` may be over at once.
  if (job.calls.some((one) => one.request.query['ttl'] !== undefined && one.sentTick < call.sentTick))
    return true;
  return job.life.terms.some(({ ttlMs }) => ageMs >= Math.min(ttlMs ?? 0, UNSUCCESSFUL_KEPT_MS));
}

/** The job may have been purged or cancelled, so that it never ran: what is answered of it then is open. */
export function mayBeTakenAway(scene: Scene, call: CallEvent): boolean {
  const { roll } = scene.cast;
  const before = (one: CallEvent): boolean =>
    one !== call && answerOf(one) !== 'refused' && one.sentTick < (call.endedTick ?? Infinity);
  if (roll.purges.some(before)) return true;
  const id = idInPath(call);
  return roll.of('cancel').some((one) => before(one) && idInPath(one) === id);
}
