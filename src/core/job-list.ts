/**
 * The jobs of an endpoint, from the oldest to the newest: a doubly linked list. Jobs are found by their ids in the
 * table of the service, which holds those of all endpoints.
 */
import type { Job } from './entities.js';

export class JobList {
  #oldest: Job | null = null;
  #newest: Job | null = null;

  add(job: Job): void {
    job.older = this.#newest;
    job.newer = null;
    if (this.#newest === null) this.#oldest = job;
    else this.#newest.newer = job;
    this.#newest = job;
  }

  remove(job: Job): void {
    if (job.older === null) this.#oldest = job.newer;
    else job.older.newer = job.newer;
    if (job.newer === null) this.#newest = job.older;
    else job.newer.older = job.older;
    job.older = job.newer = null;
  }

  /** The present job may be removed meanwhile, but no other one. */
  *[Symbol.iterator](): IterableIterator<Job> {
    for (let job = this.#oldest; job !== null;) {
      const next: Job | null = job.newer;
      yield job;
      job = next;
    }
  }
}
