/**
 * The decisions of one job, held back until all its observations are explained. A decision rests on
 * hypotheses; if these turn out to be wrong, so may be the decision.
 */
import type { CallEvent } from '../../history/events.js';
import type { QuestionId, ReadingId, RequirementId } from '../../spec/index.js';
import type { CertainTransition } from './lifecycle/certain-transitions.js';
import { topicsOf } from './rule-topics.js';
import type { Sharpness } from '../observed/tolerance.js';

const NOT_FURTHER =
  'not judged further: the life of each job that might have shown it contradicts the document';

/** The timers of a job whose lateness is measured. */
type LifeTimer = 'ttl' | 'executionTimeout' | 'retention' | 'dispatch';

/** It was at least, and if known at most, this late. */
interface LatenessSample {
  readonly timer: LifeTimer;
  readonly atLeastMs: number;
  readonly atMostMs: number | null;
  /** How late it may be. */
  readonly allowedMs: number;
}

/** Where decisions are counted. */
interface Counting {
  check(id: RequirementId, kept: boolean, call: CallEvent, say: () => string): void;
  serverError(ids: readonly RequirementId[], call: CallEvent, say: () => string): void;
  readonly ledger: {
    about: number | null;
    pass(id: RequirementId, sharpness?: Sharpness | null, instance?: string | null): void;
    inconclusive(id: RequirementId, reason: string): void;
    observe<Q extends QuestionId>(id: Q, reading: ReadingId<Q>, call: CallEvent | null): void;
    late(timer: LifeTimer, atLeastMs: number, atMostMs: number | null, allowedMs: number): void;
    readonly transitions: { add(made: CertainTransition): void };
  };
}

interface Held {
  readonly id: RequirementId | null;
  count(context: Counting): void;
}

export class HeldDecisions {
  private held: (RequirementId | Held)[] = [];
  /** Of each that is held, the call that decides it. */
  private calls: (number | null)[] = [];
  /** The call that decides what comes now; null: none. */
  by: number | null = null;
  private samples: LatenessSample[] = [];
  private made: CertainTransition[] = [];
  /** Of the passes held, the sharpest of each requirement; null: none. */
  private sharpest: Map<RequirementId, Sharpness> | null = null;
  /** Decided by hypotheses that turned out to be wrong; null while there are none, as for most jobs. */
  private dropped: Set<RequirementId> | null = null;

  /**
   * `sharpness`: how small a violation would have shown; null: not known. `instance`: of the cases that it ranges over, the one
   * tested.
   */
  pass(id: RequirementId, sharpness: Sharpness | null = null, instance: string | null = null): void {
    if (instance === null) this.hold(id);
    else this.hold({ id, count: ({ ledger }) => ledger.pass(id, sharpness, instance) });
    if (sharpness === null) return;
    const known = (this.sharpest ??= new Map()).get(id);
    if (known === undefined || sharpness.ms < known.ms) this.sharpest.set(id, sharpness);
  }

  check(id: RequirementId, kept: boolean, call: CallEvent, say: () => string): void {
    if (kept) this.pass(id);
    else this.hold({ id, count: (context) => context.check(id, false, call, say) });
  }

  /** A server error came where the requirement demands a certain answer. */
  serverError(id: RequirementId, call: CallEvent, say: () => string): void {
    this.hold({ id, count: (context) => context.serverError([id], call, say) });
  }

  inconclusive(id: RequirementId, reason: string): void {
    this.hold({ id: null, count: ({ ledger }) => ledger.inconclusive(id, reason) });
  }

  observe<Q extends QuestionId>(id: Q, reading: ReadingId<Q>, call: CallEvent | null): void {
    this.hold({ id: null, count: ({ ledger }) => ledger.observe(id, reading, call) });
  }

  late(timer: LifeTimer, atLeastMs: number, atMostMs: number | null, allowedMs: number): void {
    this.samples.push({ timer, atLeastMs, atMostMs, allowedMs });
  }

  private hold(one: RequirementId | Held): void {
    this.held.push(one);
    this.calls.push(this.by);
  }

  moved(made: readonly CertainTransition[]): void {
    for (const one of made) this.made.push(one);
  }

  /** The hypotheses were wrong: discards their decisions. */
  drop(): void {
    for (const one of this.held) {
      const id = typeof one === 'string' ? one : one.id;
      if (id !== null) (this.dropped ??= new Set()).add(id);
    }
    this.clear();
  }

  private clear(): void {
    this.held = [];
    this.calls = [];
    this.samples = [];
    this.made = [];
    this.sharpest = null;
  }

  /** The hypotheses hold: counts their decisions, except those on the same topic as a rule that is `broken`. */
  count(context: Counting, broken: ReadonlySet<RequirementId> | null = null): void {
    // Most jobs break nothing.
    const topics = broken && new Set([...broken].flatMap((rule) => [...topicsOf(rule)]));
    const isDoubtful = (id: RequirementId): boolean =>
      broken?.has(id) === true || [...topicsOf(id)].some((topic) => topics?.has(topic));
    for (const [at, one] of this.held.entries()) {
      const id = typeof one === 'string' ? one : one.id;
      if (id !== null && broken !== null && isDoubtful(id)) {
        (this.dropped ??= new Set()).add(id);
        continue;
      }
      if (id !== null) this.dropped?.delete(id);
      context.ledger.about = this.calls[at]!;
      if (typeof one === 'string') context.ledger.pass(one, this.sharpest?.get(one));
      else one.count(context);
    }
    context.ledger.about = null;
    for (const { timer, atLeastMs, atMostMs, allowedMs } of this.samples)
      context.ledger.late(timer, atLeastMs, atMostMs, allowedMs);
    // With a rule relaxed, other lives are possible than the document allows.
    if (broken === null) for (const one of this.made) context.ledger.transitions.add(one);
    this.clear();
    for (const id of this.dropped ?? []) context.ledger.inconclusive(id, NOT_FURTHER);
    this.dropped = null;
  }
}
