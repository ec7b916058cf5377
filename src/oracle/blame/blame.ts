/**
 * A job's life that cannot be shows that something was done to the job; which promise that breaks depends on
 * what happened beside it. Where exactly that may explain the breach, the narrower promise is named, else the rule itself.
 *
 * On an endpoint that was made for its script the script has brought about whatever happened beside the job. On one that many
 * share some other job is always cancelled, retried or ended just then: there the job's own history is asked first, and a
 * neighbour is a suspect until all breaches of the run stand beside each other (`settle-blame.ts`).
 */
import type { Breach } from '../proof/breach.js';
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import type { Blame, Suspect } from '../ledger/unsettled.js';
import type { Operation } from '../model/operations.js';
import { isOfCall } from '../model/lifecycle-calls.js';
import { isOfMeasuring } from '../model/times.js';
import { answerOf, isObject } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { calledTooSoon, endedByWebhookAlone } from './called-too-soon.js';
import { goneEarly } from './gone-early.js';
import {
  expiredCode,
  givenAnotherPlan,
  notPurged,
  OF_RETRIES,
  ofItsOwn,
  ofNeverSeen,
  tooLong,
  WRONGLY_SHOWN,
} from './proven-elsewhere.js';
import { isInTime, removers, revivers, wasOutlived, wasSurvived, type Cause } from './causes.js';
import { byKind, byPolicy, byStatusTtl } from './narrower.js';
import { byOldTimer, byReader, hidden, mayHaveOverrun, readsBefore } from './own-history.js';
import { isWaitingOrRunning, precedes, shownBefore, sightingsOf, type Sighting } from '../cast/sightings.js';
import { byAnotherRun } from './second-run.js';
import { cancelledByWait, endedByTtl, misnamedEnd, neverCancelled, waitedNoLonger } from './wrong-states.js';

export function blame(scene: Scene, job: Job, breach: Breach): Blame {
  const { requirement, op } = breach;
  const certainly = (id: RequirementId): Blame => ({ id, isUnexplained: false, suspects: [] });
  if (op.kind === 'webhook') {
    const shown = waitedNoLonger(job, breach);
    return { ...certainly(shown ?? requirement), ...(shown === null ? calledTooSoon(job, breach) : {}) };
  }
  if (op.call === null) return certainly(requirement);
  const another = byAnotherRun(job, breach);
  if (another !== null) return another;
  if (isOfMeasuring(requirement)) return mismeasured(scene, job, breach);
  const proven = ofOwnCall(job, breach) ?? neverCancelled(job, breach) ?? endedByTtl(job, breach);
  if (proven !== null) return certainly(byPolicy(job, proven) ?? byKind(job, proven) ?? proven);
  const { fresh } = scene.session;
  const tooSoon = endedByWebhookAlone(job, breach);
  if (tooSoon !== null) return { ...certainly(requirement), ...tooSoon };
  const plain =
    hidden(job, breach) ??
    waitedNoLonger(job, breach) ??
    byAnswer(scene, job, breach) ??
    misnamedEnd(job, breach) ??
    cancelledByWait(job, breach) ??
    byPolicy(job, requirement);
  if (plain !== null) return { ...certainly(plain), suspects: givenAnotherPlan(job, plain, op) };
  const causes = removed(job, breach)
    ? removers(scene, job, breach)
    : revived(breach)
      ? revivers(scene, job, breach)
      : [];
  const byOld = byOldTimer(scene, job, breach);
  if (byOld !== null) return { ...certainly(byOld), suspects: OF_RETRIES.map((one) => ofItsOwn(one, true)) };
  const reader = byReader(job, breach);
  const beside = fresh && causes.some(({ neighbour }) => neighbour !== null);
  if (reader !== null && !beside) return certainly(reader);
  const own = causes.find(({ neighbour, id }) => neighbour === null && !isOfTimer(scene, job, breach, id));
  const kindOf = (one: RequirementId): RequirementId => byStatusTtl(job, one) ?? byKind(job, one) ?? one;
  const gone = goneEarly(scene, job, breach).map(kindOf);
  const [id, ...others] =
    own === undefined ? (gone.length > 0 ? gone : [kindOf(requirement)]) : [own.id, ...gone];
  const suspects = [
    ...[...new Set(others)].filter((other) => other !== id).map((other) => ofItsOwn(other, true)),
    ...tooLong(scene, job, breach),
    ...givenAnotherPlan(job, requirement, op),
    ...expiredCode(breach),
  ];
  if (own !== undefined) return { id: own.id, isUnexplained: false, suspects };
  const isUnexplained = op.shows === 'CANCELLED' && !mayHaveOverrun(job, op);
  return { id: id!, isUnexplained, suspects: [...suspects, ...suspectsOf(scene, job, breach, causes)] };
}

/** Of the two times that a record tells, in a unit that is open, either may be the wrong one; or the life itself is as it says. */
function mismeasured(scene: Scene, job: Job, breach: Breach): Blame {
  const { requirement, rules, explains, proofBy } = breach;
  const others = rules.filter((rule) => isOfMeasuring(rule) && rule !== requirement && explains(rule));
  const { contradiction } = proofBy(requirement);
  const bounds = contradiction?.kind === 'time' ? contradiction.bounds : [];
  const against = new Set(bounds.map((bound) => bound.requirement as RequirementId | null));
  const ofItsLife = [...against].filter((rule) => rule !== null && !isOfMeasuring(rule) && explains(rule));
  const suspects = [
    ...others.map((rule) => ofItsOwn(rule)),
    ...[...ofItsLife, ...WRONGLY_SHOWN, ...notPurged(scene, job, breach)].map((id) => ofItsOwn(id!, true)),
  ];
  return { id: requirement, isUnexplained: false, suspects };
}

/** Others that may have done it, without those that a job like this one has survived. */
function suspectsOf(scene: Scene, job: Job, breach: Breach, causes: readonly Cause[]): readonly Suspect[] {
  const isUnexplained = breach.op.shows === 'CANCELLED';
  const found: Suspect[] = [];
  if (causes.some(({ id }) => id === WEBHOOK_FAILED)) found.push(ofItsOwn(WEBHOOK_FAILED));
  const beside = scene.session.fresh && causes.some(({ neighbour }) => neighbour !== null);
  found.push(...ofNeverSeen(job, breach, beside));
  if (readsBefore(job, breach)?.length === 1) found.push(ofItsOwn('4.3/reading-does-not-consume', beside));
  const isOutlived = isUnexplained || wasOutlived(scene, job, breach);
  for (const { id, neighbour } of causes) {
    if (neighbour === null) continue;
    const isOfScript = neighbour.call.script === job.script;
    if (!scene.session.fresh && !isInTime(job, breach, neighbour)) continue;
    const isAlone = scene.session.fresh;
    // Nothing of its own explains it: what the script did beside it may have reached this job and not all.
    const mayBeSingledOut = isAlone || (isUnexplained && isOfScript);
    if (!mayBeSingledOut && wasSurvived(scene, job, breach, neighbour)) continue;
    found.push({ id, call: neighbour.call.call, isOfScript, isAlone, wantsProof: false, isOutlived });
  }
  return found;
}

const WEBHOOK_FAILED = '6/failing-webhook-leaves-job-alone';

/** Its webhook had failed, or its call was over: but a timer of its own is as near. */
function isOfTimer(scene: Scene, job: Job, { requirement }: Breach, id: RequirementId): boolean {
  if (id === WEBHOOK_FAILED) return !scene.session.fresh;
  return id === '4.1/wait-leaves-job-alive' && job.life.life.ttlGiven && requirement.includes('/ttl-');
}

/** What the last look before the breach showed tells what the call should have done. */
function byAnswer(scene: Scene, job: Job, { op, requirement }: Breach): RequirementId | null {
  const seen = sightingsOf(job).filter((sighting) => precedes(sighting.call, op.call!));
  const last = seen.at(-1)?.shows;
  const kept = (id: RequirementId): RequirementId => byKind(job, id) ?? id;
  // It was not refused what it may ask for: it was no longer there. Where nobody looked afterwards, that is open.
  if (op.code === 404 && (op.kind === 'cancel' || op.kind === 'retry')) {
    const next = sightingsOf(job).find(({ call }) => precedes(op.call!, call));
    if (next === undefined || next.shows === 'GONE') return null;
  }
  const saysItEnded =
    op.kind === 'cancel' && op.answer === 'ok' && op.shows !== 'CANCELLED' && op.shows !== null;
  if (op.kind === 'cancel' && (op.answer === 'refused' || (saysItEnded && isAtOnce(job, seen.at(-1), op)))) {
    // Where nobody had looked before, a later look tells that it was there to be cancelled.
    const was = last ?? sightingsOf(job).find((one) => precedes(op.call!, one.call))?.shows;
    if (was === 'IN_PROGRESS') return kept('3/cancel-running');
    return was === 'IN_QUEUE' || (saysItEnded && last === undefined) ? kept('3/cancel-queued') : null;
  }
  if (op.kind === 'retry' && op.answer === 'refused') {
    if (isRetriedTwice(job, op.call!) && (last === 'FAILED' || last === 'TIMED_OUT'))
      return '4.6/failed-again-can-be-retried';
    if (last === 'FAILED' && requirement !== '3/timed-out-stays') return kept('3/retry-requeues-failed');
    return last === 'TIMED_OUT' || last === 'FAILED' ? kept('3/retry-requeues-timed-out') : null;
  }
  if (op.kind !== 'status') return null;
  const overrun =
    requirement === '2.2/execution-timeout-not-early' && op.answer === 'ok' && mayHaveOverrun(job, op);
  return overrun && last === 'IN_QUEUE' && !waitedLittle(scene, job, op.call!)
    ? '2.2/execution-timeout-not-in-queue'
    : null;
}

/** No timer is so exact that it strikes between a look, or the submission, and a call right after it. */
const AT_ONCE_MS = 100;

const isAtOnce = ({ submitted }: Job, last: Sighting | undefined, { byMs }: Operation): boolean =>
  byMs - ((last?.call ?? submitted).receivedMs ?? 0) <= AT_ONCE_MS;

/** A `/retry` before the call was answered with success, and another one was made when the job had failed once more. */
function isRetriedTwice(job: Job, last: CallEvent): boolean {
  const retries = job.calls.filter((call) => call.op === 'retry' && call.sentTick <= last.sentTick);
  const [first] = retries.slice(0, -1).filter((call) => answerOf(call) === 'ok');
  return (
    first !== undefined &&
    job.life.operations.some(
      ({ call, shows, isAsBeforeRetry }) =>
        (shows === 'FAILED' || shows === 'TIMED_OUT') && !isAsBeforeRetry && precedes(first, call!),
    )
  );
}

/** A call on the job itself has not done what it had to, as a look tells. */
function ofOwnCall(job: Job, { op, requirement }: Breach): RequirementId | null {
  if (op.kind !== 'status' || !isOfCall(requirement)) return null;
  const isOfRetry = requirement.startsWith('3/retry');
  return isOfRetry && isRetriedTwice(job, op.call!) ? '4.6/failed-again-can-be-retried' : requirement;
}

/** Its last look in the queue is so far back that it may well have run since. */
function waitedLittle(scene: Scene, job: Job, last: CallEvent): boolean {
  const queued = sightingsOf(job).findLast(
    ({ call, shows }) => shows === 'IN_QUEUE' && precedes(call, last),
  )!.call;
  const policy = job.submission['policy'];
  const limit = isObject(policy) ? policy['executionTimeout'] : undefined;
  return typeof limit !== 'number' || last.sentMs - queued.sentMs > limit - scene.session.run.graceMs;
}

/** It is gone or cancelled, and should not be. */
function removed(job: Job, { op, requirement }: Breach): boolean {
  if (op.kind !== 'status' && op.kind !== 'reply') return false;
  if (op.code === 404 || op.shows === 'CANCELLED') return true;
  if (requirement === '2.2/execution-timeout-not-early') return false;
  const was = shownBefore(job, op.call!);
  return (
    (op.shows === 'FAILED' || op.shows === 'TIMED_OUT') && (was === undefined || isWaitingOrRunning(was))
  );
}

/** It had ended, and waits or runs again. */
function revived({ op, barred }: Breach): boolean {
  return (
    barred &&
    op.kind === 'status' &&
    (op.shows === 'IN_QUEUE' || op.shows === 'IN_PROGRESS' || op.shows === 'COMPLETED')
  );
}
