/** What else may explain a life that cannot be, where that is proven to be broken elsewhere in the run. */
import type { Breach } from '../proof/breach.js';
import type { Suspect } from '../ledger/unsettled.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import type { Operation } from '../model/operations.js';
import { answerOf, idInPath } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { creates, wasNeverSeen } from './own-history.js';
import { precedes } from '../cast/sightings.js';

/** A job that is gone after a retry may never have been requeued, or not be shown. */
export const OF_RETRIES: readonly RequirementId[] = ['4.3/shows-current-state', '3/retry-requeues-failed'];

export const ofItsOwn = (id: RequirementId, wantsProof = false): Suspect => ({
  id,
  call: null,
  isOfScript: true,
  isAlone: false,
  wantsProof,
  isOutlived: true,
});

/**
 * Where looks are proven elsewhere to show jobs running that wait, or waiting that run, they are nothing to measure by; nor is
 * a job that was put into the queue again, and has run twice.
 */
export const WRONGLY_SHOWN: readonly RequirementId[] = [
  '1/waits-when-no-worker-free',
  '4.3/shows-current-state',
  '3/no-return-to-queue',
];

/** A worker is not free while the job that it was to stop goes on: what is proven of stopping elsewhere explains it. */
const NOT_STOPPED: readonly RequirementId[] = [
  '3/cancelled-never-completes',
  '3/cancel-running',
  '3/cancel-queued',
];

/** What else may be wrong where a job waits or runs for too long, if that is proven elsewhere. */
export function tooLong(scene: Scene, job: Job, { requirement, op }: Breach): readonly Suspect[] {
  if (op.shows === 'IN_PROGRESS' && requirement.startsWith('3/success-completes'))
    return [ofItsOwn('1/waits-when-no-worker-free', true)];
  const isWaiting = op.shows === 'IN_QUEUE' && requirement === '1/freed-worker-takes-waiting-job';
  const isAfterCancel = scene.session.calls.some(
    (call) =>
      call.op === 'cancel' &&
      answerOf(call) === 'ok' &&
      idInPath(call) !== job.id &&
      precedes(call, op.call!),
  );
  return isWaiting && isAfterCancel ? NOT_STOPPED.map((id) => ofItsOwn(id, true)) : [];
}

/** What a job does tells of its plan, and nothing where it may have been given another one. */
const OF_PLAN: readonly RequirementId[] = [
  '3/success-completes-run',
  '3/success-completes-runsync',
  '3/handler-error-fails-run',
  '3/handler-error-fails-runsync',
  '3/worker-crash-fails',
  '3/not-completed-before-handler-ends',
  '2.2/execution-timeout-not-early',
  '2.2/execution-timeout-default-not-early',
  '4.6/retried-job-runs',
];

/** It does what another job was submitted for. */
const OF_ANOTHER: readonly RequirementId[] = ['2.1/input-not-mixed-between-jobs', '2.4/output-of-this-job'];

/** Values that a service is apt to lose. */
const EMPTY = /null|\[\]|\{\}|""/;

/** What else may be wrong where a job does not what its plan says, if that is proven elsewhere. */
export function givenAnotherPlan(
  job: Job,
  requirement: RequirementId,
  { shows }: Operation,
): readonly Suspect[] {
  if (!OF_PLAN.includes(requirement)) return [];
  const mayHaveLost = shows === 'FAILED' && EMPTY.test(JSON.stringify(job.submission['input'] ?? {}));
  const lost: readonly RequirementId[] = mayHaveLost
    ? [`2.1/input-reaches-worker-${job.sync ? 'runsync' : 'run'}`, '2.1/input-nested-unchanged']
    : [];
  return [...OF_ANOTHER, ...lost].map((id) => ofItsOwn(id, true));
}

/**
 * What explains a job that is not found right after its submission, nor afterwards; `beside`: what its own script did there
 * does as well, and no other script was there to do it.
 */
export function ofNeverSeen(job: Job, breach: Breach, beside: boolean): readonly Suspect[] {
  if (!wasNeverSeen(job, breach)) return [];
  const { outcome } = job.foreseen(0);
  // A failed one may be forgotten soon.
  const mayBeForgotten = outcome === 'error' || outcome === 'crash';
  const shown = ofItsOwn('4.3/shows-current-state', beside);
  return mayBeForgotten ? [shown] : [ofItsOwn(creates(job), beside), shown];
}

/** It answers as if the job were there, which may be gone all the same. */
export function expiredCode({ op, requirement }: Breach): readonly Suspect[] {
  if (op.kind !== 'cancel' && op.kind !== 'retry') return [];
  const isRemoval = requirement.startsWith('2.2/ttl-removes') || requirement === '2.2/ttl-default-removes';
  return isRemoval && op.answer === 'ok' ? [ofItsOwn(`7/ttl-expired-${op.kind}`, true)] : [];
}

/** It may have waited on when it should have been purged. */
export function notPurged({ cast }: Scene, job: Job, { op }: Breach): readonly RequirementId[] {
  const waited = cast.roll.purges.some(
    (purge) =>
      answerOf(purge) === 'ok' && purge.sentMs >= job.life.submittedFromMs && purge.sentMs <= op.byMs,
  );
  if (!waited) return [];
  return [...(job.sync ? (['4.7/removes-waiting-runsync'] as const) : []), '4.7/removes-all-waiting'];
}
