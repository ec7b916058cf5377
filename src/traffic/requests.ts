/** Which requests of a recording are calls of the API, and of which endpoint. */
import { SUBMISSIONS, type Edition, type Operation } from '../spec/index.js';
import { isMethodOf, operationNamed } from '../spec/operation-of.js';
import { isObject, jsonIn } from '../util/json.js';
import type { Exchange, RecordedBody } from './exchange.js';

/** A request that has the form of a call of section 4. */
export interface ApiRequest {
  readonly op: Operation;
  /** What stands before the operation: origin and path. */
  readonly base: string;
  /** Null for an operation without a job. */
  readonly jobId: string | null;
  /** False for an address with a slash too many, which a service may take for another one. */
  readonly isExact: boolean;
}

/** Those of section 4.9 are not judged: other services have a path `/requests`, too. */
const NOT_JUDGED: readonly Operation[] = ['openai', 'requests'];

/** All of several but the last, and the one at the end. */
const SLASHES_TOO_MANY = /\/(?=\/)|\/$/gu;

/** Operations that change a job, or what a later call is answered. */
const WITH_EFFECT: readonly Operation[] = ['run', 'runsync', 'stream', 'cancel', 'retry', 'purge-queue'];
/** Whatever a service makes of other methods, these ask about a path. */
const ASKING: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS']);
/** The client did not wait for the answer, as some gateways record it. */
const CLIENT_CLOSED = 499;
/** The service does not know the method. */
const NOT_IMPLEMENTED = 501;

/** Whether a request of this method with this path and query has the form of a call, or may be performed as one. */
export function isApiTarget(method: string, target: string, edition: Edition): boolean {
  const address = `http://host${target}`;
  if (!URL.canParse(address)) return false;
  const request = requestAt(new URL(address), edition);
  return request !== null && (isMethodOf(request.op, method, edition) || isAnotherWay(request, method));
}

/** Null for any other request. */
export function apiRequestOf(
  { method, url }: Pick<Exchange, 'method' | 'url'>,
  edition: Edition,
): ApiRequest | null {
  const request = requestAt(url, edition);
  return request !== null && isMethodOf(request.op, method, edition) ? request : null;
}

/**
 * Whether a service may have performed an operation that was asked for by another method than the document's, such as
 * `GET /cancel/ID`: the document does not show what it then does. Not judged, but jobs may have changed.
 */
export function mayBePerformed({ method, url, reply }: Exchange, edition: Edition): boolean {
  const request = requestAt(url, edition);
  if (request === null || isMethodOf(request.op, method, edition)) return false;
  return isAnotherWay(request, method) && !(reply !== null && isRefusal(reply.status));
}

/** What a gateway answers that did not wait, and a server error, do not say what was done. */
const isRefusal = (status: number): boolean =>
  (status >= 400 && status < 500 && status !== CLIENT_CLOSED) || status === NOT_IMPLEMENTED;

/** The method is none that only asks about a path, and the operation has an effect. */
const isAnotherWay = ({ op }: ApiRequest, method: string): boolean =>
  !ASKING.has(method) && WITH_EFFECT.includes(op);

/** Whatever the method is. */
function requestAt(url: URL, edition: Edition): ApiRequest | null {
  const { pathname } = url;
  const path = pathname.replaceAll(SLASHES_TOO_MANY, '');
  const isExact = path === pathname;
  const lastAt = path.lastIndexOf('/');
  const last = path.slice(lastAt + 1);
  const beforeAt = path.lastIndexOf('/', lastAt - 1);
  const before = operationNamed(path.slice(beforeAt + 1, Math.max(0, lastAt)), edition);
  const takesJob = before?.takesJob === true;
  const named = takesJob ? before : operationNamed(last, edition);
  if (named === null || named.takesJob !== takesJob || NOT_JUDGED.includes(named.op)) return null;
  const { op } = named;
  const jobId = takesJob ? textOf(last) : null;
  return {
    op,
    base: url.origin + path.slice(0, takesJob ? beforeAt : lastAt),
    jobId,
    isExact,
  };
}

/** What a segment of a path says. */
export function textOf(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The job that a submission has created, as its answer says; null: none, or it does not say. */
export function submittedJobOf(exchange: Exchange): string | null {
  const record = isSubmission(exchange) ? jsonOf(exchange.reply?.body) : undefined;
  return isObject(record) && typeof record['id'] === 'string' ? record['id'] : null;
}

/** The job that the call names, or that its answer says it has created. */
export const jobIn = (call: Exchange & { readonly request: ApiRequest }): string | null =>
  call.request.jobId ?? submittedJobOf(call);

/** It asks for a job. */
export const isSubmission = ({ method, url }: Exchange): boolean =>
  method === 'POST' && SUBMISSIONS.some((op) => url.pathname.replace(/\/+$/u, '').endsWith(`/${op}`));

const STATES: ReadonlySet<unknown> = new Set([
  'IN_QUEUE',
  'IN_PROGRESS',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
]);

/** Only an endpoint answers so: other services have a path `/run` or `/health`, too. */
export function isAnsweredByEndpoint({ reply }: Exchange): boolean {
  const record = reply === null ? undefined : jsonOf(reply.body);
  return isObject(record) && typeof record['id'] === 'string' && STATES.has(record['status']);
}

export function jsonOf(body: RecordedBody): unknown {
  if (typeof body === 'object' && body?.as === 'json') return body.value;
  return typeof body === 'string' ? jsonIn(body) : undefined;
}

/** Why a call of an endpoint is not judged; null: it is. */
export function leftOut(exchange: Exchange): 'unauthorized' | 'bodiless' | null {
  const code = exchange.reply?.status;
  if (code === 401 || code === 403) return 'unauthorized';
  return isSubmission(exchange) && exchange.body === undefined ? 'bodiless' : null;
}

/** Keys may have been refused for good reason. */
export function isAnsweredInJson({ reply }: Exchange): boolean {
  if (reply === null || reply.status === 401 || reply.status === 403) return false;
  const body = jsonOf(reply.body);
  return typeof body === 'object' && body !== null;
}

/** By the document's address, and two of its operations, one of which takes submissions. */
export const looksLikeEndpoint = ([base, ops]: readonly [string, ReadonlySet<Operation>]): boolean =>
  /\/v2\/[^/]+$/u.test(base) && ops.size > 1 && (ops.has('run') || ops.has('runsync'));
