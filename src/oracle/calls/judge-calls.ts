/** Judges each call by itself: key, path, validity of the request, status code, and content of the answer. */
import type { CallEvent } from '../../history/events.js';
import { idsFor, MAIN_OPERATIONS, type MainOperation, type ReadingId } from '../../spec/index.js';
import { WAIT_MIN_MS } from '../../spec/limits.js';
import type { IdLookup } from '../jobs/call-index.js';
import { operationImplemented, showsImplementation } from '../jobs/evidence.js';
import {
  authorized,
  isFromOtherUser,
  isJsonType,
  isObject,
  isText,
  statusIn,
  type JsonObject,
} from '../observed/recorded-call.js';
import { AnsweredCall } from '../context/answered-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import { isOfOtherPart } from '../observed/session.js';
import { judgeAnswer } from './answers.js';
import { neverReturned } from './at-once.js';
import { defectsOf, type Defect } from './defects.js';
import { isFormAccepted, judgeKey } from './keys.js';
import { answersOddRequest, judgeNoEndpoint, judgeNoJob, judgeOtherPath } from './not-found.js';
import { judgeStatusTtl, judgeNotPerformed, tallyOutcomes, tallySuccesses } from './implemented.js';
import { tallyLostRoutes, tallyRoutes } from './missing-routes.js';
import { judgeSubmission } from './submissions.js';

export function judgeCalls(context: JudgingContext): void {
  const { lookups: lookup } = context.callIndex;
  context.session.calls.forEach((call, index) => {
    context.ledger.about = call.call;
    if (!isOfOtherPart(context.session, call)) judgeCall(context, call, lookup[index]!);
  });
  context.ledger.about = null;
}

/** `lookup`: the lookup of the id in the path, if any. */
function judgeCall(context: JudgingContext, call: CallEvent, lookup: IdLookup | null): void {
  tallyOutcomes(context.ledger, call);
  if (call.reply === null) {
    const life = context.lifeBy(lookup?.id ?? null);
    tallyLostRoutes(context, call, life);
    return neverReturned(context, call, life);
  }
  const seen = new AnsweredCall(context, call, lookup);
  if (context.session.exists && showsImplementation(call, lookup))
    context.ledger.addEvidence(operationImplemented(call.op)[0]!, operationImplemented(null)[0]!);
  judgeErrors(seen);
  judgeKey(seen);
  if (call.op === null && isKeyAccepted(seen)) answersOddRequest(seen);
  if (saysNothingFurther(seen)) return;
  const { op } = call;
  if (op === null || op === 'openai' || op === 'requests') judgeOtherPath(seen);
  // Whether a trailing slash makes it another path is open.
  else if (call.request.path.endsWith('/')) answersOddRequest(seen);
  else judgeOperation(seen);
}

const SUCCESS_CODE = idsFor('4/success-code-*', MAIN_OPERATIONS);
const NO_DEFECTS: readonly Defect[] = [];

/** One of the eight operations, with a valid key and within the rate limit. */
function judgeOperation(seen: AnsweredCall): void {
  const { context, call, lookup, life } = seen;
  const op = call.op as MainOperation;
  const isSubmission = call.op === 'run' || call.op === 'runsync';
  const defects = isSubmission ? defectsOf(call) : NO_DEFECTS;
  tallySuccesses(seen, defects);
  tallyRoutes(seen);
  if (!context.session.exists) return judgeNoEndpoint(seen);
  if (lookup !== null && life === null) return judgeNoJob(seen, lookup);
  if (isSubmission) judgeSubmission(seen, defects);
  if (op === 'status') judgeStatusTtl(seen);
  if (!seen.isOk) return judgeNotPerformed(seen, defects);
  judgeAnswer(seen);
  // An elapsed wait or a failed job may be reported by another code.
  if (op !== 'runsync' || statusIn(call) === 'COMPLETED') seen.observeCode(SUCCESS_CODE[op], 'other-2xx');
  context.performed.push(seen);
}

/** The answer is about the key or the rate, or may be. */
function saysNothingFurther({ context, call, code }: AnsweredCall): boolean {
  if (!authorized(call) || code === 429 || context.callIndex.forbidden.has(call)) return true;
  if (code !== 401) return false;
  // The key works on another endpoint, so an unknown endpoint id must be reported by 404, not as a wrong key.
  // Whether both forms of the key are accepted is open.
  const { auth } = call.request;
  const isGood = context.otherEndpoints.some(
    ({ session }) => session.exists && isFormAccepted(session, auth),
  );
  return context.session.exists || call.op === null || !isGood;
}

/** A 401 says something about the path or the method only if the same key is accepted otherwise. */
function isKeyAccepted({ context, call }: AnsweredCall): boolean {
  const { auth } = call.request;
  return (auth === 'bare' || auth === 'bearer') && context.callIndex.keyAccepted[auth] === true;
}

const ERROR_CODES = [400, 401, 404, 429] as const;
const ERROR_BODY = idsFor('1/json-error-body-*', ERROR_CODES);
const ERROR_TYPE = idsFor('1/json-error-content-type-*', ERROR_CODES);

/** Error bodies are JSON, too, and a client's mistake is not a server error (sections 1 and 7). */
function judgeErrors(seen: AnsweredCall): void {
  const { context, call, code: status } = seen;
  const { body, contentType, headersUnknown = false } = call.reply!;
  const mayCall = authorized(call) || isFromOtherUser(call);
  const isClientError = call.request.illegal !== null || !mayCall || !context.session.exists;
  const id = isClientError ? '7/no-500-for-client-errors' : '7/no-500-in-normal-use';
  if (status >= 500) {
    if (isClientError ? !tookItAllTheSame(call) : !mayBeAnyCode(call)) context.check(id, false, call);
    return;
  }
  seen.passGiven(id);
  if (status >= 400) answersRefusal(seen);
  const code = status < 400 ? undefined : ERROR_CODES.find((one) => one === status);
  if (code === undefined || !isOfTable(call) || body.as === 'none') return;
  seen.check(ERROR_BODY[code], body.as === 'json');
  if (body.as === 'json' && !headersUnknown) seen.check(ERROR_TYPE[code], isJsonType(contentType));
}

/**
 * The call has the method and the path of a row of the table of section 4. On any other path, such as one with a slash at its end
 * or `/requests`, whose answers are not shown, a framework may answer in its own way.
 */
function isOfTable({ op, request: { method, path } }: CallEvent): boolean {
  return method !== 'HEAD' && !path.endsWith('/') && MAIN_OPERATIONS.some((one) => one === op);
}

/** Any code may report the end of a wait; 501 may report what is not offered. */
function mayBeAnyCode({ op, reply }: CallEvent): boolean {
  return op === 'runsync' || op === 'openai' || (op === 'requests' && reply!.status === 501);
}

/** An accepted invalid submission waits like any other, for its job or the elapsed wait. */
function tookItAllTheSame(call: CallEvent): boolean {
  if (call.op !== 'runsync' || !authorized(call)) return false;
  return statusIn(call) !== null || call.receivedMs! - call.sentMs >= WAIT_MIN_MS;
}

/** What an answer of 400, 401, 404 or 429 contains. */
function answersRefusal(seen: AnsweredCall): void {
  const { call } = seen;
  const { body } = call.reply!;
  // A job's record reports an elapsed wait or a failure, whatever the code. Requests outside the operations
  // may be refused by another layer with its own format.
  if (call.op === null || call.request.method === 'HEAD' || statusIn(call) !== null) return;
  if (body.as === 'none') seen.observe('7/error-body', 'empty');
  if (body.as === 'json') seen.observe('7/error-body', errorIn(isObject(body.value) ? body.value : {}));
}

function errorIn({ error, status, title, message, detail }: JsonObject): ReadingId<'7/error-body'> {
  if (isText(error)) return 'error-string';
  if (isObject(error)) return 'error-object';
  if (typeof status === 'number' && isText(title)) return 'problem-details';
  return isText(message) || isText(detail) ? 'message' : 'other-json';
}
