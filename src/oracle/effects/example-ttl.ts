/**
 * A `ttl` set by /status below the minimum of `policy.ttl`, such as the 6000 in the document's own example
 * (section 4.3).
 */
import type { CallEvent } from '../../history/events.js';
import { STATUS_TTL_EXAMPLE_MS, TTL_MIN_MS } from '../../spec/limits.js';
import type { Job } from '../jobs/observed-jobs.js';
import { isWaitingOrRunning, precedes, statusObservationsOf } from '../jobs/status-observations.js';
import { answerOf, describeCall, isUninformative, seconds } from '../observed/recorded-call.js';
import { earlyToleranceMs } from '../observed/tolerance.js';
import { mayBeTakenAway } from '../context/left-alone.js';
import type { JudgingContext } from '../context/judging-context.js';

const ID = '4.3/ttl-of-the-example';

export function exampleTtl(context: JudgingContext): void {
  for (const job of context.jobs) {
    const [call, ...more] = job.calls.filter(
      ({ op, request }) => op === 'status' && request.query['ttl'] !== undefined,
    );
    if (call === undefined || more.length > 0 || job.retried || !context.isJudgedFurther(job)) continue;
    const ttl = call.request.query['ttl']!;
    const ttlMs = Number(ttl);
    if (!/^[0-9]+$/.test(ttl) || ttlMs < STATUS_TTL_EXAMPLE_MS || ttlMs >= TTL_MIN_MS) continue;
    if (call.request.illegal === null && !isUninformative(call)) given(context, job, call, ttlMs);
  }
}

function given(context: JudgingContext, job: Job, call: CallEvent, ttlMs: number): void {
  const seen = statusObservationsOf(job);
  const before = seen.findLast((one) => precedes(one.call, call))?.observed;
  if (before === undefined || !isWaitingOrRunning(before)) return;
  const fail = (actual: string, ...calls: readonly CallEvent[]): void =>
    context.fail(ID, { script: call.script, actual, calls: calls.map((one) => one.call) });
  if (answerOf(call) === 'refused' && call.reply!.status !== 404) return fail(describeCall(call), call);
  if (answerOf(call) !== 'ok') return;
  // Whether it counts from the submission or from the call.
  const dueMs = call.receivedMs! + ttlMs;
  const late = seen.find(
    (one) => one.call.sentMs > dueMs + context.graceAt(one.call.sentMs) && isWaitingOrRunning(one.observed),
  )?.call;
  if (late !== undefined) {
    const what = `job ${job.id} was given ${ttlMs} ms by ${seconds(call.receivedMs!)}, and ${describeCall(late)}`;
    return fail(what, call, late);
  }
  const at = seen.findIndex(({ observed }) => observed === 'GONE');
  const gone = seen[at]?.call;
  if (gone === undefined || at === 0 || !isWaitingOrRunning(seen[at - 1]!.observed)) return;
  // With the minimum of 10 seconds the job would still have existed.
  const leastMs = TTL_MIN_MS - earlyToleranceMs(context.session.run.earlyMs, TTL_MIN_MS);
  if (gone.receivedMs! < job.submitted.sentMs + leastMs && !mayBeTakenAway(context, gone)) context.pass(ID);
}
