/** Which of many reads at once have to be followed. */
import { areAlike, pendingOf, saysNothing, type Pending } from './pending.js';
import type { Operation } from './operations.js';

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
