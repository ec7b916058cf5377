/** The report for a terminal: failures by cause, sections, the verdict last. */
import { checkedOf, moreText } from './checked.js';
import { escapedTexts } from './escape.js';
import { formatDrift } from './dialect.js';
import { compareSections } from './document-lines.js';
import { createColours, type Colours } from './terminal-colours.js';
import { failures } from './terminal-causes.js';
import type { Report, ReportRequirement } from './report.js';
import {
  pluralize,
  formatDuration,
  isUnasked,
  MARK_SYMBOL,
  MARK_WORDS,
  markOf,
  MARKS,
  reasonOf,
  type Mark,
  formatLateness,
} from './formatting.js';

const IDS_SHOWN_MAX = 4;
const REASONS_SHOWN_MAX = 3;

export interface TerminalOptions {
  readonly colour: boolean;
  /** List every requirement, not only those that need attention. */
  readonly verbose: boolean;
  /** Section number → title. */
  readonly titles: ReadonlyMap<string, string>;
  /** Requirement id → the document's sentence. */
  readonly quotes: ReadonlyMap<string, string>;
  /** The report's folder, for the replay line; null if none was written. */
  readonly directory: string | null;
}

export function renderTerminal(given: Report, options: TerminalOptions): string {
  const report = escapedTexts(given);
  const colours = createColours(options.colour);
  const lines = [
    ...heading(report, colours),
    ...sections(report, options, colours),
    ...questions(report, options, colours),
    ...dialect(report, colours),
    ...lateness(report, colours),
    ...report.warnings.map((warning) => colours.yellow(`! ${warning}`)),
    ...(report.warnings.length > 0 ? [''] : []),
    ...leftOpen(report, colours),
    // Where a reader of a terminal looks first: the end.
    ...failures(report, options, colours),
    ...totals(report, colours),
  ];
  return `${lines.join('\n')}\n`;
}

function heading(report: Report, colours: Colours): string[] {
  const { target, edition, seed } = report;
  const about = `edition ${edition}  seed ${seed}  clock ${target.clock}`;
  return [`${colours.bold(`Runproof ${report.runproof}`)}  ${target.name}  ${colours.dim(about)}`, ''];
}

function sections(report: Report, options: TerminalOptions, colours: Colours): string[] {
  const numbers = [...new Set(report.requirements.map(({ section }) => section))].sort(compareSections);
  return numbers.flatMap((number) => {
    const requirements = report.requirements.filter(({ section }) => section === number);
    if (!options.verbose && requirements.every(isUnasked)) return [];
    const title = options.titles.get(number) ?? '';
    return [
      colours.bold(`§${number} ${title}`.trimEnd()),
      ...MARKS.flatMap((mark) => group(requirements, mark, options, colours)),
      '',
    ];
  });
}

/** The musts that the scenarios of the run decide on a correct target, and what happened instead. */
function leftOpen({ requirements }: Report, colours: Colours): string[] {
  const byReason = new Map<string, string[]>();
  for (const { id, missed, selected, reason } of requirements)
    if (missed !== undefined && selected !== false)
      byReason.set(reason ?? '', [...(byReason.get(reason ?? '') ?? []), id]);
  if (byReason.size === 0) return [];
  return [
    colours.bold('Left open, although scenarios were played that decide it'),
    ...[...byReason].flatMap(([reason, ids]) => [
      `  ${colours.yellow(`${MARK_SYMBOL.inconclusive} ${ids.join(', ')}`)}`,
      colours.dim(`    ${reason}`),
    ]),
    '',
  ];
}

function coloured(mark: Mark, text: string, colours: Colours): string {
  if (mark === 'fail') return colours.red(text);
  if (mark === 'advice' || mark === 'known' || mark === 'inconclusive') return colours.yellow(text);
  return mark === 'pass' ? colours.green(text) : colours.dim(text);
}

/** Marks under which requirements are named. */
const NAMED: readonly Mark[] = ['fail', 'advice', 'inconclusive'];

function group(
  all: readonly ReportRequirement[],
  mark: Mark,
  options: TerminalOptions,
  colours: Colours,
): string[] {
  const requirements = all.filter((requirement) => markOf(requirement) === mark);
  if (requirements.length === 0) return [];
  if (options.verbose || mark === 'known')
    return requirements.map((requirement) => oneLine(requirement, mark, colours));
  const ids = NAMED.includes(mark) ? `: ${someIds(requirements)}` : '';
  const text = `${MARK_SYMBOL[mark]} ${requirements.length} ${MARK_WORDS[mark]}${ids}${reasonsOf(requirements)}`;
  return [`  ${coloured(mark, text, colours)}`];
}

function someIds(requirements: readonly ReportRequirement[]): string {
  const more = requirements.length - IDS_SHOWN_MAX;
  const shown = requirements.slice(0, IDS_SHOWN_MAX).map(({ id }) => id);
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The most frequent reasons, with counts if there are several. */
function reasonsOf(requirements: readonly ReportRequirement[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of requirements)
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].sort(([, left], [, right]) => right - left);
  const shared = reasons.length === 1 && reasons[0]?.[1] === requirements.length;
  const shown = reasons
    .slice(0, REASONS_SHOWN_MAX)
    .map(([reason, count]) => (shared ? reason : `${count}: ${reason}`));
  const others = reasons.slice(REASONS_SHOWN_MAX).reduce((sum, [, count]) => sum + count, 0);
  const more = others === 0 ? [] : [`${others}: other reasons, see --verbose`];
  return shown.length === 0 ? '' : ` (${[...shown, ...more].join('; ')})`;
}

function oneLine(requirement: ReportRequirement, mark: Mark, colours: Colours): string {
  const symbol = coloured(mark, MARK_SYMBOL[mark], colours);
  const why = reasonOf(requirement);
  const notes = why === null ? `decided ${requirement.decided}×` : why;
  return `  ${symbol} ${requirement.level.padEnd(6)} ${requirement.id}  ${colours.dim(`${requirement.text} (${notes})`)}`;
}

function questions(report: Report, { verbose }: TerminalOptions, colours: Colours): string[] {
  const observed = report.openQuestions.filter(({ readings }) => readings.length > 0);
  if (observed.length === 0) return [];
  const shown = observed.filter(({ stable }) => verbose || !stable);
  const lines = shown.map(({ id, readings, stable }) => {
    const line = `  ${stable ? ' ' : '≠'} ${id}: ${readings.join(', ')}`;
    return stable ? colours.dim(line) : colours.yellow(`${line} (answers differ from case to case)`);
  });
  const rest = observed.length - shown.length;
  return [
    colours.bold('What the document leaves open'),
    ...lines,
    ...(rest > 0 ? [colours.dim(`  ${pluralize(rest, 'question')} answered consistently`)] : []),
    '',
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
    '',
  ];
}

function lateness(report: Report, colours: Colours): string[] {
  const timers = Object.entries(report.lateness).filter(([, { samples }]) => samples > 0);
  if (timers.length === 0) return [];
  const lines = timers.map(([timer, seen]) => `  ${timer}: ${formatLateness(seen)}`);
  const allowed = report.graceMs === undefined ? '' : ` (${formatDuration(report.graceMs)} allowed)`;
  return [colours.bold(`Lateness of timers${allowed}`), ...lines.map(colours.dim), ''];
}

/** `2 undecided (1 inconclusive, 1 not exercised)`. */
function undecidedInTotal(inconclusive: number, notExercised: number): string {
  const total = inconclusive + notExercised;
  return total === 0
    ? '0 undecided'
    : `${total} undecided (${inconclusive} inconclusive, ${notExercised} not exercised)`;
}

function totals(report: Report, colours: Colours): string[] {
  const { must, should, calls, scripts, webhooks, callsForeseen } = report.totals;
  const checked = checkedOf(report.requirements, report.target.capabilities);
  const more = moreText(checked);
  const { wallMs, longestWaitMs, foreseenMs } = report.time;
  const undecided = undecidedInTotal(must.inconclusive, must['not-exercised']);
  const verdict = report.exitCode === 0 ? colours.green(report.verdict) : colours.red(report.verdict);
  return [
    `must    ${must.pass} passed, ${must.fail} failed, ${undecided}, ${must.untestable} untestable here`,
    `should  ${should.pass} passed, ${should.fail} not followed`,
    `checked ${checked.checked} of ${checked.musts} musts${more === '' ? '' : `: ${more}`}`,
    colours.dim(
      `${pluralize(scripts, 'script')}, ${pluralize(calls, 'call')}, ${pluralize(webhooks, 'webhook')} in ${formatDuration(wallMs)};` +
        ` longest wait ${formatDuration(longestWaitMs)}`,
    ),
    ...(callsForeseen === null || foreseenMs === null
      ? []
      : [colours.dim(`estimated: about ${pluralize(callsForeseen, 'call')}, ${formatDuration(foreseenMs)}`)]),
    `${colours.bold(verdict)}  (exit ${report.exitCode})`,
  ];
}
