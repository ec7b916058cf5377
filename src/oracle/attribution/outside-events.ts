/**
 * What happened beside a job whose life cannot be, and may have done it: calls on other jobs or on all, on this endpoint and
 * beside it, and the timers and crashes of other jobs.
 *
 * On an endpoint that was made for its script the script has brought about whatever happened beside the job. On one that many
 * share some other job is always cancelled, retried or ended just then: there a neighbour is a suspect until all breaches of
 * the run stand beside each other (`settle-attributions.ts`).
 */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { jobBy, type Job } from '../jobs/observed-jobs.js';
import { hasEnded, isWaitingOrRunning, precedes, sightingsOf, type Sighting } from '../jobs/sightings.js';
import type { Suspect } from '../ledger/unsettled.js';
import { answerOf, idInPath, isObject } from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import { isFailure, newTtlOf, type Facts } from './facts.js';

/** Something that was done to another job, or to all. */
interface OutsideEvent {
  readonly id: RequirementId;
  /** The call that did it, or that submitted the job whose timer struck: one event has one. */
  readonly call: CallEvent;
  /** The job that it concerns; null: all of them. */
  readonly job: Job | null;
  /** It took effect between these instants. */
  readonly fromMs: number;
  readonly byMs: number;
  /** It took effect on each job when so much time had passed since that job's submission. */
  readonly takenOverMs?: number;
}

type Answered = 'ok' | 401 | 429;

const isAnswered = (call: CallEvent, how: Answered): boolean =>
  how === 'ok' ? answerOf(call) === 'ok' : call.reply?.status === how;

const isHere = ({ context }: Facts, call: CallEvent): boolean => call.endpoint === context.session.endpoint;
const isOn = ({ job }: Facts, call: CallEvent): boolean => idInPath(call) === job.id;
const isPurge = (facts: Facts, call: CallEvent, how: Answered): boolean =>
  call.op === 'purge-queue' && isHere(facts, call) && isAnswered(call, how);

/** Nobody has cancelled it or purged the queue since it was last seen as it should be. */
export const wasLeftAlone = (facts: Facts): boolean =>
  !facts.callsBetween.some(
    (call) => (call.op === 'cancel' && isOn(facts, call)) || isPurge(facts, call, 'ok'),
  );

/** A call on it was refused for its key or for its rate, and has had its effect all the same. */
export function refused(facts: Facts): RequirementId | null {
  const { isRemoved, isRevived, callsBetween } = facts;
  const op = isRemoved ? 'cancel' : isRevived ? 'retry' : null;
  const mine = callsBetween.filter((call) => call.op === op && isOn(facts, call));
  if (mine.some((call) => isAnswered(call, 401)) && !wasPurgedWithoutKey(facts))
    return isRemoved ? '5/unauthorized-cancel-has-no-effect' : '5/unauthorized-retry-has-no-effect';
  return mine.some((call) => isAnswered(call, 429)) ? '8/refused-call-has-no-effect' : null;
}

/** A purge without a valid key took a job that is not found, where a `/cancel` without one left another job alone. */
function wasPurgedWithoutKey(facts: Facts): boolean {
  const { shows, context, callsBetween } = facts;
  if (shows !== 'GONE' || !callsBetween.some((call) => isPurge(facts, call, 401))) return false;
  return context.session.calls.some(
    (call) =>
      call.op === 'cancel' &&
      isAnswered(call, 401) &&
      jobNamedBy(context, call) !== null &&
      sightingsOf(jobNamedBy(context, call)!).some(
        (look) => precedes(call, look.call) && isWaitingOrRunning(look.shows),
      ),
  );
}

const jobNamedBy = ({ observedJobs }: JudgingContext, call: CallEvent): Job | null =>
  call.op === 'purge-queue' ? null : (jobBy(observedJobs, idInPath(call)) ?? null);

/** All that may have removed or ended the job, or brought it back, what explains most first. */
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
    // Cancels that the harness makes when a script is over reach no result.
    ...(hasEnded(hadToBe) ? [] : endedByHarness(context)),
  ];
}

/** The harness cancelled these jobs when their scripts were over, which may have reached others. */
function endedByHarness({ session, observedJobs }: JudgingContext): readonly OutsideEvent[] {
  return [...session.ends.values()].flatMap(({ atMs, leaves = [] }) =>
    observedJobs.jobs
      .filter(({ id }) => leaves.includes(id))
      .map((job): OutsideEvent => {
        const byMs = atMs + session.run.graceMs;
        return { id: '4.5/this-job-only', call: job.submitted, job, fromMs: atMs, byMs };
      }),
  );
}

/** Another job's timer struck, or its worker died, and took this job with it. */
function timersOf({ context, job, shows, call }: Facts): readonly OutsideEvent[] {
  const last = call!;
  const { graceMs } = context.session.run;
  const asked: OutsideEvent[] = [];
  const found: OutsideEvent[] = [];
  const hasOwnTtl = job.model.ttlGiven;
  for (const other of context.jobs) {
    if (other === job || !precedes(other.submitted, last)) continue;
    const sinceMs = other.submittedFromMs;
    const struck = (
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
    if (shows === 'GONE') {
      const setTtl = newTtlOf(job) === undefined ? newTtlOf(other) : undefined;
      if (setTtl !== undefined) {
        const ms = Number(setTtl.request.query['ttl']);
        const id = '4.3/ttl-this-job-only';
        asked.push(...struck(id, ms, setTtl));
        // Its value became that of this job, which counts from its own submission.
        const fromMs = Math.max(job.submittedFromMs + ms, setTtl.sentMs);
        const byMs = Math.max(job.submittedByMs + ms, setTtl.receivedMs ?? Infinity) + graceMs;
        if (fromMs <= last.sentMs)
          asked.push({ id, call: setTtl, job: other, fromMs, byMs, takenOverMs: ms });
      }
      // It struck before this job was there, and whoever has a ttl of its own takes over no other's.
      const isOver = typeof ttl === 'number' && sinceMs + ttl + graceMs < job.submittedFromMs;
      if (!isOver || !hasOwnTtl) found.push(...struck('2.2/ttl-this-job-only', ttl, other.submitted));
      continue;
    }
    const failed = sightingsOf(other).find((look) => isFailure(look.shows))?.call.receivedMs ?? undefined;
    const { outcome, durationMs } = other.predicted(0);
    const crashed =
      outcome === 'crash'
        ? struck('3/crash-leaves-other-jobs-alone', durationMs, other.submitted, failed)
        : [];
    const timedOut = struck('2.2/execution-timeout-this-job-only', executionTimeout, other.submitted, failed);
    found.push(...(crashed.length > 0 ? crashed : timedOut));
  }
  // Where all explain as much, what was called just then comes first.
  return [...asked, ...found];
}

/** Something happened beside it on an endpoint that its script has for itself. */
export const hasOutsideEvent = (facts: Facts): boolean =>
  facts.context.session.fresh && outsideEventsOf(facts).length > 0;

/** What happened beside it, without what a job like this one has survived. */
export function outsideSuspects(facts: Facts): readonly Suspect[] {
  const { context, job, shows } = facts;
  const { fresh: isAlone } = context.session;
  const isCancelled = shows === 'CANCELLED';
  const isOutlived = isCancelled || wasOutlived(facts);
  return outsideEventsOf(facts).flatMap((event) => {
    const { id, call } = event;
    const isOfScript = call.script === job.script;
    if (!isAlone && !isInTime(facts, event)) return [];
    // Nothing of its own explains it: what the script did beside it may have reached this job and not all.
    const mayBeSingledOut = isAlone || (isCancelled && isOfScript);
    if (!mayBeSingledOut && wasSurvived(facts, event)) return [];
    return [{ id, call: call.call, isOfScript, isAlone, wantsProof: false, isOutlived }];
  });
}

/** It happened while this job may have been touched: after it was last seen as it should be. */
const isInTime = ({ lastGood, call }: Facts, { fromMs, byMs }: OutsideEvent): boolean =>
  byMs >= lastGood.sentMs && fromMs <= (call!.receivedMs ?? Infinity);

/** Another job that was promised no more was seen where this one was, and for longer. */
function wasOutlived({ context, job, op, was, before }: Facts): boolean {
  const since = before.find(({ shows }) => shows === was)?.call ?? job.submitted;
  const lastedMs = op.fromMs - since.sentMs;
  const promisedMs = (one: Job): number => one.policies[0]?.ttlMs ?? Infinity;
  return context.jobs.some((other) => {
    if (other === job || other.sync !== job.sync || promisedMs(other) > promisedMs(job)) return false;
    if (newTtlOf(other) !== undefined) return false;
    const seen = sightingsOf(other).filter(({ shows }) =>
      was === null ? isWaitingOrRunning(shows) : shows === was,
    );
    const first = was === null ? other.submitted : seen[0]?.call;
    const last = seen.at(-1)?.call;
    return (
      first !== undefined && last !== undefined && last.sentMs - (first.receivedMs ?? Infinity) >= lastedMs
    );
  });
}

/**
 * What reaches jobs other than its own reaches all that are alike: whether one of them, where this job was, was there
 * before it and went on after it.
 */
function wasSurvived({ context, job, was }: Facts, event: OutsideEvent): boolean {
  const isLater = ({ call }: Sighting): boolean => call.sentMs > event.byMs;
  const isEarlier = ({ call }: Sighting): boolean => (call.receivedMs ?? Infinity) < event.fromMs;
  const isAlike = ({ shows }: Sighting): boolean =>
    shows === was || (was === null && isWaitingOrRunning(shows));
  const { takenOverMs } = event;
  return context.jobs.some((other) => {
    if (other === job || other === event.job) return false;
    const seen = sightingsOf(other);
    if (takenOverMs !== undefined) {
      if (!precedes(other.submitted, event.call) || newTtlOf(other) !== undefined) return false;
      const goneByMs = Math.max(other.submittedByMs + takenOverMs, event.call.receivedMs ?? Infinity);
      const { graceMs } = context.session.run;
      return seen.some(({ call, shows }) => call.sentMs > goneByMs + graceMs && shows !== 'GONE');
    }
    if (other.submittedByMs >= event.fromMs || !seen.some((one) => isAlike(one) && isLater(one)))
      return false;
    return was === null || was === 'IN_QUEUE' || seen.some((one) => isAlike(one) && isEarlier(one));
  });
}
