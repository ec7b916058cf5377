/**
 * What a call must not affect. A violation shows in the history of the affected job, and `attribution/` names
 * the requirement; this table lists which reads before and after the call prove that a job was unaffected.
 */
import type { CallEvent } from '../../history/events.js';
import type { Operation, RequirementId } from '../../spec/index.js';
import { jobBy, type Job } from '../jobs/observed-jobs.js';
import {
  precedes,
  observedWaitingAfter,
  statusObservationsOf,
  type StatusObservation,
} from '../jobs/status-observations.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { answerOf, idInPath } from '../observed/recorded-call.js';
import { survives, staysEnded } from '../context/left-alone.js';
import type { JudgingContext } from '../context/judging-context.js';
import { endsOfJobs } from './ends.js';
import { exampleTtl } from './example-ttl.js';
import { retries } from './retries.js';
import { secondRuns } from './second-run.js';
import { runningAtOnce, workersOfOthers } from './workers.js';

type Proof = (context: JudgingContext, job: Job, call: CallEvent) => boolean;

/**
 * For calls with this answer, the jobs that can prove it: the one named, another one, or any, where one is
 * enough; or each one separately.
 */
type Row = readonly [RequirementId, Operation, 'ok' | 401 | 429, 'own' | 'another' | 'any' | 'each', Proof];

const AT_THIS_ENDPOINT: readonly Row[] = [
  ['3/cancelled-never-starts', 'cancel', 'ok', 'own', isPassedOver(isCancelledUnstarted)],
  ['4.5/this-job-only', 'cancel', 'ok', 'another', survives],
  ['4.6/this-job-only', 'retry', 'ok', 'another', staysEnded],
  ['4.7/keeps-finished', 'purge-queue', 'ok', 'each', staysEnded],
  ['4.7/keeps-running', 'purge-queue', 'ok', 'each', runsOn],
  ['4.7/later-jobs-unaffected', 'purge-queue', 'ok', 'each', comesLaterAndStarts],
  ['4.7/removes-waiting-runsync', 'purge-queue', 'ok', 'each', isRemoved((_, job) => job.sync)],
  ['4.7/removes-waiting-low-priority', 'purge-queue', 'ok', 'each', isRemoved(isLowPriority)],
  ['4.7/removes-waiting-retried', 'purge-queue', 'ok', 'each', isRemoved((at) => at.retries > 0)],
  ['4.7/purged-jobs-never-run', 'purge-queue', 'ok', 'each', isPassedOver(isPurged)],
  ['4.8/reading-changes-nothing', 'health', 'ok', 'any', isAsBefore],
  ['5/unauthorized-cancel-has-no-effect', 'cancel', 401, 'own', survives],
  ['5/unauthorized-retry-has-no-effect', 'retry', 401, 'own', staysRetryable],
  ['5/unauthorized-purge-has-no-effect', 'purge-queue', 401, 'any', waitsOn],
  ['8/refused-call-has-no-effect', 'cancel', 429, 'own', survives],
  ['8/refused-call-has-no-effect', 'retry', 429, 'own', staysRetryable],
  ['8/refused-call-has-no-effect', 'purge-queue', 429, 'any', waitsOn],
];
const AT_ANOTHER_ENDPOINT: readonly Row[] = [
  ['1/endpoints-isolated-purge', 'purge-queue', 'ok', 'any', waitsOn],
];

const byOperation = (rows: readonly Row[]): ReadonlyMap<CallEvent['op'], readonly Row[]> =>
  new Map(rows.map(([, op]) => [op, rows.filter((row) => row[1] === op)]));
const ROWS_HERE = byOperation(AT_THIS_ENDPOINT);
const ROWS_ELSEWHERE = byOperation(AT_ANOTHER_ENDPOINT);

/** Bursts of thousands of jobs only test rates. */
const JOBS_MAX = 200;
/** A shared endpoint has the jobs of all scripts of the run. */
const SHARED_JOBS_MAX = 1_000;

export function judgeEffects(context: JudgingContext): void {
  const { session, jobs } = context;
  const jobsMax = session.fresh ? JOBS_MAX : SHARED_JOBS_MAX;
  if (!session.exists || jobs.length === 0 || jobs.length > jobsMax) return;
  const explained = jobs.filter((job) => context.isExplained(job));
  for (const call of session.calls) leavesAlone(context, ROWS_HERE.get(call.op), call, explained);
  for (const { session: other } of context.otherEndpoints)
    for (const call of other.calls) leavesAlone(context, ROWS_ELSEWHERE.get(call.op), call, explained);
  endsOfJobs(context, explained);
  exampleTtl(context);
  retries(context, explained);
  secondRuns(context);
  runningAtOnce(context);
  workersOfOthers(context);
}

function leavesAlone(
  context: JudgingContext,
  rows: readonly Row[] | undefined,
  call: CallEvent,
  jobs: readonly Job[],
): void {
  if (rows === undefined) return;
  for (const [id, , answer, which, proof] of rows) {
    if (answerOf(call) !== answer && call.reply?.status !== answer) continue;
    const own = jobBy(context, idInPath(call));
    // If the named job cannot be explained, it is uncertain that the call worked.
    if (which === 'another' && (own === undefined || !context.isExplained(own))) continue;
    for (const job of jobs) {
      if ((which === 'own' && job !== own) || (which === 'another' && job === own)) continue;
      if (!proof(context, job, call)) continue;
      context.pass(id);
      if (which !== 'each') break;
    }
  }
}

function waitsOn(_: JudgingContext, job: Job, call: CallEvent): boolean {
  return observedWaitingAfter(job, call);
}

function isAsBefore(context: JudgingContext, job: Job, call: CallEvent): boolean {
  return survives(context, job, call) || staysEnded(context, job, call, ['COMPLETED', 'FAILED']);
}

function staysRetryable(context: JudgingContext, job: Job, call: CallEvent): boolean {
  return staysEnded(context, job, call, ['FAILED', 'TIMED_OUT']);
}

function runsOn(context: JudgingContext, job: Job, call: CallEvent): boolean {
  const ran = statusObservationsOf(job).some(
    (one) => one.observed === 'IN_PROGRESS' && precedes(one.call, call),
  );
  return ran && survives(context, job, call);
}

function comesLaterAndStarts(_: JudgingContext, job: Job, call: CallEvent): boolean {
  return precedes(call, job.submitted) && statusObservationsOf(job).some(isStarted);
}

const isStarted = ({ observed }: StatusObservation): boolean =>
  observed === 'IN_PROGRESS' || observed === 'COMPLETED';

function isLowPriority(_: Hypothesis, { model }: Job): boolean {
  return model.lowPriority;
}

function isPurged({ state }: Hypothesis): boolean {
  return state === 'purged';
}

function isCancelledUnstarted({ state, previousState }: Hypothesis): boolean {
  return state === 'cancelled' && previousState === 'queued';
}

function isRemoved(kind: (at: Hypothesis, job: Job) => boolean): Proof {
  return (context, job, call) =>
    // The answer of the waiting call says nothing about the queue; a later read of its job does.
    statusObservationsOf(job).some((later) => later.call.op === 'status' && precedes(call, later.call)) &&
    context.explanationsOf(job).mustBe((at) => isPurged(at) && kind(at, job));
}

/** It left the queue, and another job that waited then, or came later, has started since. */
function isPassedOver(isTaken: (at: Hypothesis) => boolean): Proof {
  return (context, job, call) => {
    if (!context.explanationsOf(job).mustBe(isTaken)) return false;
    const alike = call.op === 'cancel' ? job.calls : context.callIndex.of('purge-queue');
    const last = alike.findLast(
      (one) => one.op === call.op && answerOf(one) === 'ok' && precedes(job.submitted, one),
    );
    const lastRead = statusObservationsOf(job).at(-1)?.call;
    if (call !== last || lastRead?.op !== 'status') return false;
    return context.jobs.some((other) => {
      if (other === job) return false;
      const seen = statusObservationsOf(other);
      const waited =
        precedes(call, other.submitted) ||
        seen.some((one) => one.observed === 'IN_QUEUE' && precedes(call, one.call));
      return waited && seen.some((one) => isStarted(one) && precedes(one.call, lastRead));
    });
  };
}
