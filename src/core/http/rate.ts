/** Section 8: whether a call is one too many. */
import type { Machine } from '../machine.js';
import type { Endpoint } from '../state.js';
import type { Refused } from './refusal.js';
import type { Route } from './route.js';

export function refusedByRate(
  m: Machine,
  { op }: Route,
  endpoint: Endpoint,
  meter: string,
  nowMs: number,
): Refused | null {
  const { rules } = m;
  endpoint.meters.add(meter);
  const workers = rules.runningWorkers(endpoint.fleet.idle, endpoint.fleet.running);
  const requests = rules.rateLimit(op, workers, rules.requestsPerWorker());
  const concurrency = rules.concurrencyLimit(op);
  const jobs = op === 'run' || op === 'runsync' || op === 'openai' ? endpoint.live[op] : 0;
  const problem = m.meters.admit(meter, nowMs, {
    requests,
    tooManyAtOnce: rules.underWay(op, { calls: m.meters.underWay(meter), jobs }) >= concurrency,
    windowMs: rules.rateWindowMs(op),
    algorithm: rules.rateAlgorithm(),
    refusedCounts: rules.refusedCounts(),
  });
  if (problem === null) return refusedByQueue(m, op, endpoint);
  const allowed =
    problem === 'too-many' ? `${requests} requests per 10 seconds` : `${concurrency} requests at once`;
  return { problem, detail: `rate limit exceeded: /${op} takes ${allowed}` };
}

function refusedByQueue(m: Machine, op: Route['op'], endpoint: Endpoint): Refused | null {
  if (op !== 'run' && op !== 'runsync') return null;
  if (endpoint.queue.size < m.rules.queueLengthMax(endpoint.scaling.max)) return null;
  return { problem: 'queue-full', detail: `too many jobs wait: ${endpoint.queue.size}` };
}
