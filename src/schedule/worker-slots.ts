/** The workers of a shared endpoint that are reserved for one script. */
export interface WorkerLease {
  /** Reserves the workers again, even beyond the number there is: jobs of the script may be alive. */
  hold(): void;
  /** Frees the workers: all jobs of the script have ended, and it only waits for something to expire. */
  release(): void;
  /** No worker takes the script's job: until a worker is seen at work, no script waits for workers any more. */
  reportStarved(): void;
  /** A worker was seen at work on its job. */
  reportWorking(atMs: number): void;
  /** Whether a worker was seen at work at `ms` or later, for any script. */
  workedSince(ms: number): boolean;
}

/** A semaphore: a script starts on a shared endpoint only when the workers it needs are free. */
export class WorkerSlots {
  readonly #total: number;
  readonly #onFree: () => void;
  #taken = 0;
  #areStarved = false;
  #workedMs = -Infinity;

  /** @param onFree called whenever workers become free */
  constructor(total: number, onFree: () => void = () => undefined) {
    this.#total = Math.max(1, total);
    this.#onFree = onFree;
  }

  /** Reserves workers; null when they are not free. A script that needs more than there are gets all of them. */
  tryAdmit(workers: number): WorkerLease | null {
    const reserved = Math.min(workers, this.#total);
    if (this.#taken + reserved > this.#total && reserved > 0 && !this.#areStarved) return null;
    this.#taken += reserved;
    return this.#leaseOf(reserved);
  }

  #leaseOf(workers: number): WorkerLease {
    let held = true;
    const give = (): void => {
      if (!held) return;
      held = false;
      this.#taken -= workers;
      this.#onFree();
    };
    return {
      hold: () => {
        if (held) return;
        held = true;
        this.#taken += workers;
      },
      release: give,
      reportStarved: () => {
        this.#areStarved = true;
        give();
      },
      reportWorking: (atMs) => {
        this.#areStarved = false;
        this.#workedMs = atMs;
      },
      workedSince: (ms) => this.#workedMs >= ms,
    };
  }
}
