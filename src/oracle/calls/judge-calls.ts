/** Judges each call by itself: the key, the path, the request's own flaws, the code, and what the answer holds. */
import type { CallEvent } from '../../history/events.js';
import { idsFor } from '../../spec/index.js';
import { WAIT_MIN_MS } from '../../spec/limits.js';
import type { Asked } from '../cast/roll.js';
import { servedAt, showsWork } from '../cast/shown.js';
import { answerOf, authorized, isJsonType, ofOtherUser, statusIn } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { judgeAnswer, neverReturned } from './answers.js';
import { flawsOf, type Flaw } from './flaws.js';
import { isFormTaken, judgeKey } from './keys.js';
import { answersOddRequest, judgeNoEndpoint, judgeNoJob, judgeOtherPath } from './missing.js';
import { answersRefusal, answersSuccess } from './openings.js';
import { judgeStatusTtl, notPerformed, tallyLost, tallyServed } from './served.js';
import { judgeSubmission } from './submissions.js';

export function judgeCalls(scene: Scene): void {
  const { asked } = scene.cast.roll;
  scene.session.calls.forEach((call, index) => judgeCall(scene, call, asked[index]!));
}

/** `asked`: by which id, where it names one. */
function judgeCall(scene: Scene, call: CallEvent, asked: Asked | null): void {
  tallyLost(scene.ledger, call);
  if (call.reply === null) return neverReturned(scene, call, asked);
  if (scene.session.exists && showsWork(call, asked))
    scene.ledger.show(servedAt(call.op)[0]!, servedAt(null)[0]!);
  judgeErrors(scene, call);
  judgeKey(scene, call, asked);
  if (call.op === null && keyTaken(scene, call)) answersOddRequest(scene, call);
  if (saysNothingFurther(scene, call)) return;
  const { op } = call;
  if (op === null || op === 'openai' || op === 'requests') judgeOtherPath(scene, call);
  // Whether a slash at the end makes it another path is open.
  else if (call.request.path.endsWith('/')) answersOddRequest(scene, call);
  else judgeOperation(scene, call, asked);
}

const NO_FLAWS: readonly Flaw[] = [];

/** One of the eight operations, with a valid key and within its rate. */
function judgeOperation(scene: Scene, call: CallEvent, asked: Asked | null): void {
  const isSubmission = call.op === 'run' || call.op === 'runsync';
  const flaws = isSubmission ? flawsOf(call) : NO_FLAWS;
  const job = asked?.job ?? null;
  tallyServed(scene, call, flaws, job);
  if (!scene.session.exists) return judgeNoEndpoint(scene, call);
  if (asked !== null && job === null) return judgeNoJob(scene, call, asked);
  if (isSubmission) judgeSubmission(scene, call, flaws);
  const answer = answerOf(call);
  if (call.op === 'status' && answer !== 'unknown') judgeStatusTtl(scene, call, job);
  if (answer !== 'ok') return notPerformed(scene, call, flaws, job);
  judgeAnswer(scene, call, asked);
  answersSuccess(scene, call, job);
}

/** The answer is about the key or the rate, or nobody knows whether it is. */
function saysNothingFurther(scene: Scene, call: CallEvent): boolean {
  const { status } = call.reply!;
  if (!authorized(call) || status === 429 || scene.cast.roll.forbidden.has(call)) return true;
  if (status !== 401) return false;
  // The key is good elsewhere: a wrong endpoint id is told by 404, not as if the key were wrong. Whether both its forms are is open.
  const { auth } = call.request;
  const isGood = scene.beside.some(({ session }) => session.exists && isFormTaken(session, auth));
  return scene.session.exists || call.op === null || !isGood;
}

/** A 401 tells of the path or the method only where the same key is taken otherwise. */
function keyTaken({ cast }: Scene, { request: { auth } }: CallEvent): boolean {
  return (auth === 'bare' || auth === 'bearer') && cast.roll.keyTaken[auth] === true;
}

const ERROR_CODES = [400, 401, 404, 429] as const;
const ERROR_BODY = idsFor('1/json-error-body-*', [400, 401, 404, 429]);
const ERROR_TYPE = idsFor('1/json-error-content-type-*', [400, 401, 404, 429]);

/** Error bodies are JSON like all others, and a client's mistake is not the server's error (sections 1 and 7). */
function judgeErrors(scene: Scene, call: CallEvent): void {
  const { status, body, contentType } = call.reply!;
  const mayCall = authorized(call) || ofOtherUser(call);
  const ownFault = call.request.illegal !== null || !mayCall || !scene.session.exists;
  const id = ownFault ? '7/no-500-for-client-errors' : '7/no-500-in-normal-use';
  if (status >= 500) {
    if (ownFault ? !tookItAllTheSame(call) : !mayBeAnyCode(call)) scene.check(id, false, call);
    return;
  }
  scene.passWhere(servedAt(call.op), id);
  if (status >= 400) answersRefusal(scene, call);
  const code = ERROR_CODES.find((one) => one === status);
  if (code === undefined || call.op === null || call.request.method === 'HEAD' || body.as === 'none') return;
  scene.check(ERROR_BODY[code], body.as === 'json', call);
  if (body.as === 'json') scene.check(ERROR_TYPE[code], isJsonType(contentType), call);
}

/** A call that waits may be told of an elapsed wait or a failed job by any code, and what is not offered by 501. */
function mayBeAnyCode({ op, reply }: CallEvent): boolean {
  return op === 'runsync' || op === 'openai' || (op === 'requests' && reply!.status === 501);
}

/** A leniently read submission waits like any other, and is then told of its job or of the elapsed wait. */
function tookItAllTheSame(call: CallEvent): boolean {
  if (call.op !== 'runsync' || !authorized(call)) return false;
  return statusIn(call) !== null || call.receivedMs! - call.sentMs >= WAIT_MIN_MS;
}
