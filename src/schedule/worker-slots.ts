/** What a script holds of the endpoint's workers. */
export interface WorkerLease {
  /** Some of its jobs may be alive: its workers count as taken, also where that is more than there are. */
  hold(): void;
  /** All of its jobs have ended: others may have its workers, while it waits for something to expire. */
  release(): void;
  /** Its workers do not take its job: nobody is held back for them any more, until some worker is seen at work. */
  reportStarved(): void;
  /** A worker was seen at work on its job. */
  reportWorking(atMs: number): void;
  /** A worker was seen to take a job of some script by then or later. */
  workedSince(ms: number): boolean;
}

/** Admits scripts to a shared endpoint only while the workers they want are free. */
export class WorkerSlots {
  readonly #total: number;
  readonly #onFree: () => void;
  #taken = 0;
  #areStuck = false;
  #workedMs = -Infinity;

  /** `onFree` is told whenever workers become free. */
  constructor(total: number, onFree: () => void = () => undefined) {
    this.#total = Math.max(1, total);
    this.#onFree = onFree;
  }

  /** Takes so many workers; null when they are not free. Who wants more than there are gets all of them. */
  tryAdmit(workers: number): WorkerLease | null {
    const wanted = Math.min(workers, this.#total);
    if (this.#taken + wanted > this.#total && wanted > 0 && !this.#areStuck) return null;
    this.#taken += wanted;
    return this.#leaseOf(wanted);
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
        this.#areStuck = true;
        give();
      },
      reportWorking: (atMs) => {
        this.#areStuck = false;
        this.#workedMs = atMs;
      },
      workedSince: (ms) => this.#workedMs >= ms,
    };
  }
}
