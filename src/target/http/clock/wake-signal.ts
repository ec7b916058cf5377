/** The longest that a timer of the platform can be set to. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** A condition variable: one side notifies, the other waits. A notification without a waiter is remembered. */
export class WakeSignal {
  #rung = false;
  #wake: (() => void) | null = null;

  notify = (): void => {
    this.#rung = true;
    this.#wake?.();
  };

  /** Resolves at the next signal, or after this many real ms; null: at the next signal only. */
  async wait(ms: number | null): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = ms === null ? null : setTimeout(resolve, Math.min(ms, TIMER_MAX_MS));
        this.#wake = () => {
          if (timer !== null) clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = null;
    this.#rung = false;
  }
}
