/** The workers of a shared endpoint that are reserved for one script. */
export interface WorkerLease {
  /** Reserves the workers again, even beyond the number there is: jobs of the script may be alive. */
  hold(): void;
  /** Frees the workers: all jobs of the script have ended, and it only waits for something to expire. */
  release(): void;
  /** No worker takes the script's job: until a worker is seen at work, few scripts wait for workers. */
  reportStarved(): void;
  /** A worker was seen at work on its job. */
  reportWorking(atMs: number): void;
  /** A job of the script runs on far beyond its plan. */
  reportOverrun(): void;
  /** A job of the script was seen to end. */
  reportEnded(): void;
  /** Why scripts that need a worker wait in vain; null where they do not. */
  readonly stuckBecause: string | null;
  /** Whether a worker was seen at work at `ms` or later, for any script. */
  workedSince(ms: number): boolean;
}

/** So many scripts in a row, and no other meanwhile, show that workers are stuck: one may have its own reason. */
const STUCK_SCRIPTS = 3;

/** A semaphore: a script starts on a shared endpoint only when the workers it needs are free. */
export class WorkerSlots {
  readonly #total: number;
  readonly #onFree: () => void;
  #taken = 0;
  #workedMs = -Infinity;
  /** Scripts whose jobs no worker took, since one was last seen at work. */
  readonly #starved = new Set<WorkerLease>();
  /** Scripts whose jobs did not end when they should have, since one was last seen to end. */
  readonly #overrun = new Set<WorkerLease>();

  /** @param onFree called whenever workers become free */
  constructor(total: number, onFree: () => void = () => undefined) {
    this.#total = Math.max(1, total);
    this.#onFree = onFree;
  }

  /** Why a script that needs a worker would wait in vain now; null where it would not. */
  get stuckBecause(): string | null {
    if (this.#starved.size >= STUCK_SCRIPTS) return 'no worker takes a job any more';
    return this.#overrun.size >= STUCK_SCRIPTS ? 'workers do not end their jobs any more' : null;
  }

  /** Reserves workers; null when they are not free. A script that needs more than there are gets all of them. */
  tryAdmit(workers: number): WorkerLease | null {
    const reserved = Math.min(workers, this.#total);
    // Workers that take nothing are not waited for: a few scripts tell whether that is so for all.
    const room = this.#total + (this.#starved.size > 0 ? STUCK_SCRIPTS : 0);
    if (this.#taken + reserved > room && reserved > 0) return null;
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
    const stuckBecause = (): string | null => this.stuckBecause;
    const lease: WorkerLease = {
      get stuckBecause() {
        return stuckBecause();
      },
      hold: () => {
        if (held) return;
        held = true;
        this.#taken += workers;
      },
      release: give,
      reportStarved: () => {
        this.#starved.add(lease);
        give();
      },
      reportWorking: (atMs) => {
        this.#starved.clear();
        this.#workedMs = atMs;
        this.#onFree();
      },
      reportOverrun: () => void this.#overrun.add(lease),
      reportEnded: () => this.#overrun.clear(),
      workedSince: (ms) => this.#workedMs >= ms,
    };
    return lease;
  }
}
