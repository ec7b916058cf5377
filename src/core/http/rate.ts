/** Section 8: whether a call exceeds a limit. */
import type { ServiceState } from '../state.js';
import type { MeterLimit, ConcurrencySlot } from '../meters.js';
import type { Endpoint } from '../entities.js';
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

/** Whether the window admits another request. Counts nothing. */
export function admitsAnother(
  state: ServiceState,
  { op }: Route,
  endpoint: Endpoint,
  meter: string,
  nowMs: number,
): boolean {
  return state.meters.admitsAnother(meter, nowMs, allowanceOf(state, op, endpoint, false));
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

/**
 * @param slot from the arrival of the header fields: null when none was free; undefined when the call arrived
 * complete
 */
export function refusedByRate(
  state: ServiceState,
  route: Route,
  endpoint: Endpoint,
  meter: string,
  slot: ConcurrencySlot | null | undefined,
  nowMs: number,
): Refused | null {
  const { rules } = state;
  const { op } = route;
  endpoint.meters.add(meter);
  const tooManyAtOnce =
    slot === undefined ? isConcurrencyLimitReached(state, route, endpoint, meter) : slot === null;
  const allowance = allowanceOf(state, op, endpoint, tooManyAtOnce);
  const problem = state.meters.admit(meter, nowMs, allowance);
  if (problem === null) return refusedByQueue(state, op, endpoint);
  const allowed =
    problem === 'too-many'
      ? `${allowance.requests} requests per 10 seconds`
      : `${rules.concurrencyLimit(op)} requests at once`;
  return { problem, detail: `rate limit exceeded: /${op} takes ${allowed}` };
}

function refusedByQueue(state: ServiceState, op: Route['op'], endpoint: Endpoint): Refused | null {
  if (op !== 'run' && op !== 'runsync') return null;
  if (endpoint.queue.size < state.rules.queueLengthMax(endpoint.scaling.max)) return null;
  return { problem: 'queue-full', detail: `too many jobs wait: ${endpoint.queue.size}` };
}
