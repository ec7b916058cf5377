/** Which of many calls at once have to be followed. */
import type { Operation } from './operations.js';

/**
 * Where many calls of one kind overlap that were answered alike, the order among them is not worth its price:
 * a few stand for all. Reads have no effect, and what several equal changes do, a few of them do: only that each
 * `/retry` may start a run of its own.
 */
const ALIKE_AT_ONCE_MAX = 2;

/** The operations, sorted by their ends, without those that others stand for. */
export function thinned(operations: readonly Operation[]): readonly Operation[] {
  const kept: Operation[] = [];
  // Most calls on a job follow one another: then there is nothing to compare.
  let lastEndedTick = -Infinity;
  for (const op of operations) {
    if (op.call === null || op.kind === 'probe' || op.kind === 'purge') {
      kept.push(op);
      continue;
    }
    const overlaps = op.sentTick !== null && lastEndedTick > op.sentTick;
    const counts = op.kind === 'retry' && op.answer !== 'refused';
    if (overlaps && !counts && alikeAtOnce(kept, op) >= ALIKE_AT_ONCE_MAX) continue;
    kept.push(op);
    lastEndedTick = Math.max(lastEndedTick, op.endedTick ?? Infinity);
  }
  return kept;
}

function alikeAtOnce(kept: readonly Operation[], op: Operation): number {
  return kept.filter(
    (other) =>
      other.kind === op.kind &&
      other.code === op.code &&
      other.shows === op.shows &&
      Object.is(other.ttlMs, op.ttlMs) &&
      (other.endedTick ?? Infinity) > op.sentTick!,
  ).length;
}
