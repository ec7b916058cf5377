/** Which calls were made in the window of a rate, or were under way, when another one was made. */
import type { CallEvent } from '../../history/events.js';
import { RATED_OPERATIONS } from '../../spec/operations.js';
import { RATES } from '../../spec/rates.js';
import { answerOf, operationInPath, isFromOtherUser, effectPrecedes } from './recorded-call.js';
import type { Session } from './session.js';

/** The calls made in the window that ends with this one, itself included. */
export function windowBefore(
  call: CallEvent,
  calls: readonly CallEvent[],
  windowMs: number,
): readonly CallEvent[] {
  // Where a clock stands still, only the order of the calls tells which of one instant came before.
  const byTick = call.endedTick ?? Infinity;
  const sinceMs = call.sentMs - windowMs;
  return calls.filter((one) => one.sentTick <= byTick && (one.receivedMs ?? Infinity) >= sinceMs);
}

/** How many calls may have been under way with it, itself included. */
export function concurrentCalls(call: CallEvent, calls: readonly CallEvent[]): number {
  const byTick = call.endedTick ?? Infinity;
  return calls.filter((one) => one.sentTick <= byTick && !effectPrecedes(one, call)).length;
}

/** The most of these calls that were under way at once. */
export function maxConcurrent(calls: readonly CallEvent[]): number {
  // A call that took no time was never under way beside another, save where its body was held back.
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
 * So many calls of its operation were made before it, or were under way with it, that it may have been refused for that,
 * whatever the code was. Of an operation whose limits are not shown that is never known.
 */
export function mayBeBeyondLimits({ session }: { readonly session: Session }, call: CallEvent): boolean {
  const op = RATED_OPERATIONS.find((one) => one === call.op);
  if (op === undefined) return false;
  const { requests, windowMs, concurrency } = RATES[op]!;
  const calls = session.calls.filter((one) => operationInPath(one) === op);
  if (calls.length <= Math.min(requests, concurrency ?? requests)) return false;
  // A window may be late, as any other timer.
  const graceMs = session.run.graceMs;
  return (
    windowBefore(call, calls, windowMs + graceMs).length > requests ||
    (concurrency !== null && concurrentCalls(call, calls) > concurrency)
  );
}

/**
 * Calls that were forbidden when all that the rate allows had been accepted: beyond the rate, though that is told by 429. Of what
 * comes after the rate, the operation and its job, such an answer tells nothing.
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

/** How many of these, the least first, are less than `limit`. */
export function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
