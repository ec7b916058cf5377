const WINDOW_MS = 10_000;

/** Section 8: calls in 10 seconds, and calls at once. */
const LIMITS: { readonly [operation: string]: readonly [perWindow: number, atOnce: number] } = {
  runsync: [2_000, 400],
  run: [1_000, 200],
  status: [2_000, 400],
  stream: [2_000, 400],
  cancel: [100, 20],
  'purge-queue': [2, Infinity],
  openai: [2_000, 400],
  requests: [10, 2],
};

/** Counts the calls of one endpoint. */
export class Rates {
  readonly #sentAt = new Map<string, number[]>();
  readonly #open = new Map<string, number>();

  /** Null when the call exceeds a limit; otherwise a function to be called at its end. */
  admit(operation: string): (() => void) | null {
    const [perWindow, atOnce] = LIMITS[operation] ?? [Infinity, Infinity];
    const nowMs = Date.now();
    const recent = (this.#sentAt.get(operation) ?? []).filter((sentMs) => sentMs > nowMs - WINDOW_MS);
    const open = this.#open.get(operation) ?? 0;
    this.#sentAt.set(operation, recent);
    if (recent.length >= perWindow || open >= atOnce) return null;
    recent.push(nowMs);
    this.#open.set(operation, open + 1);
    return () => this.#open.set(operation, (this.#open.get(operation) ?? 1) - 1);
  }
}
