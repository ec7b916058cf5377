/** What a script holds of the endpoint's workers. */
export interface Lease {
  /** Some of its jobs may be alive: its workers count as taken, also where that is more than there are. */
  take(): void;
  /** All of its jobs have ended: others may have its workers, while it waits for something to expire. */
  give(): void;
}

interface Waiting {
  readonly workers: number;
  readonly admit: (lease: Lease) => void;
}

/** Admits scripts to a shared endpoint only while the workers they want are free. */
export class WorkerSlots {
  readonly #total: number;
  #taken = 0;
  readonly #waiting: Waiting[] = [];

  constructor(total: number) {
    this.#total = Math.max(1, total);
  }

  /** Resolves when so many workers are free; they count as taken. Who asks first and fits comes first. */
  admit(workers: number): Promise<Lease> {
    return new Promise((resolve) => {
      this.#waiting.push({ workers: Math.min(workers, this.#total), admit: resolve });
      this.#admitWhoFits();
    });
  }

  #admitWhoFits(): void {
    for (const candidate of [...this.#waiting]) {
      if (this.#taken > 0 && this.#taken + candidate.workers > this.#total) continue;
      this.#waiting.splice(this.#waiting.indexOf(candidate), 1);
      this.#taken += candidate.workers;
      candidate.admit(this.#leaseOf(candidate.workers));
    }
  }

  #leaseOf(workers: number): Lease {
    let held = true;
    return {
      take: () => {
        if (held) return;
        held = true;
        this.#taken += workers;
      },
      give: () => {
        if (!held) return;
        held = false;
        this.#taken -= workers;
        this.#admitWhoFits();
      },
    };
  }
}
