/**
 * Listens while a contradiction is explained: which rules stood in the way, and which bounds they ran against. Nothing
 * is listened to while lives are only judged: that has to be quick.
 */
import type { RequirementId } from '../../spec/index.js';
import type { JobOperation } from './operations.js';
import { type Instant, Zone } from './zone.js';

/** A rule that an observation ran against. */
export interface UnsatisfiedBound {
  readonly rule: RequirementId;
  /** By how much, ms; `BARRED` where the move is not one of the document's at all. */
  readonly overMs: number;
  readonly proof: readonly string[];
  /** The bounds that the rule's own contradicts; null where it is none of a zone's. */
  readonly zone: TracedZone | null;
  readonly last: TracedBound;
}

/** `left − right ≤ ms`, and where it comes from. */
export interface TracedBound {
  readonly left: Instant;
  readonly right: Instant;
  readonly ms: number;
  /** Null: what was observed, or the order in which a life goes. */
  readonly rule: RequirementId | null;
  /** So much of it is allowance; null where that follows from its direction. */
  readonly slackMs: number | null;
  /** The operation by which it was set; null at the submission. */
  readonly op: JobOperation | null;
}

export class Tracer {
  readonly unsatisfiedBounds: UnsatisfiedBound[] = [];
  /** The operation that is being explained. */
  op: JobOperation | null = null;
  /** The rule that is being applied. */
  rule: RequirementId | null = null;
  slackMs: number | null = null;

  bound(
    rule: RequirementId,
    zone: Zone,
    left: Instant,
    right: Instant,
    ms: number,
    proof: () => readonly string[],
    slackMs: number | null,
  ): boolean {
    this.rule = rule;
    this.slackMs = slackMs;
    const possible = zone.constrain(left, right, ms);
    this.rule = null;
    this.slackMs = null;
    if (possible) return true;
    const overMs = -(zone.bound(right, left) + ms);
    const last = { left, right, ms, rule, slackMs, op: this.op };
    // The zone itself goes on being narrowed along other branches.
    const traced = zone instanceof TracedZone ? zone.copy() : null;
    this.unsatisfiedBounds.push({ rule, overMs, proof: proof(), zone: traced, last });
    return false;
  }

  exceeded(rule: RequirementId, overMs: number, proof: readonly string[]): void {
    const last = { left: 0, right: 0, ms: -overMs, rule, slackMs: null, op: this.op } as const;
    this.unsatisfiedBounds.push({ rule, overMs, proof, zone: null, last });
  }
}

/** A zone that remembers every bound it was given, and by whom. */
/** A bound between two instants of which each may have been forgotten and set anew: `ended@2` is not `ended@1`. */
export interface LoggedBound extends Omit<TracedBound, 'left' | 'right'> {
  readonly left: Node;
  readonly right: Node;
  readonly before: LoggedBound | null;
}

export interface Node {
  readonly instant: Instant;
  readonly generation: number;
}

export class TracedZone extends Zone {
  /** The latest bound; those before it hang on it, shared with the zones that this one was copied from. */
  log: LoggedBound | null = null;
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

  override constrain(left: Instant, right: Instant, ms: number): boolean {
    const possible = super.constrain(left, right, ms);
    if (possible && ms < Infinity) this.remember(left, right, ms);
    return possible;
  }

  override free(instant: Instant): void {
    super.free(instant);
    this.generations[instant] = this.generations[instant]! + 1;
  }

  override assign(target: Instant, source: Instant): void {
    super.assign(target, source);
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
