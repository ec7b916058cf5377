/**
 * All orders in which overlapping calls may have taken effect.
 *
 * A call took effect at one instant between its sending and its end. Calls that overlap may have done so in any
 * order, calls that do not overlap in one. At the end of each call every hypothesis in which it has not taken
 * effect yet is continued with it, after any of the calls that are still under way.
 */
import type { Context } from './context.js';
import { coarse, thin, type Hypothesis } from './hypothesis.js';
import type { Life } from './life.js';
import { after, type Operation } from './operations.js';

/** More calls at once on one job than this make its order undecidable in good time. */
const CALLS_AT_ONCE_MAX = 6;
const WORLDS_MAX = 400;

interface World {
  readonly at: Hypothesis;
  /** Calls under way that have taken effect already. */
  readonly done: ReadonlySet<Operation>;
}

const NOTHING: ReadonlySet<Operation> = new Set();

export type Walk =
  | { readonly kind: 'consistent'; readonly hypotheses: readonly Hypothesis[] }
  /** The operation that nothing can explain, and what was possible before it. */
  | { readonly kind: 'contradiction'; readonly op: Operation; readonly before: readonly Hypothesis[] }
  | { readonly kind: 'undecided'; readonly reason: string };

/** Called when an operation has been dealt with: what was possible before its end, and after. */
export type Step = (op: Operation, before: readonly Hypothesis[], after: readonly Hypothesis[]) => void;

/** True when `left` was over before `right` began. */
function precedes(left: Operation, right: Operation): boolean {
  if (left.endedTick !== null && right.sentTick !== null) return left.endedTick < right.sentTick;
  return left.byMs < right.fromMs;
}

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
  const firstFromMs = earliestFrom(operations);
  /** Null where no call under way has taken effect in any of them: then `before` says it all. */
  let worlds: readonly World[] | null = null;
  let before = start;
  for (let index = 0; index < operations.length; index += 1) {
    const op = operations[index]!;
    if (op.byMs === Infinity) break;
    const underWay = overlapping(operations, index, firstFromMs);
    if (underWay.length >= CALLS_AT_ONCE_MAX)
      return { kind: 'undecided', reason: 'too many calls at once on one job' };
    let now: readonly Hypothesis[];
    if (worlds === null && underWay.length === 0) now = alone(ctx, life, before, op);
    else {
      const next: World[] = [];
      for (const world of worlds ?? before.map(untouched)) complete(ctx, life, world, op, underWay, next);
      const merged = merge(next, op);
      now = merged.map(({ at }) => at);
      worlds = merged.some(({ done }) => done.size > 0) ? merged : null;
    }
    if (now.length === 0) return { kind: 'contradiction', op, before };
    if (now.length > WORLDS_MAX) {
      // With calls under way each stands for a choice that is still open.
      if (worlds === null) now = coarse(now);
      if (now.length > WORLDS_MAX) return { kind: 'undecided', reason: 'too many ways to explain one job' };
    }
    step?.(op, before, now);
    before = now;
  }
  return { kind: 'consistent', hypotheses: before };
}

/** The least `fromMs` of each operation and all after it: most calls are over before anything else begins. */
function earliestFrom(operations: readonly Operation[]): readonly number[] {
  const earliest = operations.map((op) => op.fromMs);
  for (let index = earliest.length - 2; index >= 0; index -= 1)
    earliest[index] = Math.min(earliest[index]!, earliest[index + 1]!);
  return earliest;
}

const untouched = (at: Hypothesis): World => ({ at, done: NOTHING });

/** The operation takes effect with nothing else under way: there is one order only. */
function alone(
  ctx: Context,
  life: Life,
  before: readonly Hypothesis[],
  op: Operation,
): readonly Hypothesis[] {
  if (before.length === 1) {
    const now = after(ctx, life, before[0]!, op);
    return now.length > 1 ? thin(now) : now;
  }
  const now: Hypothesis[] = [];
  for (const at of before) now.push(...after(ctx, life, at, op));
  return now.length > 1 ? thin(now) : now;
}

const NOTHING_UNDER_WAY: readonly Operation[] = [];

/** Later-ending calls that had begun before this one ended. Probes change nothing and are left in place. */
function overlapping(
  operations: readonly Operation[],
  index: number,
  firstFromMs: readonly number[],
): readonly Operation[] {
  const op = operations[index]!;
  if (op.kind === 'probe' || index + 1 === operations.length || firstFromMs[index + 1]! > op.byMs)
    return NOTHING_UNDER_WAY;
  const found: Operation[] = [];
  for (let later = index + 1; later < operations.length && firstFromMs[later]! <= op.byMs; later += 1) {
    const other = operations[later]!;
    if (other.kind !== 'probe' && other.fromMs <= op.byMs && !precedes(op, other)) found.push(other);
  }
  return found;
}

/** Every way to bring `op` to its effect in this world, with calls under way taking effect before it. */
function complete(
  ctx: Context,
  life: Life,
  world: World,
  op: Operation,
  underWay: readonly Operation[],
  found: World[],
): void {
  if (world.done.has(op)) {
    found.push({ at: world.at, done: without(world.done, op) });
    return;
  }
  for (const at of after(ctx, life, world.at, op)) found.push({ at, done: world.done });
  for (const other of underWay) {
    if (world.done.has(other)) continue;
    const done = new Set(world.done).add(other);
    // What came before this one's effect had happened by then, however long its own answer took.
    const before = other.byMs > op.byMs ? { ...other, byMs: op.byMs } : other;
    for (const at of after(ctx, life, world.at, before))
      complete(ctx, life, { at, done }, op, underWay, found);
  }
}

function without(done: ReadonlySet<Operation>, op: Operation): ReadonlySet<Operation> {
  const rest = new Set(done);
  rest.delete(op);
  return rest;
}

/** Drops worlds that others cover. */
function merge(worlds: readonly World[], op: Operation): World[] {
  if (worlds.length === 1) return worlds as World[];
  if (worlds.every(({ done }) => done.size === 0))
    return thin(worlds.map(({ at }) => at)).map((at) => ({ at, done: NOTHING }));
  const groups = new Map<string, { done: ReadonlySet<Operation>; hypotheses: Hypothesis[] }>();
  const numbers = new Map<Operation, number>();
  for (const world of worlds) {
    const key: number[] = [];
    for (const other of world.done) {
      if (other === op) continue;
      if (!numbers.has(other)) numbers.set(other, numbers.size);
      key.push(numbers.get(other)!);
    }
    const name = key.sort((a, b) => a - b).join();
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { done: world.done, hypotheses: [world.at] });
    else group.hypotheses.push(world.at);
  }
  const kept: World[] = [];
  for (const { done, hypotheses } of groups.values())
    for (const at of thin(hypotheses)) kept.push({ at, done });
  return kept;
}
