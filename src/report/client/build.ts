/** The report on a client, from what it did under each condition. */
import type { ClientRun } from '../../client/report.js';
import { WEATHERS } from '../../client/weather/index.js';
import {
  matchBaseline,
  NO_BASELINE,
  toEdit,
  withKnown,
  type Baseline,
  type BaselineMatch,
} from '../compare/baseline.js';
import { outOfDate, type Conclusion } from '../conclusion.js';
import { escapeControls } from '../escape.js';
import { extrasOf } from '../extras.js';
import { pluralize } from '../formatting.js';
import type { Report, ReportRequirement } from '../report.js';
import { verdictTotals } from '../totals.js';
import {
  cellOf,
  conditionOf,
  ENDING,
  rulesIn,
  violationsIn,
  type Condition,
  type Rule,
} from './condition.js';
import { isSuccess, rowsOf } from './rows.js';
import { endSentence } from './words.js';

export interface ClientReportOptions {
  /** Known failures, and today as `YYYY-MM-DD`. */
  readonly baseline?: { readonly entries: Baseline; readonly today: string } | undefined;
}

/** `repeat`: the command that runs the client again under the conditions with these ids alone. */
export function clientReport(
  run: ClientRun,
  repeat: (conditions: readonly string[]) => string,
  { baseline }: ClientReportOptions = {},
): Report {
  const conditions = run.results.map((result) => conditionOf(result, repeat));
  const match = (rows: readonly ReportRequirement[]): BaselineMatch =>
    matchBaseline(baseline!.entries, judgedByBaseline(rows, conditions), baseline!.today);
  return reportOnClient(run, rulesIn(run), conditions, baseline && match);
}

/** The same from its parts. `rules`: those by which any of the conditions was judged; `matched`: absent without a baseline. */
export function reportOnClient(
  about: Omit<ClientRun, 'results' | 'startedAt'> & { readonly startedAt: string | null },
  rules: readonly Rule[],
  conditions: readonly Condition[],
  matched?: (rows: readonly ReportRequirement[]) => BaselineMatch,
): Report {
  const { runproof, client, startedAt, wallMs, seed, speed, edition, untried } = about;
  const { requirements: rows, gravest } = rowsOf(rules, conditions);
  const match = matched?.(rows) ?? NO_BASELINE;
  const requirements = rows.map((row) => withKnown(row, match));
  const causes = gravest.filter((id) => !match.known.has(id));
  return {
    schema: 'runproof-report/1',
    subject: 'client',
    runproof,
    ...concludeClient(requirements, causes, conditions, untried, match),
    at: startedAt,
    target: {
      ...{ kind: 'client', name: client, url: null, replayArguments: [] },
      ...{ clock: 'real', speed, capabilities: [] },
    },
    ...{ edition, seed, requirements, conditions, untried },
    causes: causes.map((requirement) => ({ requirement, answer: null, sameAnswer: [], consequences: [] })),
    ...{ openQuestions: [], dialect: null, lateness: {}, graceMs: 0 },
    warnings: [
      ...extrasOf({ conditions }).map(({ text }) => text),
      ...(untried.length === 0 ? [] : [`interrupted: ${pluralize(untried.length, 'condition')} not tried`]),
    ],
    baseline: matched === undefined ? null : toEdit(match),
    totals: {
      ...verdictTotals(requirements),
      scripts: conditions.length,
      calls: conditions.flatMap(({ calls }) => calls).length,
      callsForeseen: null,
      webhooks: conditions.flatMap(({ webhooks }) => webhooks).length,
    },
    time: { wallMs, longestWaitMs: 0, foreseenMs: null },
  };
}

/** A rule that was kept under some conditions may be broken under others: its entry is not stale before all were tried. */
export function judgedByBaseline(
  rows: readonly ReportRequirement[],
  conditions: readonly Condition[],
): readonly ReportRequirement[] {
  const judged = conditions.filter(({ selfCheck }) => selfCheck.length === 0);
  const isWhole = WEATHERS.every(({ id }) => judged.some(({ weather }) => weather.id === id));
  return isWhole ? rows : rows.filter(({ verdict }) => verdict === 'fail');
}

/**
 * One sentence that is the truth, and the exit code.
 *
 * @param causes ids of the broken rules that the baseline does not know, the gravest first
 */
function concludeClient(
  requirements: readonly ReportRequirement[],
  causes: readonly string[],
  conditions: readonly Condition[],
  untried: readonly string[],
  match: BaselineMatch,
): Conclusion {
  const decided = requirements.filter((row) => row.decided > 0);
  const overdue = match.expired.map(({ requirement }) => requirement);
  const failed = causes.filter((id) => !overdue.includes(id));
  const wrong = conditions.filter(({ selfCheck }) => selfCheck.length > 0);
  const under = `under ${pluralize(conditions.length, 'condition')}`;
  const end = (exitCode: Conclusion['exitCode'], verdict: string): Conclusion => ({
    exitCode: untried.length > 0 ? 130 : exitCode,
    verdict,
    conforms: false,
  });

  const clear = conditions.find(({ weather }) => weather.id === 'clear');
  if (clear !== undefined && failed.includes(ENDING) && doesNotWork(clear)) {
    const verdict = `IT DOES NOT WORK: with nothing going wrong, ${endSentence(clear.end)}`;
    return end(1, `${verdict}${causeIn(clear, failed, requirements)}`);
  }
  const [gravest] = failed;
  if (gravest !== undefined) {
    const { headline = '' } = requirements.find(({ id }) => id === gravest) ?? {};
    return end(1, `FAILED ${gravest} ${headline}`);
  }
  const old = outOfDate(match);
  if (old !== null) return end(5, `${old}; ${under}`);
  if (wrong.length > 0)
    return end(
      4,
      `NOT JUDGED: Runproof itself was wrong under ${wrong.length} of ${pluralize(conditions.length, 'condition')}: please report it`,
    );
  if (untried.length > 0)
    return end(
      130,
      `INTERRUPTED after ${conditions.length} of ${conditions.length + untried.length} conditions: no violation so far`,
    );
  if (decided.length === 0) return end(6, `NOTHING WAS DECIDED ${under}: no rule was put to the test`);
  if (match.known.size > 0)
    return end(0, `NOTHING NEW: ${match.known.size} failed, all known by the baseline, ${under}`);
  const { kept: count, open } = countRules(requirements);
  const kept = `${pluralize(count, 'rule')} kept${open === 0 ? '' : `, ${open} never put to the test`}`;
  if (conditions.every((one) => one.end.kind === 'attached'))
    return { ...end(0, `NO VIOLATION in the calls seen ${under}: ${kept}`), conforms: true };
  return { ...end(0, `SURVIVED ${under.slice('under '.length)}: ${kept}`), conforms: true };
}

/** How a client exits counts only where it is not as expected. */
export function countRules(requirements: readonly ReportRequirement[]): {
  readonly kept: number;
  readonly broken: number;
  readonly open: number;
} {
  const of = (verdict: ReportRequirement['verdict']): number =>
    requirements.filter((one) => one.verdict === verdict && one.id !== ENDING).length;
  const broken = requirements.filter(({ verdict }) => verdict === 'fail').length;
  return { kept: of('pass'), broken, open: of('not-exercised') };
}

/** It did not succeed although nothing went wrong. */
const doesNotWork = (clear: Condition): boolean => cellOf(clear, ENDING) === 'violated' && !isSuccess(clear);

/** What it violated there may be why, above all what the document requires. */
function causeIn(
  clear: Condition,
  failed: readonly string[],
  requirements: readonly ReportRequirement[],
): string {
  const there = failed.filter((id) => id !== ENDING && violationsIn(clear, id).length > 0);
  const isMust = (id: string): boolean => requirements.some((row) => row.id === id && row.level === 'must');
  const rule = there.find(isMust) ?? there[0];
  return rule === undefined ? '' : escapeControls(`; ${rule}: ${violationsIn(clear, rule)[0]!.text}`);
}
