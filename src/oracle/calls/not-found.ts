/**
 * What does not exist: endpoints and jobs (section 7, row 404), and paths outside the eight operations (4.9
 * and 9). Also open questions on other methods and paths below `/v2/<endpoint_id>`, and on other versions (4
 * and 9).
 */
import { idsFor, JOB_OPERATIONS, MAIN_OPERATIONS, OPERATIONS, type MainOperation } from '../../spec/index.js';
import type { IdLookup } from '../jobs/call-index.js';
import { idIn, UUID } from '../observed/recorded-call.js';
import { mayBeBeyondLimits } from '../observed/rate-windows.js';
import type { AnsweredCall } from '../context/answered-call.js';
import type { JudgingContext } from '../context/judging-context.js';

const UNKNOWN_ENDPOINT = idsFor('7/unknown-endpoint-*', MAIN_OPERATIONS);
const UNKNOWN_JOB = idsFor('7/unknown-job-*', JOB_OPERATIONS);
const ISOLATED = idsFor('1/endpoints-isolated-*', JOB_OPERATIONS);
const EXISTS = idsFor('4.9/*-exists', ['openai', 'requests']);

/** The call names an endpoint that does not exist. */
export function judgeNoEndpoint(seen: AnsweredCall): void {
  const { call, code } = seen;
  const op = call.op as MainOperation;
  // If the request is malformed as well, either error may be reported; by which code a malformed one is refused,
  // others show.
  if (call.request.illegal !== null && code >= 400 && code < 500) {
    if (code === 404 || code === 400) seen.observe('5/unknown-endpoint-before-malformed', `${code}`);
    if (code !== 404) return;
  }
  if (op !== 'health' || code !== 429) seen.checkGiven(UNKNOWN_ENDPOINT[op], code === 404);
}

/** The call names an id that no job of the endpoint has. */
export function judgeNoJob(seen: AnsweredCall, { id, isInvalidId: isNoId }: IdLookup): void {
  const { context, call, code, isOk: ok } = seen;
  const op = call.op as (typeof JOB_OPERATIONS)[number];
  if (context.isElsewhere(id)) return seen.check(ISOLATED[op], !ok);
  if (op === 'status' && context.jobs.some((job) => job.id.startsWith(id))) {
    // Where ids are numbers, the prefix of one may be the id of an older job, which is then the one reported.
    const reported = idIn(call);
    return seen.checkGiven(UNKNOWN_JOB.status, !ok || reported === null || reported === id);
  }
  // Beyond a limit of the operation, which should have been reported instead, by whatever code.
  if (code >= 500 && mayBeBeyondLimits(context, call)) return;
  // A string that cannot be an id may be reported as a malformed request.
  if (isNoId && code === 400) return;
  // A job whose submission was not answered may have this id.
  if (context.callIndex.pendingSubmissions.length > 0 && !/no-such|never/.test(id)) return;
  seen.checkGiven(UNKNOWN_JOB[op], code >= 400 && code < 500);
  if (mayBeIssued(context, id)) seen.observeCode('7/unknown-job-code', 'other');
}

/** If the target's own ids contain a UUID, any other UUID could be one of them. */
function mayBeIssued(context: JudgingContext, id: string): boolean {
  return UUID.test(id) && context.jobs.some((job) => UUID.test(job.id));
}

/** Paths for which the document shows a rate but no answer, and paths that it does not mention. */
export function judgeOtherPath(seen: AnsweredCall): void {
  const { context, code, isOk: ok } = seen;
  const { op, request } = seen.call;
  if (op === 'openai' || op === 'requests') {
    if (context.session.exists) seen.checkGiven(EXISTS[op], code !== 404 && code !== 405);
    return;
  }
  if (ok && !context.session.exists) return;
  const version = request.path.split('/').find((part) => part !== '');
  if (version === 'v2') return;
  const id = isVersion(version) ? '9/other-version-not-served' : '9/path-without-version-not-served';
  seen.checkGiven(id, !ok);
}

const isVersion = (part: string | undefined): boolean => part !== undefined && /^v[0-9]+$/.test(part);

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Combinations where the right method would certainly succeed and the wrong one is a common one. */
const SWAPPED: readonly string[] = ['POST health', 'GET cancel'];

/** Observes the first question that the request raises. */
export function answersOddRequest(seen: AnsweredCall): void {
  const { context, call, code, isOk: ok } = seen;
  const { method, path } = call.request;
  const [version, , op, id, ...rest] = path.split('/').filter((part) => part !== '');
  if (version !== 'v2') {
    if (isVersion(version)) seen.observeCode('9/other-version-answer', 'other');
    return;
  }
  if (!context.session.exists || op === undefined || rest.length > 0) return;
  const known = OPERATIONS.find((one) => one.op === op);
  if (known === undefined) {
    seen.observeCode('4/unknown-path');
    return;
  }
  const isMethod = method === known.method;
  const isIdMissing = known.takesJob && id === undefined;
  // Two irregularities at once settle neither question.
  if (isIdMissing && !isMethod) return;
  if (path.endsWith('/') && isMethod && known.takesJob === (id !== undefined)) {
    const redirect = REDIRECTS.includes(code) ? 'redirect' : null;
    seen.observeCode('4/trailing-slash', ok ? 'same' : redirect);
  } else if (isIdMissing) seen.observeCode('4/missing-job-id');
  else if (method === 'OPTIONS') seen.observeCode('4/options-request', ok ? 'success' : null);
  else if (method === 'HEAD' && known.method === 'GET')
    seen.observeCode('4/head-request', ok ? 'like-get' : null);
  else if (SWAPPED.includes(`${method} ${op}`)) seen.observeCode('4/wrong-method', ok ? 'same' : null);
}
