/** Judges each call by itself: the key, the request's own flaws, the code, and the shape of the answer. */
import type { CallEvent } from '../../history/events.js';
import { WAIT_MIN_MS } from '../../spec/index.js';
import { answerOf, authorized, ofOtherUser, statusIn } from '../observed/reading.js';
import type { Asked } from '../cast/roll.js';
import type { Scene } from '../scene/scene.js';
import { judgeAnswer } from './answers.js';
import { isJsonType } from '../observed/json-type.js';
import { judgeKey } from './keys.js';
import { tallyLost } from './lost.js';
import { judgeMissing } from './missing.js';
import { neverAnswered } from './never-answered.js';
import { judgeOtherPaths } from './other-paths.js';
import { answersOddRequest, answersRefusal, answersSuccess } from './openings.js';
import { notPerformed, notServed } from './not-served.js';
import { tallyServed } from './served.js';
import { flawsOf, judgeSubmission } from './submissions.js';
import { servedAt, showsWork } from '../cast/shown.js';
import type { Flaw } from './one-flaw.js';

const NO_FLAWS: readonly Flaw[] = [];

export function judgeCalls(scene: Scene): void {
  const { asked } = scene.cast.roll;
  scene.session.calls.forEach((call, index) => judgeCall(scene, call, asked[index]!));
}

/** `asked`: by which id, where it names one. */
function judgeCall(scene: Scene, call: CallEvent, asked: Asked | null): void {
  tallyLost(scene.ledger, call);
  if (call.reply === null) return neverAnswered(scene, call);
  if (scene.session.exists && showsWork(call, asked))
    scene.ledger.show(servedAt(call.op)[0]!, servedAt(null)[0]!);
  serverErrors(scene, call, asked);
  if (call.reply.status >= 400 && call.reply.status < 500) answersRefusal(scene, call);
  judgeKey(scene, call);
  if (call.op === null && authorized(call) && keyTaken(scene, call)) answersOddRequest(scene, call);
  if (!authorized(call) || call.reply.status === 429 || scene.cast.roll.forbidden.has(call)) return;
  // The key is good elsewhere: a wrong endpoint id is told by 404, not as if the key were wrong.
  if (call.reply.status === 401 && (scene.session.exists || call.op === null || !formTaken(scene, call)))
    return;
  if (call.op === null || call.op === 'openai' || call.op === 'requests') {
    judgeOtherPaths(scene, call);
    return;
  }
  if (call.request.path.endsWith('/')) {
    // Whether a slash at the end makes it another path is open.
    answersOddRequest(scene, call);
    return;
  }
  const isSubmission = call.op === 'run' || call.op === 'runsync';
  const flaws = isSubmission ? flawsOf(call) : NO_FLAWS;
  tallyServed(scene, call, flaws, asked);
  if (judgeMissing(scene, call, asked)) return;
  if (isSubmission) judgeSubmission(scene, call, flaws);
  if (answerOf(call) === 'ok') {
    judgeAnswer(scene, call, asked);
    answersSuccess(scene, call, asked?.job ?? null);
  } else notServed(scene, call);
}

/** A 401 tells of the path or the method only where the same key is taken otherwise. */
function keyTaken({ cast }: Scene, call: CallEvent): boolean {
  const { auth } = call.request;
  return (auth === 'bare' || auth === 'bearer') && cast.roll.keyTaken[auth] === true;
}

/** The key was taken in this form at an endpoint that exists: whether both forms are is open. */
function formTaken(scene: Scene, call: CallEvent): boolean {
  return scene.beside.some(({ session }) =>
    session.calls.some(
      (other) => session.exists && other.request.auth === call.request.auth && answerOf(other) === 'ok',
    ),
  );
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

/** Error bodies are JSON like all others, and a client's mistake is not the server's error. */
function serverErrors(scene: Scene, call: CallEvent, asked: Asked | null): void {
  const reply = call.reply!;
  const { status, body, contentType } = reply;
  const mayCall = authorized(call) || ofOtherUser(call);
  const ownFault = call.request.illegal !== null || !mayCall || !scene.session.exists;
  if (status >= 500) {
    if (ownFault && tookItAllTheSame(call)) return;
    if (ownFault) scene.check('7/no-500-for-client-errors', false, call);
    else if (!mayBeAnyCode(call)) scene.check('7/no-500-in-normal-use', false, call);
    if (!ownFault) notPerformed(scene, call, asked);
    return;
  }
  scene.passWhere(servedAt(call.op), ownFault ? '7/no-500-for-client-errors' : '7/no-500-in-normal-use');
  if (status !== 400 && status !== 401 && status !== 404 && status !== 429) return;
  if (call.op === null || call.request.method === 'HEAD' || body.as === 'none') return;
  scene.check(`1/json-error-body-${status}`, body.as === 'json', call);
  if (body.as === 'json') scene.check(`1/json-error-content-type-${status}`, isJsonType(contentType), call);
}
