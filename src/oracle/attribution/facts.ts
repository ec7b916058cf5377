/** The facts about a violation by which its cause is found; each is computed once. */
import type { CallEvent, Json } from '../../history/events.js';
import { WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import type { RequirementId } from '../../spec/index.js';
import type { JobStatus } from '../../spec/types.js';
import type { Job } from '../jobs/observed-jobs.js';
import { isWaitingOrRunning, precedes, type StatusObservation } from '../jobs/status-observations.js';
import { answerOf, isObject, jsonOf, recordOf } from '../observed/recorded-call.js';
import type { Violation } from '../proof/violation.js';
import type { JudgingContext } from '../context/judging-context.js';

export type ObservedState = StatusObservation['observed'];
export type Facts = ReturnType<typeof factsOf>;

export function factsOf(context: JudgingContext, job: Job, violation: Violation) {
  const { op, requirement: rule } = violation;
  const { call } = op;
  const isBefore = (one: CallEvent): boolean =>
    call === null ? (one.receivedMs ?? Infinity) <= op.byMs : precedes(one, call);
  const isAfter = (one: CallEvent): boolean => (call === null ? one.sentMs >= op.byMs : precedes(call, one));
  const reads = job.reads;
  const before = reads.filter((read) => isBefore(read.call));
  const after = reads.filter((read) => isAfter(read.call));
  const last = before.at(-1);
  const was: ObservedState | null = last?.observed ?? null;
  const made = job.calls.filter((one) => !isAfter(one));
  const retries = made.filter((one) => one.op === 'retry');
  const requeues = retries.filter((one) => answerOf(one) === 'ok' && isBefore(one));
  const newTtl = made.findLast((one) => one !== call && setsTtl(one) && answerOf(one) === 'ok');
  const isRequeued = requeues.some((one) => last === undefined || precedes(last.call, one));
  const hadToBe: ObservedState | null = isRequeued ? 'IN_QUEUE' : was;
  const webhook = call === null ? job.webhooks.find(({ arrivedMs }) => arrivedMs === op.byMs) : undefined;
  const record =
    call !== null ? recordOf(call) : webhook === undefined ? null : (jsonOf(webhook.body) ?? null);
  const observed: ObservedState | null = op.code === 404 ? 'GONE' : op.observed;
  let between: readonly CallEvent[] | null = null;
  const lastGood = last?.call ?? job.submitted;
  const isAnswered = op.kind === 'status' || op.kind === 'reply';
  return {
    context,
    job,
    violation,
    /** The violated rule of the job model. */
    rule,
    /** What revealed the violation: a call, or a webhook call. */
    op,
    call,
    /** The state that it reports; `GONE`: it was answered with 404. */
    observed,
    /** Time from submission to the end of what revealed the violation, at most, ms. */
    ageMs: op.byMs - job.submittedFromMs,
    /** All status observations of the job; those that ended before; those that began afterwards. */
    reads,
    before,
    after,
    /** The last state observed before; null: none was. */
    was,
    /** The same, or `IN_QUEUE` if a `/retry` has succeeded since. */
    hadToBe,
    /** As `was`; if nothing was observed before, the next observed state. */
    around: (last ?? after[0])?.observed ?? null,
    /** The last call that showed the expected state: a read, or the submission. */
    lastGood,
    /** Calls between that one and the violation, on all endpoints of the run. */
    get callsBetween() {
      return (between ??= callsBetween(context, lastGood, call!));
    },
    /** Calls on it that had begun, with whatever result; `requeues`: the retries that had succeeded. */
    cancels: made.filter((one) => one.op === 'cancel'),
    retries,
    requeues,
    /** The last `/status` that had set its lifespan; what the call that reveals the violation sets comes after. */
    newTtl,
    /** What the handler does in the current run, as far as the calls show which run that was. */
    plan: job.predicted(retries.length > 0 ? 1 : 0),
    /** The record in the answer or in the webhook call, and the end that it reports. */
    record: isObject(record) ? record : null,
    reportedEnd: reportedEndIn(record),
    /** It is deleted, cancelled or ended, and should not be. */
    isRemoved:
      observed === 'GONE' ||
      (isAnswered &&
        (observed === 'CANCELLED' ||
          (!TIMEOUT_EARLY.includes(rule) && isFailure(observed) && isUnended(hadToBe)))),
    /** It had ended, and waits or runs again. */
    isRevived:
      violation.isForbiddenTransition &&
      op.kind === 'status' &&
      (observed === 'IN_QUEUE' || observed === 'IN_PROGRESS' || observed === 'COMPLETED'),
  };
}

function callsBetween(context: JudgingContext, lastGood: CallEvent, last: CallEvent): readonly CallEvent[] {
  return [context, ...context.otherEndpoints]
    .flatMap(({ session }) => session.calls)
    .filter(
      (call) =>
        call !== last &&
        call !== lastGood &&
        call.sentTick < (last.endedTick ?? Infinity) &&
        (call.endedTick ?? Infinity) > lastGood.sentTick,
    );
}

/** The rules that contradict the violated one in time and would explain the observation as well. */
export function contradictedBy({ requirement, proofBy, explains }: Violation): readonly RequirementId[] {
  const { contradiction } = proofBy(requirement);
  if (contradiction?.kind !== 'time') return [];
  return contradiction.bounds.flatMap(({ requirement: rule }) => {
    const one = rule as RequirementId | null;
    return one !== null && one !== requirement && explains(one) ? [one] : [];
  });
}

export interface ReportedEnd {
  readonly observed: JobStatus;
  readonly executionTime: number;
}

/** Null if the record reports no end, or no run. */
export function reportedEndIn(record: Json | undefined): ReportedEnd | null {
  if (!isObject(record)) return null;
  const { status, executionTime } = record;
  if (status !== 'COMPLETED' && status !== 'FAILED' && status !== 'TIMED_OUT') return null;
  return typeof executionTime === 'number' && executionTime > 0 ? { observed: status, executionTime } : null;
}

/** Rules by which a given `executionTimeout` has not stopped it yet. */
const TIMEOUT_EARLY: readonly RequirementId[] = [
  '2.2/execution-timeout-not-early',
  '2.2/execution-timeout-min-enforced',
];

export const isFailure = (observed: ObservedState | null): boolean =>
  observed === 'FAILED' || observed === 'TIMED_OUT';
/** It still waits or runs, as far as it was observed. */
export const isUnended = (observed: ObservedState | null): boolean =>
  observed === null || isWaitingOrRunning(observed);

const setsTtl = (call: CallEvent): boolean => call.op === 'status' && call.request.query['ttl'] !== undefined;

/** The last `/status` that set its lifespan, with whatever result; `by`: of those that had begun before this call ended. */
export const newTtlOf = ({ calls }: Job, by?: CallEvent): CallEvent | undefined =>
  calls.findLast((call) => setsTtl(call) && (by === undefined || !precedes(by, call)));

/** Another job's webhook call was failing, or was about to be repeated, at some time since then. */
export const isHeldUpByWebhook = ({ context, job, op }: Facts, sinceMs = op.fromMs): boolean =>
  context.observedJobs.webhooks.some(({ url, answered, arrivedMs, endedMs }) => {
    const hasFailed = answered === null || answered >= 400;
    const untilMs = endedMs + WEBHOOK_RETRY_PAUSE_MS + context.session.run.graceMs;
    return hasFailed && url !== job.webhookUrl && arrivedMs <= op.fromMs && sinceMs <= untilMs;
  });

/** A ttl this many times longer than the job's age has not expired too early. */
const TTL_FAR = 10;

export function isFarFromTtl({ job, op, newTtl }: Facts): boolean {
  const leastMs = TTL_FAR * (op.fromMs - job.submittedFromMs);
  if (newTtl !== undefined && Number(newTtl.request.query['ttl']) < leastMs) return false;
  return job.policies.every(({ ttlMs }) => ttlMs === null || ttlMs >= leastMs);
}

/** One of its timers may have ended it, and the resulting state is reported wrongly. */
export const mayHaveOverrun = ({ job, ageMs }: Facts): boolean =>
  job.policies.some(
    ({ ttlMs, executionMs }) => Math.min(ttlMs ?? Infinity, executionMs ?? Infinity) <= ageMs,
  );
