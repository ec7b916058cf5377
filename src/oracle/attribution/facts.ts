/** What is asked of a job's life that cannot be, to find what explains it: each fact is found out once for a breach. */
import type { CallEvent, Json } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { JobStatus } from '../../spec/types.js';
import type { Job } from '../jobs/observed-jobs.js';
import { isWaitingOrRunning, precedes, sightingsOf, type Sighting } from '../jobs/sightings.js';
import { answerOf, isObject, jsonOf, recordOf } from '../observed/recorded-call.js';
import type { Violation } from '../proof/violation.js';
import type { JudgingContext } from '../context/judging-context.js';

export type Shown = Sighting['shows'];
export type Facts = ReturnType<typeof factsOf>;

export function factsOf(context: JudgingContext, job: Job, violation: Violation) {
  const { op, requirement: rule } = violation;
  const { call } = op;
  const isBefore = (one: CallEvent): boolean =>
    call === null ? (one.receivedMs ?? Infinity) <= op.byMs : precedes(one, call);
  const isAfter = (one: CallEvent): boolean => (call === null ? one.sentMs >= op.byMs : precedes(call, one));
  const looks = sightingsOf(job);
  const before = looks.filter((look) => isBefore(look.call));
  const after = looks.filter((look) => isAfter(look.call));
  const last = before.at(-1);
  const was: Shown | null = last?.shows ?? null;
  const made = job.calls.filter((one) => !isAfter(one));
  const retries = made.filter((one) => one.op === 'retry');
  const requeues = retries.filter((one) => answerOf(one) === 'ok' && isBefore(one));
  const isRequeued = requeues.some((one) => last === undefined || precedes(last.call, one));
  const hadToBe: Shown | null = isRequeued ? 'IN_QUEUE' : was;
  const webhook = call === null ? job.webhooks.find(({ arrivedMs }) => arrivedMs === op.byMs) : undefined;
  const record =
    call !== null ? recordOf(call) : webhook === undefined ? null : (jsonOf(webhook.body) ?? null);
  const shows: Shown | null = op.code === 404 ? 'GONE' : op.shows;
  let between: readonly CallEvent[] | null = null;
  const lastGood = last?.call ?? job.submitted;
  const isAnswered = op.kind === 'status' || op.kind === 'reply';
  return {
    context,
    job,
    violation,
    /** The broken rule, as the life tells it. */
    rule,
    /** What shows the breach: a call, or the call of a webhook. */
    op,
    call,
    /** What that shows of the job; `GONE`: it was answered 404. */
    shows,
    /** From its submission to the end of what shows the breach, at most, ms. */
    ageMs: op.byMs - job.submittedFromMs,
    /** All looks at the job, those that were over before, and those that began afterwards. */
    looks,
    before,
    after,
    /** What the last look before showed; null: nobody had looked. */
    was,
    /** The same, or `IN_QUEUE` where a `/retry` has been answered with success since. */
    hadToBe,
    /** As `was`; where nobody had looked before, what the next look shows. */
    around: (last ?? after[0])?.shows ?? null,
    /** The call that last showed it as it should be: a look, or its submission. */
    lastGood,
    /** Calls that were made after that one, and before the breach was shown: all of the run, on whatever endpoint. */
    get callsBetween() {
      return (between ??= callsBetween(context, lastGood, call!));
    },
    /** Calls on it that had begun, whatever came of them; of the retries those that were over, with success. */
    cancels: made.filter((one) => one.op === 'cancel'),
    retries,
    requeues,
    /** What the handler does in the run that was under way, as far as the calls tell which that was. */
    plan: job.predicted(retries.length > 0 ? 1 : 0),
    /** The record in the answer, or in the call of the webhook, and what it tells of an end. */
    record: isObject(record) ? record : null,
    told: toldIn(record),
    /** It is gone or cancelled, or has ended, and should not. */
    isRemoved:
      isAnswered &&
      (shows === 'GONE' ||
        shows === 'CANCELLED' ||
        (rule !== '2.2/execution-timeout-not-early' && isFailure(shows) && isUnended(hadToBe))),
    /** It had ended, and waits or runs again. */
    isRevived:
      violation.isForbiddenTransition &&
      op.kind === 'status' &&
      (shows === 'IN_QUEUE' || shows === 'IN_PROGRESS' || shows === 'COMPLETED'),
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

/** The rules that the broken one contradicts in time, each of which would explain what was seen as well. */
export function contradictedBy({ requirement, proofBy, explains }: Violation): readonly RequirementId[] {
  const { contradiction } = proofBy(requirement);
  if (contradiction?.kind !== 'time') return [];
  return contradiction.bounds.flatMap(({ requirement: rule }) => {
    const one = rule as RequirementId | null;
    return one !== null && one !== requirement && explains(one) ? [one] : [];
  });
}

export interface Told {
  readonly shows: JobStatus;
  readonly executionTime: number;
}

/** Null where a record tells of no end, or of no run. */
export function toldIn(record: Json | undefined): Told | null {
  if (!isObject(record)) return null;
  const { status, executionTime } = record;
  if (status !== 'COMPLETED' && status !== 'FAILED' && status !== 'TIMED_OUT') return null;
  return typeof executionTime === 'number' && executionTime > 0 ? { shows: status, executionTime } : null;
}

export const isFailure = (shows: Shown | null): boolean => shows === 'FAILED' || shows === 'TIMED_OUT';
/** It still waits or runs, as far as anybody has looked. */
export const isUnended = (shows: Shown | null): boolean => shows === null || isWaitingOrRunning(shows);

/** The last `/status` that gave it a lifespan of its own, whatever came of it. */
export const newTtlOf = ({ calls }: Job): CallEvent | undefined =>
  calls.findLast((call) => call.op === 'status' && call.request.query['ttl'] !== undefined);

/** A timer of its own may have ended it, and the state that this leads to is told wrongly. */
export const mayHaveOverrun = ({ job, ageMs }: Facts): boolean =>
  job.policies.some(
    ({ ttlMs, executionMs }) => Math.min(ttlMs ?? Infinity, executionMs ?? Infinity) <= ageMs,
  );
