/** What a report on a client comes to: what is violated, the gravest first, and the cause in one sentence. */
import type { Violation } from '../../client/judge.js';
import type { ClientReport, WeatherResult } from '../../client/report.js';
import type { ClientRule } from '../../client/rule.js';
import type { ExitCode } from '../conclusion.js';
import { escapeControls } from '../escape.js';
import { pluralize } from '../formatting.js';
import { endSentence, shortIds } from './words.js';

/** Stands for a rule: that the client ends as the weather leads to. */
export const ENDING = 'client/ending';

export interface RuleSummary {
  readonly id: string;
  /** `ending`: it is none of the rules. */
  readonly level: ClientRule['level'] | 'ending';
  readonly text: string;
  /** Null: the ending. */
  readonly rule: ClientRule | null;
  readonly violatedIn: readonly ViolatedIn[];
  /** In how many weathers it was kept. */
  readonly kept: number;
}

interface ViolatedIn {
  readonly result: WeatherResult;
  readonly violations: readonly Violation[];
}

export interface ClientSummary {
  /** Rules that were decided at least once, in their order, with the ending last. */
  readonly decided: readonly RuleSummary[];
  /** The gravest first. */
  readonly violated: readonly RuleSummary[];
  /** Rules that no weather gave an occasion. */
  readonly open: readonly ClientRule[];
  /** Weathers in which Runproof itself was wrong: nothing is concluded from them. */
  readonly wrong: readonly WeatherResult[];
  /** One sentence that is the truth. */
  readonly headline: string;
  readonly exitCode: ExitCode;
}

/** What one weather says of one rule. `wrong`: nothing, because Runproof itself was wrong in it. */
export type Cell = 'kept' | 'violated' | 'open' | 'wrong';

export function cellOf(result: WeatherResult, id: string): Cell {
  if (result.selfCheck.length > 0) return 'wrong';
  if (id === ENDING) {
    const { kind } = result.ending;
    return kind === 'as-expected' ? 'kept' : kind === 'unexpected' ? 'violated' : 'open';
  }
  return result.verdicts.find(({ rule }) => rule.id === id)?.state ?? 'open';
}

/** What is violated of the rule in one weather. */
export function violationsIn(result: WeatherResult, id: string): readonly Violation[] {
  if (cellOf(result, id) !== 'violated') return [];
  if (id === ENDING)
    return result.ending.kind === 'unexpected' ? [{ calls: [], text: result.ending.text }] : [];
  return result.verdicts.flatMap((verdict) =>
    verdict.rule.id === id && verdict.state === 'violated' ? verdict.violations : [],
  );
}

export function summarize(report: ClientReport): ClientSummary {
  const rules = new Map(
    report.results.flatMap(({ verdicts }) => verdicts.map(({ rule }) => [rule.id, rule] as const)),
  );
  const all = [
    ...[...rules.values()].map((rule) => summaryOf(report, rule.id, rule.level, rule.text, rule)),
    summaryOf(report, ENDING, 'ending', 'It exits as expected.', null),
  ];
  const decided = all.filter(({ kept, violatedIn }) => kept + violatedIn.length > 0);
  const parts = {
    decided,
    violated: decided
      .flatMap(byResult)
      .filter(({ violatedIn }) => violatedIn.length > 0)
      .sort(gravestFirst),
    open: all.flatMap(({ rule, kept, violatedIn }) =>
      rule !== null && kept + violatedIn.length === 0 ? [rule] : [],
    ),
    wrong: report.results.filter(({ selfCheck }) => selfCheck.length > 0),
  };
  return { ...parts, headline: headlineOf(report, parts), exitCode: exitCodeOf(report, parts) };
}

function summaryOf(
  { results }: ClientReport,
  id: string,
  level: RuleSummary['level'],
  text: string,
  rule: ClientRule | null,
): RuleSummary {
  const violatedIn = results
    .map((result) => ({ result, violations: violationsIn(result, id) }))
    .filter(({ violations }) => violations.length > 0);
  return {
    ...{ id, level, text, rule },
    violatedIn: theExampleFirst(violatedIn, rule),
    kept: results.filter((result) => cellOf(result, id) === 'kept').length,
  };
}

/** The weather that is made for the rule shows its violation best. */
function theExampleFirst(violatedIn: readonly ViolatedIn[], rule: ClientRule | null): readonly ViolatedIn[] {
  const example = violatedIn.find(({ result }) => rule?.weather.includes(result.session.weather.id) === true);
  if (example === undefined) return violatedIn;
  return [example, ...violatedIn.filter((one) => one !== example)];
}

/** To say success where there is none is another matter than to fail where there is a way. */
function byResult(rule: RuleSummary): readonly RuleSummary[] {
  if (rule.id !== ENDING) return [rule];
  const saidSuccess = ({ result }: ViolatedIn): boolean => isSuccess(result);
  return [
    { ...rule, violatedIn: rule.violatedIn.filter(saidSuccess) },
    { ...rule, violatedIn: rule.violatedIn.filter((one) => !saidSuccess(one)) },
  ];
}

const isSuccess = ({ session: { end } }: WeatherResult): boolean => end.kind === 'ended' && end.success;

/** The rule that says best that a client takes for success what is none. */
const SUCCESS_RULE = 'client/success-is-completed';

type Weight = readonly [rank: number, isOnce: number, count: number];

/** Musts first; then wrong results, which come before how the client got there; what only follows from another violation last. */
function weightOf(summary: RuleSummary): Weight {
  const { id, level, violatedIn } = summary;
  const weight = (rank: number, of: readonly ViolatedIn[] = violatedIn): Weight => [
    rank,
    of.some(isForEver) ? 0 : 1,
    of.length,
  ];
  if (level === 'must') return weight(0);
  if (id === SUCCESS_RULE) return weight(1);
  if (level === 'ending' && violatedIn.some(({ result }) => isSuccess(result))) {
    const own = violatedIn.filter(
      ({ result }) => isSuccess(result) && cellOf(result, SUCCESS_RULE) !== 'violated',
    );
    return own.length > 0 ? weight(1, own) : weight(3);
  }
  if (!isConsequence(summary)) return weight(2);
  const alone = violatedIn.filter(({ result }) => !hasOtherViolation(result));
  return alone.length > 0 ? weight(2, alone) : weight(3);
}

const isConsequence = ({ level, rule }: Pick<RuleSummary, 'level' | 'rule'>): boolean =>
  level === 'ending' || rule?.isConsequence === true;

const hasOtherViolation = ({ verdicts }: WeatherResult): boolean =>
  verdicts.some(({ rule, state }) => state === 'violated' && rule.isConsequence !== true);

/** It was still at it when it was stopped. */
function isForEver({ result: { session }, violations }: ViolatedIn): boolean {
  const last = session.calls.at(-1)?.number;
  return (
    session.end.kind === 'stopped' &&
    last !== undefined &&
    violations.some(({ calls }) => calls.length > 1 && calls.includes(last))
  );
}

function gravestFirst(a: RuleSummary, b: RuleSummary): number {
  const [rankA, onceA, countA] = weightOf(a);
  const [rankB, onceB, countB] = weightOf(b);
  return rankA - rankB || onceA - onceB || countB - countA;
}

type Parts = Omit<ClientSummary, 'headline' | 'exitCode'>;

function headlineOf(report: ClientReport, { decided, violated, open, wrong }: Parts): string {
  const { results, untried } = report;
  const clear = results.find(({ session }) => session.weather.id === 'clear');
  if (clear !== undefined && doesNotWork(clear))
    return `IT DOES NOT WORK: with nothing going wrong, ${endSentence(clear.session.end)}${causeIn(clear, violated)}`;
  const weathers = pluralize(results.length, 'condition');
  const [gravest] = violated;
  if (gravest !== undefined) return `FAILED ${causeLine(gravest, results.length)}`;
  if (wrong.length > 0)
    return `NOT JUDGED: Runproof itself was wrong under ${wrong.length} of ${weathers}: please report it`;
  if (untried.length > 0)
    return `INTERRUPTED after ${results.length} of ${results.length + untried.length} conditions: no violation so far`;
  if (decided.length === 0) return `NOTHING WAS DECIDED under ${weathers}: no rule was put to the test`;
  const kept = decided.filter(({ rule }) => rule !== null).length;
  const never = open.length === 0 ? '' : `, ${open.length} never put to the test`;
  const isAttached = results.every(({ session }) => session.end.kind === 'attached');
  if (isAttached)
    return `NO VIOLATION in what was seen under ${weathers}: ${pluralize(kept, 'rule')} kept${never}`;
  return `SURVIVED ${weathers}: ${pluralize(kept, 'rule')} kept${never}`;
}

/** What it violated there may be why. */
function causeIn(clear: WeatherResult, violated: readonly RuleSummary[]): string {
  const rule = violated.find(({ id }) => id !== ENDING && violationsIn(clear, id).length > 0);
  if (rule === undefined) return '';
  return escapeControls(`; ${rule.id}: ${violationsIn(clear, rule.id)[0]!.text}`);
}

/** It did not succeed although nothing went wrong. */
const doesNotWork = (result: WeatherResult): boolean =>
  cellOf(result, ENDING) === 'violated' && !isSuccess(result);

/** `client/stops-at-failed under 4 of 41 conditions: it asked 17 times more (job-fails)`. */
export function causeLine({ id, violatedIn }: RuleSummary, weathers: number): string {
  const [example] = violatedIn;
  const where = `under ${violatedIn.length} of ${pluralize(weathers, 'condition')}`;
  const text = example?.violations[0]?.text ?? '';
  const end = example !== undefined && isForEver(example) ? ', until it was stopped' : '';
  return escapeControls(
    `${id} ${where}: ${shortIds(text)}${end} (${example?.result.session.weather.id ?? ''})`,
  );
}

function exitCodeOf({ untried }: ClientReport, { decided, violated, wrong }: Parts): ExitCode {
  if (untried.length > 0) return 130;
  if (violated.length > 0) return 1;
  if (wrong.length > 0) return 4;
  return decided.length === 0 ? 6 : 0;
}

/** ` (interrupted: 30 conditions were not tried)`, or nothing. */
export const untriedWords = ({ untried }: ClientReport): string | null =>
  untried.length === 0 ? null : `interrupted: ${pluralize(untried.length, 'condition')} not tried`;

/** `47 conditions, 512 calls`. */
export function totalsWords({ results }: ClientReport): string {
  const calls = results.reduce((sum, { session }) => sum + session.calls.length, 0);
  return `${pluralize(results.length, 'condition')}, ${pluralize(calls, 'call')}`;
}
