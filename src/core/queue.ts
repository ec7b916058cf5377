/**
 * The queue of an endpoint: a doubly linked list of jobs, from the oldest to the newest. Removing any job is
 * O(1); a `Set` would have to skip the entries deleted at its front.
 */
import type { Job } from './entities.js';

export class JobQueue {
  #first: Job | null = null;
  #last: Job | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }
  get first(): Job | null {
    return this.#first;
  }
  get last(): Job | null {
    return this.#last;
  }

  add(job: Job): void {
    job.place = this.#last === null ? 0 : this.#last.place + 1;
    this.addAsPlaced(job);
  }

  /** Adds the job at the end, with the place that it has. */
  addAsPlaced(job: Job): void {
    job.before = this.#last;
    job.after = null;
    if (this.#last === null) this.#first = job;
    else this.#last.after = job;
    this.#last = job;
    this.#size++;
  }

  addFirst(job: Job): void {
    job.place = this.#first === null ? 0 : this.#first.place - 1;
    job.before = null;
    job.after = this.#first;
    if (this.#first === null) this.#last = job;
    else this.#first.before = job;
    this.#first = job;
    this.#size++;
  }

  /**
   * Adds the job before the first one that was submitted later. Returns the other jobs whose `place` changed.
   */
  addBySubmission(job: Job): Iterable<Job> {
    let next = this.#first;
    while (next !== null && next.submittedMs <= job.submittedMs) next = next.after;
    const before = next === null ? this.#last : next.before;
    if (next === null) this.add(job);
    else if (before === null) this.addFirst(job);
    else {
      job.place = (before.place + next.place) / 2;
      job.before = before;
      job.after = next;
      before.after = job;
      next.before = job;
      this.#size++;
      // After many halvings no number is left between two neighbours.
      if (job.place <= before.place || job.place >= next.place) return this.#renumber();
    }
    return [];
  }

  #renumber(): Iterable<Job> {
    let place = 0;
    for (const job of this) job.place = place++;
    return this;
  }

  remove(job: Job): void {
    if (job.before === null) this.#first = job.after;
    else job.before.after = job.after;
    if (job.after === null) this.#last = job.before;
    else job.after.before = job.before;
    job.before = null;
    job.after = null;
    this.#size--;
  }

  *[Symbol.iterator](): IterableIterator<Job> {
    for (let job = this.#first; job !== null; job = job.after) yield job;
  }
}
