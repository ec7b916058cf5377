/** Judges each call by itself: the key, the path, the request's own flaws, the code, and what the answer holds. */
import type { CallEvent } from '../../history/events.js';
import { idsFor } from '../../spec/index.js';
import { WAIT_MIN_MS } from '../../spec/limits.js';
import type { Asked } from '../jobs/call-index.js';
import { servedAt, showsWork } from '../jobs/evidence.js';
import { answerOf, authorized, isJsonType, ofOtherUser, statusIn } from '../observed/reading.js';
import type { JudgingContext } from '../context/judging-context.js';
import { judgeAnswer, neverReturned } from './answers.js';
import { flawsOf, type Flaw } from './flaws.js';
import { isFormTaken, judgeKey } from './keys.js';
import { answersOddRequest, judgeNoEndpoint, judgeNoJob, judgeOtherPath } from './missing.js';
import { answersRefusal, answersSuccess } from './openings.js';
import { judgeStatusTtl, notPerformed, tallyLost, tallyServed } from './served.js';
import { judgeSubmission } from './submissions.js';

export function judgeCalls(context: JudgingContext): void {
  const { asked } = context.callIndex;
  context.session.calls.forEach((call, index) => judgeCall(context, call, asked[index]!));
}

/** `asked`: by which id, where it names one. */
function judgeCall(context: JudgingContext, call: CallEvent, asked: Asked | null): void {
  tallyLost(context.ledger, call);
  if (call.reply === null) return neverReturned(context, call, asked);
  if (context.session.exists && showsWork(call, asked))
    context.ledger.show(servedAt(call.op)[0]!, servedAt(null)[0]!);
  judgeErrors(context, call);
  judgeKey(context, call, asked);
  if (call.op === null && keyTaken(context, call)) answersOddRequest(context, call);
  if (saysNothingFurther(context, call)) return;
  const { op } = call;
  if (op === null || op === 'openai' || op === 'requests') judgeOtherPath(context, call);
  // Whether a slash at the end makes it another path is open.
  else if (call.request.path.endsWith('/')) answersOddRequest(context, call);
  else judgeOperation(context, call, asked);
}

const NO_FLAWS: readonly Flaw[] = [];

/** One of the eight operations, with a valid key and within its rate. */
function judgeOperation(context: JudgingContext, call: CallEvent, asked: Asked | null): void {
  const isSubmission = call.op === 'run' || call.op === 'runsync';
  const flaws = isSubmission ? flawsOf(call) : NO_FLAWS;
  const job = asked?.job ?? null;
  tallyServed(context, call, flaws, job);
  if (!context.session.exists) return judgeNoEndpoint(context, call);
  if (asked !== null && job === null) return judgeNoJob(context, call, asked);
  if (isSubmission) judgeSubmission(context, call, flaws);
  const answer = answerOf(call);
  if (call.op === 'status' && answer !== 'unknown') judgeStatusTtl(context, call, job);
  if (answer !== 'ok') return notPerformed(context, call, flaws, job);
  judgeAnswer(context, call, asked);
  answersSuccess(context, call, job);
}

/** The answer is about the key or the rate, or nobody knows whether it is. */
function saysNothingFurther(context: JudgingContext, call: CallEvent): boolean {
  const { status } = call.reply!;
  if (!authorized(call) || status === 429 || context.callIndex.forbidden.has(call)) return true;
  if (status !== 401) return false;
  // The key is good elsewhere: a wrong endpoint id is told by 404, not as if the key were wrong. Whether both its forms are is open.
  const { auth } = call.request;
  const isGood = context.beside.some(({ session }) => session.exists && isFormTaken(session, auth));
  return context.session.exists || call.op === null || !isGood;
}

/** A 401 tells of the path or the method only where the same key is taken otherwise. */
function keyTaken({ observedJobs }: JudgingContext, { request: { auth } }: CallEvent): boolean {
  return (auth === 'bare' || auth === 'bearer') && observedJobs.callIndex.keyTaken[auth] === true;
}

const ERROR_CODES = [400, 401, 404, 429] as const;
const ERROR_BODY = idsFor('1/json-error-body-*', [400, 401, 404, 429]);
const ERROR_TYPE = idsFor('1/json-error-content-type-*', [400, 401, 404, 429]);

/** Error bodies are JSON like all others, and a client's mistake is not the server's error (sections 1 and 7). */
function judgeErrors(context: JudgingContext, call: CallEvent): void {
  const { status, body, contentType } = call.reply!;
  const mayCall = authorized(call) || ofOtherUser(call);
  const ownFault = call.request.illegal !== null || !mayCall || !context.session.exists;
  const id = ownFault ? '7/no-500-for-client-errors' : '7/no-500-in-normal-use';
  if (status >= 500) {
    if (ownFault ? !tookItAllTheSame(call) : !mayBeAnyCode(call)) context.check(id, false, call);
    return;
  }
  context.passWhere(servedAt(call.op), id);
  if (status >= 400) answersRefusal(context, call);
  const code = ERROR_CODES.find((one) => one === status);
  if (code === undefined || call.op === null || call.request.method === 'HEAD' || body.as === 'none') return;
  context.check(ERROR_BODY[code], body.as === 'json', call);
  if (body.as === 'json') context.check(ERROR_TYPE[code], isJsonType(contentType), call);
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
