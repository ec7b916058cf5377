/** The report on a client for a terminal: the cause, the table, an example of each violation. */
import type { ClientReport } from '../../client/report.js';
import { escapeControls } from '../escape.js';
import { formatDuration, pluralize, LEVEL_WORDS } from '../formatting.js';
import { createColours, type Colours } from '../terminal-colours.js';
import type { ClientRenderContext } from './context.js';
import { detailsOf, wrapped } from './details.js';
import {
  causeLine,
  cellOf,
  summarize,
  totalsWords,
  untriedWords,
  type ClientSummary,
  type RuleSummary,
} from './summary.js';
import { legend, weatherTable } from './terminal-table.js';
import { cut } from './words.js';

export interface ClientTerminalOptions extends ClientRenderContext {
  readonly colour: boolean;
  /** Of the terminal. */
  readonly columns: number;
  /** Show every weather and rule, not only those with a violation. */
  readonly verbose: boolean;
}

const COLUMNS_MAX = 110;
/** A narrower one breaks lines itself. */
const COLUMNS_MIN = 60;

export function renderClientTerminal(report: ClientReport, options: ClientTerminalOptions): string {
  const summary = summarize(report);
  const colours = createColours(options.colour);
  const columns = Math.max(COLUMNS_MIN, Math.min(COLUMNS_MAX, options.columns));
  const details = [
    ...summary.violated.map((rule) => ruleLines(rule, options, columns, colours)),
    ...wrongLines(summary, colours),
  ];
  const parts = [
    firstLines(report, summary, columns, colours),
    ...tableOf(report, summary, columns, options.verbose, colours),
    ...details,
    [
      ...totals(report, summary, columns, colours),
      // The end is what a reader of a terminal sees first.
      ...(details.length === 0 ? [] : [headline(summary, colours)]),
    ],
  ].filter((part) => part.length > 0);
  return `${parts.map((part) => part.join('\n')).join('\n\n')}\n`;
}

/** The weathers with a violation, by the rules that are violated; with `verbose` all by all. */
function tableOf(
  report: ClientReport,
  summary: ClientSummary,
  columns: number,
  verbose: boolean,
  colours: Colours,
): readonly (readonly string[])[] {
  const { decided, violated } = summary;
  const rules = verbose ? decided : decided.filter(({ violatedIn }) => violatedIn.length > 0);
  const shown = report.results.filter(
    (result) =>
      verbose || result.selfCheck.length > 0 || violated.some(({ id }) => cellOf(result, id) === 'violated'),
  );
  const left = report.results.length - shown.length;
  return [
    [
      ...weatherTable(shown, rules, columns, colours),
      ...(left === 0
        ? []
        : [colours.dim(`${pluralize(left, 'condition')} without a violation (-v shows them)`)]),
    ],
    [...legend(rules, columns, colours), ...(verbose ? openLines(summary, columns, colours) : [])],
  ];
}

/** The first line alone. */
export function renderClientHeadline(report: ClientReport, colour: boolean): string {
  return `${headline(summarize(report), createColours(colour))}\n`;
}

function headline(
  { headline: line, exitCode }: ClientSummary,
  { bold, red, green, yellow }: Colours,
): string {
  return bold((exitCode === 0 ? green : exitCode === 1 ? red : yellow)(line));
}

/** Whatever the first line is about is not said again. */
function firstLines(
  report: ClientReport,
  summary: ClientSummary,
  columns: number,
  colours: Colours,
): readonly string[] {
  const { violated, wrong } = summary;
  const further = violated
    .map((rule) => causeLine(rule, report.results.length))
    .filter((line) => !summary.headline.endsWith(line));
  const untried = untriedWords(report);
  const isSaid = summary.headline.startsWith('NOT JUDGED');
  return [
    headline(summary, colours),
    ...further.map((line) => colours.red(cut(`  also ${line}`, columns))),
    ...(wrong.length > 0 && !isSaid ? [colours.yellow(`  ${WRONG}`)] : []),
    ...(untried === null || summary.headline.startsWith('INTERRUPTED')
      ? []
      : [colours.yellow(`  ${untried}`)]),
  ];
}

const WRONG = 'Runproof itself was wrong: please report it (below)';

function openLines({ open }: ClientSummary, columns: number, { dim }: Colours): readonly string[] {
  if (open.length === 0) return [];
  const text = `never put to the test: ${open.map(({ id }) => id).join(', ')}`;
  return wrapped(escapeControls(text), columns - 3).map((line) => dim(`   ${line}`));
}

function ruleLines(
  rule: RuleSummary,
  context: ClientRenderContext,
  columns: number,
  { bold, dim, red, cyan }: Colours,
): readonly string[] {
  const details = detailsOf(rule, context);
  if (details === null) return [];
  const { weather, source, text, others, timeline, repeat, output } = details;
  const level = rule.level === 'ending' ? '' : dim(` (${LEVEL_WORDS[rule.level]})`);
  const indented = (line: string): readonly string[] => wrapped(line, columns - 2).map((each) => `  ${each}`);
  return [
    `${red('✗')} ${bold(escapeControls(rule.id))}${level}`,
    ...indented(escapeControls(rule.text)),
    ...(source === null ? [] : indented(source).map(dim)),
    ...indented(`under ${escapeControls(weather.id)}: ${escapeControls(weather.text)}`).map(dim),
    ...indented(text).map(red),
    ...timeline.map((line) => (line.startsWith('>') ? bold : dim)(cut(`  ${line}`, columns))),
    ...(output === null
      ? []
      : [dim(`  its ${output.name}`), ...output.lines.map((line) => dim(cut(`  | ${line}`, columns)))]),
    ...(others === null ? [] : indented(escapeControls(others)).map(dim)),
    `  ${cyan(repeat)}`,
  ];
}

function wrongLines({ wrong }: ClientSummary, { bold, yellow }: Colours): readonly (readonly string[])[] {
  if (wrong.length === 0) return [];
  return [
    [
      bold(yellow('Runproof itself was wrong: please report it')),
      ...wrong.flatMap(({ session, selfCheck }) =>
        selfCheck.map((line) => `  ${escapeControls(`${session.weather.id}: ${line}`)}`),
      ),
    ],
  ];
}

function totals(
  report: ClientReport,
  { exitCode }: ClientSummary,
  columns: number,
  { dim }: Colours,
): readonly string[] {
  const { wallMs, seed, speed, edition, runproof } = report;
  const about = `${totalsWords(report)} in ${formatDuration(wallMs)}, seed ${seed}, speed ${speed}, edition ${edition}`;
  return wrapped(`${about}, Runproof ${runproof} (exit ${exitCode})`, columns).map(dim);
}
