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

function inWindowBefore(call: CallEvent, windowMs: number): (one: CallEvent) => boolean {
  // Where a clock stands still, only the order of calls at the same instant shows which came first.
  const byTick = call.endedTick ?? Infinity;
  const sinceMs = call.sentMs - windowMs;
  return (one) => one.sentTick <= byTick && (one.receivedMs ?? Infinity) >= sinceMs;
}

/** The times of many calls, sorted, to count those around each of them. */
export class CallTimes {
  private readonly sentTicks: readonly number[];
  private readonly receivedMs: readonly number[];
  /** Of answered calls. */
  private readonly endedTicks: readonly number[];
  private readonly lost: readonly CallEvent[];

  constructor(calls: readonly CallEvent[]) {
    const answered = calls.filter(({ receivedMs }) => receivedMs !== null);
    this.lost = calls.filter(({ receivedMs }) => receivedMs === null);
    this.sentTicks = calls.map(({ sentTick }) => sentTick).sort(ascending);
    this.receivedMs = answered.map(({ receivedMs }) => receivedMs!).sort(ascending);
    this.endedTicks = answered.map(({ endedTick }) => endedTick ?? Infinity).sort(ascending);
  }

  /** How many calls are in the window that ends with this one. */
  inWindowBefore(call: CallEvent, windowMs: number): number {
    return this.sentBy(call) - countBelow(this.receivedMs, call.sentMs - windowMs);
  }

  /** How many calls may have been pending together with this one. */
  pendingWith(call: CallEvent): number {
    const lostBefore = this.lost.filter((one) => isSentBy(one, call) && effectPrecedes(one, call));
    return this.sentBy(call) - countBelow(this.endedTicks, call.sentTick) - lostBefore.length;
  }

  private sentBy({ endedTick }: CallEvent): number {
    return countBelow(this.sentTicks, (endedTick ?? Infinity) + 1);
  }
}

const isSentBy = (one: CallEvent, { endedTick }: CallEvent): boolean =>
  one.sentTick <= (endedTick ?? Infinity);

export const bySending = (left: CallEvent, right: CallEvent): number => left.sentTick - right.sentTick;
export const isLimited = ({ reply }: CallEvent): boolean => reply?.status === 429;
export const wasLetIn = ({ reply }: CallEvent): boolean => reply !== null && reply.status !== 429;

export const ascending = (left: number, right: number): number => left - right;

/** How many calls may have been pending together with it, itself included. */
function concurrentCalls(call: CallEvent, calls: readonly CallEvent[]): number {
  return calls.filter((one) => isSentBy(one, call) && !effectPrecedes(one, call)).length;
}

/** The greatest number of these calls that were pending at once. */
export function maxConcurrent(calls: readonly CallEvent[]): number {
  // A call that took no time did not overlap with others, unless its body was held back.
  const lasting = calls.filter((call) => call.held !== undefined || call.receivedMs! > call.sentMs);
  const begun = lasting.map(({ sentTick }) => sentTick).sort(ascending);
  const ended = lasting.map(({ endedTick }) => endedTick ?? Infinity).sort(ascending);
  let most = 0;
  let over = 0;
  for (const [index, tick] of begun.entries()) {
    while (ended[over]! < tick) over += 1;
    most = Math.max(most, index + 1 - over);
  }
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
 * Calls that were answered with 403 after all that the rate allows had been accepted. They were beyond the rate,
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
