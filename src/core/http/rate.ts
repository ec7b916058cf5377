/** Section 8: whether a call exceeds a limit. */
import type { ServiceState } from '../state.js';
import type { MeterLimit } from '../meters.js';
import type { Endpoint } from '../entities.js';
import type { EndpointCall } from './checks.js';
import type { Refused } from './refusal.js';
import type { Route } from './route.js';

/** Whether the concurrency limit is reached. */
export function isConcurrencyLimitReached(
  { rules, meters }: ServiceState,
  { op }: Route,
  endpoint: Endpoint,
  meter: string,
): boolean {
  const jobs = op === 'run' || op === 'runsync' || op === 'openai' ? endpoint.live[op] : 0;
  return rules.inFlight(op, { calls: meters.inFlight(meter), jobs }) >= rules.concurrencyLimit(op);
}

function allowanceOf(
  { rules }: ServiceState,
  op: Route['op'],
  endpoint: Endpoint,
  tooManyAtOnce: boolean,
): MeterLimit {
  const workers = rules.runningWorkers(endpoint.pool.idle, endpoint.pool.running);
  return {
    requests: rules.rateLimit(op, workers, rules.requestsPerWorker()),
    windowMs: rules.rateWindowMs(op),
    algorithm: rules.rateAlgorithm(),
    refusedCounts: rules.refusedCounts(),
    tooManyAtOnce,
  };
}

/** Counts a complete call. Before that, what may have changed until the call is complete does not count. */
export function refusedByRate(call: EndpointCall): Refused | null {
  const { state, route, endpoint, meter, slot, isComplete, nowMs } = call;
  const { rules, meters } = state;
  const { op } = route;
  const isFull = isComplete && slot === undefined && isConcurrencyLimitReached(state, route, endpoint, meter);
  const allowance = allowanceOf(state, op, endpoint, isFull || slot === null);
  if (isComplete) endpoint.meters.add(meter);
  const problem = isComplete
    ? meters.admit(meter, nowMs, allowance)
    : meters.problemOf(meter, nowMs, allowance);
  if (problem === null) return isComplete ? refusedByQueue(state, op, endpoint) : null;
  const allowed =
    problem === 'too-many'
      ? `${allowance.requests} requests per ${allowance.windowMs / 1_000} seconds`
      : `${rules.concurrencyLimit(op)} requests at once`;
  return { problem, detail: `rate limit exceeded: /${op} takes ${allowed}` };
}

function refusedByQueue(state: ServiceState, op: Route['op'], endpoint: Endpoint): Refused | null {
  if (op !== 'run' && op !== 'runsync') return null;
  if (endpoint.queue.size < state.rules.queueLengthMax(endpoint.scaling.max)) return null;
  return { problem: 'queue-full', detail: `too many jobs wait: ${endpoint.queue.size}` };
}
