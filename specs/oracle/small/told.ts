/** What small histories are made of, and what the oracle says of them. */
import { TraceBuilder } from '../support/trace-builder.js';
import type { SmallCall, SmallJob, SmallWorld } from './reference.js';

export const LATE_MS = 100;
const DAY_MS = 86_400_000;
const STATUSES = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED', '404'];
export const OPS = ['status', 'cancel', 'retry', 'purge'] as const;

const SUCCEEDS = { ms: 3_000, end: 'ok' } as const;
const FAILS = { ms: 3_000, end: 'error' } as const;
const HANGS = { ms: 0, end: 'never' } as const;
const job = (plan: SmallJob['plan'], ttlMs: number, executionTimeoutMs: number): SmallJob => ({
  ...{ atMs: 0, plan, ttlMs, executionTimeoutMs },
});
export const JOBS: readonly SmallJob[] = [
  job(SUCCEEDS, DAY_MS, 600_000),
  job(FAILS, DAY_MS, 600_000),
  job(HANGS, DAY_MS, 5_000),
  job(SUCCEEDS, 10_000, 600_000),
  job(FAILS, 10_000, 600_000),
  job(HANGS, 10_000, 5_000),
  job(HANGS, 20_000, 600_000),
];

/** All answers that the call may be given by a service, right or not. */
export const answersOf = (op: SmallCall['op'], jobs: number): readonly (string | number)[] => {
  if (op === 'status') return STATUSES;
  return op === 'purge' ? Array.from({ length: jobs + 1 }, (_, removed) => removed) : [200, 400, 404];
};

const endOf = ({ atMs, endMs = atMs }: SmallCall): number => endMs;

/** The order in which calls were sent and answered: that of their instants. */
function ticksOf(
  calls: readonly (readonly [sentMs: number, endedMs: number])[],
): readonly [number, number][] {
  const order = calls
    .flatMap(([sentMs, endedMs], nth) => [
      { ms: sentMs, at: 2 * nth },
      { ms: endedMs, at: 2 * nth + 1 },
    ])
    .toSorted((left, right) => left.ms - right.ms || left.at - right.at)
    .map(({ at }) => at);
  return calls.map((_, nth) => [order.indexOf(2 * nth), order.indexOf(2 * nth + 1)]);
}

/** As the oracle is given it. */
function told(world: SmallWorld, calls: readonly SmallCall[]): TraceBuilder {
  const trace = new TraceBuilder(world.workers, { graceMs: LATE_MS });
  const submissions = world.jobs.map(({ atMs }, submitted) => ({ atMs, submitted }));
  const all = [...submissions, ...calls].toSorted((left, right) => left.atMs - right.atMs);
  const ticks = ticksOf(all.map((one) => [one.atMs, 'submitted' in one ? one.atMs : endOf(one)]));
  for (const [nth, one] of all.entries()) {
    const { atMs } = one;
    const { plan, ttlMs, executionTimeoutMs } = world.jobs['submitted' in one ? one.submitted : one.job]!;
    if ('submitted' in one) {
      const end = plan.end === 'ok' ? { return: 1 } : { fail: 'x' };
      const steps = plan.end === 'never' ? [{ hang: true }] : [{ sleepMs: plan.ms }, end];
      const policy = { ttl: ttlMs, executionTimeout: executionTimeoutMs };
      const how = { body: { input: { plan: steps }, policy }, ticks: ticks[nth]! };
      trace.call(atMs, 'run', null, 200, { id: `job-${one.submitted}`, status: 'IN_QUEUE' }, how);
      continue;
    }
    const { op, answer } = one;
    const id = `job-${one.job}`;
    const how = { receivedMs: endOf(one), ticks: ticks[nth]! };
    if (op === 'purge')
      trace.call(atMs, 'purge-queue', null, 200, { removed: answer, status: 'completed' }, how);
    else if (op === 'status' && answer !== '404') {
      // Its times follow from its life, and a history may have several.
      const record = { id, status: answer, ...(answer === 'COMPLETED' && { output: 1 }) };
      trace.call(atMs, op, id, 200, record, how);
    } else {
      const performed = { id, status: op === 'cancel' ? 'CANCELLED' : 'IN_QUEUE' };
      trace.call(atMs, op, id, Number(answer), answer === 200 ? performed : { error: 'no' }, how);
    }
  }
  return trace;
}

/** The musts that the oracle finds broken. What stands in records is not told, so it is not judged. */
export const failedMusts = (world: SmallWorld, calls: readonly SmallCall[]): readonly string[] =>
  told(world, calls)
    .judged(4_000_000)
    .requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'fail')
    .map(({ id }) => id)
    .filter((id) => !id.startsWith('2.4/'));

/** A history as text, to be found again. */
export const toldOf = (
  world: SmallWorld,
  calls: readonly SmallCall[],
  failed: readonly string[] = [],
): string => [JSON.stringify(world), ...calls.map((call) => JSON.stringify(call)), failed.join()].join('\n');
