/** Calls that the document serves, refused for no reason of the document's: section 4, and the parameter of 4.3. */
import type { CallEvent } from '../../history/events.js';
import { TTL_MAX_MS } from '../../spec/limits.js';
import { jobBy } from '../cast/cases.js';
import { mayBeOver, precedes, sightingsOf } from '../cast/sightings.js';
import { answerOf, idInPath } from '../observed/reading.js';
import { mayBeBeyondLimits } from '../observed/windows-before.js';
import type { Asked } from '../cast/roll.js';
import type { Scene } from '../scene/scene.js';
import { isBehindNetwork } from '../observed/session.js';
import { mayBeGone, mayBeTakenAway } from '../scene/may-be-gone.js';
import { flawsOf } from './submissions.js';

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

/**
 * On a network a gateway may fail now and then. With nothing in between, an operation that answers a proper call with an error
 * of the server is not performed. Not so where a refusal was due and only its code is wrong: beyond a limit, for a job that is
 * not there or whose state the operation is not for, or for a request that may be taken for malformed. Nor of a job whose
 * worker crashed, which may be told so.
 */
export function notPerformed(scene: Scene, call: CallEvent, asked: Asked | null): void {
  const { op } = call;
  if (isBehindNetwork(scene.session)) return;
  if (op === null || op === 'runsync' || op === 'openai' || op === 'requests') return;
  if (op === 'run' ? flawsOf(call).length > 0 : Object.keys(call.request.query).length > 0) return;
  if (op === 'status' || op === 'stream' || op === 'cancel' || op === 'retry') {
    const job = asked?.job ?? null;
    if (job === null || [0, 1].some((runs) => job.foreseen(runs).outcome === 'crash')) return;
    if (mayBeGone(job, call) || mayBeTakenAway(scene, call)) return;
    if ((op === 'cancel' || op === 'retry') && mayBeOfState(scene, call)) return;
  }
  if (!mayBeBeyondLimits(scene, call)) scene.check(`4/operation-${op}`, false, call);
}

function refusedStatus(scene: Scene, call: CallEvent): void {
  const code = call.reply!.status;
  const ttl = call.request.query['ttl'];
  const job = jobBy(scene.cast, idInPath(call));
  if (job === undefined || code === 404 || mayBeTakenAway(scene, call) || mayBeOver(job, call)) return;
  if (ttl === undefined) {
    if (Object.keys(call.request.query).length === 0 && call.request.illegal === null)
      scene.check('4.3/ttl-optional', false, call);
  } else if (isNoNumber(ttl)) scene.check('7/status-ttl-not-integer', code === 400, call);
  else if (/^[1-9][0-9]{4,8}$/.test(ttl) && Number(ttl) <= TTL_MAX_MS && call.request.illegal === null)
    scene.check('4.3/ttl-accepted', false, call);
}

/** What an empty `ttl` means is as open as what an empty `wait` does. */
export function isNoNumber(text: string): boolean {
  return text.trim() !== '' && Number.isNaN(Number(text));
}
