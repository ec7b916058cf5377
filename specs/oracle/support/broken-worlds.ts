/**
 * Worlds in which a requirement of the life-cycle is always broken, and grossly: a timer never fires, fires at half of its
 * length, or counts from another instant. They are made from the timers themselves.
 */
import type { JobStatus } from '../../../src/spec/types.js';
import type { RequirementId } from '../../../src/spec/index.js';
import { EXECUTION_TIMEOUT_DEFAULT_MS, TTL_DEFAULT_MS } from '../../../src/spec/limits.js';
import { givenTtlMs, hasNewTtl } from '../../../src/oracle/model/conditions.js';
import type { Hypothesis } from '../../../src/oracle/model/hypothesis.js';
import type { JobModel } from '../../../src/oracle/model/job-model.js';
import {
  EXECUTION_TIMEOUT,
  HANDLER,
  RETENTION,
  TIMERS,
  TTL,
} from '../../../src/oracle/model/lifecycle/lifecycle.js';
import { isCase, type Timer } from '../../../src/oracle/model/lifecycle/lifecycle-rows.js';
import { ENDED, QUEUED, STARTED, SUBMITTED, TTL_START, ZERO } from '../../../src/oracle/model/zone.js';

type Bounds = readonly [leastMs: number, mostMs: number];
export interface World {
  readonly timer: Timer;
  readonly since: Timer['since'];
  /** The bounds of the timer where the requirement is broken; null: as they are. */
  bounds(at: Hypothesis, model: JobModel, graceMs: number): Bounds | null;
}

const timerOf = (name: string): Timer => TIMERS.find((timer) => timer.name === name)!;
const WORKER = timerOf('worker');
const CRASH = timerOf('crash');

/** Later than any history ends. */
const LATER_MS = 1e15;
const NEVER: Bounds = [LATER_MS, LATER_MS];
const by = (mostMs: number | null): Bounds => [0, mostMs ?? Infinity];
const world = (timer: Timer, bounds: World['bounds'], since = timer.since): World => ({
  timer,
  since,
  bounds,
});

const requested =
  (field: 'ttl' | 'executionTimeout'): World['bounds'] =>
  (_, { requestedMs: { [field]: ms } }) =>
    Number.isFinite(ms) ? [ms, ms] : null;
/** The ttl counts from the start of the run. */
const TTL_FROM_START = world(
  TTL,
  ({ state, policy }) => (state === 'queued' ? NEVER : [policy.ttlMs ?? 0, LATER_MS]),
  STARTED,
);
const KEPT_FROM_READING = world(
  RETENTION,
  (at) => [at.notBeforeMs + at.policy.keptAtLeastMs, LATER_MS],
  ZERO,
);
const KEPT_FROM_SUBMISSION = world(RETENTION, ({ policy }) => by(policy.keptAtLeastMs), SUBMITTED);

/** Of what is neither bound of a timer. */
const OTHERS: { readonly [id in RequirementId]?: World } = {
  '2.2/ttl-not-restarted-by-reading': world(
    TTL,
    ({ notBeforeMs, policy }) => [notBeforeMs + (policy.ttlMs ?? 0), LATER_MS],
    ZERO,
  ),
  '2.2/ttl-not-restarted-by-completion': world(
    TTL,
    ({ state, policy }) => (state === 'completed' ? [policy.ttlMs ?? 0, LATER_MS] : NEVER),
    ENDED,
  ),
  '2.2/ttl-ends-before-execution-timeout': world(TTL, ({ state }) => (state === 'running' ? NEVER : null)),
  '2.2/ttl-starts-at-submission': TTL_FROM_START,
  '2.2/ttl-seven-days-two-queued': TTL_FROM_START,
  '4.3/ttl-lengthens-life': world(TTL, (at, model) =>
    hasNewTtl(at, { job: { model } }) ? by(givenTtlMs(at)) : null,
  ),
  '2.2/ttl-min-enforced': world(TTL, requested('ttl')),
  '2.2/outlives-default': world(TTL, () => by(TTL_DEFAULT_MS)),
  '2.2/execution-timeout-max-enforced': world(EXECUTION_TIMEOUT, requested('executionTimeout')),
  '2.2/execution-timeout-min-enforced': world(EXECUTION_TIMEOUT, requested('executionTimeout')),
  '2.2/execution-timeout-long-run': world(EXECUTION_TIMEOUT, () => by(EXECUTION_TIMEOUT_DEFAULT_MS)),
  '2.2/execution-timeout-full-after-queue': world(
    EXECUTION_TIMEOUT,
    ({ policy }) => by(policy.executionMs),
    QUEUED,
  ),
  // What ends a waiting job, and one that has ended, stands in for it.
  '2.2/execution-timeout-not-in-queue': world(
    CRASH,
    ({ state, policy }) => (state === 'queued' ? by(policy.executionMs) : null),
    QUEUED,
  ),
  '2.2/execution-timeout-not-after-end': world(TTL, ({ state, policy, zone }) =>
    state === 'completed' || state === 'failed'
      ? by((policy.executionMs ?? Infinity) + zone.bound(STARTED, TTL_START))
      : null,
  ),
  '3/not-completed-before-handler-ends': world(HANDLER, ({ runs }, model, graceMs) => {
    const { durationMs } = model.predicted(runs);
    return durationMs === null ? null : by((durationMs === Infinity ? 0 : durationMs / 2) - graceMs - 1);
  }),
  '3/submission-starts-in-queue': world(WORKER, ({ state }) =>
    state === 'queued' ? [-Infinity, -LATER_MS] : null,
  ),
  '3/start-moves-to-in-progress': world(WORKER, () => NEVER),
  '1/every-job-is-processed': world(WORKER, () => NEVER),
  '4.1/retention-not-restarted-by-reading': KEPT_FROM_READING,
  '4.2/retention-not-restarted-by-reading': KEPT_FROM_READING,
  '4.1/retention-from-completion': KEPT_FROM_SUBMISSION,
  '4.2/retention-from-completion': KEPT_FROM_SUBMISSION,
};

/** What a read would have shown instead, if a job did what it must not. */
export const SHOWN_INSTEAD: { readonly [id in RequirementId]?: JobStatus } = {
  '2.2/ttl-stays-gone': 'IN_PROGRESS',
  '2.2/ttl-wins-over-completion': 'COMPLETED',
  '3/no-return-to-queue': 'IN_QUEUE',
  '3/completed-stays': 'FAILED',
  '3/failed-stays': 'IN_PROGRESS',
  '3/timed-out-stays': 'IN_PROGRESS',
};

/** As of `isNear`: a lower bound counts as observed from here on. */
const NEAR = 0.7;
const NEAR_MS = 3_000;

/** The world in which the requirement is always broken; null: it is not about the bounds of a timer. */
export function brokenWorld(id: RequirementId): World | null {
  const other = OTHERS[id];
  if (other !== undefined) return other;
  for (const timer of TIMERS) {
    const late = timer.tooLate.cases.find(([name]) => name === id);
    // What is not deleted in one state is not deleted in the next one.
    if (late !== undefined && timer.tooLate.tested.length > 0)
      return world(timer, (at, model) =>
        timer.leadsTo.includes('deleted') || isCase(late, at, { job: { model } }) ? NEVER : null,
      );
    const early = timer.tooEarly.cases.find(([name]) => name === id);
    if (early !== undefined && timer.tooEarly.tested.length > 0) {
      const { leastMs } = timer;
      return world(timer, (at, model, graceMs) => {
        if (!isCase(early, at, { job: { model } })) return null;
        // Though no worker is free, it starts as soon as one that is free would take it.
        if (timer === WORKER) return [-Infinity, at.zone.latest(QUEUED) + graceMs];
        const ms = leastMs(at, model);
        return ms === null ? null : by(Math.min(NEAR * ms, ms - graceMs - NEAR_MS) - graceMs - 1);
      });
    }
  }
  return null;
}

/** What the work tells in that world. */
export function inWorld<T>(broken: World, graceMs: number, work: () => T): T {
  const { timer } = broken;
  const { since, leastMs, mostMs } = timer;
  Object.assign(timer, {
    since: broken.since,
    leastMs: (at: Hypothesis, model: JobModel) =>
      (broken.bounds(at, model, graceMs) ?? [leastMs(at, model)])[0],
    mostMs: (...of: Parameters<Timer['mostMs']>) => {
      const bounds = broken.bounds(of[0], of[1], graceMs);
      return bounds === null ? mostMs(...of) : bounds[1];
    },
  });
  try {
    return work();
  } finally {
    Object.assign(timer, { since, leastMs, mostMs });
  }
}
