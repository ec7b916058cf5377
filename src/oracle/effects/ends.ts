/** Jobs that did not end by their handler: others are not affected, and the worker takes the next job. */
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../jobs/observed-jobs.js';
import { precedes, statusObservationsOf } from '../jobs/status-observations.js';
import { wasEndedByTimeout, type Hypothesis } from '../model/hypothesis.js';
import { ENDED, TTL_START, STARTED } from '../model/zone.js';
import { answerOf, policyFieldOf, seconds } from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';

/** When it certainly ended in this way. */
interface End {
  readonly job: Job;
  readonly fromMs: number;
  readonly byMs: number;
}

/** Null: it did not end in this way, or that is uncertain. */
type Way = (context: JudgingContext, job: Job) => End | null;
type Proof = (context: JudgingContext, end: End, other: Job) => boolean;
type Span = (at: Hypothesis) => Omit<End, 'job'>;

const ending: Span = ({ zone }) => ({ fromMs: zone.earliest(ENDED), byMs: zone.latest(ENDED) });
const lifespan: Span = ({ zone, policy: { ttlMs } }) => ({
  fromMs: zone.earliest(TTL_START) + ttlMs!,
  byMs: zone.latest(TTL_START) + ttlMs!,
});

const expired = by(isExpired, lifespan);
const expiredByStatus = by(
  (at, job) => isExpired(at) && at.policy.ttlMs !== job.policies[0]?.ttlMs,
  lifespan,
);
const expiredAsSubmitted: Way = (context, job) =>
  expiredByStatus(context, job) === null ? expired(context, job) : null;

/** Requirements that other jobs are spared, the kind of end, and the proof by another job. */
const SPARES: readonly (readonly [RequirementId, Way, Proof])[] = [
  ['2.2/ttl-this-job-only', expiredAsSubmitted, isFoundLater],
  ['4.3/ttl-this-job-only', expiredByStatus, isFoundLater],
  ['2.2/execution-timeout-this-job-only', by(isTimedOut, ending), runsOn],
  ['3/crash-leaves-other-jobs-alone', crashed, completesLater],
];

/** Requirements that the next job starts. A run is interrupted in at most one way. */
const FREES: readonly (readonly [RequirementId, Way])[] = [
  ['3/cancel-frees-worker', by((at) => at.state === 'cancelled' && at.previousState === 'running', ending)],
  ['2.2/execution-timeout-frees-worker', by(wasEndedByTimeout, ending)],
  ['2.2/ttl-frees-worker', by((at) => isExpired(at) && at.previousState === 'running', lifespan)],
];

/** `explained`: the jobs whose observations can be explained. */
export function endsOfJobs(context: JudgingContext, explained: readonly Job[]): void {
  if (explained.length < 2) return;
  const { fresh, workersAtFirst, workers } = context.session;
  for (const job of explained) {
    const others = explained.filter((other) => other !== job);
    for (const [id, way, isSpared] of SPARES) {
      const end = way(context, job);
      if (end !== null && others.some((other) => isSpared(context, end, other))) context.pass(id);
    }
    if (!fresh || workersAtFirst === null || workers.length > 0) continue;
    for (const [id, way] of FREES) {
      const end = way(context, job);
      if (end !== null) for (const next of others) takesNext(context, id, end, next);
    }
  }
}

function by(is: (at: Hypothesis, job: Job) => boolean, span: Span): Way {
  return (context, job) => {
    const explanations = context.explanationsOf(job);
    if (explanations.kind !== 'explained' || !explanations.mustBe((at) => is(at, job))) return null;
    return {
      job,
      fromMs: explanations.least((at) => span(at).fromMs),
      byMs: explanations.most((at) => span(at).byMs),
    };
  };
}

function isExpired({ deletedBy, policy }: Hypothesis): boolean {
  return deletedBy === 'ttl' && policy.ttlMs !== null;
}

function isTimedOut({ state, previousState }: Hypothesis): boolean {
  return state === 'timed-out' || previousState === 'timed-out';
}

/** The earliest instant at which its worker may have crashed. */
function crashed(_: JudgingContext, job: Job): End | null {
  const { outcome, durationMs } = job.predicted(0);
  const fromMs = job.submittedFromMs + (durationMs ?? 0);
  return outcome === 'crash' ? { job, fromMs, byMs: Infinity } : null;
}

function isFoundLater(_: JudgingContext, { job, fromMs }: End, other: Job): boolean {
  const gone = statusObservationsOf(job).find(({ observed }) => observed === 'GONE')?.call;
  if (gone === undefined || other.submittedByMs >= fromMs) return false;
  return statusObservationsOf(other).some(
    ({ call, observed }) => precedes(gone, call) && observed !== 'GONE' && observed !== 'CANCELLED',
  );
}

/**
 * It was running at that instant and continued, or it ran longer than the other's timeout. It was submitted later, and has
 * no timeout of its own: that would hide what the other's did to the default.
 */
function runsOn(context: JudgingContext, { job, fromMs, byMs }: End, other: Job): boolean {
  const given = policyFieldOf(job.submission, 'executionTimeout');
  const own = policyFieldOf(other.submission, 'executionTimeout');
  if (own !== undefined || !precedes(job.submitted, other.submitted)) return false;
  const limitMs = typeof given === 'number' ? given + context.graceAt(fromMs, byMs) : Infinity;
  const explanations = context.explanationsOf(other);
  const completed = (after: (at: Hypothesis) => boolean): boolean =>
    explanations.mustBe((at) => at.state === 'completed' && after(at));
  if (completed(({ zone }) => -zone.bound(STARTED, ENDED) > limitMs)) return true;
  if (!explanations.mustBe(({ zone }) => zone.latest(STARTED) < fromMs)) return false;
  const isObserved = statusObservationsOf(other).some(
    ({ call, observed }) => observed === 'IN_PROGRESS' && call.sentMs > byMs,
  );
  return isObserved || completed(({ zone }) => zone.earliest(ENDED) > byMs);
}

/** It ended as predicted, after the worker of the failed job had crashed. */
function completesLater(context: JudgingContext, { job, fromMs }: End, other: Job): boolean {
  const failed = statusObservationsOf(job).find(({ observed }) => observed === 'FAILED')?.call;
  return (
    failed !== undefined &&
    other.predicted(0).outcome === 'success' &&
    precedes(other.submitted, failed) &&
    statusObservationsOf(other).some(({ observed }) => observed === 'COMPLETED') &&
    context.explanationsOf(other).mustBe(({ zone }) => zone.earliest(ENDED) >= fromMs)
  );
}

/** A stopped worker may be restarted; after this time plus lateness it counts as lost. */
const RESTART_MS = 60_000;

function takesNext(context: JudgingContext, id: RequirementId, end: End, next: Job): void {
  const { job, fromMs, byMs } = end;
  const isInTime = (ms: number): boolean => ms <= byMs + context.graceAt(byMs, ms) + RESTART_MS;
  const explanations = context.explanationsOf(next);
  if (explanations.kind !== 'explained' || next.submittedByMs >= fromMs) return;
  const seen = statusObservationsOf(next);
  const ran = seen.some(({ observed }) => observed === 'IN_PROGRESS' || observed === 'COMPLETED');
  if (ran && explanations.mustBe(({ zone }) => zone.earliest(STARTED) >= fromMs)) {
    const startedByMs = explanations.most(({ zone }) => zone.latest(STARTED));
    if (isInTime(startedByMs) && areOthersBusy(context, [job, next], fromMs, startedByMs)) context.pass(id);
    return;
  }
  // It may have run before and be waiting again.
  const retried = next.calls.some((call) => call.op === 'retry' && answerOf(call) !== 'refused');
  if (context.session.workersAtFirst !== 1 || retried || explanations.mayBe(({ runs }) => runs > 0)) return;
  const waiting = seen.findLast(({ observed }) => observed === 'IN_QUEUE')?.call;
  if (waiting === undefined || isInTime(waiting.sentMs) || !isNext(context, next, end)) return;
  context.fail(id, {
    script: next.script,
    actual: `job ${job.id} was stopped by ${seconds(byMs)}, and job ${next.id} still waited at ${seconds(waiting.sentMs)}`,
    proof: ['the endpoint has one worker, and no other job was waiting'],
    calls: [job.submitted.call, next.submitted.call, waiting.call],
  });
}

/** All workers but one were certainly busy with other jobs throughout this time. */
function areOthersBusy(
  context: JudgingContext,
  except: readonly Job[],
  fromMs: number,
  toMs: number,
): boolean {
  const busy = ({ retries, state, notBeforeMs, zone }: Hypothesis): boolean =>
    retries === 0 &&
    zone.latest(STARTED) < fromMs &&
    (state === 'running' ? notBeforeMs : zone.earliest(ENDED)) >= toMs;
  const others = context.jobs.filter(
    (job) => !except.includes(job) && context.explanationsOf(job).mustBe(busy),
  );
  return others.length === context.session.workersAtFirst! - 1;
}

/** No other job can have taken the worker first. */
function isNext(context: JudgingContext, next: Job, { fromMs, byMs }: End): boolean {
  const isOut = ({ state, zone, previousState }: Hypothesis): boolean =>
    state === 'purged' ||
    previousState === 'queued' ||
    zone.latest(ENDED) <= byMs ||
    (state === 'deleted' && zone.latest(STARTED) < fromMs);
  return context.jobs.every((other) => other === next || context.explanationsOf(other).mustBe(isOut));
}
