/** Which calls were made within the window of a rate limit, or were pending, when another one was made. */
import type { CallEvent } from '../../history/events.js';
import { RATED_OPERATIONS } from '../../spec/operations.js';
import { RATES } from '../../spec/rates.js';
import { answerOf, operationInPath, isFromOtherUser, effectPrecedes } from './recorded-call.js';
import type { Session } from './session.js';

/** The calls in the window that ends with this one, itself included. */
export function windowBefore(
  call: CallEvent,
  calls: readonly CallEvent[],
  windowMs: number,
): readonly CallEvent[] {
  return calls.filter(inWindowBefore(call, windowMs));
}

/** Whether no other call is in the window that ends with this one. @param calls in the order of sending */
export function isAloneInWindow(call: CallEvent, calls: readonly CallEvent[], windowMs: number): boolean {
  const isInWindow = inWindowBefore(call, windowMs);
  // From the end, as most calls have neighbours, and the others have none at all.
  return calls.findLast((one) => one !== call && isInWindow(one)) === undefined;
}

function inWindowBefore(call: CallEvent, windowMs: number): (one: CallEvent) => boolean {
  // Where a clock stands still, only the order of calls at the same instant shows which came first.
  const byTick = call.endedTick ?? Infinity;
  const sinceMs = call.sentMs - windowMs;
  return (one) => one.sentTick <= byTick && (one.receivedMs ?? Infinity) >= sinceMs;
}

/** How many calls may have been pending together with it, itself included. */
export function concurrentCalls(call: CallEvent, calls: readonly CallEvent[]): number {
  const byTick = call.endedTick ?? Infinity;
  return calls.filter((one) => one.sentTick <= byTick && !effectPrecedes(one, call)).length;
}

/** The greatest number of these calls that were pending at once. */
export function maxConcurrent(calls: readonly CallEvent[]): number {
  // A call that took no time did not overlap with others, unless its body was held back.
  const lasting = calls.filter((call) => call.held !== undefined || call.receivedMs! > call.sentMs);
  const ticks = lasting.flatMap((call) => [
    { at: call.sentTick, change: 1 },
    { at: call.endedTick ?? Infinity, change: -1 },
  ]);
  ticks.sort((left, right) => left.at - right.at);
  let now = 0;
  let most = 0;
  for (const { change } of ticks) most = Math.max(most, (now += change));
  return most;
}

/**
 * Whether so many calls of the operation preceded it, or overlapped with it, that it may have been refused
 * for that, whatever the code was. False for operations whose limits the document does not give.
 */
export function mayBeBeyondLimits({ session }: { readonly session: Session }, call: CallEvent): boolean {
  const op = RATED_OPERATIONS.find((one) => one === call.op);
  if (op === undefined) return false;
  const { requests, windowMs, concurrency } = RATES[op]!;
  const calls = session.calls.filter((one) => operationInPath(one) === op);
  if (calls.length <= Math.min(requests, concurrency ?? requests)) return false;
  // A window may be late, like any other timer.
  const graceMs = session.run.graceMs;
  return (
    windowBefore(call, calls, windowMs + graceMs).length > requests ||
    (concurrency !== null && concurrentCalls(call, calls) > concurrency)
  );
}

/**
 * Calls that were answered 403 after all that the rate allows had been accepted. They were beyond the rate,
 * although 429 is the code for that; such an answer says nothing about the operation or its job.
 */
export function forbiddenBeyondRate({ run, calls }: Session): ReadonlySet<CallEvent> {
  const found = new Set<CallEvent>();
  if (!run.capabilities.includes('dedicated')) return found;
  const forbidden = calls.filter(({ reply, request }) => reply?.status === 403 && request.illegal === null);
  if (forbidden.length === 0) return found;
  for (const op of RATED_OPERATIONS)
    for (const isOther of [false, true]) {
      const { requests, windowMs } = RATES[op]!;
      const own = (call: CallEvent): boolean => call.op === op && isFromOtherUser(call) === isOther;
      const accepted = calls.filter((call) => own(call) && answerOf(call) === 'ok');
      if (accepted.length < requests) continue;
      for (const call of forbidden)
        if (own(call) && windowBefore(call, accepted, windowMs + run.graceMs).length >= requests)
          found.add(call);
    }
  return found;
}

/** How many of these numbers, sorted ascending, are less than `limit`. */
export function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
