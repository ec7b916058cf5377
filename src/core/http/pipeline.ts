/** The request pipeline: a request passes the checks in their order (checks.ts), then its operation is performed. */
import type { CoreReply, CoreRequest } from '../api.js';
import { jsonReply } from '../state.js';
import type { ServiceState } from '../state.js';
import { perform } from '../operations.js';
import type { Call } from '../operations.js';
import type { Endpoint } from '../entities.js';
import { hangUp } from '../waiting-calls.js';
import { checkKey } from './checks.js';
import { CHECKS, type CheckedCall, type EndpointCall } from './checks.js';
import { isConcurrencyLimitReached } from './rate.js';
import { refusalWith, type Refused } from './refusal.js';
import { routeOf } from './route.js';

/** The meters count a call that gets this far. */
const RATE = CHECKS.findIndex(({ name }) => name === 'rate');
const BEFORE_RATE = CHECKS.slice(0, RATE);

/**
 * The header fields of a request have arrived, but not its body. In one reading it counts as in flight from
 * now on.
 */
export function receiveHeaders(
  state: ServiceState,
  callId: number,
  request: CoreRequest,
  nowMs: number,
): void {
  if (!state.rules.countsFromHeaders()) return;
  const call = parseRequest(state, callId, request, false, nowMs);
  if (headerRefusal(call, BEFORE_RATE) !== null) return;
  const { route, endpoint, meter } = call as EndpointCall;
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
  const call = parseRequest(state, callId, request, false, nowMs);
  if (typeof call.route === 'string') return null;
  const { op } = call.route;
  const refused = headerRefusal(call, CHECKS);
  const isRefused =
    refused !== null && refused !== 'open' && !state.rules.performsRefused(refused.problem, op);
  return isRefused ? null : state.rules.bodyBytesMax(op);
}

/** Why a call is refused by its header fields alone; `open` when that depends on its body. */
function headerRefusal(call: CheckedCall, checks: typeof CHECKS): Refused | 'open' | null {
  for (const row of checks) {
    if (row.needsBody(call)) return 'open';
    const refused = row.check(call);
    if (refused !== null) return refused;
  }
  return null;
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
  const call = parseRequest(state, callId, request, true, nowMs);
  const arrival = state.arrivals.get(callId);
  state.arrivals.delete(callId);
  const reply = answerTo(callId, call);
  if (reply !== null) arrival?.slot?.release();
  return reply;
}

/** The body of this call will not arrive. */
export function abandonRequest(state: ServiceState, callId: number): void {
  state.arrivals.get(callId)?.slot?.release();
  state.arrivals.delete(callId);
}

function parseRequest(
  state: ServiceState,
  callId: number,
  given: CoreRequest,
  isComplete: boolean,
  nowMs: number,
): CheckedCall {
  const { rules } = state;
  const path = rules.trailingSlash() === 'same' ? withoutSlashes(given.path) : given.path;
  const request = path === given.path ? given : { ...given, path };
  const route = routeOf(rules, path);
  const op = typeof route === 'string' ? null : route.op;
  const key = checkKey(state, request, op);
  const keyProblem = typeof key === 'string' && rules.needsKey(op) ? key : null;
  let endpoint: Endpoint | undefined;
  let meter = '';
  let slot: CheckedCall['slot'];
  if (typeof route !== 'string') {
    endpoint = state.endpoints.get(route.endpoint);
    meter = rules.rateScope(typeof key === 'string' ? -1 : key, route.endpoint, route.op, route.rest);
    const arrival = state.arrivals.get(callId);
    // When the endpoint was replaced meanwhile, the call counts as arriving only now.
    if (arrival?.endpoint === endpoint) slot = arrival?.slot;
  }
  return { state, request, route, keyProblem, endpoint, meter, slot, isComplete, nowMs };
}

function answerTo(callId: number, checked: CheckedCall): CoreReply | null {
  const { state, request, route, endpoint, meter, slot, nowMs } = checked;
  const op = typeof route === 'string' ? null : route.op;
  const refused = refusalOf(checked);
  if (refused === null) {
    const inUse = slot ?? state.meters.enter(meter);
    const reply = perform(state, { callId, request, route, endpoint, slot: inUse } as Call, nowMs);
    if (reply === null) return null;
    inUse.release();
    if (reply.status >= 400 && reply.status < 500) refundFailed(state, meter);
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

/** Why a complete call is refused; null when its operation is to be performed. */
function refusalOf(call: CheckedCall): Refused | null {
  for (let at = 0; at < CHECKS.length; at++) {
    const refused = CHECKS[at]!.check(call);
    if (refused === null) continue;
    if (at > RATE) refundFailed(call.state, call.meter);
    return refused;
  }
  return null;
}

function refundFailed({ rules, meters }: ServiceState, meter: string): void {
  if (!rules.failedCounts()) meters.refund(meter, rules.rateAlgorithm());
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
