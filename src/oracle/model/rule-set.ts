/**
 * The rules in force while a job is checked. A rule is a bound or a prohibition, named by its requirement.
 *
 * To find out which requirement a contradiction violates, the judge relaxes one rule at a time and checks
 * the job again: if all observations are consistent without the rule, it may be the one that was violated.
 */
import type { RequirementId } from '../../spec/index.js';
import { earlyToleranceMs, type HarnessLags, NO_LAGS } from '../observed/tolerance.js';
import { forbidsTransition } from './lifecycle/lifecycle-calls.js';
import type { Tracer } from './tracer.js';
import { USUAL_UNITS, type TimeUnit } from './reported-times.js';
import type { Instant, Zone } from './zone.js';

/**
 * The cost of a transition that the document forbids, ms: greater than that of any timer that is merely
 * late.
 */
export const FORBIDDEN_COST = 1e12;

export class RuleSet {
  /** Allowed lateness of each timer of the target while the harness itself is on time, ms. */
  readonly graceMs: number;
  private readonly lags: HarnessLags;
  /** Allowed earliness for rounding, ms; 0 where the target and the harness share a clock. */
  readonly earlyMs: number;
  /** Null: unsatisfied bounds are not recorded. Most of them only prune a branch that no proof needs. */
  readonly tracer: Tracer | null;
  /** Transitions that section 3 does not list are taken as well: a job may return to an earlier state. */
  readonly allowsForbiddenTransitions: boolean;
  /** No rule is relaxed and nothing is traced: forbidden transitions and texts can be skipped. */
  readonly isPlain: boolean;
  private readonly relaxed: ReadonlySet<RequirementId>;

  /** Units in which the target may report times. */
  readonly units: readonly TimeUnit[];

  constructor(
    graceMs: number,
    earlyMs: number,
    units: readonly TimeUnit[] = USUAL_UNITS,
    broken: ReadonlySet<RequirementId> = new Set(),
    lags: HarnessLags = NO_LAGS,
    tracer: Tracer | null = null,
  ) {
    this.lags = lags;
    this.graceMs = graceMs;
    this.earlyMs = earlyMs;
    this.units = units;
    this.relaxed = broken;
    this.tracer = tracer;
    this.allowsForbiddenTransitions = [...broken].some(forbidsTransition);
    this.isPlain = tracer === null && broken.size === 0;
  }

  /** Allowed lateness of an event that was due, or a state that was read, in this interval, ms. */
  graceAt(fromMs: number, byMs = fromMs): number {
    return this.lags.isEmpty ? this.graceMs : this.graceMs + this.lags.worstBetween(fromMs, byMs);
  }

  /** The greatest allowed lateness at any time, ms. */
  get graceMax(): number {
    return this.graceAt(-Infinity, Infinity);
  }

  /** Allowed lateness of a timer that fired at this instant, ms. */
  graceOf(zone: Zone, instant: Instant): number {
    return this.lags.isEmpty ? this.graceMs : this.graceAt(zone.earliest(instant), zone.latest(instant));
  }

  /**
   * Additional lateness of a worker, ms: on a real clock each of its sleeps but the last is a timer of its
   * own.
   */
  sleepGraceMs(sleeps: number): number {
    return this.earlyMs === 0 ? 0 : Math.max(0, sleeps - 1) * this.graceMs;
  }

  /** Allowed earliness of a timer of this length, ms: rounding, and clocks that drift. */
  earlyToleranceMs(ms: number): number {
    return earlyToleranceMs(this.earlyMs, ms);
  }

  /** The same rules, with these relaxed as well. */
  without(suspects: readonly RequirementId[]): RuleSet {
    const broken = new Set([...this.relaxed, ...suspects]);
    return new RuleSet(this.graceMs, this.earlyMs, this.units, broken, this.lags);
  }

  /** The same rules; unsatisfied bounds go to the tracer. */
  tracedBy(tracer: Tracer): RuleSet {
    return new RuleSet(this.graceMs, this.earlyMs, this.units, this.relaxed, this.lags, tracer);
  }

  /**
   * Applies a rule's bound `left − right ≤ ms`, of which `slackMs` is tolerance. False when the zone would
   * be empty.
   */
  bound(
    rule: RequirementId,
    zone: Zone,
    left: Instant,
    right: Instant,
    ms: number,
    proof: () => readonly string[],
    slackMs: number | null = null,
  ): boolean {
    if (this.relaxed.has(rule)) return true;
    if (this.tracer !== null) return this.tracer.bound(rule, zone, left, right, ms, proof, slackMs);
    return zone.constrain(left, right, ms);
  }

  /** The rule is exceeded by `overMs` for certain. Returns true only while the rule is relaxed. */
  exceeds(rule: RequirementId, overMs: number, proof: () => readonly string[]): boolean {
    if (this.relaxed.has(rule)) return true;
    this.tracer?.exceeded(rule, overMs, proof());
    return false;
  }

  /** Whether a transition that the rule forbids may be taken: only while the rule is relaxed. */
  permits(rule: RequirementId, proof: () => readonly string[]): boolean {
    return this.exceeds(rule, FORBIDDEN_COST, proof);
  }
}
