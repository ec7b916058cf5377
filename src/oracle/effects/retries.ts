/** Section 4.6: `/retry` starts a new run if it is valid, and has no effect otherwise. */
import type { CallEvent } from '../../history/events.js';
import { EXECUTION_TIMEOUT_MIN_MS } from '../../spec/limits.js';
import { precedes } from '../jobs/status-observations.js';
import { seconds } from '../../util/duration.js';
import {
  answerOf,
  describeCall,
  outputsIn,
  sameJson,
  isUninformative,
  statusIn,
} from '../observed/recorded-call.js';
import { UNENDED } from '../observed/instances.js';
import { earlyToleranceMs } from '../observed/tolerance.js';
import { RUN_COUNT_UNKNOWN } from '../observed/worker-prediction.js';
import { ranAtLeastMs } from '../model/conditions.js';
import { wasEndedByTimeout, type Hypothesis } from '../model/hypothesis.js';
import { ENDED, STARTED } from '../model/zone.js';
import type { Life } from '../context/life.js';

/** Of a job whose observations can be explained. */
export function retries(life: Life): void {
  const calls = life.calls('retry').filter(({ reply }) => reply !== null);
  atOnce(life, calls);
  runsInFull(life, calls);
  for (const call of calls) {
    outlivesItsResult(life, call);
    inWrongState(life, call);
  }
}

/** A retried job waits or runs for longer than its earlier result would have been kept. */
function outlivesItsResult({ context, job, reads }: Life, call: CallEvent): void {
  const ended = reads.findLast(
    (one) => precedes(one.call, call) && (one.observed === 'FAILED' || one.observed === 'TIMED_OUT'),
  )?.call;
  if (ended === undefined || answerOf(call) !== 'ok') return;
  const overMs = ended.receivedMs! + (job.policies[0]?.keptAtLeastMs ?? Infinity) + context.graceMax;
  for (const [status, instance] of Object.entries(UNENDED))
    if (reads.some((later) => later.call.sentMs > overMs && later.observed === status))
      context.ledger.pass('4.6/retried-job-not-expired', null, instance);
}

/** Two concurrent retries: a second run would have been observed, or have streamed twice. */
function atOnce(life: Life, [first, second, ...more]: readonly CallEvent[]): void {
  if (first === undefined || second === undefined || more.length > 0) return;
  if (precedes(first, second) || precedes(second, first)) return;
  if (answerOf(first) === 'unknown' || answerOf(second) === 'unknown') return;
  const { context, reads } = life;
  const { outcome, durationMs, chunks } = life.job.predicted(1);
  if (outcome !== 'success' || chunks.length !== 1 || life.plan.outcome !== 'error') return;
  const ended = life.first('COMPLETED');
  const read = life.done('stream');
  const delivered = read === undefined ? null : outputsIn(read);
  if (ended === undefined || read === undefined || delivered === null) return;
  const times = delivered.filter((output) => sameJson(output, chunks[0]!.output)).length;
  const id = '4.6/retries-at-once-requeue-once';
  if (times > 1)
    life.fail(id, `${describeCall(read)}, containing the only result of a run ${times} times`, [
      first,
      second,
      read,
    ]);
  const overMs = ended.receivedMs! + durationMs!;
  const isWatched = reads.some(({ call }) => call.sentMs > overMs + context.graceAt(call.sentMs));
  if (isWatched && times === 1 && precedes(ended, read)) context.pass(id);
}

const WHOLE = '4.6/whole-execution-timeout';

/** Advice: the last run has its whole `executionTimeout`. That earlier runs count is a reading (2.2/execution-timeout-after-retry). */
function runsInFull(life: Life, calls: readonly CallEvent[]): void {
  const { context, job, explanations } = life;
  const retry = calls.findLast((call) => answerOf(call) === 'ok');
  if (retry === undefined || explanations.kind !== 'explained') return;
  // What looks like the end before a retry may be that end.
  if (job.operations.some(({ isAsBeforeRetry }) => isAsBeforeRetry)) return;
  const { earlyMs, executionTimeoutDefaultMs: defaultMs } = context.session.run;
  const isRunOfRetry = ({ runs, retries, purgedBy }: Hypothesis): boolean =>
    runs > 0 && runs === retries && runs < RUN_COUNT_UNKNOWN && purgedBy === null;
  const ranAtMostMs = ({ zone }: Hypothesis): number => zone.bound(ENDED, STARTED);
  const isStoppedEarly = (at: Hypothesis): boolean => {
    // Where the retry has lost the policy (4.6/keeps-policy), the default stops it.
    const leastMs = Math.min(at.policy.executionLeastMs, defaultMs ?? EXECUTION_TIMEOUT_MIN_MS);
    return wasEndedByTimeout(at) && ranAtMostMs(at) < leastMs - earlyToleranceMs(earlyMs, leastMs);
  };
  const lastMs = life.last('IN_PROGRESS')?.sentMs ?? -Infinity;
  const hasOutrunRest = (at: Hypothesis): boolean => {
    const { executionMs } = at.policy;
    if (executionMs === null) return false;
    let restMs = at.retriedFrom === 'timed-out' ? 0 : executionMs;
    for (let run = 0; run < at.runs; run += 1) restMs -= job.predicted(run).durationMs ?? 0;
    const ranMs = at.state === 'running' ? lastMs - at.zone.latest(STARTED) : ranAtLeastMs(at);
    return ranMs > Math.max(0, restMs) + context.graceMax;
  };
  if (!life.mustBe(isRunOfRetry)) return;
  if (life.mustBe(hasOutrunRest)) context.pass(WHOLE);
  // A 404 may have another cause.
  const end = life.last('TIMED_OUT', 'CANCELLED');
  if (end === undefined || !precedes(retry, end) || !life.mustBe(isStoppedEarly)) return;
  const ranMs = explanations.most(ranAtMostMs);
  const limitMs = explanations.least(({ policy }) => policy.executionLeastMs);
  const what = `${job.id} was stopped after at most ${seconds(ranMs)} of its run after the retry, executionTimeout ${seconds(limitMs)}`;
  life.fail(WHOLE, what, [retry, end]);
}

const WRONG_STATES = {
  IN_QUEUE: ['4.6/refused-in-queue', '4.6/wrong-state-answer-in-queue'],
  IN_PROGRESS: ['4.6/refused-in-progress', '4.6/wrong-state-answer-in-progress'],
  COMPLETED: ['4.6/refused-for-completed', '4.6/wrong-state-answer-completed'],
  CANCELLED: ['4.6/refused-for-cancelled', '4.6/wrong-state-answer-cancelled'],
} as const;

function inWrongState(life: Life, call: CallEvent): void {
  const code = call.reply!.status;
  const answer = answerOf(call);
  const state = wrongStateAt(life, call);
  if (state === null || answer === 'unknown' || isUninformative(call)) return;
  if (code === 404 && !life.wasKept(call)) return;
  const { context } = life;
  const [id, question] = WRONG_STATES[state];
  // A success that reports the job's state is a possible reading; one that claims the job was requeued is
  // not.
  const isFeigned = answer === 'ok' && statusIn(call) === 'IN_QUEUE' && state !== 'IN_QUEUE';
  if (answer === 'refused') context.pass(id);
  else life.fail(id, describeCall(call), [call], { script: call.script, isNotWaivable: isFeigned });
  if (isFeigned) return;
  if (answer === 'ok') context.observe(question, 'success-without-effect', call);
  else if (code === 400 || code === 404 || code === 409 || code === 422)
    context.observe(question, `refused-${code}`, call);
  else context.observe(question, 'other-error', call);
  // A second run would have been observed after the end of the only one.
  const ends = life.reads.filter(({ observed }) => observed === 'COMPLETED');
  if (state === 'IN_QUEUE' && ends.length > 1) context.pass('4.6/no-effect-in-queue');
}

/** The state, other than FAILED and TIMED_OUT, that the job certainly had during the call. */
function wrongStateAt(life: Life, call: CallEvent): keyof typeof WRONG_STATES | null {
  if (life.retries.some((one) => one !== call) || !life.mustBe((at) => at.retries === 0)) return null;
  const before = life.readBefore(call)?.observed;
  const after = life.readAfter(call)?.observed;
  const cancels = life.calls('cancel');
  if (before === 'COMPLETED') return cancels.length > 0 ? null : 'COMPLETED';
  if (cancels.some((one) => answerOf(one) === 'ok' && precedes(one, call)))
    return life.mustBe((at) => at.state === 'cancelled') ? 'CANCELLED' : null;
  // It has run at most once, so a state before and after the call was its state during the call.
  if (!life.mustBe((at) => at.runs <= (at.state === 'cancelled' ? 1 : 0))) return null;
  if (before === undefined || before === 'IN_QUEUE')
    return after === 'IN_QUEUE' && precedes(life.job.submitted, call) ? 'IN_QUEUE' : null;
  return before === 'IN_PROGRESS' && after === 'IN_PROGRESS' ? 'IN_PROGRESS' : null;
}

const STOPPED = '2.2/execution-timeout-stops-retried';

/**
 * Section 2.2: no run is without a limit, the one after a retry neither. Whether a retry keeps the policy is advice
 * (4.6/keeps-policy): where it is lost, the default of the endpoint holds.
 */
export function secondRun(life: Life): void {
  const { context, job } = life;
  const retry = life.calls('retry').at(-1);
  if (retry === undefined || answerOf(retry) !== 'ok') return;
  const seen = life.reads.filter(({ call }) => precedes(retry, call));
  const from = seen.findIndex(({ observed }) => observed === 'IN_PROGRESS');
  const first = seen[from]?.call;
  // A job that waits again runs anew.
  const last = seen.slice(from).findLast(({ observed }) => observed === 'IN_PROGRESS')?.call;
  if (first === undefined || last === undefined) return;
  if (seen.slice(from).some(({ observed }) => observed === 'IN_QUEUE')) return;
  const end = life.readAfter(last)?.observed;
  // A handler that is to fail may have failed.
  if (end === 'TIMED_OUT' || (end === 'FAILED' && job.predicted(1).durationMs === Infinity))
    context.pass(STOPPED);
  const { executionTimeoutDefaultMs: defaultMs = null } = context.session.run;
  if (defaultMs === null) return;
  const limitMs = Math.max(defaultMs, ...job.policies.map(({ executionMs }) => executionMs ?? Infinity));
  if (last.sentMs <= first.receivedMs! + limitMs + context.graceAt(last.sentMs)) return;
  life.fail(
    STOPPED,
    `${job.id} was running by ${seconds(first.receivedMs!)} after its retry, and still at ${seconds(last.sentMs)}`,
    [retry, first, last],
  );
}
