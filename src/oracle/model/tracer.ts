/**
 * Records, while a contradiction is explained, which rules were unsatisfied and from which bounds each zone
 * was built. The first, fast check of a job runs without a tracer.
 */
import type { RequirementId } from '../../spec/index.js';
import type { JobOperation } from './operations.js';
import { type Instant, Zone } from './zone.js';

/** A bound that an observation did not satisfy. */
export interface UnsatisfiedBound {
  readonly rule: RequirementId;
  /** By how much, ms; `FORBIDDEN_COST` for a transition that the document forbids. */
  readonly overMs: number;
  readonly proof: readonly string[];
  /** The zone that the bound contradicts; null for a bound that is not one of a zone. */
  readonly zone: TracedZone | null;
  readonly last: TracedBound;
}

/** `left − right ≤ ms`, and its origin. */
export interface TracedBound {
  readonly left: Instant;
  readonly right: Instant;
  readonly ms: number;
  /** Null: an observation, or the order of a job's milestones. */
  readonly rule: RequirementId | null;
  /** How much of it is tolerance; null where that follows from its direction. */
  readonly slackMs: number | null;
  /** The operation that set it; null at the submission. */
  readonly op: JobOperation | null;
}

export class Tracer {
  readonly unsatisfiedBounds: UnsatisfiedBound[] = [];
  /** The operation that is being applied. */
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
    // The zone itself is constrained further along other branches.
    const traced = zone instanceof TracedZone ? zone.copy() : null;
    this.unsatisfiedBounds.push({ rule, overMs, proof: proof(), zone: traced, last });
    return false;
  }

  exceeded(rule: RequirementId, overMs: number, proof: readonly string[]): void {
    const last = { left: 0, right: 0, ms: -overMs, rule, slackMs: null, op: this.op } as const;
    this.unsatisfiedBounds.push({ rule, overMs, proof, zone: null, last });
  }
}

/**
 * A bound of the constraint graph. An instant that is freed and set anew gets a new generation: `ended@2` is
 * another node of the graph than `ended@1`.
 */
export interface LoggedBound extends Omit<TracedBound, 'left' | 'right'> {
  readonly left: Node;
  readonly right: Node;
  readonly before: LoggedBound | null;
}

export interface Node {
  readonly instant: Instant;
  readonly generation: number;
}

/** A zone that logs each bound with its origin. */
export class TracedZone extends Zone {
  /**
   * The latest bound, linked to those before it; the list is shared with the zones that this one was copied
   * from.
   */
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
