/**
 * The HTTP face: from a request to the operation it names. Checks go from the outside in: key, path, method,
 * endpoint, rate, size; the operations check what is theirs.
 */
import type { CoreReply, CoreRequest } from '../api.js';
import type { Machine } from '../machine.js';
import { perform } from '../operations.js';
import type { Call } from '../operations.js';
import type { Operation } from '../../spec/types.js';
import type { Problem } from '../rules/http.js';
import type { Endpoint } from '../state.js';
import { hangUp } from '../waiting.js';
import { keyOf } from './auth.js';
import { refusal } from './refusal.js';
import { routeOf } from './route.js';
import type { Route } from './route.js';

/** The reply, or null when the call waits. */
export function answer(m: Machine, callId: number, request: CoreRequest, nowMs: number): CoreReply | null {
  const route = routeOf(m.rules, request.path);
  const endpoint = route === null ? undefined : m.endpoints.get(route.endpoint);
  const key = keyOf(m, request);
  const meter = route === null ? '' : m.rules.rateScope(key ?? -1, route.endpoint, route.op);
  const call = { callId, request, route, endpoint, meter, key };
  const refused = refusedBefore(m, call, nowMs);
  if (refused === null) return perform(m, call as Call, nowMs);
  if (route !== null && endpoint !== undefined && m.rules.performsRefused(refused.problem, route.op)) {
    perform(m, call as Call, nowMs);
    hangUp(m, callId);
  }
  return refusal(m, refused.problem, route?.op ?? null, refused.detail);
}

interface Asked {
  readonly request: CoreRequest;
  readonly route: Route | null;
  readonly endpoint: Endpoint | undefined;
  readonly meter: string;
  readonly key: number | null;
}

interface Refused {
  readonly problem: Problem;
  readonly detail: string;
}

function refusedBefore(m: Machine, asked: Asked, nowMs: number): Refused | null {
  const { request, route, endpoint, meter } = asked;
  if (asked.key === null && m.rules.needsKey(route?.op ?? null)) {
    return { problem: 'unauthorized', detail: 'the API key is missing or wrong' };
  }
  if (route === null) return { problem: 'no-such-path', detail: `no such path: ${request.path}` };
  if (!m.rules.methodAllowed(route.op, request.method, route.method)) {
    return { problem: 'wrong-method', detail: `use ${route.method} for /${route.op}` };
  }
  if (endpoint === undefined) {
    return { problem: 'no-such-endpoint', detail: `no such endpoint: ${route.endpoint}` };
  }
  const overRate = refusedByRate(m, route.op, endpoint, meter, nowMs);
  if (overRate !== null) return overRate;
  const bytesMax = m.rules.bodyBytesMax(route.op);
  if (request.bodyBytes <= bytesMax) return null;
  return { problem: 'too-large', detail: `bad request: body: exceeded max body size of ${bytesMax} bytes` };
}

function refusedByRate(
  m: Machine,
  op: Operation,
  endpoint: Endpoint,
  meter: string,
  nowMs: number,
): Refused | null {
  const { rules } = m;
  endpoint.meters.add(meter);
  const requests = rules.rateLimit(op, endpoint.busy.size, rules.requestsPerWorker());
  const concurrency = rules.concurrencyLimit(op);
  const problem = m.meters.admit(meter, nowMs, {
    requests,
    concurrency,
    windowMs: rules.rateWindowMs(op),
    algorithm: rules.rateAlgorithm(),
    refusedCounts: rules.refusedCounts(),
  });
  if (problem === null) return null;
  const allowed =
    problem === 'too-many' ? `${requests} requests per 10 seconds` : `${concurrency} requests at once`;
  return { problem, detail: `rate limit exceeded: /${op} takes ${allowed}` };
}
