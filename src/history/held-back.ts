/**
 * A call whose body was sent in two parts, together with others. Ticks are positions in the sequence of
 * `sentTick`.
 *
 * @public
 */
export interface HeldBack {
  /** When header fields and body, except for the last byte, had been handed to the network; null: never. */
  readonly fromTick: number | null;
  /** When the last byte was sent; null where the call ended before. */
  readonly untilTick: number | null;
  /** When the call ended, which may precede its recorded end. */
  readonly overTick: number;
  /** The last time at which all calls were still held back, on the clock of the history. */
  readonly untilMs: number;
  /** How long all of them had been held back together by then, in real ms; 0 where this call ended before. */
  readonly togetherMs: number;
  /**
   * By then test control had shown them all at once as arrived, save their last bytes; false: it counts them, and had not.
   * Absent: it does not tell, or this call ended before.
   */
  readonly arrived?: boolean;
}
