/** Jobs that did not end by their handler: others are not affected, and the worker takes the next job. */
import type { RequirementId } from '../../spec/index.js';
import { precedes } from '../jobs/status-observations.js';
import { wasEndedByTimeout, type Hypothesis } from '../model/hypothesis.js';
import { ENDED, STARTED } from '../model/zone.js';
import type { Interval } from '../observed/intervals.js';
import { seconds } from '../../util/duration.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { WORKER_LINGERS_MS } from '../observed/assumptions.js';
import { onItsClock } from '../observed/tolerance.js';

/** When it certainly ended in this way; null: it did not, or that is uncertain. */
type Way = (life: Life) => Interval | null;
type Proof = (ended: Life, when: Interval, other: Life) => boolean;

const by =
  (is: (at: Hypothesis, life: Life) => boolean, when: (life: Life) => Interval): Way =>
  (life) =>
    life.mustBe((at) => is(at, life)) ? when(life) : null;
const ending = (life: Life): Interval => life.when(ENDED);
const lifespan = (life: Life): Interval => life.ttlEnds;

const expired = by(isExpired, lifespan);
const expiredByStatus = by(
  (at, { job }) => isExpired(at) && at.policy.ttlMs !== job.policies[0]?.ttlMs,
  lifespan,
);
const expiredAsSubmitted: Way = (life) => (expiredByStatus(life) === null ? expired(life) : null);

/** Requirements that other jobs are spared, the kind of end, and the proof by another job. */
const ITS_TIMEOUT_ONLY = '2.2/execution-timeout-this-job-only';
const SPARES: readonly (readonly [RequirementId, Way, Proof])[] = [
  ['2.2/ttl-this-job-only', expiredAsSubmitted, isFoundLater],
  ['4.3/ttl-this-job-only', expiredByStatus, isFoundLater],
  [ITS_TIMEOUT_ONLY, by(isTimedOut, ending), runsOn],
  ['3/crash-leaves-other-jobs-alone', crashed, completesLater],
];

/** Requirements that the next job starts. A run is interrupted in at most one way. */
const FREES: readonly (readonly [RequirementId, Way])[] = [
  ['3/cancel-frees-worker', by((at) => at.state === 'cancelled' && at.previousState === 'running', ending)],
  ['2.2/execution-timeout-frees-worker', by(wasEndedByTimeout, ending)],
  ['2.2/ttl-frees-worker', by((at) => isExpired(at) && at.previousState === 'running', lifespan)],
];

/** `explained`: the jobs whose observations can be explained. */
export function endsOfJobs(context: JudgingContext, explained: readonly Life[]): void {
  if (explained.length < 2) return;
  const { fresh, workersAtFirst, workers } = context.session;
  for (const life of explained) {
    const others = explained.filter((other) => other !== life);
    for (const [id, way, isSpared] of SPARES) {
      const when = way(life);
      if (when !== null && others.some((other) => isSpared(life, when, other))) context.pass(id);
    }
    defaultOfAnother(life, others);
    if (!fresh || workersAtFirst === null || workers.length > 0) continue;
    for (const [id, way] of FREES) {
      const when = way(life);
      if (when !== null) for (const next of others) takesNext(id, life, when, next);
    }
  }
}

function isExpired({ deletedBy, policy }: Hypothesis): boolean {
  return deletedBy === 'ttl' && policy.ttlMs !== null;
}

function isTimedOut({ state, previousState }: Hypothesis): boolean {
  return state === 'timed-out' || previousState === 'timed-out';
}

/** From the earliest instant at which its worker may have crashed. */
function crashed({ plan: { outcome, durationMs }, job }: Life): Interval | null {
  return outcome === 'crash' ? { fromMs: job.submittedFromMs + (durationMs ?? 0), byMs: Infinity } : null;
}

function isFoundLater(ended: Life, { fromMs }: Interval, other: Life): boolean {
  const gone = ended.first('GONE');
  if (gone === undefined || other.job.submittedByMs >= fromMs) return false;
  return other.sawAfter(gone, 'IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'TIMED_OUT');
}

/**
 * It was running at that instant and continued, or it ran longer than the other's timeout. It was submitted later, and has
 * no timeout of its own: that would hide what the other's did to the default.
 */
function runsOn(ended: Life, { fromMs, byMs }: Interval, other: Life): boolean {
  const given = ended.policy('executionTimeout');
  const isLater = precedes(ended.job.submitted, other.job.submitted);
  if (other.policy('executionTimeout') !== undefined || !isLater) return false;
  const limitMs = typeof given === 'number' ? given + ended.context.graceAt(fromMs, byMs) : Infinity;
  const completed = (after: (at: Hypothesis) => boolean): boolean =>
    other.mustBe((at) => at.state === 'completed' && after(at));
  if (completed(({ zone }) => -zone.bound(STARTED, ENDED) > limitMs)) return true;
  if (!other.mustBe(({ zone }) => zone.latest(STARTED) < fromMs)) return false;
  const lastRun = other.last('IN_PROGRESS');
  return (lastRun?.sentMs ?? -Infinity) > byMs || completed(({ zone }) => zone.earliest(ENDED) > byMs);
}

/**
 * What the default of the endpoint is may be unknown, but it is one: of two jobs without a timeout of their own, one ran for
 * longer, and the other, submitted after a job with a timeout, was stopped when that was over.
 */
function defaultOfAnother(stopped: Life, others: readonly Life[]): void {
  const hasNone = (life: Life): boolean =>
    life.policy('executionTimeout') === undefined && life.retries.length === 0;
  const end = stopped.first('TIMED_OUT');
  if (end === undefined || !hasNone(stopped) || !stopped.mustBe(isTimedOut)) return;
  for (const given of others) {
    const limitMs = given.policy('executionTimeout');
    if (typeof limitMs !== 'number' || !precedes(given.job.submitted, stopped.job.submitted)) continue;
    const graceMs = stopped.context.graceAt(given.job.submittedFromMs, end.receivedMs!);
    const mostMs = limitMs + graceMs;
    const ranFor = ({ zone }: Hypothesis): boolean =>
      zone.bound(ENDED, STARTED) >= limitMs && zone.bound(ENDED, STARTED) <= mostMs;
    if (!stopped.mustBe(ranFor)) continue;
    const longer = others.find(
      (other) =>
        hasNone(other) &&
        precedes(other.job.submitted, given.job.submitted) &&
        // If the default is as long as the other ran, a timer that is late lets this one run so much longer.
        other.mustBe(
          ({ state, zone }) => state === 'completed' && -zone.bound(STARTED, ENDED) > mostMs + graceMs,
        ),
    );
    const completed = longer?.first('COMPLETED');
    if (longer === undefined || completed === undefined) continue;
    const actual = `job ${stopped.job.id} has no executionTimeout and was TIMED_OUT after at most ${seconds(mostMs)}, when that of job ${given.job.id} was over; job ${longer.job.id}, which has none either, ran for longer and was COMPLETED`;
    const calls = [longer.job.submitted, given.job.submitted, stopped.job.submitted, completed, end];
    return stopped.fail(ITS_TIMEOUT_ONLY, actual, calls);
  }
}

/** It ended as predicted, after the worker of the failed job had crashed. */
function completesLater(ended: Life, { fromMs }: Interval, other: Life): boolean {
  const failed = ended.first('FAILED');
  return (
    failed !== undefined &&
    other.plan.outcome === 'success' &&
    precedes(other.job.submitted, failed) &&
    other.first('COMPLETED') !== undefined &&
    other.mustBe(({ zone }) => zone.earliest(ENDED) >= fromMs)
  );
}

function takesNext(id: RequirementId, ended: Life, { fromMs, byMs }: Interval, next: Life): void {
  const { context, job } = ended;
  const isInTime = (ms: number): boolean =>
    ms <= byMs + context.graceAt(byMs, ms) + onItsClock(context.session.run, WORKER_LINGERS_MS);
  if (next.job.submittedByMs >= fromMs) return;
  const ran = next.first('IN_PROGRESS', 'COMPLETED') !== undefined;
  if (ran && next.mustBe(({ zone }) => zone.earliest(STARTED) >= fromMs)) {
    const startedByMs = next.when(STARTED).byMs;
    if (isInTime(startedByMs) && areOthersBusy([ended, next], fromMs, startedByMs)) context.pass(id);
    return;
  }
  // It may have run before and be waiting again.
  const isRetried = next.retries.length > 0 || next.mayBe(({ runs }) => runs > 0);
  const waiting = next.last('IN_QUEUE');
  if (context.session.workersAtFirst !== 1 || isRetried || waiting === undefined) return;
  if (isInTime(waiting.sentMs) || !isNext(next, { fromMs, byMs })) return;
  next.fail(
    id,
    `job ${job.id} was stopped by ${seconds(byMs)}, and job ${next.job.id} still waited at ${seconds(waiting.sentMs)}`,
    [job.submitted, next.job.submitted, waiting],
    { proof: ['the endpoint has one worker, and no other job was waiting'] },
  );
}

/** All workers but one were certainly busy with other jobs throughout this time. */
function areOthersBusy([ended, next]: readonly [Life, Life], fromMs: number, toMs: number): boolean {
  const isBusy = ({ retries, state, notBeforeMs, zone }: Hypothesis): boolean =>
    retries === 0 &&
    zone.latest(STARTED) < fromMs &&
    (state === 'running' ? notBeforeMs : zone.earliest(ENDED)) >= toMs;
  const { lives, session } = ended.context;
  const busy = lives.filter((life) => life !== ended && life !== next && life.mustBe(isBusy));
  return busy.length === session.workersAtFirst! - 1;
}

/** No other job can have taken the worker first. */
function isNext(next: Life, { fromMs, byMs }: Interval): boolean {
  const isOut = ({ state, zone, previousState }: Hypothesis): boolean =>
    state === 'purged' ||
    previousState === 'queued' ||
    zone.latest(ENDED) <= byMs ||
    (state === 'deleted' && zone.latest(STARTED) < fromMs);
  return next.context.lives.every((other) => other === next || other.mustBe(isOut));
}
