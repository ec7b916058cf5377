/** Section 8: which promise a 429 breaks that came before the base limit of its operation was reached. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { RATES } from '../../spec/rates.js';
import { countBelow } from '../observed/in-order.js';
import { overBefore } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import type { Limited } from '../observed/limited.js';
import { mostTogether, windowBefore } from '../observed/windows-before.js';

const wasAccepted = ({ reply }: CallEvent): boolean => reply !== null && reply.status !== 429;

/** The refusals of one operation at one endpoint. What one of them means shows beside the others, and the calls that were let in. */
export class EarlyRefusals {
  private readonly op: Limited;
  private readonly calls: readonly CallEvent[];
  private readonly accepted: readonly CallEvent[];
  /** With the calls of the same operation at other endpoints, the base limit explains them all. */
  private readonly isUsedUpBeside: boolean;
  /** With the calls of other operations, it does. */
  private readonly isUsedUpByOthers: boolean;
  /** So many had been accepted within a window when another one was. */
  private readonly mostBefore: number;
  /** So many were accepted that were under way at once. */
  private readonly mostAtOnce: number;

  /** `calls`: all those of the operation, in the order of their sending. */
  constructor(scene: Scene, op: Limited, calls: readonly CallEvent[]) {
    this.op = op;
    this.calls = calls;
    this.accepted = calls.filter(wasAccepted);
    const beside = scene.beside.flatMap(({ session }) => session.calls.filter((one) => one.op === op));
    const others = scene.session.calls.filter((one) => one.op !== op);
    this.isUsedUpBeside = this.isUsedUpWith(beside, beside);
    this.isUsedUpByOthers = this.isUsedUpWith(others, []);
    this.mostBefore = mostBefore(this.accepted, RATES[op]!.windowMs);
    this.mostAtOnce = mostTogether(this.accepted);
  }

  brokenBy(call: CallEvent): RequirementId {
    const { requests, windowMs, concurrency } = RATES[this.op]!;
    const made = windowBefore(call, this.calls, windowMs).length;
    if (this.isUsedUpBeside) return '8/rate-per-endpoint';
    // Of a lower limit for this operation alone, half would be used up at the least.
    const crowd = this.crowdAround(call);
    // Nor would it be refused just when so many of its own kind are under way.
    const isCrowded = crowd !== null && 2 * crowd >= concurrency!;
    if (this.isUsedUpByOthers && 2 * made <= requests && !isCrowded) return '8/rate-per-operation';
    return this.ofItsOwn(call);
  }

  /** By what the calls of its own operation show. */
  ofItsOwn(call: CallEvent): RequirementId {
    const { op, calls } = this;
    const made = windowBefore(call, calls, RATES[op]!.windowMs).length;
    const wasRefused = calls.some(
      (one) => one.reply?.status === 429 && (one.endedTick ?? Infinity) < call.sentTick,
    );
    if (wasRefused && made <= 1 && op !== 'openai' && op !== 'requests') return `8/rate-${op}-recovers`;
    if (op !== 'purge-queue' && this.crowdAround(call) !== null) return `8/concurrency-${op}-below`;
    return `8/rate-${op}-below`;
  }

  /**
   * Whether the base limit would have been used up before each refusal, had it held for these others as well; `alike`: those
   * of them that are of the same operation.
   */
  private isUsedUpWith(others: readonly CallEvent[], alike: readonly CallEvent[]): boolean {
    const { requests, windowMs } = RATES[this.op]!;
    const accepted = others.filter(wasAccepted);
    if (accepted.length === 0) return false;
    const counted = [...this.accepted, ...accepted];
    const isExplained = (calls: readonly CallEvent[]): boolean =>
      calls.every(
        (call) =>
          call.reply?.status !== 429 ||
          windowBefore(call, calls, windowMs).length > requests ||
          windowBefore(call, counted, windowMs).length >= requests,
      );
    return isExplained(this.calls) && isExplained(alike);
  }

  /** How many calls were under way, where that number was too high and not the rate; else null. */
  private crowdAround(call: CallEvent): number | null {
    const { op, accepted } = this;
    const { requests, windowMs, concurrency } = RATES[op]!;
    const before = windowBefore(call, accepted, windowMs).length;
    const beside = accepted.filter(
      (one) => one.sentTick <= (call.endedTick ?? Infinity) && !overBefore(one, call),
    );
    // As many submissions as calls may be under way were let in, and the next was not: their jobs are counted.
    if (op === 'run' && before === concurrency) return before;
    if (beside.length === 0 || this.mostAtOnce > beside.length) return null;
    // With as many before it another call was let in; or else, of what is allowed at once more had been used up than of the rate.
    const together = mostTogether(beside);
    return this.mostBefore >= before || together / concurrency! > before / requests ? together : null;
  }
}

/** The most calls that had been accepted within a window when one more was. */
function mostBefore(accepted: readonly CallEvent[], windowMs: number): number {
  const ends = accepted.map(({ endedTick }) => endedTick ?? Infinity).sort(ascending);
  const times = accepted.map(({ receivedMs }) => receivedMs ?? Infinity).sort(ascending);
  const before = accepted.map(
    ({ sentTick, sentMs }) => countBelow(ends, sentTick) - countBelow(times, sentMs - windowMs),
  );
  return before.reduce((most, each) => Math.max(most, each), 0);
}

const ascending = (left: number, right: number): number => left - right;
