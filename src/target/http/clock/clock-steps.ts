import type { Operation } from '../../../spec/types.js';

/** Where the target cannot tell its next event, steps grow with the time in which nothing happened. */
const BLIND_STEP_SHARE = 1 / 32;
/** Events in a row of which nothing is to be seen, before steps grow. */
const IDLE_EVENTS_MAX = 300;

/** How far a controlled clock goes at once: mostly to the very next event, further when events tell nothing. */
export class ClockStepPolicy {
  /** Something was sent since the clock last settled what needs no time. */
  unsettled = false;
  #observedMs: number;
  #idleEvents = 0;

  constructor(nowMs: number) {
    this.#observedMs = nowMs;
  }

  disturbed(nowMs: number): void {
    this.unsettled = true;
    this.observed(nowMs);
  }

  observed(nowMs: number): void {
    this.#observedMs = nowMs;
    this.#idleEvents = 0;
  }

  /** The instant to go to when the target says that its next event is at `nextMs`, which may be early. */
  stepTo(nowMs: number, nextMs: number): number {
    this.#idleEvents += 1;
    const blindMs = nowMs + Math.max(1, Math.floor((nowMs - this.#observedMs) * BLIND_STEP_SHARE));
    if (nextMs <= nowMs) return blindMs;
    return this.#idleEvents > IDLE_EVENTS_MAX ? Math.max(nextMs, blindMs) : nextMs;
  }
}

/** The first replies get at least this long, until enough of them were measured. */
const QUIET_UNKNOWN_MS = 25;
const QUIET_MIN_MS = 4;
const QUIET_MAX_MS = 100;
/** The same over a network, where ordinary replies take long as well. */
const QUIET_OVER_NETWORK_MAX_MS = 2_000;
/** A reply may take up to this multiple of the average. */
const TIMES_AVERAGE = 3;
const SAMPLES_WANTED = 5;
/**
 * Where calls take another way than test control, such as through a proxy: that `advance` was answered does not say that
 * replies are here, and any of them may be held up on the way.
 */
const QUIET_ELSEWHERE_MS = 150;
const TIMES_AVERAGE_ELSEWHERE = 10;

/**
 * How long after the answer to `advance` a reply may still be on its way. It should be out before, yet a busy
 * target, or a long way, delivers it a little later; and the driver would count it as late.
 */
export class ReplyLatencyEstimator {
  #samples = 0;
  #longestMs = 0;
  #ordinary = 0;
  #ordinaryMs = 0;
  readonly #leastMs: number;
  readonly #timesAverage: number;

  /** @param isElsewhere calls take another way than test control */
  constructor(isElsewhere = false) {
    this.#leastMs = isElsewhere ? QUIET_ELSEWHERE_MS : 0;
    this.#timesAverage = isElsewhere ? TIMES_AVERAGE_ELSEWHERE : TIMES_AVERAGE;
  }

  observe(ms: number): void {
    this.#samples += 1;
    this.#longestMs = Math.max(this.#longestMs, ms);
  }

  /** A call that waits for nothing was answered after so many real ms. */
  observeOrdinary(ms: number): void {
    this.#ordinary += 1;
    this.#ordinaryMs += Math.max(0, ms);
  }

  /** Real ms without a reply after which none is taken to be under way. */
  get quietMs(): number {
    const knownMs = Math.min(QUIET_MAX_MS, Math.max(QUIET_MIN_MS, 3 * this.#longestMs));
    const averageMs = this.#ordinary === 0 ? 0 : this.#ordinaryMs / this.#ordinary;
    const networkMs = Math.min(QUIET_OVER_NETWORK_MAX_MS, this.#timesAverage * averageMs);
    const unknownMs = this.#samples < SAMPLES_WANTED ? QUIET_UNKNOWN_MS : 0;
    return Math.max(this.#leastMs, unknownMs, knownMs, networkMs);
  }
}

/** An operation that may wait, by a legal reading, is waited for so long until it is known to. */
const MAY_STALL: ReadonlySet<Operation | null> = new Set<Operation>(['stream', 'openai']);
const STALL_ALLOWED_MS = 600;
/** Any other; how soon it is answered may be left open. */
const STALL_MS = 2_000;
/** These must answer at once; no answer for this long is a failure, not slowness. */
const MAY_NOT_WAIT: ReadonlySet<Operation | null> = new Set<Operation>(['run', 'status', 'cancel', 'retry']);
export const WAITED_FOR_MS = 5_500;
/** The same for one that has been seen to wait before, depending on how quick ordinary answers are. */
const STALL_AGAIN_MIN_MS = 60;
const STALL_AGAIN_MAX_MS = 300;
const TIMES_ORDINARY = 10;
/** A reply over a network may take so many times as long as the quickest one. */
const ROUND_TRIPS_ALLOWED = 8;
/** Reads change nothing, so one that seems to be lost can be asked again: of each operation so many in a run. */
const READS: ReadonlySet<Operation | null> = new Set<Operation>(['status', 'health']);
const ASKED_AGAIN_MAX = 5;
/** Of an operation of which a call was never answered. */
const TIMES_IN_VAIN = 3;

/**
 * After how many real ms without an answer an ordinary call is taken to wait for time to pass. `/stream` may
 * hold its answer back until there is something to tell, `/openai` until a worker has answered; a clock that stood
 * still meanwhile would block both.
 */
export class StallDetector {
  readonly #stalling = new Set<Operation | null>();
  readonly #inVain = new Set<Operation | null>();
  readonly #askedAgain = new Map<Operation | null, number>();
  readonly #roundTripsMs: number;
  #longestMs = 0;
  #samples = 0;

  /** @param roundTripMs real ms that a call takes at least over a network; 0 where the target is near */
  constructor(roundTripMs = 0) {
    this.#roundTripsMs = ROUND_TRIPS_ALLOWED * roundTripMs;
  }

  /** All calls were answered within this many real ms. */
  answered(ms: number): void {
    this.#samples += 1;
    this.#longestMs = Math.max(this.#longestMs, ms);
  }

  /** A call of the operation has been seen to wait for time. */
  stalled(op: Operation | null): void {
    this.#stalling.add(op);
  }

  /**
   * Whether so many calls of the operation, which are not answered, are to be asked again: it is a read, none was seen to
   * wait for time, and few seemed lost before.
   */
  asksAgain(op: Operation | null, count: number): boolean {
    const asked = (this.#askedAgain.get(op) ?? 0) + count;
    if (!READS.has(op) || this.#stalling.has(op) || asked > ASKED_AGAIN_MAX) return false;
    this.#askedAgain.set(op, asked);
    return true;
  }

  /** A call of the operation was really waited for, and never answered. */
  waitedInVain(op: Operation | null): void {
    this.#inVain.add(op);
  }

  isInVain(op: Operation | null): boolean {
    return this.#inVain.has(op);
  }

  /** It is not waited for any more: what held it is decided. */
  givesUp(op: Operation | null): boolean {
    return this.#inVain.has(op) && MAY_NOT_WAIT.has(op);
  }

  stallMs(op: Operation | null): number {
    return this.#roundTripsMs + this.#stallNearbyMs(op);
  }

  #stallNearbyMs(op: Operation | null): number {
    if (!this.#stalling.has(op)) {
      if (MAY_NOT_WAIT.has(op)) return WAITED_FOR_MS;
      return MAY_STALL.has(op) ? STALL_ALLOWED_MS : STALL_MS;
    }
    if (this.#samples < SAMPLES_WANTED) return STALL_AGAIN_MAX_MS;
    const times = this.givesUp(op) ? TIMES_IN_VAIN : TIMES_ORDINARY;
    return Math.min(STALL_AGAIN_MAX_MS, Math.max(STALL_AGAIN_MIN_MS, times * this.#longestMs));
  }
}
