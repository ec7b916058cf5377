/** The words in which a violation tells what was observed. */
import type { CallEvent } from '../../history/events.js';
import type { JobOperation } from '../model/operations.js';
import type { UnsatisfiedBound } from '../model/tracer.js';
import { between } from '../../util/duration.js';
import { describeCall, statusIn } from '../observed/recorded-call.js';
import { formatContradiction, type Contradiction } from './contradiction.js';

/** The rule's own words; the sum of the bounds as well, unless they end with what was seen, and so have it. */
export function arithmetic(
  unsatisfied: UnsatisfiedBound | null,
  contradiction: Contradiction | null,
): readonly string[] {
  const words = unsatisfied?.proof ?? [];
  if (contradiction?.kind !== 'time' || words.at(-1)?.startsWith('but ') === true) return words;
  return [...words, ...formatContradiction(contradiction)];
}

/** A call may be consistent with a waiting job without reporting that it waits. */
export function queuedAt(call: CallEvent): string {
  const how =
    statusIn(call) !== 'IN_QUEUE'
      ? 'last known IN_QUEUE:'
      : call.op === 'retry'
        ? 'requeued by'
        : 'last seen IN_QUEUE:';
  return `${how} ${describeCall(call)}`;
}

export function describe(op: JobOperation): string {
  return op.call === null ? `${op.kind} ${between(op.fromMs, op.byMs)}` : describeCall(op.call);
}
