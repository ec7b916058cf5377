/**
 * Counters of `/health` other than waiting and running jobs. Counters of ended and retried jobs may cover the
 * endpoint's lifetime, the jobs kept, or a period. How many workers are busy or idle is certain only if the
 * number of workers is known.
 */
import type { CallEvent } from '../../history/events.js';
import { precedes } from '../jobs/status-observations.js';
import { lastStateOf, type Hypothesis, type JobState } from '../model/hypothesis.js';
import { ENDED } from '../model/zone.js';
import { countedSinceMs, isMadeForTests } from '../observed/session.js';
import { predictionsFor } from '../observed/worker-prediction.js';
import {
  counterIn,
  answerOf,
  idInPath,
  effectiveOperation,
  submissionOf,
} from '../observed/recorded-call.js';
import type { Life } from '../context/life.js';
import { setOf } from '../model/state-set.js';
import {
  ABSENT,
  countBounds,
  isBefore,
  statesDuring,
  type StateCounts,
  type CountBounds,
} from './state-counts.js';
import { onItsClock } from '../observed/tolerance.js';
import { COUNTED_FOR_MS, WORKER_BACK_MS } from '../observed/assumptions.js';

const sinceMs = ({ call }: StateCounts): number => (call.receivedMs ?? call.sentMs) - COUNTED_FOR_MS;

/** Jobs that ended in this state recently and still exist. */
export function endedLately(state: JobState): (stateCounts: StateCounts) => CountBounds {
  return (stateCounts) => {
    const isLate = ({ zone }: Hypothesis): boolean => zone.earliest(ENDED) >= sinceMs(stateCounts);
    return countBounds(stateCounts, [state], (life) => !life.mustBe(isLate));
  };
}

/** Jobs that ever completed, including those cancelled after their completion. */
export function everCompleted(stateCounts: StateCounts): CountBounds {
  return countBounds(stateCounts, ['completed', 'cancelled', 'deleted'], hasNeverCompleted);
}

/** It certainly ended, and not by completing. */
function hasNeverCompleted(life: Life): boolean {
  // A retry whose reply was lost may have made it run again after the last observation.
  if (life.job.calls.some((call) => call.receivedMs === null && effectiveOperation(call) === 'retry'))
    return false;
  return life.mustBe(
    (at) =>
      at.state !== 'queued' &&
      at.state !== 'running' &&
      at.state !== 'completed' &&
      at.previousState !== 'completed' &&
      // Cancelled after its end and deleted since: its end may have been a completion.
      (at.previousState !== 'cancelled' || at.wronglyAccepted === null) &&
      at.retries === 0,
  );
}

/** Jobs that ever failed. Whether cancelled, timed-out and retried jobs count is open. */
export function everFailed(stateCounts: StateCounts): CountBounds {
  const hasNeverFailed = (at: Hypothesis): boolean => lastStateOf(at) === 'completed' && at.runs === 0;
  const ended = countBounds(stateCounts, ['failed', 'timed-out', 'cancelled', 'purged', 'deleted'], (life) =>
    life.mustBe(hasNeverFailed),
  );
  return { least: 0, most: ended.most + retriesBefore(stateCounts).length };
}

function retriesBefore({ context, call }: StateCounts): readonly CallEvent[] {
  return context.session.calls.filter(
    (one) => effectiveOperation(one) === 'retry' && isBefore(one, call) && answerOf(one) !== 'refused',
  );
}

/** Null if a job may have been retried, by a call or after a crash of its worker. */
export function everRetried(stateCounts: StateCounts): CountBounds | null {
  const { session, jobs, callIndex } = stateCounts.context;
  const predicted = [
    ...jobs.map((job) => job.predicted(0)),
    ...callIndex.pendingSubmissions.map((call) => predictionsFor(session, submissionOf(call) ?? {})(0)),
  ];
  const mayCrash = predicted.some(({ outcome, durationMs }) => outcome === 'crash' || durationMs === null);
  return mayCrash || retriesBefore(stateCounts).length > 0 ? null : { least: 0, most: 0 };
}

const MAY_NOT_COUNT = setOf(['deleted', 'purged', 'cancelled']);

/** At least one, if a job was retried recently and still exists: deleted ones may not count. */
export function retriedLately(stateCounts: StateCounts): CountBounds | null {
  const { context, call } = stateCounts;
  const isCertain = (one: CallEvent): boolean => {
    const life = context.lifeBy(idInPath(one));
    if (life?.mustBe((at) => at.retries > 0) !== true) return false;
    const states = statesDuring(life, call);
    return states !== ABSENT && (states & MAY_NOT_COUNT) === 0;
  };
  const retried = context.callIndex
    .of('retry')
    .some(
      (one) =>
        answerOf(one) === 'ok' &&
        precedes(one, call) &&
        one.receivedMs! <= countedSinceMs(context.session, call) &&
        one.sentMs >= sinceMs(stateCounts) &&
        isCertain(one),
    );
  return retried ? { least: 1, most: Infinity } : null;
}

/** Every live worker may count as running, and as idle: what the two counters mean is open (2.7). */
export function runningWorkers(stateCounts: StateCounts, reported: number): CountBounds | null {
  const total = workersDuring(stateCounts);
  if (total === null) return null;
  if (reported === total) return { least: total, most: total };
  const busy = busyWorkers(stateCounts, total);
  return reported > busy.most ? { ...busy, most: mostAtWork(stateCounts, total, busy) } : busy;
}

export function idleWorkers(stateCounts: StateCounts, reported: number): CountBounds | null {
  const total = workersDuring(stateCounts);
  if (total === null) return null;
  const isOpen =
    reported === total || (reported === 0 && counterIn(stateCounts.call, 'workers.running') === total);
  if (isOpen) return { least: reported, most: reported };
  const busy = busyWorkers(stateCounts, total);
  const most = reported < total - busy.most ? mostAtWork(stateCounts, total, busy) : busy.most;
  return { least: total - most, most: total - busy.least };
}

/** The endpoint's workers, if their number is known and was not changed recently. */
function workersDuring({ context: { session }, call }: StateCounts): number | null {
  if (!isMadeForTests(session) || session.run.edition === 'runpod') return null;
  if (session.workers.some((change) => change.sentMs <= call.sentMs)) return null;
  return session.workersAtFirst;
}

function busyWorkers(stateCounts: StateCounts, total: number): CountBounds {
  const { least, most } = countBounds(stateCounts, ['running']);
  return { least: Math.min(least, total), most: Math.min(total, most) };
}

const STOPPED = ['cancelled', 'timed-out', 'deleted', 'failed'] as const;

/** Including workers that may not have finished with their previous job yet. */
function mostAtWork(stateCounts: StateCounts, total: number, busy: CountBounds): number {
  const { call } = stateCounts;
  const stopped = countBounds(stateCounts, STOPPED, (life) => hasEndedLongAgo(life, call));
  const completed = countBounds(stateCounts, ['completed'], (life) => !hasJustEnded(life, call));
  return Math.min(total, busy.most + stopped.most + completed.most);
}

/** Observes what the two counters mean, if it is certain which workers have a job. */
export function observeWorkers(stateCounts: StateCounts): void {
  const { call, context } = stateCounts;
  const total = workersDuring(stateCounts);
  const busy = countBounds(stateCounts, ['running']);
  if (total === null || busy.least !== busy.most || busy.most > total) return;
  if (countBounds(stateCounts, [...STOPPED, 'completed'], (life) => hasEndedLongAgo(life, call)).most > 0)
    return;
  const [running, idle] = [counterIn(call, 'workers.running'), counterIn(call, 'workers.idle')];
  if (busy.most < total)
    if (running === busy.most) context.ledger.observe('2.7/workers-running-meaning', 'busy', call);
    else if (running === total) context.ledger.observe('2.7/workers-running-meaning', 'live', call);
  if (busy.most > 0)
    if (idle === total - busy.most) context.ledger.observe('2.7/workers-idle-meaning', 'started-only', call);
    else if (idle === total) context.ledger.observe('2.7/workers-idle-meaning', 'every', call);
}

/** It ended so recently that its worker may still be finishing. */
function hasJustEnded(life: Life, call: CallEvent): boolean {
  const sinceMs = call.sentMs - life.context.graceAt(call.sentMs);
  return life.mayBe(({ zone }) => zone.latest(ENDED) >= sinceMs);
}

const NOT_ENDED = setOf(['queued', 'running']);

/** An earlier count already found it ended, and nothing has made it run since. */
function hasEndedLongAgo(life: Life, call: CallEvent): boolean {
  const backMs = onItsClock(life.context.session.run, WORKER_BACK_MS);
  return life.context.callIndex.counts.some((earlier) => {
    if ((earlier.receivedMs ?? Infinity) + backMs > call.sentMs) return false;
    const states = statesDuring(life, earlier);
    if (states === ABSENT || (states & NOT_ENDED) !== 0) return false;
    return !life.job.calls.some(
      (one) => effectiveOperation(one) === 'retry' && (one.endedTick ?? Infinity) > earlier.sentTick,
    );
  });
}
