/**
 * A second way to follow a job's life: all orders in which calls under way at once may have taken effect, one by one, with
 * nothing left out. Good for a handful of calls; what the oracle leaves out is held against it.
 */
import type { Context } from '../../src/oracle/model/context.js';
import { thin, type Hypothesis } from '../../src/oracle/model/hypothesis.js';
import type { Life } from '../../src/oracle/model/life.js';
import type { Step } from '../../src/oracle/model/linearize.js';
import { after, type Operation } from '../../src/oracle/model/operations.js';
import { precedes } from '../../src/oracle/model/pending.js';

interface World {
  readonly at: Hypothesis;
  readonly done: readonly Operation[];
}

/** More ways than these take too long. */
const WORLDS_MAX = 300;

/**
 * The explanations that are left at the end; of a life that has none, what contradicts the rest. Null: too many.
 */
export function allOrders(
  ctx: Context,
  life: Life,
  start: readonly Hypothesis[],
  operations: readonly Operation[],
  step: Step = () => undefined,
): readonly Hypothesis[] | Operation | null {
  let worlds: readonly World[] = start.map((at) => ({ at, done: [] }));
  for (const [index, op] of operations.entries()) {
    if (op.byMs === Infinity) break;
    const underWay = operations
      .slice(index + 1)
      .filter((other) => other.kind !== 'probe' && other.fromMs <= op.byMs && !precedes(op, other));
    const before = worlds.map(({ at }) => at);
    const next = worlds.flatMap((world) =>
      completed(ctx, life, world, op, op.kind === 'probe' ? [] : underWay),
    );
    if (next.length === 0) return op;
    worlds = merged(next, operations);
    if (worlds.length > WORLDS_MAX) return null;
    step(
      op,
      before,
      worlds.map(({ at }) => at),
    );
  }
  return worlds.map(({ at }) => at);
}

function completed(
  ctx: Context,
  life: Life,
  { at, done }: World,
  op: Operation,
  underWay: readonly Operation[],
): readonly World[] {
  if (done.includes(op)) return [{ at, done: done.filter((one) => one !== op) }];
  const first = after(ctx, life, at, op).map((then): World => ({ at: then, done }));
  const later = underWay
    .filter((other) => !done.includes(other))
    .flatMap((other) =>
      after(ctx, life, at, { ...other, byMs: Math.min(other.byMs, op.byMs) }).flatMap((then) =>
        completed(ctx, life, { at: then, done: [...done, other] }, op, underWay),
      ),
    );
  return [...first, ...later];
}

function merged(worlds: readonly World[], operations: readonly Operation[]): readonly World[] {
  const groups = new Map<string, World[]>();
  for (const world of worlds) {
    const key = world.done
      .map((op) => operations.indexOf(op))
      .sort((left, right) => left - right)
      .join();
    groups.set(key, [...(groups.get(key) ?? []), world]);
  }
  return [...groups.values()].flatMap((group) =>
    thin(group.map(({ at }) => at)).map((at) => ({ at, done: group[0]!.done })),
  );
}
