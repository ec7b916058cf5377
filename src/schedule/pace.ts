import type { Operation } from '../spec/types.js';
import { getOrMake } from '../util/maps.js';

/** What is told of a call, once it was answered. */
export interface PacedCall {
  readonly op: Operation | null;
  /** On the clock of the pace. */
  readonly sentMs: number;
  readonly isRefused: boolean;
}

/** The pace is never lower, in calls a second, nor lower than this share of the most that were let in within one. */
const FEWEST = 1;
const LEAST_SHARE = 0.1;
/** It grows by a tenth after so long without a refusal. */
const GROWTH = 1.1;
const GROWS_AFTER_S = 10;
/** No call is made for so long after a refusal; for twice as long after each further one, while none is let in. */
const PAUSE_S = 1;
const PAUSE_MAX_S = 30;
/** With fewer calls in a second, a single refusal may have any reason. */
const MANY = 10;
/** Or with a smaller share than this of the most that were let in within a second. */
const NEARLY = 0.75;
/** More refusals of an operation that was never let in count for nothing: perhaps the service refuses it always. */
const NEVER_LET_IN_MAX = 3;
/** Nor so many in a row of one that was let in once, while some calls of other operations are let in. */
const NO_LONGER_LET_IN_MAX = 10;
const OTHERS_LET_IN_MIN = 3;
/** So many refusals, and so large a share of all answers, have to do with the number of calls in any case. */
const REFUSED_MIN = 3;
const REFUSED_SHARE = 0.05;

/**
 * How far apart calls are made, whatever they call. Who refuses calls with 429 beyond the limits of section 8 is a gateway
 * that allows fewer: from its first refusal on, fewer are made. A service that answers one kind of call with 429 by
 * mistake shall not slow a run down for long, so a refusal counts only when about as many calls as ever were made just
 * before, or when many are refused.
 */
export class Pace {
  readonly #nowMs: () => number;
  readonly #secondMs: number;
  readonly #stated: number;
  #perSecond: number;
  #isReduced = false;
  #nextMs = -Infinity;
  /** What was sent until then says nothing of the present pace. */
  #reducedMs = -Infinity;
  #grownMs = -Infinity;
  #pauseS = PAUSE_S;
  /** Since the pace changed. */
  #letIn = 0;
  #refused = 0;
  /** When calls were sent within the last second, and those of them that were refused or let in since. */
  readonly #sentMs: Recent;
  readonly #refusedMs: Recent;
  readonly #letInMs: Recent;
  /** The most calls of one second that were let in. */
  #most = 0;
  readonly #refusals = new Map<Operation, Refusals>();

  /**
   * @param secondMs a second of real time on the clock
   * @param stated at most so many calls in a second; Infinity where nothing is stated
   */
  constructor(nowMs: () => number, secondMs: number, stated: number) {
    this.#nowMs = nowMs;
    this.#secondMs = secondMs;
    this.#stated = stated;
    this.#perSecond = stated;
    this.#sentMs = new Recent(nowMs, secondMs);
    this.#refusedMs = new Recent(nowMs, secondMs);
    this.#letInMs = new Recent(nowMs, secondMs);
  }

  /** Calls in a second, where refusals have made them fewer; else null. */
  get reducedTo(): number | null {
    return this.#isReduced ? this.#perSecond : null;
  }

  /** Milliseconds until another call may be made. */
  get waitMs(): number {
    return Math.max(0, this.#nextMs - this.#nowMs());
  }

  /** Counts a call that is sent now. One that was not held back takes the place of the next, if it is told as `held`. */
  begin(held: boolean): void {
    this.#grow();
    if (held) this.#sentMs.add(this.#nowMs());
    if (this.#perSecond === Infinity) return;
    const fromMs = held ? Math.max(this.#nextMs, this.#nowMs()) : this.#nowMs();
    this.#nextMs = Math.max(this.#nextMs, fromMs + this.#secondMs / this.#perSecond);
  }

  /** True where the pace is lower from now on. */
  answered({ op, sentMs, isRefused }: PacedCall): boolean {
    if (op === null) return false;
    if (isRefused) {
      this.#refusedMs.add(sentMs);
      return this.#isUnderTheSamePace(sentMs) && !this.#isAlwaysRefused(op) && this.#refuse();
    }
    for (const others of this.#refusals.values()) others.othersLetIn += 1;
    this.#refusals.set(op, { ...NO_REFUSALS, wasLetIn: true });
    this.#letInMs.add(sentMs);
    this.#most = Math.max(this.#most, this.#letInMs.count);
    if (this.#isUnderTheSamePace(sentMs)) this.#letIn += 1;
    return false;
  }

  /** What its refusals have taken from the pace is given back once they are known to say nothing of it. */
  #isAlwaysRefused(op: Operation): boolean {
    const refusals = getOrMake(this.#refusals, op, (): Refusals => ({ ...NO_REFUSALS }));
    if (refusals.inARow === 0) Object.assign(refusals, { othersLetIn: 0, paceBefore: this.#perSecond });
    const before = refusals.inARow++;
    const isAlways = refusals.wasLetIn
      ? before >= NO_LONGER_LET_IN_MAX && refusals.othersLetIn >= OTHERS_LET_IN_MIN
      : before >= NEVER_LET_IN_MAX;
    if (!isAlways || refusals.isIgnored) return isAlways;
    refusals.isIgnored = true;
    if (refusals.wasLetIn && refusals.paceBefore > this.#perSecond) {
      this.#perSecond = refusals.paceBefore;
      this.#isReduced = this.#perSecond < this.#stated;
      this.#nextMs = Math.min(this.#nextMs, this.#nowMs() + this.#secondMs / this.#perSecond);
    }
    return true;
  }

  #isUnderTheSamePace(sentMs: number): boolean {
    return sentMs > this.#reducedMs;
  }

  #refuse(): boolean {
    this.#refused += 1;
    const isClosed = this.#isReduced && this.#letIn === 0;
    // Refusals are often answered first: what is not answered yet counts as let in.
    const recent = Math.max(0, this.#sentMs.count - this.#refusedMs.count);
    const isFast = recent >= MANY && recent >= NEARLY * this.#most;
    const areMany =
      this.#refused >= REFUSED_MIN && this.#refused > REFUSED_SHARE * (this.#refused + this.#letIn);
    if (!isClosed && !isFast && !areMany) return false;
    const before = this.#perSecond;
    // While nothing at all is let in, it is a matter of waiting, not of the pace.
    if (!isClosed)
      this.#perSecond = this.#half(Math.min(this.#perSecond, Math.max(recent, this.#most / 2, MANY)));
    this.#pauseS = isClosed ? Math.min(PAUSE_MAX_S, 2 * this.#pauseS) : PAUSE_S;
    this.#isReduced = true;
    this.#reducedMs = this.#nowMs();
    this.#nextMs = Math.max(this.#nextMs, this.#nowMs() + this.#pauseS * this.#secondMs);
    this.#startCounting();
    return this.#perSecond < before;
  }

  #half(perSecond: number): number {
    const least = Math.min(perSecond, Math.max(FEWEST, LEAST_SHARE * this.#most));
    return Math.max(least, perSecond / 2);
  }

  #grow(): void {
    const isDue = this.#nowMs() - this.#grownMs >= GROWS_AFTER_S * this.#secondMs;
    if (!this.#isReduced || !isDue || this.#letIn === 0) return;
    this.#perSecond = Math.min(this.#stated, this.#perSecond * GROWTH);
    this.#startCounting();
  }

  #startCounting(): void {
    this.#grownMs = this.#nowMs();
    this.#letIn = 0;
    this.#refused = 0;
  }
}

/** Of an operation. */
interface Refusals {
  wasLetIn: boolean;
  /** Since it was let in last, and how many calls of other operations were let in meanwhile. */
  inARow: number;
  othersLetIn: number;
  /** They are known to say nothing of the pace. */
  isIgnored: boolean;
  /** Calls in a second before the first of them. */
  paceBefore: number;
}

const NO_REFUSALS: Refusals = {
  wasLetIn: false,
  inARow: 0,
  othersLetIn: 0,
  isIgnored: false,
  paceBefore: 0,
};

/** Instants within the last second. */
class Recent {
  readonly #nowMs: () => number;
  readonly #secondMs: number;
  #instants: number[] = [];

  constructor(nowMs: () => number, secondMs: number) {
    this.#nowMs = nowMs;
    this.#secondMs = secondMs;
  }

  add(atMs: number): void {
    this.#forget();
    this.#instants.push(atMs);
  }

  get count(): number {
    this.#forget();
    return this.#instants.length;
  }

  #forget(): void {
    const sinceMs = this.#nowMs() - this.#secondMs;
    this.#instants = this.#instants.filter((atMs) => atMs > sinceMs);
  }
}
