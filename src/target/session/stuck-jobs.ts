/** Longer than a cold start of most workers takes, real ms. */
export const STUCK_AFTER_MS = 20_000;

interface SeenJob {
  /** How long it works by its plan; Infinity where it does not end by itself, or is not known to. */
  readonly planMs: number;
  status: unknown;
  /** Since when looks have shown this state, and the last of them. */
  sinceMs: number;
  lastMs: number;
}

/** Jobs of a script that stay in a state far longer than planned, by the looks at them. */
export class StuckJobs {
  readonly #jobs = new Map<string, SeenJob>();
  readonly #afterMs: number;

  /** @param afterMs on the clock of the looks */
  constructor(afterMs = STUCK_AFTER_MS) {
    this.#afterMs = afterMs;
  }

  submitted(id: string, planMs: number): void {
    this.#jobs.set(id, { planMs, status: undefined, sinceMs: 0, lastMs: 0 });
  }

  /** From now on jobs may follow other plans; they may still wait for a worker in vain. */
  retried(): void {
    for (const id of this.#jobs.keys()) this.submitted(id, Infinity);
  }

  seen(id: unknown, status: unknown, atMs: number): void {
    const job = this.#jobs.get(String(id));
    if (job === undefined) return;
    if (job.status !== status) Object.assign(job, { status, sinceMs: atMs });
    job.lastMs = atMs;
  }

  /** One of them waits for a worker, or runs on. */
  get any(): boolean {
    return this.#those('IN_QUEUE', () => 0).length > 0 || this.anyRuns;
  }

  /** One that waits for a worker, and would not keep it for long; null: none. */
  get waiting(): string | null {
    return this.#those('IN_QUEUE', () => 0).find(([, { planMs }]) => planMs <= this.#afterMs)?.[0] ?? null;
  }

  /** One of them runs on. */
  get anyRuns(): boolean {
    return this.#those('IN_PROGRESS', ({ planMs }) => planMs).length > 0;
  }

  #those(status: string, usualMs: (job: SeenJob) => number): readonly (readonly [string, SeenJob])[] {
    return [...this.#jobs].filter(
      ([, job]) => job.status === status && job.lastMs - job.sinceMs > usualMs(job) + this.#afterMs,
    );
  }
}
