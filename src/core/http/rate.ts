/** Section 8: whether a call is one too many. */
import type { ServiceState } from '../state.js';
import type { MeterLimit, ConcurrencySlot } from '../meters.js';
import type { Endpoint } from '../entities.js';
import type { Refused } from './refusal.js';
import type { Route } from './route.js';

/** As many calls are under way as may be. */
export function isFull(
  { rules, meters }: ServiceState,
  { op }: Route,
  endpoint: Endpoint,
  meter: string,
): boolean {
  const jobs = op === 'run' || op === 'runsync' || op === 'openai' ? endpoint.live[op] : 0;
  return rules.inFlight(op, { calls: meters.underWay(meter), jobs }) >= rules.concurrencyLimit(op);
}

/** There is room in the window for one request more. */
export function hasRoom(
  state: ServiceState,
  { op }: Route,
  endpoint: Endpoint,
  meter: string,
  nowMs: number,
): boolean {
  const allowance = { ...allowanceOf(state, op, endpoint), tooManyAtOnce: false };
  return state.meters.hasRoom(meter, nowMs, allowance);
}

function allowanceOf(
  { rules }: ServiceState,
  op: Route['op'],
  endpoint: Endpoint,
): Omit<MeterLimit, 'tooManyAtOnce'> {
  const workers = rules.runningWorkers(endpoint.pool.idle, endpoint.pool.running);
  return {
    requests: rules.rateLimit(op, workers, rules.requestsPerWorker()),
    windowMs: rules.rateWindowMs(op),
    algorithm: rules.rateAlgorithm(),
    refusedCounts: rules.refusedCounts(),
  };
}

/** `slot`: of a call that was counted, or found no room, when its header fields arrived; undefined for any other. */
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
  const allowance = allowanceOf(state, op, endpoint);
  const tooManyAtOnce = slot === undefined ? isFull(state, route, endpoint, meter) : slot === null;
  const problem = state.meters.admit(meter, nowMs, { ...allowance, tooManyAtOnce });
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
