import { getOrMake } from '../../../util/maps.js';

/** A list that has each value once. */
export class Interned<T> {
  readonly values: T[] = [];
  readonly #places = new Map<string, number>();

  /** The place of a value. */
  put(value: T): number {
    return getOrMake(this.#places, JSON.stringify(value), () => this.values.push(value) - 1);
  }

  /** The same; -1 for nothing. */
  putSome(value: T | null): number {
    return value === null ? -1 : this.put(value);
  }
}
