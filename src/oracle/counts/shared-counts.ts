/**
 * Counters of `/health` (sections 2.7 and 4.8) on an endpoint that nothing else uses (`dedicated`), but that was not made
 * for the run. Jobs of earlier runs may still wait or run there: how many is unknown, but they only become fewer. So a
 * count is at most what was counted before the first submission and the jobs of this run that may exist; and at least
 * the jobs of this run that certainly do, whatever else there is.
 */
import { RUN_ITSELF, type CallEvent, type RunEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { JobStatus } from '../../spec/types.js';
import type { Ledger } from '../ledger/ledger.js';
import {
  failureBy,
  jobsIn,
  mayRunTwice,
  queuedLastBy,
  type EndpointJob,
  type EndpointJobs,
} from '../jobs/endpoint-jobs.js';
import { hasEnded, isWaitingOrRunning, type StatusObservation } from '../jobs/status-observations.js';
import { LEFT_BY_PURGES, LIVES_ON, OUTLIVES_TTL, TAKEN_BY_PURGES } from '../jobs/doubtful.js';
import { SHORTEST_RETENTION_MS } from '../model/job-model.js';
import {
  counterIn,
  effectiveOperation,
  idInPath,
  policyFieldOf,
  submissionOf,
} from '../observed/recorded-call.js';
import { onItsClock } from '../observed/tolerance.js';
import { COUNTS_SETTLE_MS } from '../observed/assumptions.js';

/** Bursts of counts only test rates: what follows another one this soon says no more. */
const SPACED_MS = 250;

/** The counters of jobs that have not ended, and what shows a job in them. */
const OF_LIVE = [
  ['4.8/counts-in-queue', 'jobs.inQueue', 'IN_QUEUE'],
  ['4.8/counts-in-progress', 'jobs.inProgress', 'IN_PROGRESS'],
] as const;

/** The counters of ended jobs: what counts, the requirement of the least value, and of the greatest. */
const OF_ENDED = [
  ['COMPLETED', 'jobs.completed', '4.8/counts-completed', '4.8/completed-counts-nothing-else'],
  ['FAILED', 'jobs.failed', '4.8/counts-failed', '4.8/failed-not-completed'],
] as const;

/** What is compared: one count, or what a purge removed, with the count before the first submission. */
interface Compared {
  readonly ledger: Ledger;
  readonly known: EndpointJobs;
  readonly before: CallEvent;
  /** Jobs of others at most. */
  readonly others: number;
  readonly call: CallEvent;
  /** Its counts may be as old as any timer may be late. */
  readonly sinceMs: number;
  /** How long a job that has ended may still count. */
  readonly settleMs: number;
  /** Jobs of the run that may exist: whatever had ended some time before does not count any more. */
  readonly alive: readonly EndpointJob[];
}

/** Called at the end of a run in real time. */
export function judgeSharedCounts(ledger: Ledger, run: RunEvent, known: EndpointJobs): void {
  const { graceMs } = run;
  const settleMs = onItsClock(run, COUNTS_SETTLE_MS);
  const { before } = known;
  const others = jobsIn(before);
  if (before === undefined || others === null) return;
  const comparedTo = (call: CallEvent): Compared => {
    const { sentMs, receivedMs, endedTick } = call;
    const sinceMs = sentMs - graceMs - known.lags.worstBetween(sentMs - graceMs, receivedMs!);
    const alive = known.jobs.filter(
      ({ submitted, overByMs, expiredByMs }) =>
        submitted.sentTick < endedTick! && Math.min(overByMs, expiredByMs) > sinceMs - settleMs,
    );
    return { ledger, known, before, others, call, sinceMs, settleMs, alive };
  };
  const shown = new Set<string>();
  let comparedMs = -Infinity;
  for (const count of known.counts) {
    const isOfBurst = count.script !== RUN_ITSELF && count.sentMs < comparedMs + SPACED_MS;
    if (count.sentTick < before.endedTick! || isOfBurst) continue;
    comparedMs = count.sentMs;
    const compared = comparedTo(count);
    for (const row of OF_LIVE) compareLive(compared, row, shown);
    for (const row of OF_ENDED) compareEnded(compared, row);
  }
  for (const purge of known.purges) if (purge.sentTick > before.endedTick!) compareRemoved(comparedTo(purge));
}

/** A count that is high enough while jobs are there, and no higher than before once all have ended, is a pass. */
function compareLive(
  compared: Compared,
  [id, counter, status]: (typeof OF_LIVE)[number],
  shown: Set<string>,
): void {
  const { ledger, known, others, before, call, sinceMs, settleMs, alive } = compared;
  const reported = counterIn(call, counter);
  if (reported === null) return;
  const least = alive.filter((job) => isAllTheWhile(compared, job, status)).length;
  const may = status === 'IN_QUEUE' ? alive.filter((job) => !hasRun(job, sinceMs - settleMs)) : alive;
  const most = others + may.length;
  if (reported > most) {
    const ended = known.jobs.filter(
      ({ overByMs, expiredByMs }) => Math.min(overByMs, expiredByMs) <= sinceMs - settleMs,
    ).length;
    const was = `${counter} was ${counterIn(before, counter)} before the first submission`;
    const ofOthers = others === 0 ? '' : `, and ${others} jobs waited or ran then`;
    const unknown = may.length === 0 ? '' : `, ${may.length} may exist`;
    const why = `${was}${ofOthers}; ${ended} jobs of the run have ended${unknown}`;
    fail(compared, id, `${counter} is ${reported}, expected at most ${most}: ${why}`);
  } else if (reported < least) {
    const why = `at least ${least} jobs were ${status} before the call and after it`;
    fail(compared, id, `${counter} is ${reported}, but ${why}`);
  } else {
    // It counts something: it is as high as it must be, or higher than before.
    const was = counterIn(before, counter) ?? Infinity;
    if (least > 0 || reported > was) shown.add(id);
    const isOver = ({ id: job, overByMs, submitted }: EndpointJob): boolean =>
      job === null || overByMs <= call.receivedMs! || submitted.sentTick > call.endedTick!;
    const isBack = reported <= was && known.jobs.every(isOver);
    if (isBack && shown.has(id)) ledger.pass(id);
  }
}

/**
 * Section 2.6, whatever the number of workers: a purge removes no more jobs than may wait, and no fewer than those that
 * waited before it and are gone after it.
 */
function compareRemoved(compared: Compared): void {
  const { known, others, call, alive } = compared;
  const removed = counterIn(call, 'removed');
  if (removed === null) return;
  // Unlike a count, which may be old, a purge finds no job in the queue that has ended before.
  const there = alive.filter(({ overByMs }) => overByMs > call.sentMs);
  const may = there.filter((job) => !hasRun(job, call.sentMs));
  const most = others + may.length;
  const least = known.jobs.filter((job) => isRemoved(compared, job)).length;
  const id = '2.6/removed-counts-queued';
  if (removed > most) {
    const ofOthers = others === 0 ? '' : `, and ${others} jobs waited or ran before the first submission`;
    const running = there.length === may.length ? '' : `, and ${there.length - may.length} had a worker`;
    const why = `${may.length} jobs of the run may have waited${running}${ofOthers}`;
    fail(compared, id, `removed is ${removed}, expected at most ${most}: ${why}`);
  } else if (removed < least) {
    const why = `at least ${least} jobs were IN_QUEUE before the call and gone after it`;
    fail(compared, id, `removed is ${removed}, but ${why}`);
  }
}

/** It had a worker by then: it cannot have come back to the queue. */
const hasRun = (job: EndpointJob, byMs: number): boolean =>
  !mayRunTwice(job) &&
  job.reads.some((read) => read.observed === 'IN_PROGRESS' && read.call.receivedMs! <= byMs);

/** It waited before the call and is gone after it, and nothing else can have taken it away. */
function isRemoved({ known, call }: Compared, job: EndpointJob): boolean {
  const { id, submitted, reads, overByMs } = job;
  if (mayRunTwice(job) || policyFieldOf(submissionOf(submitted), 'ttl') !== undefined) return false;
  const waited = reads.findLast(({ call: { receivedMs } }) => receivedMs! <= call.sentMs);
  const gone = reads.find(({ call: { sentTick } }) => sentTick > call.endedTick!);
  if (waited?.observed !== 'IN_QUEUE' || gone?.observed !== 'GONE') return false;
  // It cannot have run meanwhile, and have been kept for the shortest time.
  const { receivedMs, endedTick } = gone.call;
  if (receivedMs! !== overByMs || receivedMs! > waited.call.sentMs + SHORTEST_RETENTION_MS) return false;
  const mayTake = (other: CallEvent): boolean =>
    other !== call &&
    other.sentTick < endedTick! &&
    (other.receivedMs === null || other.endedTick! > waited.call.sentTick) &&
    (effectiveOperation(other) === 'purge-queue' || idInPath(other) === id);
  return !known.takers.some(mayTake);
}

/** It was in this state before the count was made and after it, and can have been in no other between them. */
function isAllTheWhile({ known, call, sinceMs }: Compared, job: EndpointJob, status: JobStatus): boolean {
  // A call that waits for the end of the job tells its state at its own end.
  const later = job.reads.find((one) => one.call.op === 'status' && one.call.sentTick > call.endedTick!);
  const queued = later === undefined ? null : queuedLastBy(known, job, later.call);
  if (later?.observed !== status || queued === null || !(queued.receivedMs! <= sinceMs)) return false;
  return (
    status === 'IN_QUEUE' ||
    job.reads.some(
      (one) =>
        one.observed === status && one.call.sentTick > queued.endedTick! && one.call.receivedMs! <= sinceMs,
    )
  );
}

/** Counters may cover the endpoint's lifetime, the jobs that are kept, or a period of at least a minute. */
function compareEnded(
  compared: Compared,
  [status, counter, atLeast, atMost]: (typeof OF_ENDED)[number],
): void {
  const { ledger, known, others, before, call } = compared;
  const [reported, was] = [counterIn(call, counter), counterIn(before, counter)];
  if (reported === null || was === null) return;
  const submitted = known.jobs.filter((job) => job.submitted.sentTick < call.endedTick!);
  const lately = submitted.filter((job) => hasEndedLately(compared, job, status)).length;
  const ofLately = `${lately} jobs of the last minute were ${status} before the call`;
  if (reported < lately) fail(compared, atLeast, `${counter} is ${reported}, but ${ofLately}`);
  else if (lately > 0) ledger.pass(atLeast);
  const possible = submitted.filter((job) => mayHaveEnded(job, call, status)).length;
  // A job that failed may have been retried and have failed again.
  const again =
    status === 'FAILED' ? known.retries.filter((retry) => retry.sentTick < call.endedTick!).length : 0;
  const most = was + others + possible + again;
  if (reported > most) {
    const why = `it was ${was} before the first submission, and ${possible} jobs of the run can have become ${status}`;
    fail(compared, atMost, `${counter} is ${reported}, expected at most ${most}: ${why}`);
  }
  // If the others were counted as well, it would have shown.
  else if (possible < submitted.length && reported + submitted.length - possible > most) ledger.pass(atMost);
}

function hasEndedLately({ call, sinceMs }: Compared, job: EndpointJob, status: JobStatus): boolean {
  const { retried, reads, submitted } = job;
  if (retried || submitted.sentMs < call.receivedMs! - SHORTEST_RETENTION_MS) return false;
  // A deleted job may not count any more.
  if (policyFieldOf(submissionOf(submitted), 'ttl') !== undefined) return false;
  return (
    reads.every((one) => one.call.op !== 'cancel' && one.call.request.query['ttl'] === undefined) &&
    reads.some((one) => one.observed === status && one.call.receivedMs! <= sinceMs)
  );
}

/** Not if it was seen to end otherwise, or to wait or run later. */
function mayHaveEnded(job: EndpointJob, count: CallEvent, status: JobStatus): boolean {
  const { id, retried, outcome, reads } = job;
  if (retried || id === null || outcome === 'crash') return true;
  const isOther = ({ observed, call }: StatusObservation): boolean =>
    hasEnded(observed)
      ? observed !== status && (status === 'COMPLETED' || observed === 'COMPLETED')
      : isWaitingOrRunning(observed) && call.sentTick > count.endedTick!;
  return !reads.some(isOther) && (status !== 'COMPLETED' || outcome !== 'never');
}

function fail({ ledger, known, before, call }: Compared, id: RequirementId, actual: string): void {
  const restsOn = [...LIVES_ON, ...OUTLIVES_TTL, ...LEFT_BY_PURGES, ...TAKEN_BY_PURGES];
  ledger.miscount(
    id,
    [],
    restsOn.filter((one) => one !== id),
    failureBy(known, call.script, actual, [before, call]),
  );
}
