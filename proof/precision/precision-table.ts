/** Precision: of the decisions that failed, how many name something that the fault really breaks? */
import type { Excuse } from '../breaks/index.js';
import type { FaultyServer, PrecisionMode } from '../trials/faulty-server.js';
import type { FailedAlone, FailedRequirement } from '../trials/fault-verdict.js';
import type { PrecisionRun } from './precision-trial.js';

/**
 * `right`: a must on the list failed; `advice`: a should on the list and no must on it; `wrong`: nothing but what the fault
 * does not break; `missed`: nothing failed; `unchecked`: the endpoint could not be checked at all.
 */
type Naming = 'right' | 'advice' | 'wrong' | 'missed' | 'unchecked';

export interface PrecisionRow {
  readonly server: FaultyServer;
  readonly fault: string;
  readonly naming: Naming;
  /** Failing decisions of musts on the list, and how many of all there were. */
  readonly rightDecisions: number;
  readonly decisions: number;
  readonly right: readonly string[];
  /** Musts that failed and that the fault does not break. */
  readonly wrong: readonly FailedRequirement[];
  /** The same of shoulds. */
  readonly advice: { readonly right: readonly string[]; readonly wrong: readonly FailedRequirement[] };
  /**
   * Musts on the list that passed in the run, though a script of it, judged alone, shows them broken by a call that in the
   * run shows only what is not on the list, or nothing while the must counts as kept there: it was explained by what others
   * did. Where it shows something else on the list, that is the better name, which shows only beside the other scripts;
   * where the run decides nothing by it, its tolerances are wider for what other scripts showed of them.
   */
  readonly passedOver: readonly { readonly id: string; readonly scenario: string }[];
  /** Of a fault that nothing named: requirements on the list that passed. */
  readonly passed: readonly string[];
  /** Musts that the run leaves open unexplained, though no must failed; null: not known. */
  readonly leftOpen: readonly string[] | null;
  /**
   * `loud`: a must failed, is left open unexplained, or the endpoint could not be checked; `excused`: none of these, and it
   * is known why; `silent`: none of these, and nobody knows why; `stale`: loud, though a reason for silence is listed.
   */
  readonly silence: 'loud' | 'excused' | 'silent' | 'stale';
  /** Why nothing may be said of it. */
  readonly excuse: string | null;
  readonly problem: string | null;
}

export interface PrecisionTotals {
  readonly faults: number;
  readonly decisions: number;
  readonly rightDecisions: number;
  /** Share of failing decisions that are right; null without any. */
  readonly precision: number | null;
  readonly named: { readonly [naming in Naming]: number };
  /** Faults with a failing must that they do not break. */
  readonly withWrong: number;
  /** Faults that nothing named, though requirements on their list were decided, and passed. */
  readonly missedPassing: number;
  /** Faults of which a must passes that a script alone shows broken. */
  readonly passedOver: number;
  /** Shoulds that failed rightly and wrongly, requirements and not decisions. */
  readonly adviceRight: number;
  readonly adviceWrong: number;
  /** Of faults that no must named: those of which the run leaves a must open unexplained. */
  readonly leftOpen: number;
  /** Faults of which nothing is said, without a reason, and those with a reason of which something is said. */
  readonly silent: number;
  readonly stale: number;
}

export interface PrecisionTable {
  readonly schema: 'runproof-precision/1';
  readonly mode: PrecisionMode;
  readonly profile: string | null;
  readonly seed: number;
  readonly totals: PrecisionTotals;
  /** What failed on endpoints without a fault. */
  readonly withoutFault: readonly string[];
  readonly rows: readonly PrecisionRow[];
}

export function precisionRow(
  { server, failed, passed, leftOpen, alone, problem }: PrecisionRun,
  fault: string,
  broken: ReadonlySet<string>,
  excuse: Excuse | null,
): PrecisionRow {
  const musts = failed.filter(({ level }) => level === 'must');
  const advice = failed.filter(({ level }) => level !== 'must');
  const onList = ({ id }: { readonly id: string }): boolean => broken.has(id);
  const offList = (one: { readonly id: string }): boolean => !onList(one);
  const isPassedOver = ({ named, isTakenForKept }: FailedAlone): boolean =>
    named.some((ids) => (ids.length === 0 ? isTakenForKept : !ids.some((id) => broken.has(id))));
  const right = musts.filter(onList);
  const count = (some: readonly FailedRequirement[]): number =>
    some.reduce((sum, { times }) => sum + times, 0);
  const naming = ((): Naming => {
    if (problem !== null) return 'unchecked';
    if (right.length > 0) return 'right';
    if (advice.some(onList)) return 'advice';
    return failed.length > 0 ? 'wrong' : 'missed';
  })();
  return {
    server,
    fault,
    naming,
    rightDecisions: count(right),
    decisions: count(musts),
    right: right.map(({ id }) => id),
    wrong: musts.filter(offList),
    advice: { right: advice.filter(onList).map(({ id }) => id), wrong: advice.filter(offList) },
    passedOver: firstOfEach(
      alone.filter((one) => onList(one) && passed.includes(one.id) && isPassedOver(one)),
    ),
    passed: naming === 'right' || naming === 'advice' ? [] : passed.filter((id) => broken.has(id)),
    leftOpen,
    silence: ((): PrecisionRow['silence'] => {
      const isLoud = musts.length > 0 || (leftOpen ?? []).length > 0 || problem !== null;
      if (isLoud) return excuse?.isListed === true ? 'stale' : 'loud';
      return excuse === null ? 'silent' : 'excused';
    })(),
    excuse: excuse?.why ?? null,
    problem,
  };
}

function firstOfEach<T extends { readonly id: string }>(some: readonly T[]): readonly T[] {
  return some.filter(({ id }, index) => some.findIndex((other) => other.id === id) === index);
}

export function totalsOf(rows: readonly PrecisionRow[]): PrecisionTotals {
  const sum = (of: (row: PrecisionRow) => number): number => rows.reduce((all, row) => all + of(row), 0);
  const named = (naming: Naming): number => rows.filter((row) => row.naming === naming).length;
  const decisions = sum((row) => row.decisions);
  const rightDecisions = sum((row) => row.rightDecisions);
  return {
    faults: rows.length,
    decisions,
    rightDecisions,
    precision: decisions === 0 ? null : rightDecisions / decisions,
    named: {
      right: named('right'),
      advice: named('advice'),
      wrong: named('wrong'),
      missed: named('missed'),
      unchecked: named('unchecked'),
    },
    withWrong: rows.filter((row) => row.wrong.length > 0).length,
    missedPassing: rows.filter((row) => row.naming === 'missed' && row.passed.length > 0).length,
    passedOver: rows.filter((row) => row.passedOver.length > 0).length,
    adviceRight: sum((row) => row.advice.right.length),
    adviceWrong: sum((row) => row.advice.wrong.length),
    leftOpen: rows.filter((row) => (row.leftOpen ?? []).length > 0).length,
    silent: rows.filter((row) => row.silence === 'silent').length,
    stale: rows.filter((row) => row.silence === 'stale').length,
  };
}

/** Failing decisions that name something broken, of all. */
const PRECISION_MIN = 0.99;

export function isPrecise({ totals, withoutFault, mode }: PrecisionTable): boolean {
  const { precision, named, passedOver, silent, stale } = totals;
  // In real time much does not show that does when time can be moved.
  const isQuiet = mode !== 'control' || (silent === 0 && stale === 0);
  return (
    withoutFault.length === 0 &&
    (precision ?? 1) >= PRECISION_MIN &&
    named.wrong === 0 &&
    passedOver === 0 &&
    isQuiet
  );
}

export function precisionScore({ totals, mode, profile, withoutFault }: PrecisionTable): string {
  const { faults, decisions, rightDecisions, precision, named, withWrong, missedPassing, passedOver } =
    totals;
  const share = precision === null ? 'no' : `${(100 * precision).toFixed(2)} % of`;
  const how = {
    real: `in real time on one shared endpoint, profile ${profile}`,
    control: 'under test control',
    simulator: 'on the simulator',
  }[mode];
  return (
    `${share} failing decisions name what is broken (${rightDecisions} of ${decisions}) of ${faults} faults ${how}: ` +
    `${named.right} named by a must, ${named.advice} by a should, ${named.wrong} only by what they do not break, ` +
    `${named.missed} by nothing (of ${missedPassing} something on the list passed), ${named.unchecked} not to be checked; ` +
    `${totals.leftOpen} leave a must open unexplained, of ${totals.silent} nothing is said and no reason is listed, of ${totals.stale} something though one is; ` +
    `${withWrong} with some failure of what they do not break, ${passedOver} with a must that passes although a script alone shows it broken; ` +
    `without a fault ${withoutFault.length === 0 ? 'nothing' : withoutFault.join(' ')} failed`
  );
}

export function precisionMarkdown(table: PrecisionTable): string {
  const ids = (some: readonly string[]): string => some.map((id) => `\`${id}\``).join(' ') || '–';
  const times = (some: readonly FailedRequirement[]): string =>
    some.map((one) => `\`${one.id}\` × ${one.times} (${one.scenarios[0] ?? ''})`).join('; ') || '–';
  return [
    '# Precision',
    '',
    `${precisionScore(table)}; seed ${table.seed}.`,
    '',
    '| fault | named | failing decisions | right | wrong | wrong advice | passes, though a script alone shows it |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...table.rows.map((row) => {
      const { server, fault, naming, decisions, rightDecisions, right, advice, wrong, passedOver } = row;
      const named = [...right, ...advice.right];
      const over = passedOver.map(({ id, scenario }) => `\`${id}\` (${scenario})`).join('; ') || '–';
      const missed = row.excuse ?? `passed: ${ids(row.passed)}`;
      const why = row.problem ?? (naming === 'missed' ? missed : ids(named));
      return `| ${server} \`${fault}\` | ${naming} | ${rightDecisions} of ${decisions} | ${why} | ${times(wrong)} | ${times(advice.wrong)} | ${over} |`;
    }),
    '',
    '## Named wrongly',
    '',
    '| requirement | failing decisions | faults |',
    '| --- | --- | --- |',
    ...namedWrongly(table.rows).map(
      ({ id, times, faults }) =>
        `| \`${id}\` | ${times} | ${faults.map((fault) => `\`${fault}\``).join(' ')} |`,
    ),
    '',
  ].join('\n');
}

/** What is named though it is not broken, the most frequent first. */
function namedWrongly(
  rows: readonly PrecisionRow[],
): readonly { readonly id: string; readonly times: number; readonly faults: readonly string[] }[] {
  const found = new Map<string, { id: string; times: number; faults: string[] }>();
  for (const { fault, wrong } of rows)
    for (const { id, times } of wrong) {
      const known = found.get(id) ?? { id, times: 0, faults: [] };
      known.times += times;
      known.faults.push(fault);
      found.set(id, known);
    }
  return [...found.values()].sort((left, right) => right.times - left.times);
}
