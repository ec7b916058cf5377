/** Requirements about jobs that range over several cases: which of them an observation decides. */
import type { RequirementId } from '../../spec/index.js';
import type { JobStatus } from '../../spec/types.js';
import { BY_READING, CANCELS_RETRIED, READS, STATUS_TTL, UNENDED } from '../observed/instances.js';
import { commonValue, holdsInAll, type StepContext } from './conditions.js';
import type { JobState } from './hypothesis.js';
import type { ObservedJob } from './observed-job.js';
import type { JobOperation } from './operations.js';

type Cases = (step: StepContext) => readonly string[];

/** Calls that only read: had one restarted the `ttl`, the job would still be there. */
function readsOutlived({ rules, job, op, after }: StepContext): readonly string[] {
  const isOutlived = (read: JobOperation): boolean =>
    read.answer === 'ok' &&
    read.ttlMs === null &&
    read.fromMs > job.submittedByMs &&
    holdsInAll(
      after,
      ({ policy: { ttlMs } }) =>
        ttlMs !== null && op.byMs < read.fromMs + ttlMs - rules.earlyToleranceMs(ttlMs),
    );
  const reads = job.operations.filter(isOutlived).map(({ kind }) => `/${kind}`);
  return READS.filter((read) => reads.includes(read));
}

/** The state that the call showed which gave the job its `ttl`, or the read before it where that had passed already. */
function stateGivenTtl({ job: { operations }, op }: StepContext): readonly string[] {
  const given = operations.findLastIndex(
    ({ ttlMs, answer, code, byMs }) => ttlMs !== null && (answer === 'ok' || code === 404) && byMs <= op.byMs,
  );
  const shown = operations.slice(0, given + 1).findLast(({ observed }) => observed !== null);
  return named(shown?.observed);
}

/** The state in which the job was cancelled. */
function stateCancelled({ job, after }: StepContext): readonly string[] {
  const state = commonValue(after, ({ previousState }) => previousState);
  return named(STATUS_OF[state ?? (hasWaitedFromRetryToCancel(job) ? 'queued' : 'cancelled')]);
}

/** All workers were busy with other jobs meanwhile. */
function hasWaitedFromRetryToCancel({ operations, model }: ObservedJob): boolean {
  const last = (kind: JobOperation['kind']) =>
    operations.findLast((one) => one.kind === kind && one.answer === 'ok');
  const [retry, cancel] = [last('retry'), last('cancel')];
  if (retry === undefined || retry.sentTick === null || cancel === undefined) return false;
  return model.startWindow.startsFrom(retry.fromMs, retry.sentTick) > cancel.byMs;
}

const STATUS_OF: { readonly [state in JobState]?: JobStatus } = {
  queued: 'IN_QUEUE',
  running: 'IN_PROGRESS',
};

const named = (status: JobStatus | null | undefined): readonly string[] => {
  const name = UNENDED[status ?? ''];
  return name === undefined ? [] : [name];
};

const CASES: ReadonlyMap<RequirementId, Cases> = new Map<RequirementId, Cases>([
  [BY_READING, readsOutlived],
  ...Object.values(STATUS_TTL).map((id) => [id, stateGivenTtl] as const),
  [CANCELS_RETRIED, stateCancelled],
]);

/** Null: the requirement has no cases. */
export const casesDecided = (id: RequirementId, step: StepContext): readonly string[] | null =>
  CASES.get(id)?.(step) ?? null;
