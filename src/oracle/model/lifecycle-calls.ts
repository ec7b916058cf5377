/**
 * What calls do to a job, by the state in which they find it, and which states are final: sections 3, 4.3, 4.5 to 4.7 and 7 of
 * the document as tables. What timers do stands in `lifecycle.ts`.
 */
import type { RequirementId } from '../../spec/index.js';
import { RECORDED, type Hypothesis, type Place } from './hypothesis.js';
import type { Life } from './life.js';
import {
  and,
  hasOverrun,
  isLook,
  isOver,
  isRetried,
  isSync,
  not,
  wasBefore,
  wasIn,
  wasRetriedAgainstRule,
  type Condition,
} from './look.js';
import { requirementOf, type CallEffects, type Decisions, type Final } from './rows.js';
import { ENDED } from './zone.js';

const expiredByTtl = (_: Life, { goneBy }: Hypothesis): boolean => goneBy === 'ttl';
const expiredByRetention = (_: Life, { goneBy }: Hypothesis): boolean => goneBy === 'retention';
const retriedAgainstRule = (_: Life, at: Hypothesis): boolean => wasRetriedAgainstRule(at);
const cameFrom =
  (place: Place) =>
  (_: Life, { goneFrom }: Hypothesis): boolean =>
    goneFrom === place;

/** Section 4.5. What cancelling an ended job does is open; it may well be told as CANCELLED from then on. */
export const CANCEL = {
  queue: { to: 'cancelled', how: 'must', ids: [{ id: '3/cancel-queued' }] },
  progress: { to: 'cancelled', how: 'must', ids: [{ id: '3/cancel-running' }] },
  gone: {
    to: 'cancelled',
    how: 'must be refused',
    ids: [{ id: '7/result-expired-cancel', if: expiredByRetention }, { id: '7/ttl-expired-cancel' }],
  },
} as const satisfies CallEffects;

/** Section 4.6. How it is refused in the other states is not shown; what must not happen is that the job runs again. */
export const RETRY = {
  failed: { to: 'queue', how: 'must', ids: [{ id: '3/retry-requeues-failed' }] },
  'timed-out': { to: 'queue', how: 'must', ids: [{ id: '3/retry-requeues-timed-out' }] },
  gone: {
    to: 'queue',
    how: 'must be refused',
    ids: [
      { id: '4.6/expired-by-ttl-not-retried', if: expiredByTtl },
      { id: '4.6/expired-result-not-retried' },
    ],
  },
} as const satisfies CallEffects;

/** Section 4.7. */
export const PURGE = {
  queue: { to: 'purged', how: 'must', ids: [{ id: '4.7/removes-all-waiting' }] },
  progress: { to: 'purged', how: 'must not', ids: [{ id: '4.7/keeps-running' }] },
} as const satisfies CallEffects;

/** Section 4.4: there is nothing to be streamed of a job that its ttl has deleted. */
export const STREAM_OF_GONE: RequirementId = '7/ttl-expired-stream';
/** Section 4.3: `/status?ttl=` sets the lifespan of a job that waits or runs. */
export const STATUS_TTL: RequirementId = '4.3/ttl-shortens-life';
/** Section 6: a webhook is called when the job has ended. */
export const WEBHOOK: RequirementId = '6/no-call-before-completion';

/** Moves that neither a timer nor a call makes. */
export const FINAL: readonly Final[] = [
  { in: 'queue', to: 'cancelled', ids: [{ id: '4.3/shows-current-state' }] },
  {
    in: 'progress',
    to: 'queue',
    ids: [{ id: '4.6/no-effect-in-progress', if: retriedAgainstRule }, { id: '3/no-return-to-queue' }],
  },
  { in: 'progress', to: 'cancelled', ids: [{ id: '4.3/shows-current-state' }] },
  {
    in: 'completed',
    ids: [{ id: '4.6/no-effect-on-completed', if: retriedAgainstRule }, { id: '3/completed-stays' }],
  },
  { in: 'failed', ids: [{ id: '3/failed-stays' }] },
  { in: 'timed-out', ids: [{ id: '3/timed-out-stays' }] },
  {
    in: 'cancelled',
    ids: [
      { id: '4.6/no-effect-on-cancelled', if: retriedAgainstRule },
      { id: '3/cancelled-never-starts', if: cameFrom('queue') },
      { id: '3/cancelled-never-completes', if: cameFrom('progress') },
      { id: '3/cancelled-stays' },
    ],
  },
  { in: 'purged', to: 'queue', ids: [{ id: '4.7/removes-all-waiting' }] },
  { in: 'purged', ids: [{ id: '4.7/purged-jobs-never-run' }] },
  { in: 'gone', ids: [{ id: '2.2/ttl-stays-gone', if: expiredByTtl }, { id: '7/result-expired-status' }] },
];

/** The requirement that keeps a job from moving so; null where timers and calls decide. */
export function barredBy(life: Life, from: Hypothesis, to: Place): RequirementId | null {
  const row = FINAL.find((one) => one.in === from.place && (one.to === undefined || one.to === to));
  return row === undefined ? null : requirementOf(row.ids, life, from);
}

const idsOf = (rows: readonly Pick<Final, 'ids'>[]): ReadonlySet<RequirementId> =>
  new Set(rows.flatMap(({ ids }) => ids.map(({ id }) => id)));

const BARRING = idsOf(FINAL);

/** While it is assumed to be broken a job may come back to where it was. */
export const isBarring = (id: RequirementId): boolean => BARRING.has(id);

const OF_CALLS = idsOf([CANCEL.queue, CANCEL.progress, RETRY.failed, RETRY['timed-out']]);

/** What a call on the job itself has to do. */
export const isOfCall = (id: RequirementId): boolean => OF_CALLS.has(id);

const OF_GONE = idsOf([CANCEL.gone]);

/** What a call on a job that is gone has to be answered. */
export const isOfGone = (id: RequirementId): boolean => id === STREAM_OF_GONE || OF_GONE.has(id);

/** What brings a job back that was deleted. */
export const isOfDeletion = (id: RequirementId): boolean =>
  id === '2.2/ttl-stays-gone' || id === '7/result-expired-status';

/** Section 7: which requirement a call meets that asks for a job whose ttl, or whose result, has expired. */
export const EXPIRED = {
  status: ['7/ttl-expired-status', '7/result-expired-status', '7/result-expired-run-status'],
  stream: [STREAM_OF_GONE, '7/result-expired-stream', '7/result-expired-run-stream'],
  cancel: ['7/ttl-expired-cancel', '7/result-expired-cancel', '7/result-expired-run-cancel'],
  retry: ['7/ttl-expired-retry', '7/result-expired-retry', '7/result-expired-run-retry'],
} as const satisfies { readonly [op: string]: readonly [RequirementId, RequirementId, RequirementId] };

const wasMeddledWith = wasBefore(wasRetriedAgainstRule);
/** A stop that had not stopped it would have shown by now. */
const ranOut = isOver(ENDED, (_, { job }) => job.life.foreseen(0).lastsMs);
const longEnded = isOver(ENDED, () => 0);

/** What looks decide of calls that were made before them. */
export const CALL_DECISIONS: readonly Decisions[] = [
  {
    shown: ['cancelled'],
    notFound: ['cancelled'],
    // What its executionTimeout has ended proves no cancellation.
    if: not(hasOverrun),
    ids: [
      ['3/cancelled-stays'],
      ['3/cancel-queued', wasIn('queue')],
      ['3/cancelled-never-starts', and(wasIn('queue'), longEnded)],
      ['3/cancel-running', wasIn('progress')],
      ['3/cancelled-never-completes', and(wasIn('progress'), ranOut)],
      ['4.5/cancels-runsync-job', isSync],
      ['4.5/cancels-retried-job', isRetried],
      ['4.6/no-effect-on-cancelled', wasRetriedAgainstRule],
    ],
  },
  {
    shown: ['purged'],
    notFound: ['purged'],
    ids: [['4.7/removes-all-waiting'], ['4.7/purged-jobs-never-run', longEnded]],
  },
  { shown: ['progress'], ids: [['4.6/no-effect-in-progress', wasMeddledWith]] },
  { shown: ['completed'], ids: [['4.6/no-effect-on-completed', wasMeddledWith]] },
];

/** Section 4.6: what the first look after a `/retry` decides; the answer of that call proves nothing of what it did. */
export const RETRY_DECISIONS: readonly (readonly [RequirementId, Condition])[] = [
  ['3/retry-requeues-failed', ({ retriedFrom }) => retriedFrom === 'failed'],
  ['3/retry-requeues-timed-out', ({ retriedFrom }) => retriedFrom === 'timed-out'],
  ['4.6/retries-runsync-job', isSync],
  ['4.6/failed-again-can-be-retried', ({ retries }) => retries > 1],
];

/** What any record decides, whatever state it shows. */
export const RECORD_DECISIONS: readonly Decisions[] = [
  {
    shown: RECORDED,
    if: isLook,
    ids: [
      ['4.3/shows-current-state'],
      ['4/operation-status'],
      ['3/submission-creates-job-runsync', isSync],
      ['3/submission-creates-job-run', not(isSync)],
      ['4.3/ttl-accepted', (_, { op }) => op.ttlMs !== null && op.ttlMs >= 10_000],
    ],
  },
  { shown: RECORDED, ids: [['2.4/id-kept-across-retry', isRetried]] },
];
