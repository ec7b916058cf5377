/**
 * The request pipeline: takes a request through the checks in this order: key, path, method, endpoint, rate,
 * size, type. Then the operation checks its own fields.
 */
import type { CoreReply, CoreRequest } from '../api.js';
import { jsonReply } from '../state.js';
import type { ServiceState } from '../state.js';
import type { ConcurrencySlot } from '../meters.js';
import { perform } from '../operations.js';
import type { Call } from '../operations.js';
import type { Rules } from '../rules.js';
import type { Problem } from '../rules/http.js';
import type { Endpoint } from '../entities.js';
import { hangUp } from '../waiting-calls.js';
import { checkKey, type KeyCheck } from './auth.js';
import { admitsAnother, isConcurrencyLimitReached, refusedByRate } from './rate.js';
import { refusalWith, type Refused } from './refusal.js';
import { routeOf } from './route.js';
import type { Route } from './route.js';
import { jsonObject, submissionIn } from './submission.js';

interface ParsedRequest {
  readonly request: CoreRequest;
  readonly route: Route | Problem;
  readonly endpoint: Endpoint | undefined;
  readonly meter: string;
  readonly key: KeyCheck;
}

/**
 * The header fields of a request have arrived, but not its body. In one reading it counts as in flight from
 * now on.
 */
export function receiveHeaders(state: ServiceState, callId: number, request: CoreRequest): void {
  if (!state.rules.countsFromHeaders()) return;
  const { route, endpoint, key, meter } = parseRequest(state, request);
  if (typeof route === 'string' || endpoint === undefined) return;
  if (typeof key === 'string' && state.rules.needsKey(route.op)) return;
  if (!state.rules.methodAllowed(route.op, request.method, route.method)) return;
  endpoint.meters.add(meter);
  const full = isConcurrencyLimitReached(state, route, endpoint, meter);
  state.arrivals.set(callId, { endpoint, slot: full ? null : state.meters.enter(meter) });
}

/**
 * How many bytes of the body of a call to read, judged by its header fields. Null when it is refused whatever
 * its body holds. Changes nothing.
 */
export function bodyWanted(
  state: ServiceState,
  callId: number,
  request: CoreRequest,
  nowMs: number,
): number | null {
  const parsed = parseRequest(state, request);
  const { route } = parsed;
  if (typeof route === 'string') return null;
  const problem = headerProblem(state, parsed, route, state.arrivals.get(callId)?.slot, nowMs);
  const isRefused = problem !== null && !state.rules.performsRefused(problem, route.op);
  return isRefused ? null : state.rules.bodyBytesMax(route.op);
}

/**
 * The problem that `refusalBeforeOperation` will find whatever the body holds; null when it depends on the
 * body.
 */
function headerProblem(
  state: ServiceState,
  { request, endpoint, meter, key }: ParsedRequest,
  route: Route,
  slot: ConcurrencySlot | null | undefined,
  nowMs: number,
): Problem | null {
  const { rules } = state;
  const { op } = route;
  if (typeof key === 'string' && rules.needsKey(op)) return rules.revealsWithoutKey('malformed') ? null : key;
  if (!rules.methodAllowed(op, request.method, route.method)) return 'wrong-method';
  if (endpoint === undefined) return rules.malformedBeforeEndpoint() ? null : 'no-such-endpoint';
  if (slot === null) return 'too-many-at-once';
  if (!admitsAnother(state, route, endpoint, meter, nowMs)) return 'too-many';
  // Where only the input counts, its size is not yet known.
  const bytes = rules.payloadBytes(request.bodyBytes, () => 0);
  return bytes > rules.bodyBytesMax(op) ? 'too-large' : null;
}

/** The reply to a request; null when the call waits. */
export function answerRequest(
  state: ServiceState,
  callId: number,
  request: CoreRequest,
  nowMs: number,
): CoreReply | null {
  const shorter = withoutSlashes(request.path);
  if (shorter !== request.path && state.rules.trailingSlash() === 'redirect') {
    abandonRequest(state, callId);
    return { ...jsonReply(state, 308, null), headers: { location: shorter } };
  }
  const parsed = parseRequest(state, request);
  // When the endpoint was replaced meanwhile, the call counts as arriving only now.
  const before = state.arrivals.get(callId);
  state.arrivals.delete(callId);
  const arrival = before?.endpoint === parsed.endpoint ? before : undefined;
  const reply = answerTo(state, callId, parsed, arrival?.slot, nowMs);
  if (reply !== null) before?.slot?.release();
  return reply;
}

/** The body of this call will not arrive. */
export function abandonRequest(state: ServiceState, callId: number): void {
  state.arrivals.get(callId)?.slot?.release();
  state.arrivals.delete(callId);
}

function parseRequest(state: ServiceState, given: CoreRequest): ParsedRequest {
  const path = state.rules.trailingSlash() === 'same' ? withoutSlashes(given.path) : given.path;
  const request = path === given.path ? given : { ...given, path };
  const route = routeOf(state.rules, path);
  const key = checkKey(state, request, typeof route === 'string' ? null : route.op);
  if (typeof route === 'string') return { request, route, endpoint: undefined, meter: '', key };
  const meter = state.rules.rateScope(
    typeof key === 'string' ? -1 : key,
    route.endpoint,
    route.op,
    route.rest,
  );
  return { request, route, endpoint: state.endpoints.get(route.endpoint), meter, key };
}

/**
 * @param slot from the arrival of the header fields: null when none was free; undefined when the call arrived
 * complete
 */
function answerTo(
  state: ServiceState,
  callId: number,
  parsed: ParsedRequest,
  slot: ConcurrencySlot | null | undefined,
  nowMs: number,
): CoreReply | null {
  const { request, route, endpoint, meter } = parsed;
  const op = typeof route === 'string' ? null : route.op;
  const refused = refusalBeforeOperation(state, parsed, slot, nowMs);
  if (refused === null) {
    const inUse = slot ?? state.meters.enter(meter);
    const reply = perform(state, { callId, request, route, endpoint, slot: inUse } as Call, nowMs);
    if (reply === null) return null;
    inUse.release();
    const failed = reply.status >= 400 && reply.status < 500;
    if (failed && !state.rules.failedCounts()) state.meters.refund(meter, state.rules.rateAlgorithm());
    return reply;
  }
  if (endpoint !== undefined && state.rules.performsRefused(refused.problem, op)) {
    const inUse = state.meters.enter(meter);
    perform(state, { callId, request, route, endpoint, slot: inUse } as Call, nowMs);
    hangUp(state, callId);
    inUse.release();
  }
  const code = state.rules.codeOf(refused.problem, op);
  return refusalWith(
    state,
    refused.problem === 'wrong-method' ? state.rules.methodCode(request.method, code) : code,
    refused.detail,
  );
}

/**
 * The path without slashes at its end. A path like `//host` stays: a redirect to it would leave this server.
 */
function withoutSlashes(path: string): string {
  if (path.startsWith('//')) return path;
  let end = path.length;
  while (end > 1 && path.charAt(end - 1) === '/') end--;
  return path.slice(0, end);
}

function refusalBeforeOperation(
  state: ServiceState,
  parsed: ParsedRequest,
  slot: ConcurrencySlot | null | undefined,
  nowMs: number,
): Refused | null {
  const { request, route, endpoint, meter, key } = parsed;
  if (typeof key === 'string' && state.rules.needsKey(typeof route === 'string' ? null : route.op)) {
    if (endpoint !== undefined && state.rules.unauthorizedCounts())
      refusedByRate(state, parsed.route as Route, endpoint, meter, slot, nowMs);
    return revealedWithoutKey(state, parsed) ?? { problem: key, detail: KEY_REFUSALS[key] };
  }
  if (typeof route === 'string')
    return { problem: route, detail: `no such path: ${request.path}${hintFor(request.path)}` };
  if (!state.rules.methodAllowed(route.op, request.method, route.method)) {
    return { problem: 'wrong-method', detail: `use ${route.method} for /${route.op}` };
  }
  if (endpoint === undefined) {
    if (state.rules.malformedBeforeEndpoint()) {
      const fault = submissionFault(state, route, request);
      if (fault !== null) return { problem: 'malformed', detail: fault };
    }
    return { problem: 'no-such-endpoint', detail: `no such endpoint: ${route.endpoint}` };
  }
  const limited = refusedByRate(state, route, endpoint, meter, slot, nowMs);
  if (limited !== null) return limited;
  const fault = invalidRequest(state, route, request);
  if (fault !== null && !state.rules.failedCounts()) state.meters.refund(meter, state.rules.rateAlgorithm());
  return fault;
}

const KEY_REFUSALS = {
  unauthorized: 'the API key is missing or wrong',
  'no-permission': 'the API key has no permission for this endpoint',
} as const;

/** What is wrong with size, type, body or query, before the operation reads the body. */
function invalidRequest(state: ServiceState, { op }: Route, request: CoreRequest): Refused | null {
  const bytesMax = state.rules.bodyBytesMax(op);
  const above = request.bodyBytes > bytesMax;
  if (
    above &&
    state.rules.payloadBytes(request.bodyBytes, () => inputBytes(state.rules, request)) > bytesMax
  ) {
    return {
      problem: 'too-large',
      detail: `bad request: body: exceeded max body size of ${formatBytes(bytesMax)}`,
    };
  }
  const takesBody = op === 'run' || op === 'runsync' || op === 'openai';
  if (takesBody && op !== 'openai' && !state.rules.typeAccepted(request.headers['content-type'])) {
    return {
      problem: request.headers['content-type'] === undefined ? 'type-missing' : 'unsupported-type',
      detail: 'content-type must be application/json',
    };
  }
  if (!takesBody && request.bodyBytes > 0 && !state.rules.unneededBodyAllowed()) {
    return { problem: 'malformed', detail: `/${op} takes no body` };
  }
  for (const name of Object.keys(request.query)) {
    if (!state.rules.queryAllowed(op, name))
      return { problem: 'malformed', detail: `${name} is not a parameter of /${op}` };
  }
  return null;
}

const MEBIBYTE = 1_048_576;

const formatBytes = (bytes: number): string =>
  bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE}MiB` : `${bytes} bytes`;

/** The size of `input` as compact JSON; that of the whole body when it is not readable. */
function inputBytes(rules: Rules, request: CoreRequest): number {
  const read = jsonObject(rules, request);
  if ('refused' in read) return request.bodyBytes;
  return new TextEncoder().encode(JSON.stringify(read.value['input'] ?? null)).length;
}

function revealedWithoutKey(
  state: ServiceState,
  { request, route, endpoint }: ParsedRequest,
): Refused | null {
  if (typeof route === 'string') return null;
  if (endpoint === undefined) {
    return state.rules.revealsWithoutKey('no-such-endpoint')
      ? { problem: 'no-such-endpoint', detail: `no such endpoint: ${route.endpoint}` }
      : null;
  }
  if (
    route.job !== '' &&
    state.jobs.get(route.job)?.endpoint !== endpoint &&
    state.rules.revealsWithoutKey('no-such-job')
  ) {
    return { problem: 'no-such-job', detail: `job not found: ${route.job}` };
  }
  if (!state.rules.revealsWithoutKey('malformed')) return null;
  const fault = submissionFault(state, route, request);
  return fault === null ? null : { problem: 'malformed', detail: fault };
}

function submissionFault(state: ServiceState, { op }: Route, request: CoreRequest): string | null {
  if (op !== 'run' && op !== 'runsync') return null;
  const read = submissionIn(state.rules, request);
  return 'refused' in read ? read.refused : null;
}

/** Clients are often given an address without `/v2`. */
const hintFor = (path: string): string =>
  path.startsWith('/v2/') ? '' : ' (paths begin with /v2/<endpoint_id>/)';
