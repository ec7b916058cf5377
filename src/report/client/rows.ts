/** The rows of a report on a client: each rule with what the conditions say of it, and which broken rule is the gravest. */
import type { Violation } from '../../client/judge.js';
import { FAILURES_LISTED_MAX } from '../build.js';
import { escapeControls } from '../escape.js';
import { pluralize } from '../formatting.js';
import type { ReportFailure, ReportRequirement } from '../report.js';
import { cellOf, ENDING, violationsIn, type Condition, type Rule } from './condition.js';
import { excerptOf, excerptText } from './timeline.js';
import { lastLines, shortIds } from './words.js';

interface Row extends Rule {
  /** Where it was violated, the condition that shows it best first. */
  readonly violated: readonly Violated[];
  readonly kept: readonly Condition[];
}

interface Violated {
  readonly condition: Condition;
  readonly violations: readonly Violation[];
  /** Nothing else is violated under it from which this could follow. */
  readonly isAlone: boolean;
}

/** It is judged as the last rule. */
const ENDING_RULE: Rule = { id: ENDING, level: 'should', text: 'It exits as expected.', isConsequence: true };

/** The rules in their order, and the ids of those that are broken, the gravest first. */
export function rowsOf(
  rules: readonly Rule[],
  conditions: readonly Condition[],
): { readonly requirements: readonly ReportRequirement[]; readonly gravest: readonly string[] } {
  const all = [...rules.filter(({ id }) => id !== ENDING), ENDING_RULE];
  const direct = all.filter(({ isConsequence }) => isConsequence !== true).map(({ id }) => id);
  const rows = all.map((rule) => rowOf(rule, conditions, direct));
  return {
    requirements: rows.map((row) => requirementOf(row, conditions.length)),
    gravest: rows
      .filter(({ violated }) => violated.length > 0)
      .sort((a, b) => graverFirst(weightOf(a), weightOf(b)))
      .map(({ id }) => id),
  };
}

function rowOf(rule: Rule, conditions: readonly Condition[], direct: readonly string[]): Row {
  return {
    ...rule,
    violated: conditionsBreaking(rule, conditions).map((condition) => ({
      condition,
      violations: violationsIn(condition, rule.id),
      isAlone: direct.every((id) => condition.verdicts[id] !== 'violated'),
    })),
    kept: conditions.filter((condition) => cellOf(condition, rule.id) === 'kept'),
  };
}

/** Those under which it was violated. The condition that is made for the rule shows its violation best. */
export function conditionsBreaking(
  { id, weather = [] }: Pick<Rule, 'id' | 'weather'>,
  conditions: readonly Condition[],
): readonly Condition[] {
  const violated = conditions.filter((condition) => violationsIn(condition, id).length > 0);
  const example = violated.find((condition) => weather.includes(condition.weather.id));
  return example === undefined ? violated : [example, ...violated.filter((one) => one !== example)];
}

const DECIDED_IN_MAX = 3;

function requirementOf(row: Row, conditions: number): ReportRequirement {
  const { violated, kept, id, level, text, ...rule } = row;
  const decided = violated.length + kept.length;
  const parts = byResult(row).toSorted((a, b) => graverFirst(weightOfPart(a), weightOfPart(b)));
  return {
    ...{ id, level, text, rule, decided, failed: violated.length, known: null },
    section: rule.source === undefined || rule.source.kind === 'http' ? 'client' : rule.source.section,
    verdict: violated.length > 0 ? 'fail' : kept.length > 0 ? 'pass' : 'not-exercised',
    ...(kept.length > 0 && {
      decidedIn: kept.slice(0, DECIDED_IN_MAX).map(({ weather }) => weather.id),
    }),
    reason: decided === 0 ? 'no condition put it to the test' : null,
    ...(violated.length > 0 && { headline: headlineOf(parts, conditions) }),
    failures: parts
      .flatMap((part) => part.violated)
      .slice(0, FAILURES_LISTED_MAX)
      .map((one, at) => failureOf(text, one, at === 0)),
  };
}

/** `under 4 of 41 conditions: it asked 17 times more (job-fails)`. */
function headlineOf(parts: readonly Row[], conditions: number): string {
  const texts = parts.map(({ violated }) => {
    const [example] = violated;
    const text = shortIds(example?.violations[0]?.text ?? '');
    const end = example !== undefined && isForEver(example) ? ', until it was stopped' : '';
    const where = `under ${violated.length} of ${pluralize(conditions, 'condition')}`;
    return `${where}: ${text}${end} (${example?.condition.weather.id ?? ''})`;
  });
  return escapeControls(texts.join('; '));
}

const EXCERPT_LINES_MAX = 12;
const OUTPUT_LINES_MAX = 5;

/** Only the first of a rule shows the calls: the others are like it. */
function failureOf(expected: string, { condition, violations }: Violated, isFirst: boolean): ReportFailure {
  const { weather, repeat, output } = condition;
  const [{ text, calls } = { text: '', calls: [] }, ...more] = violations;
  return {
    ...{ scenario: weather.id, about: weather.text, script: null, expected, replay: repeat, curl: null },
    actual: `${shortIds(text)}${more.length === 0 ? '' : ` (${more.length} more under this condition)`}`,
    proof: isFirst
      ? [...excerptText(excerptOf(condition, calls, EXCERPT_LINES_MAX)), ...outputLines(output)]
      : [],
    ...{ calls, contradiction: null, shrunk: null, confirmed: null },
  };
}

/** What it wrote last. Errors say more than results. */
function outputLines({ stderr, stdout }: Condition['output']): readonly string[] {
  const all = [
    ['its stderr', lastLines(stderr, OUTPUT_LINES_MAX)],
    ['its stdout', lastLines(stdout, OUTPUT_LINES_MAX)],
  ] as const;
  const [name, lines] = all.find(([, written]) => written.length > 0) ?? ['', []];
  return lines.length === 0 ? [] : [name, ...lines.map((line) => escapeControls(`| ${line}`))];
}

/** To say success where there is none is another matter than to fail where there is a way. */
function byResult(row: Row): readonly Row[] {
  if (row.id !== ENDING) return [row];
  const saidSuccess = ({ condition }: Violated): boolean => isSuccess(condition);
  return [
    { ...row, violated: row.violated.filter(saidSuccess) },
    { ...row, violated: row.violated.filter((one) => !saidSuccess(one)) },
  ].filter(({ violated }) => violated.length > 0);
}

export const isSuccess = ({ end }: Condition): boolean => end.kind === 'ended' && end.success;

/** The rule that says best that a client takes for success what is none. */
const SUCCESS_RULE = 'client/success-is-completed';

type Weight = readonly [rank: number, isOnce: number, fewer: number];

const graverFirst = (a: Weight, b: Weight): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

const weightOf = (row: Row): Weight => byResult(row).map(weightOfPart).sort(graverFirst)[0]!;

/** By harm: money, a loop without end, a wrong result, a must; what only follows from another violation last. */
const RANKS = { money: 0, endless: 1, 'wrong result': 2, must: 3, manners: 4, follows: 5 } as const;

function weightOfPart(row: Row): Weight {
  const { id, level, harm, isConsequence, violated } = row;
  const anyOf = (kind: keyof typeof RANKS, of: readonly Violated[]): Weight => {
    const [rank, counted] = of.length > 0 ? [RANKS[kind], of] : [RANKS.follows, violated];
    return [rank, counted.some(isForEver) ? 0 : 1, -counted.length];
  };
  if (id === ENDING && violated.some(({ condition }) => isSuccess(condition)))
    return anyOf(
      'wrong result',
      violated.filter(({ condition }) => cellOf(condition, SUCCESS_RULE) !== 'violated'),
    );
  const isHarmful = harm !== 'endless' || violated.some(({ condition }) => condition.end.kind === 'stopped');
  const kind = harm !== undefined && isHarmful ? harm : level === 'must' ? 'must' : 'manners';
  return anyOf(kind, isConsequence === true ? violated.filter(({ isAlone }) => isAlone) : violated);
}

/** It was still at it when it was stopped. */
function isForEver({ condition: { calls: all, end }, violations }: Violated): boolean {
  const last = all.at(-1)?.number;
  return (
    end.kind === 'stopped' &&
    last !== undefined &&
    violations.some(({ calls }) => calls.length > 1 && calls.includes(last))
  );
}
