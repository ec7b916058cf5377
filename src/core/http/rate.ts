/** Section 8: whether a call is one too many. */
import type { Machine } from '../machine.js';
import type { Allowance, Slot } from '../meters.js';
import type { Endpoint } from '../state.js';
import type { Refused } from './refusal.js';
import type { Route } from './route.js';

/** As many calls are under way as may be. */
export function isFull(
  { rules, meters }: Machine,
  { op }: Route,
  endpoint: Endpoint,
  meter: string,
): boolean {
  const jobs = op === 'run' || op === 'runsync' || op === 'openai' ? endpoint.live[op] : 0;
  return rules.underWay(op, { calls: meters.underWay(meter), jobs }) >= rules.concurrencyLimit(op);
}

/** There is room in the window for one request more. */
export function hasRoom(
  m: Machine,
  { op }: Route,
  endpoint: Endpoint,
  meter: string,
  nowMs: number,
): boolean {
  const allowance = { ...allowanceOf(m, op, endpoint), tooManyAtOnce: false };
  return m.meters.hasRoom(meter, nowMs, allowance);
}

function allowanceOf(
  { rules }: Machine,
  op: Route['op'],
  endpoint: Endpoint,
): Omit<Allowance, 'tooManyAtOnce'> {
  const workers = rules.runningWorkers(endpoint.fleet.idle, endpoint.fleet.running);
  return {
    requests: rules.rateLimit(op, workers, rules.requestsPerWorker()),
    windowMs: rules.rateWindowMs(op),
    algorithm: rules.rateAlgorithm(),
    refusedCounts: rules.refusedCounts(),
  };
}

/** `slot`: of a call that was counted, or found no room, when its header fields arrived; undefined for any other. */
export function refusedByRate(
  m: Machine,
  route: Route,
  endpoint: Endpoint,
  meter: string,
  slot: Slot | null | undefined,
  nowMs: number,
): Refused | null {
  const { rules } = m;
  const { op } = route;
  endpoint.meters.add(meter);
  const allowance = allowanceOf(m, op, endpoint);
  const tooManyAtOnce = slot === undefined ? isFull(m, route, endpoint, meter) : slot === null;
  const problem = m.meters.admit(meter, nowMs, { ...allowance, tooManyAtOnce });
  if (problem === null) return refusedByQueue(m, op, endpoint);
  const allowed =
    problem === 'too-many'
      ? `${allowance.requests} requests per 10 seconds`
      : `${rules.concurrencyLimit(op)} requests at once`;
  return { problem, detail: `rate limit exceeded: /${op} takes ${allowed}` };
}

function refusedByQueue(m: Machine, op: Route['op'], endpoint: Endpoint): Refused | null {
  if (op !== 'run' && op !== 'runsync') return null;
  if (endpoint.queue.size < m.rules.queueLengthMax(endpoint.scaling.max)) return null;
  return { problem: 'queue-full', detail: `too many jobs wait: ${endpoint.queue.size}` };
}
