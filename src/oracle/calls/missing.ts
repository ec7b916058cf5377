/** Section 7, row 404: endpoints and jobs that are not there. */
import type { CallEvent } from '../../history/events.js';
import { mayBeBeyondLimits } from '../observed/windows-before.js';
import { answerOf, idIn } from '../observed/reading.js';
import type { Asked } from '../cast/roll.js';
import type { Scene } from '../scene/scene.js';
import { servedAt } from '../cast/shown.js';

/** True when the call asked for what does not exist, so that nothing else can be said of its answer. */
export function judgeMissing(scene: Scene, call: CallEvent, asked: Asked | null): boolean {
  const { op } = call;
  if (op === null || op === 'openai' || op === 'requests') return false;
  const code = call.reply!.status;
  const served = servedAt(op);
  if (!scene.session.exists) {
    // Where the request is malformed as well, either may be told first.
    if (call.request.illegal !== null && code === 400) {
      scene.ledger.observe('5/unknown-endpoint-before-malformed', '400');
      return true;
    }
    if (call.request.illegal !== null && (code === 404 || code === 400))
      scene.ledger.observe('5/unknown-endpoint-before-malformed', `${code}`);
    if (op !== 'health' || code !== 429)
      scene.checkWhere(served, `7/unknown-endpoint-${op}`, code === 404, call);
    return true;
  }
  if (asked === null || asked.job !== null) return false;
  if (op !== 'status' && op !== 'stream' && op !== 'cancel' && op !== 'retry') return false;
  const { id, isNoId } = asked;
  if (scene.isElsewhere(id)) {
    scene.check(`1/endpoints-isolated-${op}`, answerOf(call) !== 'ok', call);
    return true;
  }
  if (op === 'status' && scene.cast.jobs.some((job) => job.id.startsWith(id))) {
    // Where ids are numbers, the beginning of one can be that of an older job; then it is this one that is told of.
    const told = idIn(call);
    scene.checkWhere(
      served,
      '7/unknown-job-status',
      answerOf(call) !== 'ok' || told === null || told === id,
      call,
    );
    return true;
  }
  // Beyond a limit of the operation that was to be told instead, by whatever code it was.
  if (code >= 500 && mayBeBeyondLimits(scene, call)) return true;
  // What could not be an id may be told as a malformed request.
  if (isNoId && code === 400) return true;
  if (scene.cast.roll.ghosts.length === 0 || /no-such|never/.test(id)) {
    scene.checkWhere(served, `7/unknown-job-${op}`, code >= 400 && code < 500, call);
    const reading = code === 404 ? '404' : code === 400 ? '400' : 'other';
    if (looksIssued(scene, id)) scene.ledger.observe('7/unknown-job-code', reading);
  }
  return true;
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Where the target's own ids are made of a UUID, another UUID could be one of them. */
function looksIssued(scene: Scene, id: string): boolean {
  return UUID.test(id) && scene.cast.jobs.some((job) => UUID.test(job.id));
}
