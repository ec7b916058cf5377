/** What correct services do that no open question asks about, as changes of the rules. */
import type { Json } from '../history/events.js';
import type { Rules } from './rules.js';

const SWEEP_MS = 200;

const HEALTH_KEPT_MS = 1_500;

/** `/health` is cached for a while, as in a service that collects its counts elsewhere. */
function healthKept(base: Rules): Partial<Rules> {
  const kept = new WeakMap<object, { readonly atMs: number; readonly record: Json }>();
  return {
    healthOf: (counts, everywhere) => {
      const last = kept.get(counts.entered);
      if (last !== undefined && counts.nowMs - last.atMs < HEALTH_KEPT_MS) return last.record;
      const record = base.healthOf(counts, everywhere);
      kept.set(counts.entered, { atMs: counts.nowMs, record });
      return record;
    },
  };
}

/** @internal */
export interface Habit {
  readonly id: string;
  readonly title: string;
  readonly lateMs: number;
  /** The rules in which such a service differs from one with these. */
  readonly change: (base: Rules) => Partial<Rules>;
}

const isUnsuccessful = (status: string): boolean => status === 'FAILED' || status === 'TIMED_OUT';

export const LEGAL_HABITS: readonly Habit[] = [
  {
    id: 'lazy-sweepers',
    title: `deadlines are looked at every ${SWEEP_MS} ms`,
    lateMs: SWEEP_MS,
    change: () => ({ firesAtMs: (_timer, dueMs) => Math.ceil(dueMs / SWEEP_MS) * SWEEP_MS }),
  },
  {
    id: 'slow-dispatch',
    title: 'a free worker takes a waiting job only after 150 ms',
    lateMs: 150,
    change: () => ({ dispatchDelayMs: () => 150 }),
  },
  {
    id: 'unsuccessful-kept-five-seconds',
    title: 'a FAILED or TIMED_OUT job can be read for 5 s only',
    lateMs: 0,
    change: (base) => ({
      retentionMs: (job) => (isUnsuccessful(job.status) ? 5_000 : base.retentionMs(job)),
    }),
  },
  {
    id: 'health-kept',
    title: `the counts of /health are up to ${HEALTH_KEPT_MS} ms old`,
    lateMs: HEALTH_KEPT_MS,
    change: healthKept,
  },
];
