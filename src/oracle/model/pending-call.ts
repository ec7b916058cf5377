/**
 * Pending calls on one job: in which states each can be answered as it was, and which of them are
 * equivalent.
 */
import type { JobStatus } from '../../spec/types.js';
import { recordOf } from '../observed/recorded-call.js';
import type { Hypothesis, JobState } from './hypothesis.js';
import { maySetTtl, type JobOperation, STATES_BY_STATUS } from './operations.js';

/** A pending call that can affect the order of effects. */
export interface PendingCall {
  /** Its index among the job's operations, which are sorted by their ends. */
  readonly index: number;
  readonly op: JobOperation;
  /** The states in which it gets this answer without changing the job; null for a call that may change it. */
  readonly answerableIn: readonly JobState[] | null;
  /** It was never answered: it may take effect at any time, or not at all. */
  readonly isLost: boolean;
}

const GONE: readonly JobState[] = ['deleted', 'cancelled', 'purged'];
const ENDED: readonly JobState[] = ['completed', 'failed', 'timed-out', ...GONE];
const ANYWHERE: readonly JobState[] = ['queued', 'running', ...ENDED];
const NOT_FAILED: readonly JobState[] = ANYWHERE.filter(
  (state) => state !== 'failed' && state !== 'timed-out',
);

/** It carries no information about the job and does not change it. */
export function isUninformative(op: JobOperation): boolean {
  switch (op.kind) {
    case 'health':
      return true;
    case 'stream':
      return op.answer !== 'ok';
    case 'reply':
    case 'status': {
      const tells = (op.answer === 'ok' && op.observed !== null) || (op.kind === 'status' && op.code === 404);
      return !tells && !maySetTtl(op);
    }
    default:
      return false;
  }
}

export function pendingOf(op: JobOperation, index: number): PendingCall {
  return { index, op, answerableIn: answerableStates(op), isLost: op.byMs === Infinity };
}

function answerableStates(op: JobOperation): readonly JobState[] | null {
  switch (op.kind) {
    case 'status':
      if (op.ttlMs !== null) return null;
      return op.code === 404 ? GONE : STATES_BY_STATUS[op.observed!];
    case 'reply':
      return STATES_BY_STATUS[op.observed!];
    case 'stream':
      return ANYWHERE;
    case 'webhook':
      return ENDED;
    case 'cancel':
      return op.answer === 'refused' ? ENDED : null;
    case 'retry':
      // The refusal is recorded, but changes nothing. A failed job must not refuse a retry, except after
      // many retries.
      return op.answer === 'refused' ? NOT_FAILED : null;
    default:
      return null;
  }
}

/** Calls of one kind with equal answers: which of them did what makes no difference. */
export function areEquivalent({ op: left }: PendingCall, { op: right }: PendingCall): boolean {
  return (
    left.kind === right.kind &&
    left.answer === right.answer &&
    left.code === right.code &&
    left.observed === right.observed &&
    Object.is(left.ttlMs, right.ttlMs) &&
    left.isAsBeforeRetry === right.isAsBeforeRetry &&
    // Later checks ask which purge removed a job.
    left.kind !== 'purge' &&
    reportedTimes(left) === reportedTimes(right)
  );
}

const TIMED: ReadonlySet<JobStatus | null> = new Set<JobStatus>(['COMPLETED', 'FAILED', 'TIMED_OUT']);

function reportedTimes({ observed, call }: JobOperation): string {
  if (!TIMED.has(observed) || call === null) return '';
  const record = recordOf(call);
  return `${String(record?.['delayTime'])} ${String(record?.['executionTime'])}`;
}

/** The states that a job can reach without a retry and without being dispatched again. */
const REACHABLE: { readonly [P in JobState]: readonly JobState[] } = {
  queued: ANYWHERE,
  running: ANYWHERE.filter((state) => state !== 'queued'),
  completed: ['completed', 'cancelled', 'deleted'],
  failed: ['failed', 'cancelled', 'deleted'],
  'timed-out': ['timed-out', 'cancelled', 'deleted'],
  cancelled: ['cancelled', 'deleted'],
  purged: ['purged', 'deleted'],
  deleted: ['deleted'],
};

/** `left` ended before `right` began. */
export function precedes(left: JobOperation, right: JobOperation): boolean {
  if (left.endedTick !== null && right.sentTick !== null) return left.endedTick < right.sentTick;
  return left.byMs < right.fromMs;
}

/** The job cannot reach a state in which this read is answered, unless it returns to an earlier one. */
export function isNoLongerAnswerable({ answerableIn }: PendingCall, { state }: Hypothesis): boolean {
  return answerableIn !== null && !REACHABLE[state].some((later) => answerableIn.includes(later));
}

/** Of two equivalent calls, the one that takes effect first by convention, if there is a convention. */
export function isCanonicallyFirst(left: PendingCall, right: PendingCall): boolean {
  const sooner = left.op.fromMs - right.op.fromMs;
  // Of reads, the one that was sent first; of changes, the one that was also answered first.
  if (left.answerableIn !== null || (left.isLost && right.isLost))
    return sooner < 0 || (sooner === 0 && left.index < right.index);
  return sooner <= 0 && left.index < right.index;
}

/** Of equivalent reads with the same interval, more than these add no information. */
const EQUIVALENT_READS_MAX = 2;

/**
 * The operations, sorted by their ends, without redundant reads. Dropping a read loses information, but can
 * never cause a false alarm; a call that may have changed the job is never dropped.
 */
export function withoutRedundantReads(operations: readonly JobOperation[]): readonly JobOperation[] {
  return mayOverlap(operations) ? withoutEquivalentReads(operations) : operations;
}

/** Most calls on a job follow one another: then there is nothing to compare. */
function mayOverlap(operations: readonly JobOperation[]): boolean {
  let lastEndedTick = -Infinity;
  for (const op of operations) {
    if (op.sentTick === null) continue;
    if (lastEndedTick > op.sentTick && !isUninformative(op)) return true;
    lastEndedTick = Math.max(lastEndedTick, op.endedTick ?? Infinity);
  }
  return false;
}

function withoutEquivalentReads(operations: readonly JobOperation[]): readonly JobOperation[] {
  const kept: JobOperation[] = [];
  let lastEndedTick = -Infinity;
  let reads: PendingCall[] = [];
  for (const [index, op] of operations.entries()) {
    if (op.sentTick !== null && lastEndedTick > op.sentTick && !isUninformative(op)) {
      const read = pendingOf(op, index);
      const like = reads.filter((other) => haveSameInterval(other.op, op) && areEquivalent(other, read));
      if (read.answerableIn !== null && like.length >= EQUIVALENT_READS_MAX) continue;
      reads.push(read);
    } else reads = isUninformative(op) ? [] : [pendingOf(op, index)];
    kept.push(op);
    if (op.sentTick !== null) lastEndedTick = Math.max(lastEndedTick, op.endedTick ?? Infinity);
  }
  return kept;
}

const haveSameInterval = (left: JobOperation, right: JobOperation): boolean =>
  left.fromMs === right.fromMs && left.byMs === right.byMs;
