/** What all explanations of an operation, taken together, tell of the job for good. */
import type { Context } from './context.js';
import type { Hypothesis, Place } from './hypothesis.js';
import type { JobCase } from './job.js';
import type { Life } from './life.js';
import type { Operation } from './operations.js';
import { placesSince } from './places-since.js';

/**
 * Where the job may have been while it was counted, or when the queue was purged. `sinceMs`: from when on it may have been
 * counted; `goneByMs`: by when it was no longer found.
 */
export function placesAt(
  ctx: Context,
  life: Life,
  op: Operation,
  after: readonly Hypothesis[],
  sinceMs: number,
  goneByMs: number,
): ReadonlySet<Place> {
  if (op.kind !== 'purge')
    return new Set(after.flatMap((at) => [...placesSince(ctx, life, at, op, sinceMs, goneByMs)]));
  // It was waiting in those explanations in which it was removed.
  return new Set(
    after.map((at) => (at.purgedBy === op.call ? 'queue' : at.place === 'queue' ? 'gone' : at.place)),
  );
}

/** Whether a `/retry` requeued the job; null where that is uncertain. */
export function hasRequeued(job: JobCase, op: Operation, after: readonly Hypothesis[]): boolean | null {
  if (op.answer === 'refused') return false;
  // Of several at once another may have requeued it once more since, or this one instead of the other.
  const others = job.operations.filter((one) => one.kind === 'retry' && one.answer !== 'refused');
  if (others.some((other) => other !== op && mayBeBeside(other, op))) return null;
  const effects = new Set(after.map((at) => at.lastRetry === op.call));
  return effects.size === 1 ? effects.has(true) : null;
}

function mayBeBeside(left: Operation, right: Operation): boolean {
  const before = (one: Operation, other: Operation): boolean => (one.endedTick ?? Infinity) < other.sentTick!;
  return !before(left, right) && !before(right, left);
}
