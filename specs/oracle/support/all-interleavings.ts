/**
 * A second way to follow a job's life: all orders in which calls under way at once may have taken effect, one by one, with
 * nothing left out. Good for a handful of calls; what the oracle leaves out is held against it.
 */
import type { RuleSet } from '../../../src/oracle/model/rule-set.js';
import { withoutSubsumed, type Hypothesis } from '../../../src/oracle/model/hypothesis.js';
import type { JobModel } from '../../../src/oracle/model/job-model.js';
import type { OnStep } from '../../../src/oracle/model/linearize.js';
import { successors, type JobOperation } from '../../../src/oracle/model/operations.js';
import { precedes } from '../../../src/oracle/model/pending-call.js';

interface World {
  readonly at: Hypothesis;
  readonly done: readonly JobOperation[];
}

/** More ways than these take too long. */
const WORLDS_MAX = 300;

/**
 * The explanations that are left at the end; of a life that has none, what contradicts the rest. Null: too many.
 */
export function allOrders(
  rules: RuleSet,
  model: JobModel,
  start: readonly Hypothesis[],
  operations: readonly JobOperation[],
  step: OnStep = () => undefined,
): readonly Hypothesis[] | JobOperation | null {
  let configurations: readonly World[] = start.map((at) => ({ at, done: [] }));
  for (const [index, op] of operations.entries()) {
    if (op.byMs === Infinity) break;
    const underWay = operations
      .slice(index + 1)
      .filter((other) => other.kind !== 'health' && other.fromMs <= op.byMs && !precedes(op, other));
    const before = configurations.map(({ at }) => at);
    const next = configurations.flatMap((configuration) =>
      completed(rules, model, configuration, op, op.kind === 'health' ? [] : underWay),
    );
    if (next.length === 0) return op;
    configurations = merged(next, operations);
    if (configurations.length > WORLDS_MAX) return null;
    step(
      op,
      before,
      configurations.map(({ at }) => at),
    );
  }
  return configurations.map(({ at }) => at);
}

function completed(
  rules: RuleSet,
  model: JobModel,
  { at, done }: World,
  op: JobOperation,
  underWay: readonly JobOperation[],
): readonly World[] {
  if (done.includes(op)) return [{ at, done: done.filter((one) => one !== op) }];
  const first = successors(rules, model, at, op).map((then): World => ({ at: then, done }));
  const later = underWay
    .filter((other) => !done.includes(other))
    .flatMap((other) =>
      successors(rules, model, at, { ...other, byMs: Math.min(other.byMs, op.byMs) }).flatMap((then) =>
        completed(rules, model, { at: then, done: [...done, other] }, op, underWay),
      ),
    );
  return [...first, ...later];
}

function merged(configurations: readonly World[], operations: readonly JobOperation[]): readonly World[] {
  const groups = new Map<string, World[]>();
  for (const configuration of configurations) {
    const key = configuration.done
      .map((op) => operations.indexOf(op))
      .sort((left, right) => left - right)
      .join();
    groups.set(key, [...(groups.get(key) ?? []), configuration]);
  }
  return [...groups.values()].flatMap((group) =>
    withoutSubsumed(group.map(({ at }) => at)).map((at) => ({ at, done: group[0]!.done })),
  );
}
