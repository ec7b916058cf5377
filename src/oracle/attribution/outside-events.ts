/**
 * Outside events: what happened to other jobs and may have caused the violation, such as calls on other jobs
 * or on all, here or on another endpoint, and timers and crashes of other jobs.
 *
 * On an endpoint created for its script, the script itself caused every such event. On a shared endpoint some
 * other job is cancelled, retried or ended at any time: there an event is only a suspect until the violations
 * of the run are compared (`settle-attributions.ts`).
 */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { jobBy, type Job } from '../jobs/observed-jobs.js';
import {
  hasEnded,
  isWaitingOrRunning,
  precedes,
  type StatusObservation,
} from '../jobs/status-observations.js';
import type { Suspect } from '../ledger/unsettled.js';
import { answerOf, idInPath, isObject } from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import { isFailure, newTtlOf, type Facts } from './facts.js';

/** Something that happened to another job, or to all. */
interface OutsideEvent {
  readonly id: RequirementId;
  /** The call that caused it, or that submitted the job whose timer expired: one call per event. */
  readonly call: CallEvent;
  /** The job that it concerns; null: all of them. */
  readonly job: Job | null;
  /** When it took effect. */
  readonly fromMs: number;
  readonly byMs: number;
  /** It took effect on each job when this much time had passed since that job's submission. */
  readonly appliedAfterMs?: number;
}

type Answered = 'ok' | 401 | 429;

const isAnswered = (call: CallEvent, how: Answered): boolean =>
  how === 'ok' ? answerOf(call) === 'ok' : call.reply?.status === how;

const isHere = ({ context }: Facts, call: CallEvent): boolean => call.endpoint === context.session.endpoint;
const isOn = ({ job }: Facts, call: CallEvent): boolean => idInPath(call) === job.id;
const isPurge = (facts: Facts, call: CallEvent, how: Answered): boolean =>
  call.op === 'purge-queue' && isHere(facts, call) && isAnswered(call, how);

/** The job was not cancelled and the queue was not purged since the last expected state was observed. */
export const wasLeftAlone = (facts: Facts): boolean =>
  !facts.callsBetween.some(
    (call) => (call.op === 'cancel' && isOn(facts, call)) || isPurge(facts, call, 'ok'),
  );

/** A call on it was refused for its key or its rate, and took effect anyway. */
export function refused(facts: Facts): RequirementId | null {
  const { isRemoved, isRevived, callsBetween } = facts;
  const op = isRemoved ? 'cancel' : isRevived ? 'retry' : null;
  const mine = callsBetween.filter((call) => call.op === op && isOn(facts, call));
  if (mine.some((call) => isAnswered(call, 401)) && !wasPurgedWithoutKey(facts))
    return isRemoved ? '5/unauthorized-cancel-has-no-effect' : '5/unauthorized-retry-has-no-effect';
  return mine.some((call) => isAnswered(call, 429)) ? '8/refused-call-has-no-effect' : null;
}

/** A purge without a key removed the job, while a `/cancel` without one had no effect on another. */
function wasPurgedWithoutKey(facts: Facts): boolean {
  const { observed, context, callsBetween } = facts;
  if (observed !== 'GONE' || !callsBetween.some((call) => isPurge(facts, call, 401))) return false;
  return context.session.calls.some(
    (call) =>
      call.op === 'cancel' &&
      isAnswered(call, 401) &&
      jobNamedBy(context, call) !== null &&
      jobNamedBy(context, call)!.reads.some(
        (read) => precedes(call, read.call) && isWaitingOrRunning(read.observed),
      ),
  );
}

const jobNamedBy = (context: JudgingContext, call: CallEvent): Job | null =>
  call.op === 'purge-queue' ? null : (jobBy(context, idInPath(call)) ?? null);

/** Events that may have removed, ended or requeued the job; those that explain most come first. */
function outsideEventsOf(facts: Facts): readonly OutsideEvent[] {
  const { context, hadToBe, isRemoved, isRevived, callsBetween: calls } = facts;
  const by = (id: RequirementId, op: CallEvent['op'], how: Answered, here?: boolean): OutsideEvent[] =>
    calls
      .filter(
        (call) =>
          call.op === op && isAnswered(call, how) && (here === undefined || isHere(facts, call) === here),
      )
      .map((call) => {
        const byMs = call.receivedMs ?? Infinity;
        return { id, call, job: jobNamedBy(context, call), fromMs: call.sentMs, byMs };
      });
  const isCalled = (op: CallEvent['op']): boolean =>
    calls.some((call) => call.op === op && isOn(facts, call));
  if (!isRemoved) return isRevived && !isCalled('retry') ? by('4.6/this-job-only', 'retry', 'ok') : [];
  const found = [
    ...by('5/unauthorized-purge-has-no-effect', 'purge-queue', 401, true),
    ...by('8/refused-call-has-no-effect', 'purge-queue', 429, true),
    ...by('1/endpoints-isolated-cancel', 'cancel', 'ok', false).filter(({ call }) => isOn(facts, call)),
  ];
  if (isCalled('cancel')) return found;
  if (!wasLeftAlone(facts)) {
    if (hasEnded(hadToBe)) found.push(...by('4.7/keeps-finished', 'purge-queue', 'ok', true));
    if (hadToBe === 'IN_PROGRESS') found.push(...by('4.7/keeps-running', 'purge-queue', 'ok', true));
    return found;
  }
  return [
    ...found,
    ...by('1/endpoints-isolated-purge', 'purge-queue', 'ok', false),
    ...by('4.5/this-job-only', 'cancel', 'ok', true),
    ...timersOf(facts),
    // The harness cancels remaining jobs after a script, which does not affect results.
    ...(hasEnded(hadToBe) ? [] : endedByHarness(context)),
  ];
}

/** The harness cancelled these jobs after their scripts, which may have affected others. */
function endedByHarness({ session, jobs }: JudgingContext): readonly OutsideEvent[] {
  return [...session.ends.values()].flatMap(({ atMs, leaves = [] }) =>
    jobs
      .filter(({ id }) => leaves.includes(id))
      .map((job): OutsideEvent => {
        const byMs = atMs + session.run.graceMs;
        return { id: '4.5/this-job-only', call: job.submitted, job, fromMs: atMs, byMs };
      }),
  );
}

/** Another job's timer expired, or its worker crashed, and affected this job. */
function timersOf({ context, job, observed, call }: Facts): readonly OutsideEvent[] {
  const last = call!;
  const { graceMs } = context.session.run;
  const ttlCalls: OutsideEvent[] = [];
  const found: OutsideEvent[] = [];
  const hasOwnTtl = job.model.ttlGiven;
  for (const other of context.jobs) {
    if (other === job || !precedes(other.submitted, last)) continue;
    const sinceMs = other.submittedFromMs;
    const expired = (
      id: RequirementId,
      ms: unknown,
      by: CallEvent,
      byMs?: number,
    ): readonly OutsideEvent[] => {
      if (typeof ms !== 'number' || !(sinceMs + ms <= last.sentMs)) return [];
      const fromMs = sinceMs + ms;
      return [{ id, call: by, job: other, fromMs, byMs: Math.max(fromMs, byMs ?? fromMs + graceMs) }];
    };
    const policy = other.submission['policy'];
    const { ttl, executionTimeout } = isObject(policy) ? policy : {};
    if (observed === 'GONE') {
      const setTtl = newTtlOf(job, last) === undefined ? newTtlOf(other, last) : undefined;
      if (setTtl !== undefined) {
        const ms = Number(setTtl.request.query['ttl']);
        const id = '4.3/ttl-this-job-only';
        ttlCalls.push(...expired(id, ms, setTtl));
        // Its value was applied to this job, counted from this job's own submission.
        const fromMs = Math.max(job.submittedFromMs + ms, setTtl.sentMs);
        const byMs = Math.max(job.submittedByMs + ms, setTtl.receivedMs ?? Infinity) + graceMs;
        if (fromMs <= last.sentMs)
          ttlCalls.push({ id, call: setTtl, job: other, fromMs, byMs, appliedAfterMs: ms });
      }
      // It expired before this job existed, and a job with a ttl of its own does not take over another's.
      const isOver = typeof ttl === 'number' && sinceMs + ttl + graceMs < job.submittedFromMs;
      if (!isOver || !hasOwnTtl) found.push(...expired('2.2/ttl-this-job-only', ttl, other.submitted));
      continue;
    }
    const failed = other.reads.find((read) => isFailure(read.observed))?.call.receivedMs ?? undefined;
    const { outcome, durationMs } = other.predicted(0);
    const crashed =
      outcome === 'crash'
        ? expired('3/crash-leaves-other-jobs-alone', durationMs, other.submitted, failed)
        : [];
    const timedOut = expired(
      '2.2/execution-timeout-this-job-only',
      executionTimeout,
      other.submitted,
      failed,
    );
    found.push(...(crashed.length > 0 ? crashed : timedOut));
  }
  // If all explain as much, calls made at that time come first.
  return [...ttlCalls, ...found];
}

/** An outside event happened on an endpoint that its script has for itself. */
export const hasOutsideEvent = (facts: Facts): boolean =>
  facts.context.session.fresh && outsideEventsOf(facts).length > 0;

/** Outside events, without those that a similar job survived. */
export function outsideSuspects(facts: Facts): readonly Suspect[] {
  const { context, job, observed } = facts;
  const { fresh: isAlone } = context.session;
  const isCancelled = observed === 'CANCELLED';
  const isOutlived = isCancelled || wasOutlived(facts);
  return outsideEventsOf(facts).flatMap((event) => {
    const { id, call } = event;
    const isOfScript = call.script === job.script;
    if (!isAlone && !isInTime(facts, event)) return [];
    // Nothing in its own history explains it: an action of the script may have affected this job and not all.
    const mayBeSingledOut = isAlone || (isCancelled && isOfScript);
    if (!mayBeSingledOut && wasSurvived(facts, event)) return [];
    return [{ id, call: call.call, isOfScript, isAlone, needsProof: false, isOutlived }];
  });
}

/** It happened after the last expected state of this job was observed. */
const isInTime = ({ lastGood, call }: Facts, { fromMs, byMs }: OutsideEvent): boolean =>
  byMs >= lastGood.sentMs && fromMs <= (call!.receivedMs ?? Infinity);

/** Another job with no longer a lifespan was observed in the same state, for longer. */
function wasOutlived({ context, job, op, was, before }: Facts): boolean {
  const since = before.find(({ observed }) => observed === was)?.call ?? job.submitted;
  const lastedMs = op.fromMs - since.sentMs;
  const promisedMs = (one: Job): number => one.policies[0]?.ttlMs ?? Infinity;
  return context.jobs.some((other) => {
    if (other === job || other.sync !== job.sync || promisedMs(other) > promisedMs(job)) return false;
    if (newTtlOf(other) !== undefined) return false;
    const seen = other.reads.filter(({ observed }) =>
      was === null ? isWaitingOrRunning(observed) : observed === was,
    );
    const first = was === null ? other.submitted : seen[0]?.call;
    const last = seen.at(-1)?.call;
    return (
      first !== undefined && last !== undefined && last.sentMs - (first.receivedMs ?? Infinity) >= lastedMs
    );
  });
}

/**
 * An event that reaches other jobs reaches all similar ones: whether one of those, in the same state, existed
 * before it and continued after it.
 */
function wasSurvived({ context, job, was }: Facts, event: OutsideEvent): boolean {
  const isLater = ({ call }: StatusObservation): boolean => call.sentMs > event.byMs;
  const isEarlier = ({ call }: StatusObservation): boolean => (call.receivedMs ?? Infinity) < event.fromMs;
  const isAlike = ({ observed }: StatusObservation): boolean =>
    observed === was || (was === null && isWaitingOrRunning(observed));
  const { appliedAfterMs } = event;
  return context.jobs.some((other) => {
    if (other === job || other === event.job) return false;
    const seen = other.reads;
    if (appliedAfterMs !== undefined) {
      if (!precedes(other.submitted, event.call) || newTtlOf(other) !== undefined) return false;
      const goneByMs = Math.max(other.submittedByMs + appliedAfterMs, event.call.receivedMs ?? Infinity);
      const { graceMs } = context.session.run;
      return seen.some(({ call, observed }) => call.sentMs > goneByMs + graceMs && observed !== 'GONE');
    }
    const later = seen.find((one) => isAlike(one) && isLater(one));
    if (other.submittedByMs >= event.fromMs || later === undefined) return false;
    // After a retry it runs, or waits, again.
    const isAnew = other.calls.some(
      (call) =>
        call.op === 'retry' &&
        call.sentMs <= later.call.receivedMs! &&
        (call.receivedMs ?? Infinity) >= event.fromMs,
    );
    if (isAnew) return false;
    return was === null || was === 'IN_QUEUE' || seen.some((one) => isAlike(one) && isEarlier(one));
  });
}
