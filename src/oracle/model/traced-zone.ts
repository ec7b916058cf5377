/** A zone that remembers every bound it was given, and by whom. */
import type { RawBound, Tracer } from './tracer.js';
import { Zone, type Instant } from './zone.js';

/** A bound between two instants of which each may have been forgotten and set anew: `ended@2` is not `ended@1`. */
export interface Remembered extends Omit<RawBound, 'left' | 'right'> {
  readonly left: Node;
  readonly right: Node;
  readonly before: Remembered | null;
}

export interface Node {
  readonly instant: Instant;
  readonly generation: number;
}

export class TracedZone extends Zone {
  /** The latest bound; those before it hang on it, shared with the zones that this one was copied from. */
  log: Remembered | null = null;
  private readonly generations: number[];
  private readonly tracer: Tracer;

  private constructor(bounds: readonly number[] | undefined, generations: number[], tracer: Tracer) {
    super(bounds);
    this.generations = generations;
    this.tracer = tracer;
  }

  static begin(tracer: Tracer): TracedZone {
    return new TracedZone(undefined, [0, 0, 0, 0, 0, 0], tracer);
  }

  override copy(): TracedZone {
    const copy = new TracedZone(this.bounds.slice(), this.generations.slice(), this.tracer);
    copy.log = this.log;
    return copy;
  }

  override restrict(left: Instant, right: Instant, ms: number): boolean {
    const possible = super.restrict(left, right, ms);
    if (possible && ms < Infinity) this.remember(left, right, ms);
    return possible;
  }

  override forget(instant: Instant): void {
    super.forget(instant);
    this.generations[instant] = this.generations[instant]! + 1;
  }

  override equate(target: Instant, source: Instant): void {
    super.equate(target, source);
    this.generations[target] = this.generations[target]! + 1;
    this.remember(target, source, 0);
    this.remember(source, target, 0);
  }

  node(instant: Instant): Node {
    return { instant, generation: this.generations[instant]! };
  }

  private remember(left: Instant, right: Instant, ms: number): void {
    const { op, rule, slackMs } = this.tracer;
    this.log = { left: this.node(left), right: this.node(right), ms, op, rule, slackMs, before: this.log };
  }
}
