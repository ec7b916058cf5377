/** Where the oracle says otherwise of the same histories than it did before. */
import type { JudgedHistory } from './trials/findings-trial.js';

/** What differs in one requirement or question, in the warnings, in the lateness, or in what was thrown. */
interface Difference {
  readonly id: string;
  /** Histories in which it differs. */
  readonly histories: number;
  /** Of these: those in which another number of failures was counted, and those with another verdict. */
  readonly failed: number;
  readonly verdicts: number;
  /** One line for each history: what it was, what it is. */
  readonly examples: readonly string[];
}

export interface Comparison {
  /** Histories judged both times. */
  readonly compared: number;
  readonly different: number;
  /** Most severe first. */
  readonly differences: readonly Difference[];
}

export function compared(before: readonly JudgedHistory[], after: readonly JudgedHistory[]): Comparison {
  const known = new Map(before.map((one) => [one.history, one]));
  const pairs = after.flatMap((now) => {
    const old = known.get(now.history);
    return old === undefined ? [] : [{ old, now }];
  });
  const byId = new Map<string, Mutable<Difference>>();
  const different = pairs.filter(({ old, now }) => note(byId, old, now));
  const differences = [...byId.values()].sort(
    (left, right) =>
      right.verdicts - left.verdicts || right.failed - left.failed || right.histories - left.histories,
  );
  return { compared: pairs.length, different: different.length, differences };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer One)[] ? One[] : T[Key] };

/** Whether anything differs. */
function note(byId: Map<string, Mutable<Difference>>, old: JudgedHistory, now: JudgedHistory): boolean {
  const was = partsOf(old);
  const is = partsOf(now);
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (id) => textOf(was, id) !== textOf(is, id),
  );
  for (const id of changed) {
    const difference = byId.get(id) ?? { id, histories: 0, failed: 0, verdicts: 0, examples: [] };
    byId.set(id, difference);
    difference.histories += 1;
    const [left, right] = [old.requirements[id], now.requirements[id]];
    if (left?.failed !== right?.failed) difference.failed += 1;
    if (left?.verdict !== right?.verdict) difference.verdicts += 1;
    difference.examples.push(`${now.history}: ${textOf(was, id)} -> ${textOf(is, id)}`);
  }
  return changed.length > 0;
}

/** Each by the name under which it is compared: requirements and questions share none. */
function partsOf({
  requirements,
  readings,
  warnings,
  lateness,
  thrown,
}: JudgedHistory): Map<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(requirements),
    ...Object.entries(readings).map(([id, counts]) => [`question ${id}`, counts] as const),
    ...Object.entries(lateness).map(([timer, late]) => [`lateness of ${timer}`, late] as const),
    ['warnings', warnings],
    ['thrown', thrown],
  ]);
}

function textOf(parts: Map<string, unknown>, id: string): string {
  const part = parts.get(id);
  return part === undefined ? 'nothing' : JSON.stringify(part);
}

export function comparisonText(
  { compared: count, different, differences }: Comparison,
  examples: number,
): string {
  return [
    ...differences.flatMap(({ id, histories, failed, verdicts, examples: all }) => [
      `${id}: differs in ${histories} histories, the verdict in ${verdicts}, the failures counted in ${failed}`,
      ...all.slice(0, examples).map((line) => `    ${line}`),
    ]),
    `${count} histories compared, ${different} differ`,
  ].join('\n');
}
