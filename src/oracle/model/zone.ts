/**
 * A zone: everything that is known of the instants of one job's life, as upper bounds on the differences
 * between them (a difference-bound matrix, as in timed-automata model checkers).
 *
 * Entry (i, j) holds the least known bound of `instant i − instant j`. The matrix is kept closed: every bound
 * is the tightest that follows from all others, so that an empty zone is noticed at once.
 */

/** The instants of a job's life, in ms. `ZERO` is the clock's zero. */
export const ZERO = 0;
/** The submission took effect. */
export const SUBMITTED = 1;
/** The ttl counts from here: the submission, unless a reading of an open question moves it. */
export const TTL_START = 2;
/** The job entered the queue: at the submission, or at the last retry. */
export const QUEUED = 3;
/** A worker picked it up. */
export const STARTED = 4;
/** It finished, failed, timed out, was cancelled or purged. */
export const ENDED = 5;

const SIZE = 6;

export type Instant = 0 | 1 | 2 | 3 | 4 | 5;

const UNBOUNDED: readonly number[] = Array.from({ length: SIZE * SIZE }, (_, at) =>
  at % (SIZE + 1) === 0 ? 0 : Infinity,
);

export class Zone {
  // A plain array of doubles: so small a typed one costs far more to copy.
  protected bounds: readonly number[];
  /** Another zone reads the same bounds: most copies are never narrowed, and those that are copy them then. */
  private shared = true;

  protected constructor(bounds: readonly number[] = UNBOUNDED) {
    this.bounds = bounds;
  }

  /** Nothing is known of any instant. */
  static unbounded(): Zone {
    return new Zone();
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

  /** The least known bound of `left − right`, in ms; Infinity when there is none. */
  bound(left: Instant, right: Instant): number {
    return this.bounds[left * SIZE + right]!;
  }

  earliest(instant: Instant): number {
    return -this.bound(ZERO, instant);
  }

  latest(instant: Instant): number {
    return this.bound(instant, ZERO);
  }

  /** Adds `left − right ≤ ms`. Returns false, and leaves the zone as it was, when nothing would be left. */
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

  /** Forgets an instant, keeping what it implied for the others: the same name is about to be used anew. */
  free(instant: Instant): void {
    const bounds = this.own();
    for (let i = 0; i < SIZE; i += 1) {
      if (i === instant) continue;
      bounds[i * SIZE + instant] = Infinity;
      bounds[instant * SIZE + i] = Infinity;
    }
  }

  /** Makes `target` the same instant as `source`. */
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

  /** Takes in all that the other allows, and what lies between. The greater of two closed bounds is closed, too. */
  extendToHull(other: Zone): void {
    if (other.isSubsetOf(this)) return;
    const bounds = this.own();
    for (let i = 0; i < SIZE * SIZE; i += 1) bounds[i] = Math.max(bounds[i]!, other.bounds[i]!);
  }

  /** Everything this zone allows, the other allows too. */
  isSubsetOf(other: Zone): boolean {
    if (this.bounds === other.bounds) return true;
    for (let i = 0; i < SIZE * SIZE; i += 1) if (this.bounds[i]! > other.bounds[i]!) return false;
    return true;
  }
}
