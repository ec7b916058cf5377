/**
 * All orders in which overlapping calls may have taken effect.
 *
 * A call took effect at one instant between its sending and its end. Calls that overlap may have done so in any
 * order, calls that do not overlap in one. At the end of each call every hypothesis in which it has not taken
 * effect yet is continued with it, after any of the calls that are still under way (`orders.ts`).
 */
import type { Context } from './context.js';
import { coarse, thin, type Hypothesis } from './hypothesis.js';
import type { Life } from './life.js';
import { after, type Operation } from './operations.js';
import { Budget, Orders, type World } from './orders.js';
import { pendingOf, precedes, saysNothing, type Pending } from './pending.js';

/** More explanations than these are not followed in good time. */
const WORLDS_MAX = 400;
/** Nor are more than these compared with each other, one by one: those of a kind are put together. */
const COMPARED_MAX = 4_000;
/** Nor is what takes more than this for the end of one call: effects of calls that are tried. */
const EFFECTS_MAX = 20_000;

export type Walk =
  | { readonly kind: 'consistent'; readonly hypotheses: readonly Hypothesis[] }
  /** The operation that nothing can explain, and what was possible before it. */
  | { readonly kind: 'contradiction'; readonly op: Operation; readonly before: readonly Hypothesis[] }
  | { readonly kind: 'undecided'; readonly op: Operation; readonly reason: string };

/** Called when an operation has been dealt with: what was possible before its end, and after. */
export type Step = (op: Operation, before: readonly Hypothesis[], after: readonly Hypothesis[]) => void;

/** Sorted by end: the order in which calls must have taken effect at the latest. */
export function byEnd(left: Operation, right: Operation): number {
  if (left.endedTick !== null && right.endedTick !== null) return left.endedTick - right.endedTick;
  return left.byMs - right.byMs || left.fromMs - right.fromMs;
}

/** Follows the operations, sorted by `byEnd`, from `start`. */
export function walk(
  ctx: Context,
  life: Life,
  start: readonly Hypothesis[],
  operations: readonly Operation[],
  step?: Step,
): Walk {
  const calls = new UnderWay(operations);
  /** Null where no call under way has taken effect in any of them: then `before` says it all. */
  let worlds: readonly World[] | null = null;
  let before = start;
  for (let index = 0; index < operations.length; index += 1) {
    const op = operations[index]!;
    if (op.byMs === Infinity) break;
    let now: readonly Hypothesis[] = before;
    if (!saysNothing(op)) {
      const others = calls.besides(index);
      if (worlds === null && others.length === 0) now = alone(ctx, life, before, op);
      else {
        const budget = new Budget(EFFECTS_MAX);
        const orders = new Orders(ctx, life, calls.at(index), others, calls.retries, budget);
        worlds = byDone(orders.completed(worlds ?? before.map(untouched)), fewer);
        if (budget.isSpent) return { kind: 'undecided', op, reason: 'too many calls at once on one job' };
        now = worlds.map(({ at }) => at);
        if (worlds.every(({ done }) => done.length === 0)) worlds = null;
      }
    }
    if (now.length === 0) return { kind: 'contradiction', op, before };
    if (now.length > WORLDS_MAX) {
      if (worlds !== null) worlds = byDone(worlds, coarse);
      now = worlds?.map(({ at }) => at) ?? coarse(now);
      if (now.length > WORLDS_MAX)
        return { kind: 'undecided', op, reason: 'too many ways to explain one job' };
    }
    step?.(op, before, now);
    before = now;
  }
  return { kind: 'consistent', hypotheses: before };
}

const untouched = (at: Hypothesis): World => ({ at, done: [] });

/** The operation takes effect with nothing else under way: there is one order only. */
function alone(
  ctx: Context,
  life: Life,
  before: readonly Hypothesis[],
  op: Operation,
): readonly Hypothesis[] {
  if (before.length === 1) {
    const now = after(ctx, life, before[0]!, op);
    return now.length > 1 ? fewer(now) : now;
  }
  const now: Hypothesis[] = [];
  for (const at of before) now.push(...after(ctx, life, at, op));
  return now.length > 1 ? fewer(now) : now;
}

function fewer(hypotheses: readonly Hypothesis[]): Hypothesis[] {
  return hypotheses.length > COMPARED_MAX ? coarse(hypotheses) : thin(hypotheses);
}

const NOTHING_UNDER_WAY: readonly Pending[] = [];

/** Which calls on one job were under way at once. */
class UnderWay {
  private readonly operations: readonly Operation[];
  /** The least `fromMs` of each operation and all after it: most calls are over before anything else begins. */
  private readonly firstFromMs: readonly number[];
  private readonly known: Pending[] = [];
  private requeueing: readonly Pending[] | null = null;

  constructor(operations: readonly Operation[]) {
    this.operations = operations;
    const earliest = operations.map((op) => op.fromMs);
    for (let index = earliest.length - 2; index >= 0; index -= 1)
      earliest[index] = Math.min(earliest[index]!, earliest[index + 1]!);
    this.firstFromMs = earliest;
  }

  at(index: number): Pending {
    return (this.known[index] ??= pendingOf(this.operations[index]!, index));
  }

  /** Calls that may requeue the job. */
  get retries(): readonly Pending[] {
    return (this.requeueing ??= this.operations.flatMap((op, index) =>
      op.kind === 'retry' && op.answer !== 'refused' ? this.at(index) : [],
    ));
  }

  /** Later-ending calls that had begun before this one ended. What says nothing of the job has no part in it. */
  besides(index: number): readonly Pending[] {
    const { operations, firstFromMs } = this;
    const op = operations[index]!;
    if (index + 1 === operations.length || firstFromMs[index + 1]! > op.byMs) return NOTHING_UNDER_WAY;
    const found: Pending[] = [];
    for (let later = index + 1; later < operations.length && firstFromMs[later]! <= op.byMs; later += 1) {
      const other = operations[later]!;
      if (!saysNothing(other) && other.fromMs <= op.byMs && !precedes(op, other)) found.push(this.at(later));
    }
    return found;
  }
}

/** Fewer of those worlds in which the same calls have taken effect: each of them leaves the same choices open. */
function byDone(
  worlds: readonly World[],
  reduced: (hypotheses: readonly Hypothesis[]) => readonly Hypothesis[],
): readonly World[] {
  if (worlds.length < 2) return worlds;
  const groups = new Map<string, World[]>();
  for (const world of worlds) {
    const key = world.done.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [world]);
    else group.push(world);
  }
  return [...groups.values()].flatMap(([first, ...more]) =>
    reduced([first!, ...more].map(({ at }) => at)).map((at) => ({ at, done: first!.done })),
  );
}
