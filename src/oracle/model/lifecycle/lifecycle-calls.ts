/**
 * The effects of calls on a job, by its state, and the transitions that nothing may cause: sections 3, 4.3,
 * 4.5 to 4.7 and 7 of the document as tables. The effects of time are in `lifecycle.ts`.
 */
import type { RequirementId } from '../../../spec/index.js';
import { STATES_WITH_RECORD, type Hypothesis, type JobState } from '../hypothesis.js';
import type { JobModel } from '../job-model.js';
import {
  hasLowPriority,
  hasTimedOut,
  isStatusRead,
  isOver,
  isRetried,
  isSync,
  not,
  wasBefore,
  wasIn,
  wasRetryWronglyAccepted,
  type Condition,
  type Kind,
  type OfJob,
} from '../conditions.js';
import {
  idsOf,
  isCase,
  type CallEffects,
  type Case,
  type ForbiddenTransition,
  type Row,
} from './lifecycle-rows.js';
import { ENDED, STARTED } from '../zone.js';

const expiredByTtl: Kind = ({ deletedBy }) => deletedBy === 'ttl';
const expiredByRetention: Kind = ({ deletedBy }) => deletedBy === 'retention';

/** Of either a waiting or a running job. */
const OF_SUCH_CANCELS: readonly Case<OfJob>[] = [
  ['4.5/cancels-retried-job', isRetried],
  ['4.5/cancels-runsync-job', isSync],
];
/** Section 4.5. What cancelling an ended job does is open; it may be reported as CANCELLED afterwards. */
export const CANCEL = {
  queued: { to: 'cancelled', how: 'must', cases: [...OF_SUCH_CANCELS, ['3/cancel-queued']] },
  running: { to: 'cancelled', how: 'must', cases: [...OF_SUCH_CANCELS, ['3/cancel-running']] },
  deleted: {
    to: 'cancelled',
    how: 'must be refused',
    cases: [['7/result-expired-cancel', expiredByRetention], ['7/ttl-expired-cancel']],
  },
} as const satisfies CallEffects;

const OF_RUNSYNC_RETRIES: Case<OfJob> = ['4.6/retries-runsync-job', isSync];
/**
 * Section 4.6. The document does not say how other states refuse it, only that the job must not run again.
 */
export const RETRY = {
  failed: { to: 'queued', how: 'must', cases: [OF_RUNSYNC_RETRIES, ['3/retry-requeues-failed']] },
  'timed-out': { to: 'queued', how: 'must', cases: [OF_RUNSYNC_RETRIES, ['3/retry-requeues-timed-out']] },
  deleted: {
    to: 'queued',
    how: 'must be refused',
    cases: [['4.6/expired-by-ttl-not-retried', expiredByTtl], ['4.6/expired-result-not-retried']],
  },
} as const satisfies CallEffects;

/** Of these each purge decides by what it left of the queue (`effects/judge-effects.ts`). */
export const OF_SUCH_PURGES: readonly (readonly [RequirementId, Kind])[] = [
  ['4.7/removes-waiting-retried', isRetried],
  ['4.7/removes-waiting-low-priority', hasLowPriority],
  ['4.7/removes-waiting-runsync', isSync],
];
const REMOVES_WAITING: readonly Case<OfJob>[] = [...OF_SUCH_PURGES, ['4.7/removes-all-waiting']];
/** Section 4.7. */
export const PURGE = {
  queued: { to: 'purged', how: 'must', cases: REMOVES_WAITING },
  running: { to: 'purged', how: 'must not', cases: [['4.7/keeps-running']] },
} as const satisfies CallEffects;

/** Section 4.4: `/stream` returns nothing of a job that its ttl has deleted. */
export const STREAM_OF_DELETED: RequirementId = '7/ttl-expired-stream';
/** Section 4.3: `/status?ttl=` sets the lifespan of a waiting or running job. */
export const STATUS_TTL: RequirementId = '4.3/ttl-shortens-life';
/** Section 6: a webhook is called when the job has ended. */
export const WEBHOOK: RequirementId = '6/no-call-before-completion';

/** Section 3: a job that its `executionTimeout` ended stays in the state that it is reported in. */
export const STAYS_TIMED_OUT: RequirementId = '3/timed-out-stays';

/** Transitions that neither a timer nor a call may cause. The first row that applies forbids it. */
export const FORBIDDEN_TRANSITIONS: readonly ForbiddenTransition[] = [
  { in: 'queued', to: 'cancelled', topics: ['state'], cases: [['4.3/shows-current-state']] },
  {
    in: 'running',
    to: 'queued',
    topics: ['retry'],
    cases: [['4.6/no-effect-in-progress', wasRetryWronglyAccepted]],
  },
  { in: 'running', to: 'queued', topics: ['start', 'state'], cases: [['3/no-return-to-queue']] },
  { in: 'running', to: 'cancelled', topics: ['state'], cases: [['4.3/shows-current-state']] },
  { in: 'completed', topics: ['retry'], cases: [['4.6/no-effect-on-completed', wasRetryWronglyAccepted]] },
  { in: 'completed', topics: ['retention', 'work'], cases: [['3/completed-stays']] },
  { in: 'failed', topics: ['retention', 'work'], cases: [['3/failed-stays']] },
  { in: 'timed-out', topics: ['retention', 'execution timeout'], cases: [[STAYS_TIMED_OUT]] },
  { in: 'cancelled', topics: ['retry'], cases: [['4.6/no-effect-on-cancelled', wasRetryWronglyAccepted]] },
  {
    in: 'cancelled',
    topics: ['cancel'],
    cases: [
      ['3/cancelled-never-starts', wasIn('queued')],
      ['3/cancelled-never-completes', wasIn('running')],
      ['3/cancelled-stays'],
    ],
  },
  { in: 'purged', to: 'queued', topics: ['purge'], cases: REMOVES_WAITING },
  { in: 'purged', topics: ['purge'], cases: [['4.7/purged-jobs-never-run']] },
  { in: 'deleted', topics: ['ttl'], cases: [['2.2/ttl-stays-gone', expiredByTtl]] },
  { in: 'deleted', topics: ['retention'], cases: [['7/result-expired-status']] },
];

/** The requirement that forbids this transition; null where timers and calls decide. */
export function requirementForbidding(model: JobModel, from: Hypothesis, to: JobState): RequirementId | null {
  const of = { job: { model } };
  for (const row of FORBIDDEN_TRANSITIONS)
    if (row.in === from.state && (row.to === undefined || row.to === to))
      for (const one of row.cases) if (isCase(one, from, of)) return one[0];
  return null;
}

const FORBIDDING = idsOf(...FORBIDDEN_TRANSITIONS);

/** While it is relaxed, a job may return to an earlier state. */
export const forbidsTransition = (id: RequirementId): boolean => FORBIDDING.has(id);

const OF_CANCELS = idsOf(CANCEL.queued, CANCEL.running);
const OF_RETRIES = idsOf(RETRY.failed, RETRY['timed-out']);

/** The effect that a call on the job must have. */
export const isAboutCallEffect = (id: RequirementId): boolean => isAboutCancel(id) || isAboutRetry(id);
export const isAboutCancel = (id: RequirementId): boolean => OF_CANCELS.has(id);
export const isAboutRetry = (id: RequirementId): boolean => OF_RETRIES.has(id);

const OF_GONE = idsOf(CANCEL.deleted);

/** How a call on a deleted job must be answered. */
export const isAboutDeletedJob = (id: RequirementId): boolean => id === STREAM_OF_DELETED || OF_GONE.has(id);

const OF_RETURN = idsOf(
  ...FORBIDDEN_TRANSITIONS.filter((row) => row.in === 'running' && row.to === 'queued'),
);
const OF_RESURRECTION = idsOf(...FORBIDDEN_TRANSITIONS.filter((row) => row.in === 'deleted'));

/** It forbids that a running job waits again. */
export const forbidsReturn = (id: RequirementId): boolean => OF_RETURN.has(id);

/** It forbids that a deleted job exists again. */
export const forbidsResurrection = (id: RequirementId): boolean => OF_RESURRECTION.has(id);

/** Section 7: the requirement for a call on a job whose ttl, or whose result, has expired. */
export const EXPIRED = {
  status: ['7/ttl-expired-status', '7/result-expired-status', '7/result-expired-run-status'],
  stream: [STREAM_OF_DELETED, '7/result-expired-stream', '7/result-expired-run-stream'],
  cancel: ['7/ttl-expired-cancel', '7/result-expired-cancel', '7/result-expired-run-cancel'],
  retry: ['7/ttl-expired-retry', '7/result-expired-retry', '7/result-expired-run-retry'],
} as const satisfies { readonly [op: string]: readonly [RequirementId, RequirementId, RequirementId] };

const wasRetryWronglyAcceptedBefore = wasBefore(wasRetryWronglyAccepted);
const wouldHaveEnded = isOver(ENDED, (_, { job }) => job.model.predicted(0).durationMs);
const wouldHaveTimedOut = isOver(STARTED, ({ policy }) => policy.executionMs);
/** If the cancellation had not stopped the run, the run would have ended by now. */
const ranOut: Condition = (at, step) => wouldHaveEnded(at, step) || wouldHaveTimedOut(at, step);
const longEnded = isOver(ENDED, () => 0);

/** What an observation decides about earlier calls. */
export const CALL_DECISIONS: readonly Row[] = [
  {
    shown: ['cancelled'],
    notFound: ['cancelled'],
    // A job that `executionTimeout` ended proves no cancellation.
    if: not(hasTimedOut),
    topics: ['cancel'],
    cases: [
      ['3/cancelled-stays'],
      ['3/cancel-queued', wasIn('queued')],
      ['3/cancelled-never-starts', wasIn('queued'), longEnded],
      ['3/cancel-running', wasIn('running')],
      ['3/cancelled-never-completes', wasIn('running'), ranOut],
      ...OF_SUCH_CANCELS,
      ['4.6/no-effect-on-cancelled', wasRetryWronglyAccepted],
    ],
  },
  {
    shown: ['purged'],
    notFound: ['purged'],
    topics: ['purge'],
    cases: [['4.7/removes-all-waiting'], ['4.7/purged-jobs-never-run', longEnded]],
  },
  {
    shown: ['running'],
    topics: ['retry'],
    cases: [['4.6/no-effect-in-progress', wasRetryWronglyAcceptedBefore]],
  },
  {
    shown: ['completed'],
    topics: ['retry'],
    cases: [['4.6/no-effect-on-completed', wasRetryWronglyAcceptedBefore]],
  },
];

/**
 * Section 4.6: what the first read after a `/retry` decides. The answer of that call does not prove its
 * effect.
 */
export const RETRY_DECISIONS: readonly Case[] = [
  ['3/retry-requeues-failed', ({ retriedFrom }) => retriedFrom === 'failed'],
  ['3/retry-requeues-timed-out', ({ retriedFrom }) => retriedFrom === 'timed-out'],
  OF_RUNSYNC_RETRIES,
  ['4.6/failed-again-can-be-retried', ({ requeues }) => requeues > 1],
];

/** What any record decides, whatever state it shows. */
export const RECORD_DECISIONS: readonly Row[] = [
  {
    shown: STATES_WITH_RECORD,
    if: isStatusRead,
    topics: ['state'],
    cases: [['4.3/shows-current-state'], ['4/operation-status']],
  },
  {
    shown: STATES_WITH_RECORD,
    if: isStatusRead,
    topics: [],
    cases: [
      ['3/submission-creates-job-runsync', isSync],
      ['3/submission-creates-job-run', not(isSync)],
    ],
  },
  {
    shown: STATES_WITH_RECORD,
    if: isStatusRead,
    topics: ['ttl'],
    cases: [['4.3/ttl-accepted', (_, { op }) => op.ttlMs !== null && op.ttlMs >= 10_000]],
  },
  { shown: STATES_WITH_RECORD, topics: ['retry'], cases: [['2.4/id-kept-across-retry', isRetried]] },
];
