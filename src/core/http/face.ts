/**
 * The HTTP face: from a request to the operation it names. Checks go from the outside in: key, path, method,
 * endpoint, rate, size; the operations check what is theirs.
 */
import type { CoreReply, CoreRequest } from '../api.js';
import type { Machine } from '../machine.js';
import { perform } from '../operations.js';
import type { Endpoint } from '../state.js';
import { keyOf } from './auth.js';
import { refusal } from './refusal.js';
import { routeOf } from './route.js';
import type { Route } from './route.js';

/** The reply, or null when the call waits. */
export function answer(m: Machine, callId: number, request: CoreRequest, nowMs: number): CoreReply | null {
  const route = routeOf(request.path, m.rules.hasStatusSync());
  const key = keyOf(m, request.headers['authorization']);
  if (key === null && m.rules.needsKey(route?.op ?? null)) {
    return refusal(m, 'unauthorized', route?.op ?? null, 'the API key is missing or wrong');
  }
  if (route === null) return refusal(m, 'no-such-path', null, `no such path: ${request.path}`);
  if (!m.rules.methodAllowed(route.op, request.method, route.method)) {
    return refusal(m, 'wrong-method', route.op, `use ${route.method} for /${route.op}`);
  }
  const endpoint = m.endpoints.get(route.endpoint);
  if (endpoint === undefined)
    return refusal(m, 'no-such-endpoint', route.op, `no such endpoint: ${route.endpoint}`);
  const meter = m.rules.rateScope(key ?? -1, endpoint.id, route.op);
  const refused = refusedByRate(m, route, endpoint, meter, nowMs);
  if (refused !== null) return refused;
  const bytesMax = m.rules.bodyBytesMax(route.op);
  if (request.bodyBytes > bytesMax) {
    return refusal(
      m,
      'too-large',
      route.op,
      `bad request: body: exceeded max body size of ${bytesMax} bytes`,
    );
  }
  return perform(m, { callId, request, route, endpoint, meter }, nowMs);
}

function refusedByRate(
  m: Machine,
  { op }: Route,
  endpoint: Endpoint,
  meter: string,
  nowMs: number,
): CoreReply | null {
  const { rules } = m;
  endpoint.meters.add(meter);
  const requests = rules.rateLimit(op, endpoint.busy.size, rules.requestsPerWorker());
  const concurrency = rules.concurrencyLimit(op);
  const verdict = m.meters.admit(meter, nowMs, {
    requests,
    concurrency,
    windowMs: rules.rateWindowMs(op),
    algorithm: rules.rateAlgorithm(),
    refusedCounts: rules.refusedCounts(),
  });
  if (verdict === 'ok') return null;
  return verdict === 'too-many'
    ? refusal(m, 'too-many', op, `rate limit exceeded: ${requests} requests per 10 seconds to /${op}`)
    : refusal(
        m,
        'too-many-at-once',
        op,
        `rate limit exceeded: ${concurrency} requests at the same time to /${op}`,
      );
}
