/**
 * A zone: the set of all valuations of six instants of a job's life that satisfy a conjunction of
 * difference constraints `x − y ≤ c`. It is stored as a difference-bound matrix (DBM), as in model checkers
 * for timed automata such as UPPAAL; `constrain`, `free` and `assign` are the usual operations on it.
 *
 * Entry (i, j) is the least known upper bound of `instant i − instant j`, in ms. The matrix is always
 * canonical (closed under shortest paths): each entry is the tightest bound that follows from all others,
 * and a contradiction shows as a negative cycle at once.
 */

/**
 * The instants, in ms. `ZERO` is the origin of the session's clock, so that bounds against it are absolute
 * times.
 */
export const ZERO = 0;
/** The submission took effect. */
export const SUBMITTED = 1;
/** The ttl counts from here: from the submission, unless a reading of an open question moves it. */
export const TTL_START = 2;
/** The job entered the queue: at its submission, or at its last retry. */
export const QUEUED = 3;
/** A worker picked it up. */
export const STARTED = 4;
/** It completed, failed, timed out, was cancelled or was purged. */
export const ENDED = 5;

const SIZE = 6;

export type Instant = 0 | 1 | 2 | 3 | 4 | 5;

const UNBOUNDED: readonly number[] = Array.from({ length: SIZE * SIZE }, (_, at) =>
  at % (SIZE + 1) === 0 ? 0 : Infinity,
);

export class Zone {
  // A plain array of doubles: at this size a typed array costs far more to copy.
  protected bounds: readonly number[];
  /** Copy on write: another zone may read the same array, and most copies are never changed. */
  private shared = true;

  protected constructor(bounds: readonly number[] = UNBOUNDED) {
    this.bounds = bounds;
  }

  /** The zone without any constraint. */
  static unbounded(): Zone {
    return new Zone();
  }

  /** The job was submitted between these instants; its ttl, and its stay in the queue, began then. */
  submit(fromMs: number, byMs: number): void {
    this.constrain(SUBMITTED, ZERO, byMs);
    this.constrain(ZERO, SUBMITTED, -fromMs);
    this.assign(TTL_START, SUBMITTED);
    this.assign(QUEUED, SUBMITTED);
  }

  copy(): Zone {
    this.shared = true;
    return new Zone(this.bounds);
  }

  private own(): number[] {
    if (this.shared) this.bounds = this.bounds.slice();
    this.shared = false;
    return this.bounds as number[];
  }

  /** The least known upper bound of `left − right`, ms; Infinity where there is none. */
  bound(left: Instant, right: Instant): number {
    return this.bounds[left * SIZE + right]!;
  }

  earliest(instant: Instant): number {
    return -this.bound(ZERO, instant);
  }

  latest(instant: Instant): number {
    return this.bound(instant, ZERO);
  }

  /**
   * Adds the constraint `left − right ≤ ms`. Returns false, and leaves the zone unchanged, if the zone
   * would be empty.
   */
  constrain(left: Instant, right: Instant, ms: number): boolean {
    if (this.bounds[left * SIZE + right]! <= ms) return true;
    if (this.bounds[right * SIZE + left]! + ms < 0) return false;
    const bounds = this.own();
    bounds[left * SIZE + right] = ms;
    for (let i = 0; i < SIZE; i += 1) {
      const viaLeft = bounds[i * SIZE + left]! + ms;
      if (viaLeft === Infinity) continue;
      for (let j = 0; j < SIZE; j += 1) {
        const through = viaLeft + bounds[right * SIZE + j]!;
        if (through < bounds[i * SIZE + j]!) bounds[i * SIZE + j] = through;
      }
    }
    return true;
  }

  /**
   * Removes all constraints on an instant, but keeps what they implied for the others: the instant is about
   * to be set anew.
   */
  free(instant: Instant): void {
    if (this.isFree(instant)) return;
    const bounds = this.own();
    for (let i = 0; i < SIZE; i += 1) {
      if (i === instant) continue;
      bounds[i * SIZE + instant] = Infinity;
      bounds[instant * SIZE + i] = Infinity;
    }
  }

  private isFree(instant: Instant): boolean {
    const { bounds } = this;
    for (let i = 0; i < SIZE; i += 1) {
      if (i === instant) continue;
      if (bounds[i * SIZE + instant] !== Infinity || bounds[instant * SIZE + i] !== Infinity) return false;
    }
    return true;
  }

  /** Makes `target` equal to `source`. */
  assign(target: Instant, source: Instant): void {
    const bounds = this.own();
    for (let i = 0; i < SIZE; i += 1) {
      bounds[target * SIZE + i] = bounds[source * SIZE + i]!;
      bounds[i * SIZE + target] = bounds[i * SIZE + source]!;
    }
    bounds[target * SIZE + target] = 0;
    bounds[target * SIZE + source] = 0;
    bounds[source * SIZE + target] = 0;
  }

  /**
   * Extends this zone to the convex hull of both, the least zone that contains both. The entry-wise maximum
   * of two canonical matrices is canonical.
   */
  extendToHull(other: Zone): void {
    if (other.isSubsetOf(this)) return;
    const bounds = this.own();
    for (let i = 0; i < SIZE * SIZE; i += 1) bounds[i] = Math.max(bounds[i]!, other.bounds[i]!);
  }

  /** Every valuation in this zone is also in the other. */
  isSubsetOf(other: Zone): boolean {
    if (this.bounds === other.bounds) return true;
    for (let i = 0; i < SIZE * SIZE; i += 1) if (this.bounds[i]! > other.bounds[i]!) return false;
    return true;
  }
}
