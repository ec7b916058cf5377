/**
 * Workers make jobs depend on each other: a job cannot start while as many others certainly run as there are
 * workers, and must start once fewer can possibly run. Both bounds follow from what is known of the other
 * jobs.
 */
import type { ObservedJobs, Job } from './observed-jobs.js';
import {
  certainChance,
  firstChance,
  freeUntilMs,
  type Held,
  type Holder,
  type Interval,
} from './start-chances.js';
import { isMadeForTests, type Session } from '../observed/session.js';
import type { RuleSet } from '../model/rule-set.js';
import { isFinished, wasEndedByTimeout, type Hypothesis } from '../model/hypothesis.js';
import { ANY_TIME, latestStartMs, type StartWindow } from '../model/job-model.js';
import { NOT_JUDGED, type Explanations } from '../model/explanations.js';
import { ENDED, QUEUED, TTL_START, STARTED } from '../model/zone.js';
import { WORKER_LINGERS_MS } from '../observed/assumptions.js';
import { RUN_COUNT_UNKNOWN } from '../observed/worker-prediction.js';
import { onItsClock } from '../observed/tolerance.js';

/** The last run of a job, and those before it, of which a hypothesis knows the number only. */
interface Runs {
  readonly last: Held;
  readonly earlier: Held;
}

interface Bounds {
  readonly rules: RuleSet;
  /** How long a worker may take to come back after a run that was stopped. */
  readonly lingersMs: number;
  /** When the job must start, as far as it is known by now. */
  readonly window: StartWindow;
}

const NEVER: Interval = { fromMs: Infinity, toMs: -Infinity };

/** With more jobs than this on one endpoint, each job is judged without regard to the others' workers. */
const JOBS_MAX = 200;

/** Whether the number of workers of this endpoint is known. */
export function workersAreKnown(session: Session, jobs: number): boolean {
  return isMadeForTests(session) && jobs <= JOBS_MAX;
}

/** When each job must have started, given what is known of the others; `known`: by what was found out before. */
export function startWindows(
  rules: RuleSet,
  session: Session,
  { jobs, callIndex }: ObservedJobs,
  explanationsById: ReadonlyMap<string, Explanations>,
  known: ReadonlyMap<string, StartWindow>,
): Map<string, StartWindow> {
  const lingersMs = onItsClock(session.run, WORKER_LINGERS_MS);
  const held = jobs.flatMap((job) =>
    holdersOf(
      { rules, lingersMs, window: known.get(job.id) ?? ANY_TIME },
      job,
      explanationsById.get(job.id) ?? NOT_JUDGED,
    ),
  );
  for (const { sentMs } of callIndex.pendingSubmissions)
    held.push({ job: null, ...perhaps(sentMs), observedTick: Infinity });
  const all = session.workersAtFirst === 1 && session.workers.length === 0 ? withoutReturned(held) : held;
  const windows = new Map<string, StartWindow>();
  for (const job of jobs) {
    const others = all.filter((one) => one.job !== job);
    const startsBy = (queuedByMs: number, stopped = 0): number => {
      // Those that its own earlier runs were stopped on may not be back.
      const own = { ...perhaps(-Infinity, queuedByMs + lingersMs), workers: stopped };
      return certainChance(rules, session, queuedByMs, stopped === 0 ? others : [...others, own]);
    };
    const byMs = startsBy(job.submittedByMs);
    const atOnce = byMs === freeUntilMs(rules, job.submittedByMs);
    windows.set(job.id, {
      notBeforeMs: firstChance(session, job.submittedFromMs, job.submitted.sentTick, others),
      byMs,
      isImmediate: atOnce,
      startsBy,
      startsFrom: (queuedFromMs, sentTick) => firstChance(session, queuedFromMs, sentTick, others),
    });
  }
  return windows;
}

/** The only worker is back from a run at the latest when it certainly has begun a later one of another job. */
function withoutReturned(held: readonly Holder[]): readonly Holder[] {
  const begun = held.filter(({ certain }) => certain.fromMs < certain.toMs);
  return held.map((one) => {
    const later = begun.filter(({ job, certain }) => job !== one.job && certain.fromMs > one.certain.fromMs);
    const backByMs = Math.min(...later.map(({ certain }) => certain.fromMs));
    const { fromMs, toMs } = one.possible;
    return toMs <= backByMs ? one : { ...one, possible: { fromMs, toMs: backByMs } };
  });
}

/** A job about which nothing is known may hold a worker at any time and certainly holds one at none. */
function holdersOf(bounds: Bounds, job: Job, explanations: Explanations): readonly Holder[] {
  if (explanations.kind !== 'explained')
    return [{ job, ...perhaps(job.submittedFromMs), observedTick: Infinity }];
  const runs = explanations.combine((at) => runsOf(bounds, job, at), either);
  const { last, earlier } = unlessLost(job, runs);
  // A job that was dispatched again after a crash was observed in an earlier run.
  const observedTick = explanations.most((at) =>
    runsBefore(at) > at.retries ? Infinity : (at.milestones.firstStarted?.endedTick ?? Infinity),
  );
  const ofLast = { job, ...last, observedTick };
  return earlier.workers === 0 ? [ofLast] : [ofLast, { job, ...earlier, observedTick: Infinity }];
}

const either = (left: Runs, right: Runs): Runs => ({
  last: eitherHeld(left.last, right.last),
  earlier: eitherHeld(left.earlier, right.earlier),
});

/** Certain is what holds in both, possible what holds in either. */
function eitherHeld(left: Held, right: Held): Held {
  return {
    certain: {
      fromMs: Math.max(left.certain.fromMs, right.certain.fromMs),
      toMs: Math.min(left.certain.toMs, right.certain.toMs),
    },
    possible: {
      fromMs: Math.min(left.possible.fromMs, right.possible.fromMs),
      toMs: Math.max(left.possible.toMs, right.possible.toMs),
    },
    workers: Math.max(left.workers, right.workers),
  };
}

/** Unanswered calls may have taken effect after the last observation, so nothing later is certain. */
function unlessLost(job: Job, { last, earlier }: Runs): Runs {
  const lost = job.operations.filter((op) => op.byMs === Infinity);
  if (lost.length === 0) return { last, earlier };
  const fromMs = Math.min(...lost.map((op) => op.fromMs));
  const { certain, possible, workers } = last;
  const retries = lost.filter((op) => op.kind === 'retry').length;
  return {
    last: {
      certain: { fromMs: certain.fromMs, toMs: Math.min(certain.toMs, fromMs) },
      // A retry may have made it run again.
      possible: retries > 0 ? { fromMs: Math.min(possible.fromMs, fromMs), toMs: Infinity } : possible,
      workers,
    },
    earlier:
      retries > 0
        ? { ...perhaps(job.submittedFromMs), workers: Math.min(earlier.workers + retries, RUN_COUNT_UNKNOWN) }
        : earlier,
  };
}

const NONE: Held = { certain: NEVER, possible: NEVER, workers: 0 };

/** It certainly held no worker at any instant, and may have held one between these instants. */
function perhaps(fromMs: number, toMs = Infinity): Held {
  return { certain: NEVER, possible: { fromMs, toMs }, workers: 1 };
}

/** Before the last one: a job that is cancelled while it runs counts that run already. */
const runsBefore = ({ runs, state, previousState }: Hypothesis): number =>
  runs - (state === 'cancelled' && previousState === 'running' ? 1 : 0);

/** When it held workers, according to one hypothesis after the last observation. */
function runsOf(bounds: Bounds, job: Job, at: Hypothesis): Runs {
  const { rules, lingersMs } = bounds;
  const before = runsBefore(at);
  if (before <= 0) return { last: heldByLast(bounds, job, at, 0), earlier: NONE };
  if (before >= RUN_COUNT_UNKNOWN)
    return {
      last: perhaps(job.submittedFromMs, heldUntilMs(rules, lingersMs, at)),
      earlier: { ...perhaps(job.submittedFromMs), workers: before },
    };
  // Each was over when the job was queued again, and then its worker may have had to start anew.
  const overByMs = at.zone.latest(QUEUED) + lingersMs;
  return {
    last: heldByLast(bounds, job, at, before),
    earlier: { ...perhaps(job.submittedFromMs, overByMs), workers: before },
  };
}

function heldByLast(bounds: Bounds, job: Job, at: Hypothesis, before: number): Held {
  const { rules, lingersMs } = bounds;
  const { zone, policy, notBeforeMs } = at;
  const ran = (untilMs: number, toMs: number): Held => ({
    certain: { fromMs: zone.latest(STARTED), toMs: untilMs },
    possible: { fromMs: zone.earliest(STARTED), toMs },
    workers: 1,
  });
  const ended = (longerMs: number): Held => ran(zone.earliest(ENDED), zone.latest(ENDED) + longerMs);
  if (at.state === 'queued')
    return perhaps(notBeforeMs, overByMs(bounds, job, at, latestStartMs(job.model, at, zone, bounds.window)));
  // How long a later run lasts, earlier ones decide as well.
  if (at.state === 'running')
    return ran(
      before === 0 ? runsUntilMs(rules, job, at) : notBeforeMs,
      overByMs(bounds, job, at, zone.latest(STARTED)),
    );
  switch (at.state === 'deleted' ? at.previousState : at.state) {
    case 'queued':
    case 'purged':
      return NONE;
    case 'running':
      if (policy.ttlMs === null) return ran(notBeforeMs, Infinity);
      return ran(
        Math.max(notBeforeMs, zone.earliest(TTL_START) + policy.ttlMs - rules.earlyToleranceMs(policy.ttlMs)),
        expiredByMs(rules, at, policy.ttlMs) + lingersMs,
      );
    case 'completed':
    case 'failed':
      return ended(job.predicted(before).outcome === 'crash' ? lingersMs : 0);
    case 'timed-out':
      return ended(lingersMs);
    case 'cancelled':
      if (at.previousState === 'queued') return NONE;
      if (at.previousState === 'running' || wasEndedByTimeout(at)) return ended(lingersMs);
      return perhaps(job.submittedFromMs, zone.latest(ENDED) + lingersMs);
    default:
      return perhaps(job.submittedFromMs);
  }
}

/** An instant after which a run, begun by then, no longer holds a worker, though the job was not read since. */
function overByMs({ rules, lingersMs }: Bounds, job: Job, at: Hypothesis, startsByMs: number): number {
  const { policy, zone, runs, retries } = at;
  const { durationMs, outcome, sleeps } = job.predicted(runs);
  // After a crash it may run again, at any time before its `ttl` ends.
  const runsOnce = runs === retries && outcome !== 'crash' && outcome !== 'unknown';
  const needsMs = runsOnce ? (durationMs ?? Infinity) + rules.sleepGraceMs(sleeps) : Infinity;
  // That a retried job keeps its `executionTimeout` is advice.
  const timeoutMs = runsOnce && retries === 0 ? (policy.executionMs ?? Infinity) : Infinity;
  // A call that was lost may have given it another one.
  const isTtlKnown = !job.operations.some((op) => op.byMs === Infinity && op.ttlMs !== null);
  const ttlMs = isTtlKnown ? policy.ttlMs : null;
  const overMs = startsByMs + Math.min(needsMs, timeoutMs);
  const expiredMs = zone.latest(TTL_START) + (ttlMs ?? Infinity);
  // A run that is stopped before it ends by itself costs its worker.
  const endsByItself =
    needsMs + rules.graceMax < policy.executionLeastMs - at.priorRunsMs &&
    startsByMs + needsMs + rules.graceMax < zone.earliest(TTL_START) + (ttlMs ?? 0);
  const byMs = Math.max(at.notBeforeMs, Math.min(overMs, expiredMs)) + rules.graceMax;
  return endsByItself ? byMs : byMs + lingersMs;
}

/** An instant after which it no longer holds a worker, whatever its earlier runs were. */
function heldUntilMs(rules: RuleSet, lingersMs: number, at: Hypothesis): number {
  const { state, previousState, zone, policy } = at;
  const isExpired = state === 'deleted' && (previousState === 'running' || previousState === 'queued');
  if (isExpired && policy.ttlMs !== null) return expiredByMs(rules, at, policy.ttlMs) + lingersMs;
  return isFinished(state) && state !== 'purged' ? zone.latest(ENDED) + lingersMs : Infinity;
}

/** A ttl that had already elapsed when it was set takes effect then. */
const expiredByMs = (rules: RuleSet, { zone, notBeforeMs }: Hypothesis, ttlMs: number): number =>
  Math.max(zone.latest(TTL_START) + ttlMs, notBeforeMs) + rules.graceMax;

/** The earliest instant at which a job last observed running can have ended by itself. */
function runsUntilMs(rules: RuleSet, job: Job, { zone, policy, notBeforeMs }: Hypothesis): number {
  const after = (sinceMs: number, ms: number): number => sinceMs + ms - rules.earlyToleranceMs(ms);
  const startedMs = zone.earliest(STARTED);
  const endsFromMs = Math.min(
    after(startedMs, job.predicted(0).durationMs ?? 0),
    after(startedMs, policy.executionLeastMs),
    after(zone.earliest(TTL_START), policy.ttlMs ?? 0),
  );
  return Math.max(notBeforeMs, endsFromMs);
}
