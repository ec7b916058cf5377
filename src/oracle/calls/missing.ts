/** What does not exist: endpoints and jobs (section 7, row 404), and paths that are none of the eight operations (4.9 and 9). */
import type { CallEvent } from '../../history/events.js';
import { idsFor, JOB_OPERATIONS, MAIN_OPERATIONS, type MainOperation } from '../../spec/index.js';
import type { Asked } from '../cast/roll.js';
import { servedAt } from '../cast/shown.js';
import { answerOf, idIn } from '../observed/reading.js';
import { mayBeBeyondLimits } from '../observed/windows-before.js';
import type { Scene } from '../scene/scene.js';

const UNKNOWN_ENDPOINT = idsFor('7/unknown-endpoint-*', MAIN_OPERATIONS);
const UNKNOWN_JOB = idsFor('7/unknown-job-*', JOB_OPERATIONS);
const ISOLATED = idsFor('1/endpoints-isolated-*', JOB_OPERATIONS);
const EXISTS = idsFor('4.9/*-exists', ['openai', 'requests']);

/** The call asked for an endpoint that is not there. */
export function judgeNoEndpoint(scene: Scene, call: CallEvent): void {
  const op = call.op as MainOperation;
  const code = call.reply!.status;
  // Where the request is malformed as well, either may be told first.
  if (call.request.illegal !== null && (code === 404 || code === 400)) {
    scene.ledger.observe('5/unknown-endpoint-before-malformed', `${code}`);
    if (code === 400) return;
  }
  if (op !== 'health' || code !== 429)
    scene.checkWhere(servedAt(op), UNKNOWN_ENDPOINT[op], code === 404, call);
}

/** The call asked by an id that no job of the endpoint has. */
export function judgeNoJob(scene: Scene, call: CallEvent, { id, isNoId }: Asked): void {
  const op = call.op as (typeof JOB_OPERATIONS)[number];
  const code = call.reply!.status;
  const ok = answerOf(call) === 'ok';
  if (scene.isElsewhere(id)) {
    scene.check(ISOLATED[op], !ok, call);
    return;
  }
  if (op === 'status' && scene.cast.jobs.some((job) => job.id.startsWith(id))) {
    // Where ids are numbers, the beginning of one can be that of an older job; then it is this one that is told of.
    const told = idIn(call);
    scene.checkWhere(servedAt(op), UNKNOWN_JOB.status, !ok || told === null || told === id, call);
    return;
  }
  // Beyond a limit of the operation that was to be told instead, by whatever code it was.
  if (code >= 500 && mayBeBeyondLimits(scene, call)) return;
  // What could not be an id may be told as a malformed request.
  if (isNoId && code === 400) return;
  // It may be that of a job whose submission was not answered.
  if (scene.cast.roll.ghosts.length > 0 && !/no-such|never/.test(id)) return;
  scene.checkWhere(servedAt(op), UNKNOWN_JOB[op], code >= 400 && code < 500, call);
  if (looksIssued(scene, id))
    scene.ledger.observe('7/unknown-job-code', code === 404 ? '404' : code === 400 ? '400' : 'other');
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Where the target's own ids are made of a UUID, another UUID could be one of them. */
function looksIssued(scene: Scene, id: string): boolean {
  return UUID.test(id) && scene.cast.jobs.some((job) => UUID.test(job.id));
}

/** Paths of which the document shows a rate and no answer, and those that it does not name. */
export function judgeOtherPath(scene: Scene, call: CallEvent): void {
  const { op, request, reply } = call;
  if (op === 'openai' || op === 'requests') {
    const isThere = reply!.status !== 404 && reply!.status !== 405;
    if (scene.session.exists) scene.checkWhere(servedAt(op), EXISTS[op], isThere, call);
    return;
  }
  const ok = answerOf(call) === 'ok';
  if (ok && !scene.session.exists) return;
  const version = request.path.split('/').find((part) => part !== '');
  if (version === 'v2') return;
  const isVersion = version !== undefined && /^v[0-9]+$/.test(version);
  const id = isVersion ? '9/other-version-not-served' : '9/path-without-version-not-served';
  scene.checkWhere(servedAt(op), id, !ok, call);
}
