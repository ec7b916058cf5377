/** Calls that the document serves, refused for no reason of the document's: section 4, and the parameter of 4.3. */
import type { CallEvent } from '../../history/events.js';
import { TTL_MAX_MS } from '../../spec/limits.js';
import { jobBy } from '../cases.js';
import { precedes, sightingsOf } from '../effects/sightings.js';
import { answerOf, idInPath } from '../reading.js';
import type { Scene } from '../scene.js';

/** The call has a valid key, and its endpoint and job exist or existed. */
export function notServed(scene: Scene, call: CallEvent): void {
  const code = call.reply!.status;
  if (answerOf(call) !== 'refused') return;
  if (call.op === 'status') {
    refusedStatus(scene, call);
    return;
  }
  if (call.request.illegal !== null || Object.keys(call.request.query).length > 0) return;
  // Where a 404 tells of a job that is gone, its life is judged; a conflict with its state is open.
  if (call.op === 'health') scene.check('4/operation-health', false, call);
  if (call.op === 'purge-queue') scene.check('4/operation-purge-queue', false, call);
  if (call.op === 'stream' && code === 405) scene.check('4/operation-stream', false, call);
  if (code !== 405 || mayBeOfState(scene, call)) return;
  if (call.op === 'cancel') scene.check('4/operation-cancel', false, call);
  if (call.op === 'retry') scene.check('4/operation-retry', false, call);
}

/** The job was not last seen in a state for which the operation is: it may be refused by any code. */
function mayBeOfState(scene: Scene, call: CallEvent): boolean {
  const job = jobBy(scene.cast, idInPath(call));
  const last = job === undefined ? undefined : sightingsOf(job).findLast((one) => precedes(one.call, call));
  const shows = last?.shows;
  // Another call of the kind, since that look or beside this one, may have moved it on.
  const movedOn = job?.calls.some(
    (one) =>
      one !== call &&
      one.op === call.op &&
      answerOf(one) !== 'refused' &&
      !precedes(call, one) &&
      (last === undefined || !precedes(one, last.call)),
  );
  if (movedOn === true) return true;
  return call.op === 'retry'
    ? shows !== 'FAILED' && shows !== 'TIMED_OUT'
    : shows !== 'IN_QUEUE' && shows !== 'IN_PROGRESS';
}

function refusedStatus(scene: Scene, call: CallEvent): void {
  const code = call.reply!.status;
  const ttl = call.request.query['ttl'];
  const job = jobBy(scene.cast, idInPath(call));
  if (job === undefined || code === 404 || mayBeTakenAway(scene, call)) return;
  if (ttl === undefined) {
    if (Object.keys(call.request.query).length === 0 && call.request.illegal === null)
      scene.check('4.3/ttl-optional', false, call);
  } else if (isNoNumber(ttl)) scene.check('7/status-ttl-not-integer', code === 400, call);
  else if (/^[1-9][0-9]{4,8}$/.test(ttl) && Number(ttl) <= TTL_MAX_MS && call.request.illegal === null)
    scene.check('4.3/ttl-accepted', false, call);
}

/** The job may have been purged or cancelled, so that it never ran: what is answered of it then is open. */
export function mayBeTakenAway(scene: Scene, call: CallEvent): boolean {
  const { roll } = scene.cast;
  const before = (one: CallEvent): boolean =>
    answerOf(one) !== 'refused' && one.sentTick < (call.endedTick ?? Infinity);
  if (roll.purges.some(before)) return true;
  const id = idInPath(call);
  return roll.of('cancel').some((one) => before(one) && idInPath(one) === id);
}

/** What an empty `ttl` means is as open as what an empty `wait` does. */
export function isNoNumber(text: string): boolean {
  return text.trim() !== '' && Number.isNaN(Number(text));
}
