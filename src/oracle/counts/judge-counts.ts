/**
 * Counters over all jobs of an endpoint: those of `/health` (sections 2.7 and 4.8), and the number that
 * `/purge-queue` removed (2.6). The expected value is a sum over the jobs, by the possible states of each
 * during the count. What the document leaves open about counters is observed in `questions/section-2-7.ts`.
 */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WAIT_DEFAULT_MS } from '../../spec/limits.js';
import { defectsOf } from '../calls/defects.js';
import { jobsIn } from '../jobs/endpoint-jobs.js';
import { precedes } from '../jobs/status-observations.js';
import { effectivePolicies } from '../model/effective-policy.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { countedSinceMs } from '../observed/session.js';
import { earlyToleranceMs } from '../observed/tolerance.js';
import { predictionsFor } from '../observed/worker-prediction.js';
import {
  counterIn,
  answerOf,
  effectiveOperation,
  effectPrecedes,
  submissionOf,
} from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Ledger } from '../ledger/ledger.js';
import { stateCountsAt, countBounds, isBefore, type StateCounts, type CountBounds } from './state-counts.js';
import * as counters from './counters.js';
import * as why from './wrong-counts.js';

/**
 * The requirement; its counter; how it must compare with the expected value; the expected value; other
 * possible causes of a wrong one.
 */
type Row = readonly [RequirementId, string, 'exactly' | 'at least' | 'at most', Right, why.Causes];
/** Null if the expected value is unknown. */
type Right = (stateCounts: StateCounts, reported: number) => CountBounds | null;

const waiting: Right = (stateCounts) => countBounds(stateCounts, ['queued']);
const running: Right = (stateCounts) => countBounds(stateCounts, ['running']);

const OF_HEALTH: readonly Row[] = [
  ['4.8/counts-in-queue', 'jobs.inQueue', 'exactly', waiting, why.WAITING],
  ['4.8/counts-in-progress', 'jobs.inProgress', 'exactly', running, why.RUNNING],
  ['4.8/counts-completed', 'jobs.completed', 'at least', counters.endedLately('completed'), why.NOTHING],
  ['4.8/completed-counts-nothing-else', 'jobs.completed', 'at most', counters.everCompleted, why.COMPLETED],
  ['4.8/counts-failed', 'jobs.failed', 'at least', counters.endedLately('failed'), why.NOTHING],
  ['4.8/failed-not-completed', 'jobs.failed', 'at most', counters.everFailed, why.NOTHING],
  ['4.8/counts-retried', 'jobs.retried', 'at least', counters.retriedLately, why.NOTHING],
  ['4.8/retried-counts-nothing-else', 'jobs.retried', 'at most', counters.everRetried, why.RETRIED],
  ['4.8/counts-workers-running', 'workers.running', 'exactly', counters.runningWorkers, why.RUNNING],
  ['4.8/counts-workers-idle', 'workers.idle', 'exactly', counters.idleWorkers, why.IDLE],
];
const OF_PURGES: readonly Row[] = [['2.6/removed-counts-queued', 'removed', 'exactly', waiting, why.REMOVED]];

/** Every counted job appears in one of these. */
const ALL_JOBS = ['jobs.inQueue', 'jobs.inProgress', 'jobs.completed', 'jobs.failed'];

/** Bursts of thousands of jobs with many counts only test rates. */
const STATES_MAX = 200_000;

export function judgeCounts(context: JudgingContext): void {
  const { session } = context;
  if (session.run.capture !== undefined) noteRemoved(context);
  if (!session.exists || !session.fresh || !context.has('dedicated')) return;
  const { jobs, callIndex } = context;
  if (jobs.length * callIndex.counts.length > STATES_MAX) return;
  for (const call of callIndex.counts) {
    if (answerOf(call) !== 'ok') continue;
    context.ledger.about = call.call;
    const stateCounts = stateCountsAt(context, call);
    const rows = call.op === 'health' ? OF_HEALTH : OF_PURGES;
    // The counter is at its maximum, so a job counted by mistake would have shown.
    const full = rows.flatMap((row) => (compare(stateCounts, row) ? [row[1]] : []));
    if (full.includes('jobs.inQueue') || full.includes('removed')) why.notCounted(stateCounts, 'queue');
    if (ALL_JOBS.every((counter) => full.includes(counter)) || isExact(stateCounts))
      why.notCounted(stateCounts, 'anywhere');
    if (call.op === 'purge-queue') {
      afterOthers(stateCounts);
      agreesWithLives(stateCounts);
    } else {
      waitsOn(stateCounts);
      counters.observeWorkers(stateCounts);
    }
  }
  context.ledger.about = null;
}

/** None has ended, and no more are counted in all than there are. */
function isExact(stateCounts: StateCounts): boolean {
  const { call } = stateCounts;
  const alive = jobsIn(call);
  if (alive === null || counterIn(call, 'jobs.completed') !== 0 || counterIn(call, 'jobs.failed') !== 0)
    return false;
  const { least } = countBounds(stateCounts, ['queued', 'running', 'completed', 'failed']);
  return least > 0 && alive <= least;
}

/** True if the counter is at its maximum. */
function compare(stateCounts: StateCounts, [id, counter, bound, right, causes]: Row): boolean {
  const { context, call } = stateCounts;
  const reported = counterIn(call, counter);
  const sum = reported === null ? null : right(stateCounts, reported);
  if (reported === null || sum === null) return false;
  const least = bound === 'at most' ? -Infinity : sum.least;
  const most = bound === 'at least' ? Infinity : sum.most;
  if (reported >= least && reported <= most) context.pass(id);
  else {
    const isTooHigh = reported > most;
    const suspects = isTooHigh ? causes.tooHigh(stateCounts, reported - most) : causes.tooLow(stateCounts);
    const span = least === most ? `${least}` : `${sum.least} to ${sum.most}`;
    const expected = { exactly: span, 'at least': `at least ${least}`, 'at most': `at most ${most}` }[bound];
    const parts = sum.parts?.() ?? null;
    const seen = context.observedFailure({
      script: call.script,
      actual: `${counter} is ${reported}, expected ${expected}`,
      calls: [call.call],
      contradiction: parts && {
        kind: 'number',
        of: counter,
        told: reported,
        least: sum.least,
        most: sum.most,
        parts,
      },
    });
    context.ledger.miscount(id, suspects, why.restsOn(stateCounts, causes, isTooHigh), seen);
  }
  return reported === most;
}

/**
 * Calls that were answered with an error only after their wait had elapsed: their jobs were accepted and
 * continue, although their ids are unknown. They still count as waiting or running.
 */
function waitsOn(stateCounts: StateCounts): void {
  const { context, call } = stateCounts;
  const { callIndex } = context;
  const pending = callIndex.pendingSubmissions.filter((one) => outlivesItsWait(context, one, call)).length;
  const alive = jobsIn(call);
  if (pending === 0 || alive === null) return;
  const least = pending + countBounds(stateCounts, ['queued', 'running']).least;
  const said = `${alive} jobs are waiting or running, expected at least ${least}, ${pending} of them after their wait`;
  context.check('4.1/wait-leaves-job-alive', alive >= least, call, said);
}

function outlivesItsWait({ session }: JudgingContext, call: CallEvent, count: CallEvent): boolean {
  if (call.op !== 'runsync' || call.receivedMs === null || answerOf(call) !== 'refused') return false;
  const { earlyMs, edition, executionTimeoutDefaultMs = null } = session.run;
  const waitMs = Number(call.request.query['wait'] ?? WAIT_DEFAULT_MS);
  const held = call.receivedMs - call.sentMs >= waitMs - earlyMs && precedes(call, count);
  // The counters may be older than the call that reports them.
  if (call.receivedMs > countedSinceMs(session, count)) return false;
  if (!held || defectsOf(call).length > 0 || count.receivedMs === null) return false;
  if (session.calls.some((one) => one.op === 'purge-queue' && !effectPrecedes(one, call))) return false;
  const body = submissionOf(call)!;
  const { outcome, durationMs } = predictionsFor(session, body)(0);
  if (durationMs === null || (outcome !== 'success' && outcome !== 'never')) return false;
  const how = { sync: true, waitGiven: true, outlivedWait: true };
  const policies = effectivePolicies(body, how, edition, executionTimeoutDefaultMs);
  const promised = policies.flatMap(({ ttlMs, executionLeastMs }) => [ttlMs ?? 0, executionLeastMs]);
  const lifetimeMs = Math.min(durationMs, ...promised);
  return count.receivedMs < call.sentMs + lifetimeMs - earlyToleranceMs(earlyMs, lifetimeMs);
}

/**
 * Traffic may not show all jobs that waited: a purge counts those at least that it alone can have removed. They may be in several
 * parts, so they are added up.
 */
function noteRemoved(context: JudgingContext): void {
  for (const call of context.callIndex.of('purge-queue')) {
    const removed = answerOf(call) === 'ok' ? counterIn(call, 'removed') : null;
    if (removed === null) continue;
    const least = context.lives.filter((life) => life.mustBe(({ purgedBy }) => purgedBy === call)).length;
    if (least > 0)
      context.ledger.purges.set(call.call, { removed, least, failure: context.failureOf(call, '') });
  }
}

/** Called at the end of the run. */
export function settlePurges(ledger: Ledger): void {
  for (const { removed, least, failure } of ledger.purges.values()) {
    const actual = `removed is ${removed}, but nothing else can have removed ${least} of the jobs`;
    if (removed < least) ledger.fail('2.6/removed-counts-queued', { ...failure, actual });
  }
}

/** Two concurrent purges, and a purge of a certainly empty queue. */
function afterOthers(stateCounts: StateCounts): void {
  const { context, call } = stateCounts;
  const removed = counterIn(call, 'removed');
  if (removed === null) return;
  const { most } = countBounds(stateCounts, ['queued']);
  const meanwhile = context.session.calls.filter(
    (one) => one !== call && !precedes(one, call) && isBefore(one, call),
  );
  // A retry may have requeued a job between the two.
  const comeBack = meanwhile.some((one) => effectiveOperation(one) === 'retry');
  const isPurge = (one: CallEvent) => one.op === 'purge-queue' && answerOf(one) === 'ok';
  const other = meanwhile.find(isPurge);
  const atOnce = other === undefined || comeBack ? null : counterIn(other, 'removed');
  const both = `two purges at once removed ${removed} and ${atOnce} jobs, but at most ${most} were waiting`;
  if (atOnce !== null) context.check('2.6/removed-counts-queued', removed + atOnce <= most, call, both);
  if (most > 0 || removed !== 0) return;
  const earlier = context.callIndex.of('purge-queue').some((one) => isPurge(one) && precedes(one, call));
  context.pass(earlier ? '4.7/second-purge-removes-nothing' : '4.7/empty-queue-removes-nothing');
}

/**
 * What a purge says that it removed, against what became of the jobs: later reads tell of each whether it can have been
 * removed, and whether it must have been.
 */
function agreesWithLives(stateCounts: StateCounts): void {
  const { context, call, pendingSubmissions } = stateCounts;
  const { lives } = context;
  const removed = counterIn(call, 'removed');
  // A job that was not told, or whose life is not explained, may be one of them.
  if (removed === null || pendingSubmissions > 0 || lives.some((life) => !life.isExplained)) return;
  const waiting = countBounds(stateCounts, ['queued']);
  // Otherwise the count is wrong by itself.
  if (removed < waiting.least || removed > waiting.most) return;
  // Of a job that several purges removed, the last one is known.
  const isOnly = context.callIndex.of('purge-queue').length === 1;
  const isRemoved = ({ purgedBy }: Hypothesis): boolean => purgedBy === call;
  const least = lives.filter((life) => life.mustBe(isRemoved)).length;
  const most = lives.filter((life) => life.mayBe(isRemoved) || (life.job.retried && !isOnly)).length;
  const span = least === most ? `${least}` : `${least} to ${most}`;
  context.check(
    '2.6/removed-counts-queued',
    removed >= least && removed <= most,
    call,
    `removed is ${removed}, but by what was seen of the jobs later it is ${span}`,
  );
}
