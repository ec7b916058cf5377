/** A cache of the last `countMax` results, oldest first out. */
export class BoundedCache<T> {
  private readonly known = new Map<string, T>();
  private readonly countMax: number;

  constructor(countMax: number) {
    this.countMax = countMax;
  }

  of(key: string, find: (key: string) => T): T {
    let value = this.known.get(key);
    if (value === undefined) {
      value = find(key);
      if (this.known.size >= this.countMax) this.known.delete(this.known.keys().next().value!);
      this.known.set(key, value);
    }
    return value;
  }
}
