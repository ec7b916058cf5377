/** Turns of the event loop without news after which an instant is taken to be over. */
const TURNS_MIN = 3;
const TURNS_MAX = 2_000;
/** Real ms after which a call that need not wait is taken to wait for time; the second for those known to. */
const STALL_MS = 400;
const STALL_AGAIN_MS = 10;

/**
 * How long to look for more at one instant. A handler that keeps everything in memory answers within a turn or
 * two; one that hashes keys or reads files needs more of them, and shows so by its ordinary calls.
 */
export class StallTimeout {
  #turns = TURNS_MIN;
  readonly #stalling = new Set<string>();

  /** Turns without news to wait for. */
  get turns(): number {
    return this.#turns;
  }

  /** An ordinary call was answered after this many turns. */
  answeredAfter(turns: number): void {
    this.#turns = Math.min(TURNS_MAX, Math.max(this.#turns, 2 * turns));
  }

  /** Calls of this kind were seen to wait for time, though none has to. */
  stalled(kind: string): void {
    this.#stalling.add(kind);
  }

  stallMs(kinds: readonly string[]): number {
    return kinds.every((kind) => this.#stalling.has(kind)) ? STALL_AGAIN_MS : STALL_MS;
  }
}
