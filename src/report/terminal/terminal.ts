/** The report for a terminal: failures by cause, sections, the verdict last. */
import { ANSWERS_TITLE, answerTable } from '../answer-times.js';
import { assumptionLines, assumptionTitle } from '../assumptions.js';
import { checkedOf, moreText } from '../checked.js';
import { truncated } from '../escape.js';
import { formatDrift } from '../dialect.js';
import { countRules } from '../client/build.js';
import { conditionTable } from '../client/terminal-table.js';
import { compareSections, sectionName } from '../document-lines.js';
import { createColours, type Colours } from './terminal-colours.js';
import { clientLines, CLIENTS_TITLE } from '../client/seen.js';
import { hintLines, HINTS_TITLE } from '../hints.js';
import { openMustsLine } from '../open-musts.js';
import { failures } from './terminal-causes.js';
import { escapedReport, forReader, type Reader } from '../replay-line.js';
import type { Report, ReportRequirement } from '../report.js';
import {
  pluralize,
  formatDuration,
  formatSharpness,
  isUnasked,
  MARK_SYMBOL,
  MARK_WORDS,
  markOf,
  MARKS,
  marksIn,
  moodOf,
  reasonOf,
  type Mark,
  formatLateness,
  LEVEL_WORDS,
  seedWords,
} from '../formatting.js';

export interface TerminalOptions extends Reader {
  readonly colour: boolean;
  /** List every requirement, not only those that need attention. */
  readonly verbose: boolean;
  /** Section number → title. */
  readonly titles: ReadonlyMap<string, string>;
  /** Requirement id → the document's sentence. */
  readonly quotes: ReadonlyMap<string, string>;
  /** Where the time went, as the user waited for it. */
  readonly spent?: string | undefined;
  /** The run used the published key, unasked, so the shell of the reader may not have it. */
  readonly usedPublishedKey?: boolean | undefined;
  /** Of the terminal, for what is drawn to its width. Default 110. */
  readonly columns?: number | undefined;
}

export function renderTerminal(given: Report, options: TerminalOptions): string {
  const report = forReader(escapedReport(given), options);
  const colours = createColours(options.colour);
  const failed = failures(report, options, colours);
  const parts = [
    [
      ...heading(report, colours),
      ...(options.verbose
        ? ['', ...sections(report, options, colours)]
        : report.subject === 'client'
          ? knownIn(report.requirements, colours)
          : inBrief(report, options, colours)),
    ],
    ...conditionTable(report, options, colours),
    questions(report, options, colours),
    dialect(report, colours),
    lateness(report, options, colours),
    options.verbose ? answers(report, colours) : [],
    report.warnings.map((warning) => colours.yellow(`! ${warning}`)),
    assumptions(report, colours),
    noted(CLIENTS_TITLE, clientLines(report), options, colours),
    noted(HINTS_TITLE, hintLines(report), options, colours),
    leftOpen(report, failed.length > 0 && !options.verbose, colours),
    // Where a reader of a terminal looks first: the end.
    [
      ...failed,
      ...(report.subject === 'client'
        ? clientTotals(report, failed.length > 0, colours)
        : totals(report, options, colours)),
    ],
  ].filter((part) => part.length > 0);
  // Sections that passed, and nothing else to say, fit on a screen without empty lines.
  const between = parts.length === 2 && failed.length === 0 && !options.verbose ? '\n' : '\n\n';
  return `${parts.map((part) => part.join('\n')).join(between)}\n`;
}

function heading(report: Report, colours: Colours): string[] {
  const { target, edition } = report;
  const about = `edition ${edition}  ${seedWords(report)}  clock ${target.clock}${target.speed === undefined ? '' : `  speed ${target.speed}`}`;
  const line = `${colours.bold(`Runproof ${report.runproof}`)}  ${target.name}  ${colours.dim(about)}`;
  return [...(report.subject === 'client' ? [verdictLine(report, colours)] : []), line];
}

const sectionsOf = ({ requirements }: Report): readonly string[] =>
  [...new Set(requirements.map(({ section }) => section))].sort(compareSections);

/** Every requirement that was asked about, and the number of the others. */
function sections(report: Report, { titles }: TerminalOptions, colours: Colours): string[] {
  const unasked = report.requirements.filter(isUnasked).length;
  const lines = sectionsOf(report)
    .flatMap((number) => {
      const requirements = report.requirements.filter((one) => one.section === number && !isUnasked(one));
      if (requirements.length === 0) return [];
      const byMark = MARKS.flatMap((mark) => requirements.filter((one) => markOf(one) === mark));
      return [
        colours.bold(sectionName(number, titles)),
        ...byMark.map((requirement) => oneLine(requirement, colours)),
        '',
      ];
    })
    .slice(0, -1);
  return unasked === 0 ? lines : [...lines, '', colours.dim(`${pluralize(unasked, 'rule')} not selected`)];
}

const TITLE_COLUMNS = 43;

/** A line for each section that the run was asked about, and below it the failures that the baseline knows. */
function inBrief(report: Report, { titles }: TerminalOptions, colours: Colours): string[] {
  const lines = sectionsOf(report).flatMap((number) => {
    const asked = report.requirements.filter((one) => one.section === number && !isUnasked(one));
    const marks = marksIn(asked);
    const worst = marks[0]?.mark;
    if (worst === undefined) return [];
    const counts = marks.map(({ mark, count }) => coloured(mark, `${count} ${MARK_WORDS[mark]}`, colours));
    const title = truncated(titles.get(number) ?? '', TITLE_COLUMNS).padEnd(TITLE_COLUMNS);
    return [
      `${coloured(worst, MARK_SYMBOL[worst], colours)} §${number.padEnd(4)} ${title} ${counts.join(', ')}`,
      ...knownIn(asked, colours),
    ];
  });
  return lines;
}

const knownIn = (requirements: readonly ReportRequirement[], colours: Colours): readonly string[] =>
  requirements.filter((one) => markOf(one) === 'known').map((one) => oneLine(one, colours));

function assumptions(report: Report, colours: Colours): string[] {
  const lines = assumptionLines(report);
  if (lines.length === 0) return [];
  return [colours.bold(assumptionTitle(report)), ...lines.map((line) => colours.dim(`  ${line}`))];
}

const NOTED_MAX: { readonly [title: string]: number } = { [HINTS_TITLE]: 5, [CLIENTS_TITLE]: 20 };

/** The first; with `verbose` all. */
function noted(
  title: string,
  lines: readonly string[],
  { verbose }: TerminalOptions,
  colours: Colours,
): string[] {
  if (lines.length === 0) return [];
  const shown = verbose ? lines : lines.slice(0, NOTED_MAX[title]);
  const more = lines.length - shown.length;
  return [
    colours.bold(title),
    ...shown.map((line) => `  ${line}`),
    ...(more > 0 ? [colours.dim(`  ${more} more (-v)`)] : []),
  ];
}

/**
 * The musts that the scenarios of the run decide on a correct target, and what happened instead. Beside failures only how
 * much it is: they come first, and may be why.
 */
function leftOpen({ requirements }: Report, inBrief: boolean, colours: Colours): string[] {
  const byReason = new Map<string, string[]>();
  for (const { id, missed, selected, reason } of requirements)
    if (missed !== undefined && selected !== false)
      byReason.set(reason ?? '', [...(byReason.get(reason ?? '') ?? []), id]);
  if (byReason.size === 0) return [];
  if (inBrief) {
    const rules = pluralize([...byReason.values()].flat().length, 'required rule');
    return [colours.dim(`${rules} undecided, although tests for them ran (-v says why)`)];
  }
  return [
    colours.bold('Undecided, although tests for them ran'),
    ...[...byReason].flatMap(([reason, ids]) => [
      `  ${colours.yellow(`${MARK_SYMBOL.inconclusive} ${ids.join(', ')}`)}`,
      colours.dim(`    ${reason}`),
    ]),
  ];
}

function coloured(mark: Mark, text: string, colours: Colours): string {
  if (mark === 'fail') return colours.red(text);
  if (mark === 'advice' || mark === 'known' || mark === 'inconclusive') return colours.yellow(text);
  return mark === 'pass' ? colours.green(text) : colours.dim(text);
}

function oneLine(requirement: ReportRequirement, colours: Colours): string {
  const mark = markOf(requirement);
  const symbol = coloured(mark, MARK_SYMBOL[mark], colours);
  const why = reasonOf(requirement);
  const { decided, sharpest } = requirement;
  const how = sharpest === undefined ? '' : `; ${formatSharpness(sharpest)}`;
  const notes = why === null ? `decided ${decided}×${how}` : why;
  return `  ${symbol} ${LEVEL_WORDS[requirement.level].padEnd(8)} ${requirement.id}  ${colours.dim(`${requirement.text} (${notes})`)}`;
}

/** Answers that differ from case to case; with `verbose` all. */
function questions(report: Report, { verbose }: TerminalOptions, colours: Colours): string[] {
  const observed = report.openQuestions.filter(({ readings }) => readings.length > 0);
  const shown = observed.filter(({ stable }) => verbose || !stable);
  if (shown.length === 0) return [];
  const rest = observed.length - shown.length;
  return [
    colours.bold('What the document leaves open'),
    ...shown.map(({ id, readings, stable }) => {
      const line = `  ${stable ? ' ' : '≠'} ${id}: ${readings.join(', ')}`;
      return stable ? colours.dim(line) : colours.yellow(`${line} (answers differ from case to case)`);
    }),
    ...(rest > 0 ? [colours.dim(`  ${pluralize(rest, 'question')} answered consistently`)] : []),
  ];
}

function dialect({ dialect: held }: Report, colours: Colours): string[] {
  if (held === null) return [];
  const unobserved = held.unobserved.length;
  return [
    colours.bold('Compared with the dialect'),
    ...held.drift.map((drift) => `  ${colours.red('✘')} ${formatDrift(drift)}`),
    colours.dim(
      `  ${held.held - held.drift.length - unobserved} of ${pluralize(held.held, 'reading')} unchanged` +
        (unobserved > 0 ? `, ${unobserved} not observed in this run` : ''),
    ),
  ];
}

/** Timers that were late; with `verbose` all. */
function lateness(report: Report, { verbose }: TerminalOptions, colours: Colours): string[] {
  const shown = Object.entries(report.lateness).filter(
    ([, { samples, maxMs }]) => samples > 0 && (verbose || maxMs > 0),
  );
  if (shown.length === 0) return [];
  const allowed = report.graceMs === undefined ? '' : ` (${formatDuration(report.graceMs)} allowed)`;
  return [
    colours.bold(`Lateness of timers${allowed}`),
    ...shown.map(([timer, seen]) => colours.dim(`  ${timer}: ${formatLateness(seen)}`)),
  ];
}

function answers(report: Report, colours: Colours): string[] {
  const [heads = [], ...rows] = answerTable(report);
  if (rows.length === 0) return [];
  const line = ([first = '', ...figures]: readonly string[]): string =>
    `  ${first.padEnd(12)}${figures.map((each) => each.padStart(10)).join('')}`;
  return [colours.bold(ANSWERS_TITLE), line(heads), ...rows.map((row) => colours.dim(line(row)))];
}

/** `2 undecided (1 inconclusive, 1 not exercised; -v names them)`. */
function undecidedInTotal(inconclusive: number, notExercised: number, verbose: boolean): string {
  const total = inconclusive + notExercised;
  if (total === 0) return '0 undecided';
  const hint = verbose ? '' : '; -v names them';
  return `${total} undecided (${inconclusive} inconclusive, ${notExercised} not exercised${hint})`;
}

function totals(report: Report, { verbose, spent }: TerminalOptions, colours: Colours): string[] {
  const { must, should, calls, scripts, webhooks, callsForeseen } = report.totals;
  const checked = checkedOf(report.requirements, report.target);
  const more = moreText(checked);
  const open = openMustsLine(report);
  const { wallMs, longestWaitMs, foreseenMs } = report.time;
  // A history that is judged again does not say how long its run took.
  const took = spent ?? (wallMs === 0 ? '' : formatDuration(wallMs));
  const undecided = undecidedInTotal(must.inconclusive, must['not-exercised'], verbose);
  const notFollowed = should.fail === 0 ? '' : `, ${should.fail} not followed`;
  return [
    `required rules: ${must.pass} passed, ${must.fail} failed, ${undecided}, ${must.untestable} untestable here; ` +
      `advice: ${should.pass} followed${notFollowed}`,
    ...(open === null ? [] : [colours.dim(open)]),
    ...(more === '' || report.verdict.includes(more)
      ? []
      : [`checked ${checked.checked} of ${checked.musts} required rules: ${more}`]),
    colours.dim(
      report.target.isRecorded === true
        ? pluralize(calls, 'recorded call')
        : `${pluralize(scripts, 'script')}, ${pluralize(calls, 'call')}, ${pluralize(webhooks, 'webhook')}` +
            `${took === '' ? '' : ` in ${took}`}; longest wait ${formatDuration(longestWaitMs)}${report.target.speed === undefined ? '' : ' on its clock'}`,
    ),
    ...(callsForeseen === null || foreseenMs === null
      ? []
      : [colours.dim(`estimated: about ${pluralize(callsForeseen, 'call')}, ${formatDuration(foreseenMs)}`)]),
    `${verdictLine(report, colours)}  (exit ${report.exitCode})`,
  ];
}

/** Without failures, the first line is still on the screen. */
function clientTotals(report: Report, isLong: boolean, colours: Colours): string[] {
  const { scripts, calls, webhooks } = report.totals;
  const { kept, broken, open } = countRules(report.requirements);
  const exit = `  (exit ${report.exitCode})`;
  const ran =
    `${pluralize(scripts, 'condition')}, ${pluralize(calls, 'call')}, ${pluralize(webhooks, 'webhook')} ` +
    `in ${formatDuration(report.time.wallMs)}`;
  if (!isLong) return [colours.dim(`${ran}${exit}`)];
  const rules = `${pluralize(kept, 'rule')} kept, ${broken} broken, ${open} never put to the test`;
  return [rules, colours.dim(ran), `${verdictLine(report, colours)}${exit}`];
}

function verdictLine(report: Report, colours: Colours): string {
  const colour =
    report.exitCode !== 0 ? colours.red : moodOf(report) === 'good' ? colours.green : colours.yellow;
  return colours.bold(colour(report.verdict));
}
