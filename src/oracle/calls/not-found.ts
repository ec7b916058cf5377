/**
 * What does not exist: endpoints and jobs (section 7, row 404), and paths outside the eight operations (4.9
 * and 9). Also open questions on other methods and paths below `/v2/<endpoint_id>`, and on other versions (4
 * and 9).
 */
import type { CallEvent } from '../../history/events.js';
import { idsFor, JOB_OPERATIONS, MAIN_OPERATIONS, OPERATIONS, type MainOperation } from '../../spec/index.js';
import type { IdLookup } from '../jobs/call-index.js';
import { operationImplemented } from '../jobs/evidence.js';
import { answerOf, idIn } from '../observed/recorded-call.js';
import { mayBeBeyondLimits } from '../observed/rate-windows.js';
import type { JudgingContext } from '../context/judging-context.js';

const UNKNOWN_ENDPOINT = idsFor('7/unknown-endpoint-*', MAIN_OPERATIONS);
const UNKNOWN_JOB = idsFor('7/unknown-job-*', JOB_OPERATIONS);
const ISOLATED = idsFor('1/endpoints-isolated-*', JOB_OPERATIONS);
const EXISTS = idsFor('4.9/*-exists', ['openai', 'requests']);

/** The call names an endpoint that does not exist. */
export function judgeNoEndpoint(context: JudgingContext, call: CallEvent): void {
  const op = call.op as MainOperation;
  const code = call.reply!.status;
  // If the request is malformed as well, either error may be reported; by which code a malformed one is refused,
  // others show.
  if (call.request.illegal !== null && code >= 400 && code < 500) {
    if (code === 404 || code === 400) context.observe('5/unknown-endpoint-before-malformed', `${code}`);
    if (code !== 404) return;
  }
  if (op !== 'health' || code !== 429)
    context.checkGiven(operationImplemented(op), UNKNOWN_ENDPOINT[op], code === 404, call);
}

/** The call names an id that no job of the endpoint has. */
export function judgeNoJob(
  context: JudgingContext,
  call: CallEvent,
  { id, isInvalidId: isNoId }: IdLookup,
): void {
  const op = call.op as (typeof JOB_OPERATIONS)[number];
  const code = call.reply!.status;
  const ok = answerOf(call) === 'ok';
  if (context.isElsewhere(id)) {
    context.check(ISOLATED[op], !ok, call);
    return;
  }
  if (op === 'status' && context.jobs.some((job) => job.id.startsWith(id))) {
    // Where ids are numbers, the prefix of one may be the id of an older job, which is then the one reported.
    const reported = idIn(call);
    context.checkGiven(
      operationImplemented(op),
      UNKNOWN_JOB.status,
      !ok || reported === null || reported === id,
      call,
    );
    return;
  }
  // Beyond a limit of the operation, which should have been reported instead, by whatever code.
  if (code >= 500 && mayBeBeyondLimits(context, call)) return;
  // A string that cannot be an id may be reported as a malformed request.
  if (isNoId && code === 400) return;
  // A job whose submission was not answered may have this id.
  if (context.callIndex.pendingSubmissions.length > 0 && !/no-such|never/.test(id)) return;
  context.checkGiven(operationImplemented(op), UNKNOWN_JOB[op], code >= 400 && code < 500, call);
  if (mayBeIssued(context, id)) context.observeCode('7/unknown-job-code', code, 'other');
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** If the target's own ids contain a UUID, any other UUID could be one of them. */
function mayBeIssued(context: JudgingContext, id: string): boolean {
  return UUID.test(id) && context.jobs.some((job) => UUID.test(job.id));
}

/** Paths for which the document shows a rate but no answer, and paths that it does not mention. */
export function judgeOtherPath(context: JudgingContext, call: CallEvent): void {
  const { op, request, reply } = call;
  if (op === 'openai' || op === 'requests') {
    const isThere = reply!.status !== 404 && reply!.status !== 405;
    if (context.session.exists) context.checkGiven(operationImplemented(op), EXISTS[op], isThere, call);
    return;
  }
  const ok = answerOf(call) === 'ok';
  if (ok && !context.session.exists) return;
  const version = request.path.split('/').find((part) => part !== '');
  if (version === 'v2') return;
  const isVersion = version !== undefined && /^v[0-9]+$/.test(version);
  const id = isVersion ? '9/other-version-not-served' : '9/path-without-version-not-served';
  context.checkGiven(operationImplemented(op), id, !ok, call);
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Combinations where the right method would certainly succeed and the wrong one is a common one. */
const SWAPPED: readonly string[] = ['POST health', 'GET cancel'];

/** Observes the first question that the request raises. */
export function answersOddRequest(context: JudgingContext, call: CallEvent): void {
  const code = call.reply!.status;
  const ok = answerOf(call) === 'ok';
  const { method, path } = call.request;
  const [version, , op, id, ...rest] = path.split('/').filter((part) => part !== '');
  if (version !== 'v2') {
    const isVersion = version !== undefined && /^v[0-9]+$/.test(version);
    if (isVersion) context.observeCode('9/other-version-answer', code, 'other');
    return;
  }
  if (!context.session.exists || op === undefined || rest.length > 0) return;
  const known = OPERATIONS.find((one) => one.op === op);
  if (known === undefined) {
    context.observeCode('4/unknown-path', code);
    return;
  }
  const isMethod = method === known.method;
  const isIdMissing = known.takesJob && id === undefined;
  // Two irregularities at once settle neither question.
  if (isIdMissing && !isMethod) return;
  if (path.endsWith('/') && isMethod && known.takesJob === (id !== undefined)) {
    const redirect = REDIRECTS.includes(code) ? 'redirect' : null;
    context.observeCode('4/trailing-slash', code, ok ? 'same' : redirect);
  } else if (isIdMissing) context.observeCode('4/missing-job-id', code);
  else if (method === 'OPTIONS') context.observeCode('4/options-request', code, ok ? 'success' : null);
  else if (method === 'HEAD' && known.method === 'GET')
    context.observeCode('4/head-request', code, ok ? 'like-get' : null);
  else if (SWAPPED.includes(`${method} ${op}`))
    context.observeCode('4/wrong-method', code, ok ? 'same' : null);
}
