/** Section 8: which requirement a 429 violates that came below the base limit of its operation. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WAIT_DEFAULT_MS } from '../../spec/limits.js';
import { effectPrecedes } from '../observed/recorded-call.js';
import { ascending, countBelow, maxConcurrent, wasLetIn, windowBefore } from '../observed/rate-windows.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { RateRow } from './rate-table.js';

export interface EarlyRefusals {
  readonly violatedBy: (call: CallEvent) => RequirementId;
  /** Judged by the calls of its own operation alone. */
  readonly ofItsOwn: (call: CallEvent) => RequirementId;
}

/**
 * The refusals of one operation at one endpoint. Their cause shows in comparison with each other and with the
 * accepted calls. `calls`: all calls of the operation, in the order of sending.
 */
export function earlyRefusals(
  context: JudgingContext,
  row: RateRow,
  calls: readonly CallEvent[],
): EarlyRefusals {
  const { op, requests, windowMs, concurrency } = row;
  const accepted = calls.filter(wasLetIn);
  // A call that was broken off has no answer, and takes its place as one that was accepted does.
  const places = calls.filter((one) => wasLetIn(one) || one.reply === null);
  const otherEndpoints = context.otherEndpoints.flatMap(({ session }) =>
    session.calls.filter((one) => one.op === op),
  );
  const others = context.session.calls.filter((one) => one.op !== op);

  /** Whether the base limit would have been used up before each refusal if these calls shared it. */
  const isUsedUpWith = (these: readonly CallEvent[], refused: readonly CallEvent[]): boolean => {
    const shared = these.filter(wasLetIn);
    const counted = [...accepted, ...shared];
    const isExplained = (own: readonly CallEvent[]): boolean =>
      own.every(
        (call) =>
          call.reply?.status !== 429 ||
          windowBefore(call, own, windowMs).length > requests ||
          windowBefore(call, counted, windowMs).length >= requests,
      );
    return shared.length > 0 && isExplained(calls) && isExplained(refused);
  };
  const isUsedUpElsewhere = isUsedUpWith(otherEndpoints, otherEndpoints);
  const isUsedUpByOthers = isUsedUpWith(others, []);
  const mostBefore = mostLetIn(accepted, windowMs);
  const mostAtOnce = maxConcurrent(accepted);

  /** How many calls were in flight, if that number and not the rate explains the refusal; else null. */
  const concurrencyAround = (call: CallEvent): number | null => {
    if (concurrency === null) return null;
    // Calls that were broken off long ago still take their places.
    const brokenOff = brokenOffBefore(call, calls).length;
    if (brokenOff >= concurrency.most) return brokenOff;
    const before = windowBefore(call, accepted, windowMs).length;
    // As many submissions as calls may be in flight were accepted, and the next was not: so jobs are counted,
    // not calls.
    if (op === 'run' && before === concurrency.most) return before;
    const underWay = places.filter(
      (one) => one.sentTick <= (call.endedTick ?? Infinity) && !effectPrecedes(one, call),
    );
    if (underWay.length === 0 || mostAtOnce > underWay.length) return null;
    // Another call was accepted after as many; or a larger part of the concurrency than of the rate was used.
    const together = maxConcurrent(underWay);
    return mostBefore >= before || together / concurrency.most > before / requests ? together : null;
  };
  const ofItsOwn = (call: CallEvent): RequirementId => {
    const isRecovered = row.recovers !== null && windowBefore(call, calls, windowMs).length <= 1;
    const wasRefused = ({ reply, endedTick }: CallEvent): boolean =>
      reply?.status === 429 && (endedTick ?? Infinity) < call.sentTick;
    if (isRecovered && calls.some(wasRefused)) return row.recovers;
    return concurrency !== null && concurrencyAround(call) !== null ? concurrency.below : row.below;
  };
  const violatedBy = (call: CallEvent): RequirementId => {
    if (isUsedUpElsewhere) return '8/rate-per-endpoint';
    if (!isUsedUpByOthers) return ofItsOwn(call);
    // A lower limit for this operation alone would be at least half used up.
    const isFarBelow = 2 * windowBefore(call, calls, windowMs).length <= requests;
    // Nor would the refusal coincide with many concurrent calls of its own operation.
    const isConcurrencyNear = concurrency !== null && 2 * (concurrencyAround(call) ?? 0) >= concurrency.most;
    return isFarBelow && !isConcurrencyNear ? '8/rate-per-operation' : ofItsOwn(call);
  };
  return { violatedBy, ofItsOwn };
}

/** The most calls that had been accepted within a window when another one was. */
function mostLetIn(accepted: readonly CallEvent[], windowMs: number): number {
  const ends = accepted.map(({ endedTick }) => endedTick ?? Infinity).sort(ascending);
  const times = accepted.map(({ receivedMs }) => receivedMs ?? Infinity).sort(ascending);
  const before = accepted.map(
    ({ sentTick, sentMs }) => countBelow(ends, sentTick) - countBelow(times, sentMs - windowMs),
  );
  return before.reduce((most, each) => Math.max(most, each), 0);
}

/**
 * Calls that were never answered, and are certainly not in progress any more when this one is sent: even a service that
 * does not notice that their clients have hung up has stopped waiting for them.
 */
export function brokenOffBefore(call: CallEvent, calls: readonly CallEvent[]): readonly CallEvent[] {
  const isOver = (one: CallEvent): boolean => {
    const waitMs = one.op === 'runsync' ? Number(one.request.query['wait'] ?? WAIT_DEFAULT_MS) : 0;
    return one.sentMs + 2 * waitMs < call.sentMs;
  };
  return calls.filter((one) => one.reply === null && effectPrecedes(one, call) && isOver(one));
}
