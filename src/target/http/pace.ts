/** Where the target cannot tell its next event, steps grow with the time in which nothing happened. */
const BLIND_STEP_SHARE = 1 / 32;
/** Events in a row of which nothing is to be seen, before steps grow. */
const IDLE_EVENTS_MAX = 300;

/** How far a controlled clock goes at once: mostly to the very next event, further when events tell nothing. */
export class Pace {
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

/** The first replies are waited for so long in any case, until it is known how quick the target is. */
const QUIET_UNKNOWN_MS = 25;
const QUIET_MIN_MS = 4;
const QUIET_MAX_MS = 100;
const SAMPLES_WANTED = 5;

/**
 * How long after the answer to `advance` a reply may still be on its way. It should be out before, yet a busy
 * target, or a long way, delivers it a little later; and who moves the clock on takes it for late.
 */
export class ReactionTime {
  #samples = 0;
  #longestMs = 0;

  observe(ms: number): void {
    this.#samples += 1;
    this.#longestMs = Math.max(this.#longestMs, ms);
  }

  /** Real ms without a reply after which none is taken to be under way. */
  get quietMs(): number {
    const knownMs = Math.min(QUIET_MAX_MS, Math.max(QUIET_MIN_MS, 3 * this.#longestMs));
    return this.#samples < SAMPLES_WANTED ? Math.max(QUIET_UNKNOWN_MS, knownMs) : knownMs;
  }
}
