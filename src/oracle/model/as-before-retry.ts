/** Looks at a job after a `/retry` that tell no more than what was known before that call. */
import type { CallEvent } from '../../history/events.js';
import { recordOf, sameJson } from '../observed/reading.js';
import type { Operation } from './operations.js';

/** What a second run may tell otherwise than the first. Anything else of a record may change from look to look. */
const TELLING = ['status', 'delayTime', 'executionTime', 'error', 'output'] as const;

const isLook = ({ kind, answer, shows }: Operation): boolean =>
  (kind === 'status' || kind === 'reply') && answer === 'ok' && shows !== null;

const isUnsuccessful = ({ shows }: Operation): boolean => shows === 'FAILED' || shows === 'TIMED_OUT';

/** The operations on one job, sorted by their ends; looks that tell nothing new since a `/retry` are marked. */
export function markedAfterRetries(operations: readonly Operation[]): readonly Operation[] {
  const retries = operations.filter(({ kind, answer }) => kind === 'retry' && answer !== 'refused');
  if (retries.length === 0) return operations;
  return operations.map((op) => {
    if (!isLook(op) || !isUnsuccessful(op)) return op;
    const retry = retries.findLast(({ sentTick }) => sentTick! < op.endedTick!);
    if (retry === undefined) return op;
    const overTick = retry.endedTick ?? Infinity;
    const isLater = ({ sentTick }: Operation): boolean => sentTick! > overTick && sentTick! < op.endedTick!;
    // Seen to wait or to run since, it has ended once more.
    if (operations.some((one) => isLook(one) && !isUnsuccessful(one) && isLater(one))) return op;
    const before = operations.findLast((one) => isLook(one) && one.endedTick! < retry.sentTick!);
    const isAsBeforeRetry =
      before === undefined || !isUnsuccessful(before) || isAlike(before.call!, op.call!);
    return isAsBeforeRetry ? { ...op, isAsBeforeRetry } : op;
  });
}

function isAlike(left: CallEvent, right: CallEvent): boolean {
  const [one, other] = [recordOf(left), recordOf(right)];
  return TELLING.every((name) => sameJson(one?.[name], other?.[name]));
}
