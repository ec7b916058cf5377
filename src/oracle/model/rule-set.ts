/**
 * The rules in force while a job's life is judged, and the record of those that stood in the way.
 *
 * A rule is named by the requirement it comes from. To find out which requirement a contradiction breaks,
 * the judge asks: "if the target did not keep this one rule, would everything observed make sense?" and judges
 * again with that rule `broken`.
 */
import type { RequirementId } from '../../spec/index.js';
import { earlyToleranceMs, type HarnessLags, NO_LAGS } from '../observed/tolerance.js';
import { forbidsTransition } from './lifecycle-calls.js';
import type { Tracer } from './tracer.js';
import { USUAL_UNITS, type TimeUnit } from './reported-times.js';
import type { Instant, Zone } from './zone.js';

/** A move that is none of the document's is a worse explanation than a timer that is off by a week. */
export const FORBIDDEN_COST = 1e12;

export class RuleSet {
  /** Lateness allowed to every timer of the target while the harness itself runs in time, ms. */
  readonly graceMs: number;
  private readonly lags: HarnessLags;
  /** Earliness allowed for rounding, ms; 0 where the target's clock is the harness's own. */
  readonly earlyMs: number;
  /** Nothing is listed where this is null: most misses only rule out a branch that nobody asks about. */
  readonly tracer: Tracer | null;
  /** Moves that no row of section 3 lists are taken: a job may come back to where it was. */
  readonly allowsForbiddenTransitions: boolean;
  /** No rule is assumed to be broken and nobody asks why: what is barred need not be looked at, nor a bound be put into words. */
  readonly isPlain: boolean;
  private readonly relaxed: ReadonlySet<RequirementId>;

  /** Units in which the target may tell times. */
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

  /** Lateness allowed to what was due, or looked at, at some instant in between. */
  graceAt(fromMs: number, byMs = fromMs): number {
    return this.lags.isEmpty ? this.graceMs : this.graceMs + this.lags.worstBetween(fromMs, byMs);
  }

  /** Lateness allowed to anything at any time. */
  get graceMax(): number {
    return this.graceAt(-Infinity, Infinity);
  }

  /** Lateness allowed to what struck at this instant of a life. */
  graceOf(zone: Zone, instant: Instant): number {
    return this.lags.isEmpty ? this.graceMs : this.graceAt(zone.earliest(instant), zone.latest(instant));
  }

  /** Lateness allowed to a worker beside that of its end: on a real clock each sleep before the last is a timer that may be late. */
  sleepGraceMs(sleeps: number): number {
    return this.earlyMs === 0 ? 0 : Math.max(0, sleeps - 1) * this.graceMs;
  }

  /** How much too early a timer of so many ms may seem to strike: rounding, and clocks that drift. */
  earlyToleranceMs(ms: number): number {
    return earlyToleranceMs(this.earlyMs, ms);
  }

  /** With these rules broken, too. */
  without(suspects: readonly RequirementId[]): RuleSet {
    const broken = new Set([...this.relaxed, ...suspects]);
    return new RuleSet(this.graceMs, this.earlyMs, this.units, broken, this.lags);
  }

  /** With the tracer listening. */
  tracedBy(tracer: Tracer): RuleSet {
    return new RuleSet(this.graceMs, this.earlyMs, this.units, this.relaxed, this.lags, tracer);
  }

  /** `left − right ≤ ms`, as the rule says, `slackMs` of it allowance. False when that leaves nothing. */
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

  /** Something is certainly more than the rule allows, by so many ms. True only while the rule is assumed to be broken. */
  exceeds(rule: RequirementId, overMs: number, proof: () => readonly string[]): boolean {
    if (this.relaxed.has(rule)) return true;
    this.tracer?.exceeded(rule, overMs, proof());
    return false;
  }

  /** May a move be taken that the rule bars? Only while that rule is assumed to be broken. */
  permits(rule: RequirementId, proof: () => readonly string[]): boolean {
    return this.exceeds(rule, FORBIDDEN_COST, proof);
  }
}
