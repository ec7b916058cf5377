/** Jobs on which nothing more is called are judged once more when it is known that their webhooks are not called either. */

/** A webhook that was not called for so long is missing; and how often that is asked. */
const AWAITED_MS = 60_000;
const ASKED_AGAIN_MS = 10_000;

export class AwaitedWebhooks {
  /** By the script of the job: when it is asked, ms since 1970. */
  readonly #askedMs = new Map<number, number>();
  readonly #watchedMs: (script: number) => number | null;

  /** @param watchedMs how long calls would have been seen since the last call on the job; null: that will not be known */
  constructor(watchedMs: (script: number) => number | null) {
    this.#watchedMs = watchedMs;
  }

  /** There is a call on the job, or of its webhook. */
  note(script: number, nowMs: number): void {
    if (this.#watchedMs(script) !== null) this.#askedMs.set(script, nowMs + AWAITED_MS);
  }

  forget(script: number): void {
    this.#askedMs.delete(script);
  }

  /** Those of which it is known now; each is told once. */
  *due(nowMs: number): Generator<number> {
    for (const [script, askedMs] of this.#askedMs) {
      if (askedMs > nowMs) continue;
      const watchedMs = this.#watchedMs(script);
      if (watchedMs !== null && watchedMs < AWAITED_MS) {
        this.#askedMs.set(script, nowMs + ASKED_AGAIN_MS);
        continue;
      }
      this.#askedMs.delete(script);
      if (watchedMs !== null) yield script;
    }
  }
}
