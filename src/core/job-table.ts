import type { Job } from './entities.js';

/**
 * The jobs of a service, found by their ids. The jobs that have come are entered under their ids when the next id is looked up:
 * in a simulation most are never looked up, and entering each at once takes a tenth of the CPU time of both simulator rows.
 */
export class JobTable {
  readonly #byId = new Map<string, Job>();
  /** The jobs not yet entered: each at its `newIndex`. */
  readonly #new: Job[] = [];

  add(job: Job): void {
    job.newIndex = this.#new.push(job) - 1;
  }

  get(id: string): Job | undefined {
    for (const job of this.#new) {
      this.#byId.set(job.id, job);
      job.newIndex = -1;
    }
    this.#new.length = 0;
    return this.#byId.get(id);
  }

  remove(job: Job): void {
    if (job.newIndex < 0) {
      this.#byId.delete(job.id);
      return;
    }
    const last = this.#new.pop()!;
    if (last === job) return;
    this.#new[job.newIndex] = last;
    last.newIndex = job.newIndex;
  }
}
