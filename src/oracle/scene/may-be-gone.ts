/** Whether another call may have ended or removed a job. Whether a timer may have: `mayBeOver`. Both: `wasThere`. */
import type { CallEvent } from '../../history/events.js';
import { jobBy } from '../cast/cases.js';
import { answerOf, idInPath, overBefore } from '../observed/reading.js';
import type { Scene } from './scene.js';

/** The job may have been purged or cancelled by the end of `call`, so that it never ran: what is answered of it then is open. */
export function mayBeTakenAway({ cast }: Scene, call: CallEvent): boolean {
  const id = idInPath(call);
  const job = jobBy(cast, id);
  const before = (one: CallEvent): boolean =>
    one !== call &&
    answerOf(one) !== 'refused' &&
    one.sentTick < (call.endedTick ?? Infinity) &&
    (job === undefined || !overBefore(one, job.submitted));
  if (cast.roll.purges.some(before)) return true;
  return cast.roll.of('cancel').some((one) => before(one) && idInPath(one) === id);
}
