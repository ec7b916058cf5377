/** Calls on one job that are under way at one time: what each can find the job at, and which of them are alike. */
import type { JobStatus } from '../../spec/types.js';
import { recordOf } from '../observed/reading.js';
import type { Hypothesis, Place } from './hypothesis.js';
import { type Operation, SHOWN } from './operations.js';

/** A call under way that has a part in the order of things. */
export interface Pending {
  /** Its place among the job's operations, which are sorted by their ends. */
  readonly index: number;
  readonly op: Operation;
  /** Where it may find the job, without changing anything of it; null for a call that may change it. */
  readonly finds: readonly Place[] | null;
  /** It was never answered: it may have no effect, too, or have it at any time. */
  readonly isLost: boolean;
}

const GONE: readonly Place[] = ['gone', 'cancelled', 'purged'];
const ENDED: readonly Place[] = ['completed', 'failed', 'timed-out', ...GONE];
const ANYWHERE: readonly Place[] = ['queue', 'progress', ...ENDED];
const NOT_FAILED: readonly Place[] = ANYWHERE.filter((place) => place !== 'failed' && place !== 'timed-out');

/** It says nothing of the job, wherever that is, and does nothing to it. */
export function saysNothing(op: Operation): boolean {
  switch (op.kind) {
    case 'probe':
      return true;
    case 'stream':
      return op.answer !== 'ok';
    case 'reply':
    case 'status': {
      const tells = (op.answer === 'ok' && op.shows !== null) || (op.kind === 'status' && op.code === 404);
      return !tells && !(op.answer === 'unknown' && op.ttlMs !== null);
    }
    default:
      return false;
  }
}

export function pendingOf(op: Operation, index: number): Pending {
  return { index, op, finds: placesFound(op), isLost: op.byMs === Infinity };
}

function placesFound(op: Operation): readonly Place[] | null {
  switch (op.kind) {
    case 'status':
      if (op.ttlMs !== null) return null;
      return op.code === 404 ? GONE : SHOWN[op.shows!];
    case 'reply':
      return SHOWN[op.shows!];
    case 'stream':
      return ANYWHERE;
    case 'webhook':
      return ENDED;
    case 'cancel':
      return op.answer === 'refused' ? ENDED : null;
    case 'retry':
      // That it was refused is remembered, but changes nothing. After a failure it must not be, save after many retries.
      return op.answer === 'refused' ? NOT_FAILED : null;
    default:
      return null;
  }
}

/** Calls of one kind that were answered alike: which of them did what makes no difference. */
export function areAlike({ op: left }: Pending, { op: right }: Pending): boolean {
  return (
    left.kind === right.kind &&
    left.answer === right.answer &&
    left.code === right.code &&
    left.shows === right.shows &&
    Object.is(left.ttlMs, right.ttlMs) &&
    left.isAsBeforeRetry === right.isAsBeforeRetry &&
    // Which of them removed a job is asked for later.
    left.kind !== 'purge' &&
    timesTold(left) === timesTold(right)
  );
}

const TIMED: ReadonlySet<JobStatus | null> = new Set<JobStatus>(['COMPLETED', 'FAILED', 'TIMED_OUT']);

function timesTold({ shows, call }: Operation): string {
  if (!TIMED.has(shows) || call === null) return '';
  const record = recordOf(call);
  return `${String(record?.['delayTime'])} ${String(record?.['executionTime'])}`;
}

/** Where a job can be from here on, if it is neither retried nor given to another worker. */
const ONWARD: { readonly [P in Place]: readonly Place[] } = {
  queue: ANYWHERE,
  progress: ANYWHERE.filter((place) => place !== 'queue'),
  completed: ['completed', 'cancelled', 'gone'],
  failed: ['failed', 'cancelled', 'gone'],
  'timed-out': ['timed-out', 'cancelled', 'gone'],
  cancelled: ['cancelled', 'gone'],
  purged: ['purged', 'gone'],
  gone: ['gone'],
};

/** True when `left` was over before `right` began. */
export function precedes(left: Operation, right: Operation): boolean {
  if (left.endedTick !== null && right.sentTick !== null) return left.endedTick < right.sentTick;
  return left.byMs < right.fromMs;
}

/** It cannot find the job any more, if that does not come back to where it was. */
export function isTooLate({ finds }: Pending, { place }: Hypothesis): boolean {
  return finds !== null && !ONWARD[place].some((later) => finds.includes(later));
}

/** The call that has to be the first of two that are alike, if any has. */
export function comesFirst(left: Pending, right: Pending): boolean {
  const sooner = left.op.fromMs - right.op.fromMs;
  // Of reads whoever asked first, of changes also who was answered first.
  if (left.finds !== null || (left.isLost && right.isLost))
    return sooner < 0 || (sooner === 0 && left.index < right.index);
  return sooner <= 0 && left.index < right.index;
}

/** Of so many reads that were sent and answered at the same two instants, and alike, none tells more than the others. */
const ALIKE_MAX = 2;

/**
 * The operations, sorted by their ends, without reads that only repeat what others tell. Whatever it told, to leave out a read
 * is to know less of the job and never more; a call that may have changed it is never left out.
 */
export function withoutRepetitions(operations: readonly Operation[]): readonly Operation[] {
  const kept: Operation[] = [];
  // Most calls on a job follow one another: then there is nothing to compare.
  let lastEndedTick = -Infinity;
  let reads: Pending[] = [];
  for (const [index, op] of operations.entries()) {
    if (op.sentTick !== null && lastEndedTick > op.sentTick && !saysNothing(op)) {
      const read = pendingOf(op, index);
      const like = reads.filter((other) => isAtOnce(other.op, op) && areAlike(other, read));
      if (read.finds !== null && like.length >= ALIKE_MAX) continue;
      reads.push(read);
    } else reads = saysNothing(op) ? [] : [pendingOf(op, index)];
    kept.push(op);
    if (op.sentTick !== null) lastEndedTick = Math.max(lastEndedTick, op.endedTick ?? Infinity);
  }
  return kept;
}

const isAtOnce = (left: Operation, right: Operation): boolean =>
  left.fromMs === right.fromMs && left.byMs === right.byMs;
