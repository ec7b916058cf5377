/**
 * Checks the operations on one job like a linearizability checker.
 *
 * Each call took effect at one instant between its sending and its end, its linearization point. Calls that
 * do not overlap took effect in their order; calls that overlap, in any order. The checker goes through the
 * ends of the calls. At each one, every hypothesis in which this call has not taken effect yet is continued
 * with it, after any subset of the calls that are still pending (`interleavings.ts`).
 */
import type { RuleSet } from './rule-set.js';
import { mergedByHull, withoutSubsumed, type Hypothesis } from './hypothesis.js';
import type { JobModel } from './job-model.js';
import { successors, type JobOperation } from './operations.js';
import { EffectBudget, Interleavings, type Configuration } from './interleavings.js';
import { pendingOf, precedes, isUninformative, type PendingCall } from './pending-call.js';

/** Limit of hypotheses: more would take too long. */
const EXPLANATIONS_MAX = 400;
/** Above this number hypotheses are not compared pairwise; similar ones are merged. */
const COMPARED_MAX = 4_000;
/** Limit of effects that are tried for the end of one call. */
const EFFECTS_MAX = 20_000;

export type Linearization =
  | { readonly kind: 'consistent'; readonly hypotheses: readonly Hypothesis[] }
  /** The operation that no hypothesis can explain, and the hypotheses before it. */
  | { readonly kind: 'contradiction'; readonly op: JobOperation; readonly before: readonly Hypothesis[] }
  | { readonly kind: 'undecided'; readonly op: JobOperation; readonly reason: string };

/** Called after each operation with the hypotheses before and after it. */
export type OnStep = (op: JobOperation, before: readonly Hypothesis[], after: readonly Hypothesis[]) => void;

/** Orders operations by their ends: the latest order in which they can have taken effect. */
export function byEnd(left: JobOperation, right: JobOperation): number {
  if (left.endedTick !== null && right.endedTick !== null) return left.endedTick - right.endedTick;
  return left.byMs - right.byMs || left.fromMs - right.fromMs;
}

/** Applies the operations, sorted by `byEnd`, to the hypotheses `start`. */
export function linearize(
  rules: RuleSet,
  model: JobModel,
  start: readonly Hypothesis[],
  operations: readonly JobOperation[],
  step?: OnStep,
): Linearization {
  const calls = new OverlappingCalls(operations);
  /** Null while no pending call has taken effect: then `before` alone describes the configurations. */
  let configurations: readonly Configuration[] | null = null;
  let before = start;
  for (let index = 0; index < operations.length; index += 1) {
    const op = operations[index]!;
    if (op.byMs === Infinity) break;
    let now: readonly Hypothesis[] = before;
    if (!isUninformative(op)) {
      const others = calls.overlapping(index);
      if (configurations === null && others.length === 0) now = applyInSequence(rules, model, before, op);
      else {
        const budget = new EffectBudget(EFFECTS_MAX);
        const orders = new Interleavings(rules, model, calls.at(index), others, calls.retries, budget);
        configurations = byDone(orders.completed(configurations ?? before.map(untouched)), reduced);
        if (budget.isSpent) return { kind: 'undecided', op, reason: 'too many calls at once on one job' };
        now = configurations.map(({ at }) => at);
        if (configurations.every(({ done }) => done.length === 0)) configurations = null;
      }
    }
    if (now.length === 0) return { kind: 'contradiction', op, before };
    if (now.length > EXPLANATIONS_MAX) {
      if (configurations !== null) configurations = byDone(configurations, mergedByHull);
      now = configurations?.map(({ at }) => at) ?? mergedByHull(now);
      if (now.length > EXPLANATIONS_MAX)
        return { kind: 'undecided', op, reason: 'too many ways to explain one job' };
    }
    step?.(op, before, now);
    before = now;
  }
  return { kind: 'consistent', hypotheses: before };
}

const untouched = (at: Hypothesis): Configuration => ({ at, done: [] });

/** The operation does not overlap with others: there is only one order. */
function applyInSequence(
  rules: RuleSet,
  model: JobModel,
  before: readonly Hypothesis[],
  op: JobOperation,
): readonly Hypothesis[] {
  if (before.length === 1) {
    const now = successors(rules, model, before[0]!, op);
    return now.length > 1 ? reduced(now) : now;
  }
  const now: Hypothesis[] = [];
  for (const at of before) now.push(...successors(rules, model, at, op));
  return now.length > 1 ? reduced(now) : now;
}

function reduced(hypotheses: readonly Hypothesis[]): Hypothesis[] {
  return hypotheses.length > COMPARED_MAX ? mergedByHull(hypotheses) : withoutSubsumed(hypotheses);
}

const NOTHING_UNDER_WAY: readonly PendingCall[] = [];

/** Which calls on one job overlap. */
class OverlappingCalls {
  private readonly operations: readonly JobOperation[];
  /** The least `fromMs` of each operation and all after it: most calls end before another one begins. */
  private readonly firstFromMs: readonly number[];
  private readonly known: PendingCall[] = [];
  private requeueing: readonly PendingCall[] | null = null;

  constructor(operations: readonly JobOperation[]) {
    this.operations = operations;
    const earliest = operations.map((op) => op.fromMs);
    for (let index = earliest.length - 2; index >= 0; index -= 1)
      earliest[index] = Math.min(earliest[index]!, earliest[index + 1]!);
    this.firstFromMs = earliest;
  }

  at(index: number): PendingCall {
    return (this.known[index] ??= pendingOf(this.operations[index]!, index));
  }

  /** Calls that may requeue the job. */
  get retries(): readonly PendingCall[] {
    return (this.requeueing ??= this.operations.flatMap((op, index) =>
      op.kind === 'retry' && op.answer !== 'refused' ? this.at(index) : [],
    ));
  }

  /** Calls that end later and began before this one ended, without those that say nothing about the job. */
  overlapping(index: number): readonly PendingCall[] {
    const { operations, firstFromMs } = this;
    const op = operations[index]!;
    if (index + 1 === operations.length || firstFromMs[index + 1]! > op.byMs) return NOTHING_UNDER_WAY;
    const found: PendingCall[] = [];
    for (let later = index + 1; later < operations.length && firstFromMs[later]! <= op.byMs; later += 1) {
      const other = operations[later]!;
      if (!isUninformative(other) && other.fromMs <= op.byMs && !precedes(op, other))
        found.push(this.at(later));
    }
    return found;
  }
}

/** Reduces the configurations in which the same calls have taken effect: they have the same calls left. */
function byDone(
  configurations: readonly Configuration[],
  reduced: (hypotheses: readonly Hypothesis[]) => readonly Hypothesis[],
): readonly Configuration[] {
  if (configurations.length < 2) return configurations;
  const groups = new Map<string, Configuration[]>();
  for (const configuration of configurations) {
    const key = configuration.done.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [configuration]);
    else group.push(configuration);
  }
  return [...groups.values()].flatMap(([first, ...more]) =>
    reduced([first!, ...more].map(({ at }) => at)).map((at) => ({ at, done: first!.done })),
  );
}
