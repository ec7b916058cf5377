/** Which exchanges of a recording are calls of the API, and of which endpoint. */
import { answerOf, jsonOf, replyIn, type Exchange } from '../history/exchange.js';
import { SUBMISSIONS, type Edition, type Operation } from '../spec/index.js';
import { namesIn, type Names } from '../spec/operation-of.js';
import { isJobStatus } from '../spec/states.js';
import { isObject } from '../util/json.js';

/** An exchange that has the form of a call of section 4. */
export interface Call extends Exchange {
  readonly names: Names;
}

/** Those of section 4.9 are not judged: other services have a path `/requests`, too. */
const NOT_JUDGED: readonly Operation[] = ['openai', 'requests'];

/** Operations that change a job, or what a later call is answered. */
const WITH_EFFECT: readonly Operation[] = ['run', 'runsync', 'stream', 'cancel', 'retry', 'purge-queue'];
/** Whatever a service makes of other methods, these ask about a path. */
export const ASKING: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS']);
/** The client did not wait for the answer, as some gateways record it. */
export const CLIENT_CLOSED = 499;
/** The service does not know the method. */
const NOT_IMPLEMENTED = 501;

/** What a whole address names, as far as it is judged; null: nothing, or it is no address. */
export function namesAt(method: string, address: string, edition: Edition): Names | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url === null ? null : namesOf(method, url, edition);
}

export function namesOf(method: string, { origin, pathname }: URL, edition: Edition): Names | null {
  const names = namesIn(method, origin, pathname, edition);
  return names === null || NOT_JUDGED.includes(names.operation) ? null : names;
}

/** Whether a request has the form of a call, or may be performed as one. */
export const isOfApi = (method: string, names: Names | null): boolean =>
  names !== null && (names.hasItsMethod || isAnotherWay(method, names));

export const isCall = (exchange: Exchange): exchange is Call => exchange.names?.hasItsMethod === true;

/**
 * Whether a service may have performed an operation that was asked for by another method than the document's, such as
 * `GET /cancel/ID`: the document does not show what it then does. Not judged, but jobs may have changed.
 */
export function mayBePerformed(exchange: Exchange): boolean {
  const { request, names } = exchange;
  if (names === null || names.hasItsMethod || !isAnotherWay(request.method, names)) return false;
  const answer = answerOf(exchange);
  return answer === null || !isRefusal(answer.status);
}

/** What a gateway answers that did not wait, and a server error, do not say what was done. */
const isRefusal = (status: number): boolean =>
  (status >= 400 && status < 500 && status !== CLIENT_CLOSED) || status === NOT_IMPLEMENTED;

/** The method is none that only asks about a path, and the operation has an effect. */
const isAnotherWay = (method: string, { operation }: Names): boolean =>
  !ASKING.has(method) && WITH_EFFECT.includes(operation);

/** The job that a submission has created, as its answer says; null: none, or it does not say. */
export function submittedJobOf(exchange: Exchange): string | null {
  const record = isSubmission(exchange) ? replyIn(exchange) : undefined;
  return isObject(record) && typeof record['id'] === 'string' ? record['id'] : null;
}

/** The job that the call names, or that its answer says it has created. */
export const jobIn = (call: Call): string | null => call.names.job ?? submittedJobOf(call);

/** It asks for a job. */
export const isSubmission = ({ names }: Pick<Exchange, 'names'>): boolean =>
  names?.hasItsMethod === true && (SUBMISSIONS as readonly Operation[]).includes(names.operation);

/** Only an endpoint answers so: other services have a path `/run` or `/health`, too. */
export function isAnsweredByEndpoint(exchange: Exchange): boolean {
  const record = replyIn(exchange);
  return isObject(record) && typeof record['id'] === 'string' && isJobStatus(record['status']);
}

/** Why a call of an endpoint is not judged; null: it is. */
export function leftOut(exchange: Exchange): 'unauthorized' | 'bodiless' | null {
  const code = answerOf(exchange)?.status;
  if (code === 401 || code === 403) return 'unauthorized';
  return isSubmission(exchange) && exchange.request.body === undefined ? 'bodiless' : null;
}

/** Keys may have been refused for good reason. */
export function isAnsweredInJson(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  if (answer === null || answer.status === 401 || answer.status === 403) return false;
  const body = jsonOf(answer.body);
  return typeof body === 'object' && body !== null;
}

/** By the document's address, and two of its operations, one of which takes submissions. */
export const looksLikeEndpoint = ([base, ops]: readonly [string, ReadonlySet<Operation>]): boolean =>
  /\/v2\/[^/]+$/u.test(base) && ops.size > 1 && (ops.has('run') || ops.has('runsync'));

/** Why a service may answer the request in another way than an ordinary one; null for an ordinary one. */
export function whyUnusual({
  names: { operation },
  request: { body },
}: Pick<Call, 'names' | 'request'>): string | null {
  if (operation !== 'run' && operation !== 'runsync')
    return body === undefined || body === null || body === '' ? null : 'unneeded-body';
  const submission = jsonOf(body);
  if (submission === undefined) return 'not-json';
  return isObject(submission) && isObject(submission['input']) ? null : 'no-input';
}
