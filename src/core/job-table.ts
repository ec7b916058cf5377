/** All jobs, by id. Ids that the service has made itself are counted: their jobs are found without hashing text. */
import { NumberedMap } from '../util/numbered-map.js';
import type { Job } from './entities.js';
import { numberOfUuidLike, uuidLike } from './ids.js';

export class JobTable {
  readonly #counted = new NumberedMap<Job>();
  readonly #others = new Map<string, Job>();
  #made: number;

  /** @param made how many ids an earlier process has made */
  constructor(made: number) {
    this.#made = made;
  }

  /** How many ids were made. */
  get made(): number {
    return this.#made;
  }

  makeId(): string {
    return uuidLike(++this.#made);
  }

  get(id: string): Job | undefined {
    const counted = this.#counted.get(this.#numberOf(id));
    return counted?.id === id ? counted : this.#others.get(id);
  }

  add(job: Job): void {
    const number = this.#numberOf(job.id);
    const present = this.#counted.get(number);
    if (number > 0 && (present === undefined || present.id === job.id)) this.#counted.set(number, job);
    else this.#others.set(job.id, job);
  }

  delete(id: string): void {
    const number = this.#numberOf(id);
    if (this.#counted.get(number)?.id === id) this.#counted.delete(number);
    else this.#others.delete(id);
  }

  /** The number of an id that may have been made here; 0 for others. Other ids can have the number of one made here. */
  #numberOf(id: string): number {
    const number = numberOfUuidLike(id);
    return number <= this.#made ? number : 0;
  }
}
