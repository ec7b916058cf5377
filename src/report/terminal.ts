/** The report as people read it in a terminal: sections, failures with their proof, the verdict last. */
import { clipped, plain } from './escape.js';
import { driftInWords } from './dialect.js';
import { bySection } from './document.js';
import { createPaint, type Paint } from './paint.js';
import { replayLine } from './replay-line.js';
import type { Report, ReportFailure, ReportRequirement } from './report.js';
import {
  confirmedInWords,
  counted,
  duration,
  MARK_SYMBOL,
  MARK_WORDS,
  markOf,
  MARKS,
  reasonOf,
  type Mark,
  latenessInWords,
} from './words.js';

const VALUE_CHARACTERS_MAX = 400;
/** More than this many failures of one requirement are in `report.json`. */
const FAILURES_SHOWN_MAX = 2;
const IDS_SHOWN_MAX = 4;
const REASONS_SHOWN_MAX = 3;

export interface TerminalOptions {
  readonly colour: boolean;
  /** Name every requirement, not only those that need attention. */
  readonly verbose: boolean;
  /** Section number → title. */
  readonly titles: ReadonlyMap<string, string>;
  /** Requirement id → the document's sentence. */
  readonly quotes: ReadonlyMap<string, string>;
  /** Where the report was written, for the replay line; null when nothing was written. */
  readonly directory: string | null;
}

export function renderTerminal(report: Report, options: TerminalOptions): string {
  const paint = createPaint(options.colour);
  const lines = [
    ...heading(report, paint),
    ...sections(report, options, paint),
    ...questions(report, options, paint),
    ...dialect(report, paint),
    ...lateness(report, paint),
    ...report.warnings.map((warning) => paint.yellow(`! ${plain(warning)}`)),
    ...(report.warnings.length > 0 ? [''] : []),
    ...totals(report, paint),
  ];
  return `${lines.join('\n')}\n`;
}

function heading(report: Report, paint: Paint): string[] {
  const { target, edition, seed } = report;
  const about = `edition ${edition}  seed ${seed}  clock ${target.clock}`;
  return [`${paint.bold(`Runproof ${report.runproof}`)}  ${plain(target.name)}  ${paint.dim(about)}`, ''];
}

function sections(report: Report, options: TerminalOptions, paint: Paint): string[] {
  const numbers = [...new Set(report.requirements.map(({ section }) => section))].sort(bySection);
  return numbers.flatMap((number) => {
    const requirements = report.requirements.filter(({ section }) => section === number);
    if (!options.verbose && requirements.every(({ reason }) => reason === 'not selected')) return [];
    const title = options.titles.get(number) ?? '';
    return [
      paint.bold(`§${number} ${title}`.trimEnd()),
      ...MARKS.flatMap((mark) => group(requirements, mark, report, options, paint)),
      '',
    ];
  });
}

function coloured(mark: Mark, text: string, paint: Paint): string {
  if (mark === 'fail') return paint.red(text);
  if (mark === 'advice' || mark === 'known' || mark === 'inconclusive') return paint.yellow(text);
  return mark === 'pass' ? paint.green(text) : paint.dim(text);
}

function group(
  all: readonly ReportRequirement[],
  mark: Mark,
  report: Report,
  options: TerminalOptions,
  paint: Paint,
): string[] {
  const requirements = all.filter((requirement) => markOf(requirement) === mark);
  if (requirements.length === 0) return [];
  if (mark === 'fail' || mark === 'advice') {
    return requirements.flatMap((requirement) => broken(requirement, mark, report, options, paint));
  }
  if (options.verbose || mark === 'known')
    return requirements.map((requirement) => oneLine(requirement, mark, paint));
  const ids = mark === 'inconclusive' ? `: ${someIds(requirements)}` : '';
  const text = `${MARK_SYMBOL[mark]} ${requirements.length} ${MARK_WORDS[mark]}${ids}${reasonsOf(requirements)}`;
  return [`  ${coloured(mark, text, paint)}`];
}

function someIds(requirements: readonly ReportRequirement[]): string {
  const more = requirements.length - IDS_SHOWN_MAX;
  const shown = requirements.slice(0, IDS_SHOWN_MAX).map(({ id }) => id);
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The most frequent of their reasons, with how many there are of each where they differ. */
function reasonsOf(requirements: readonly ReportRequirement[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of requirements)
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].sort(([, left], [, right]) => right - left);
  const shared = reasons.length === 1 && reasons[0]?.[1] === requirements.length;
  const shown = reasons
    .slice(0, REASONS_SHOWN_MAX)
    .map(([reason, count]) => (shared ? plain(reason) : `${count}: ${plain(reason)}`));
  const others = reasons.slice(REASONS_SHOWN_MAX).reduce((sum, [, count]) => sum + count, 0);
  const more = others === 0 ? [] : [`${others}: other reasons, shown by --verbose`];
  return shown.length === 0 ? '' : ` (${[...shown, ...more].join('; ')})`;
}

function oneLine(requirement: ReportRequirement, mark: Mark, paint: Paint): string {
  const symbol = coloured(mark, MARK_SYMBOL[mark], paint);
  const why = reasonOf(requirement);
  const notes = why === null ? `decided ${requirement.decided}×` : plain(why);
  return `  ${symbol} ${requirement.level.padEnd(6)} ${requirement.id}  ${paint.dim(`${requirement.text} (${notes})`)}`;
}

function broken(
  requirement: ReportRequirement,
  mark: Mark,
  report: Report,
  options: TerminalOptions,
  paint: Paint,
): string[] {
  const title = `${MARK_SYMBOL[mark]} ${requirement.level.toUpperCase().padEnd(6)} ${requirement.id}`;
  const times = `failed ${requirement.failed} of ${counted(requirement.decided, 'decision')}`;
  const quote = options.quotes.get(requirement.id);
  const hidden = requirement.failed - FAILURES_SHOWN_MAX;
  return [
    `  ${coloured(mark, title, paint)}  ${paint.dim(times)}`,
    `    -> ${requirement.text}`,
    ...(quote === undefined ? [] : [paint.dim(`       “${quote}” (§${requirement.section})`)]),
    ...requirement.failures
      .slice(0, FAILURES_SHOWN_MAX)
      .flatMap((failure) => oneFailure(failure, report, options, paint)),
    ...(hidden > 0 ? [paint.dim(`       and ${hidden} more; report.json has them`)] : []),
  ];
}

function oneFailure(
  failure: ReportFailure,
  report: Report,
  options: TerminalOptions,
  paint: Paint,
): string[] {
  const value = (text: string): string => clipped(text, VALUE_CHARACTERS_MAX);
  const replay = replayLine(failure, options.directory, report);
  return [
    paint.dim(`       scenario ${plain(failure.scenario)}`),
    `       Expected: ${value(failure.expected)}`,
    `         Actual: ${value(failure.actual)}`,
    ...failure.proof.map((line) => paint.dim(`         ${value(line)}`)),
    ...[...smallest(failure), ...confirmed(failure)].map((line) => paint.dim(`         ${line}`)),
    ...(failure.curl === null ? [] : [`       ${paint.cyan(failure.curl)}`]),
    ...(replay === null ? [] : [`       ${paint.cyan(replay)}`]),
  ];
}

/** More numbers than this tell a reader nothing. */
const CALLS_NAMED_MAX = 12;

function smallest({ shrunk }: ReportFailure): string[] {
  if (!shrunk) return [];
  const { calls, of } = shrunk;
  if (calls.length > CALLS_NAMED_MAX) return [`shown by ${calls.length} of ${counted(of, 'call')}`];
  const named = calls.map((call) => `#${call}`).join(', ');
  return [`shown by ${named} alone, of ${counted(of, 'call')}`];
}

const confirmed = ({ confirmed: again }: ReportFailure): string[] => (again ? [confirmedInWords(again)] : []);

function questions(report: Report, { verbose }: TerminalOptions, paint: Paint): string[] {
  const observed = report.openQuestions.filter(({ readings }) => readings.length > 0);
  if (observed.length === 0) return [];
  const shown = observed.filter(({ stable }) => verbose || !stable);
  const lines = shown.map(({ id, readings, stable }) => {
    const line = `  ${stable ? ' ' : '≠'} ${id}: ${readings.join(', ')}`;
    return stable ? paint.dim(line) : paint.yellow(`${line} (answered differently from case to case)`);
  });
  const rest = observed.length - shown.length;
  return [
    paint.bold('What the document leaves open'),
    ...lines,
    ...(rest > 0 ? [paint.dim(`  ${counted(rest, 'question')} answered one way each`)] : []),
    '',
  ];
}

function dialect({ dialect: held }: Report, paint: Paint): string[] {
  if (held === null) return [];
  const unobserved = held.unobserved.length;
  return [
    paint.bold('Held to the dialect given'),
    ...held.drift.map((drift) => `  ${paint.red('✘')} ${plain(driftInWords(drift))}`),
    paint.dim(
      `  ${held.held - held.drift.length - unobserved} of ${counted(held.held, 'reading')} as before` +
        (unobserved > 0 ? `, ${unobserved} not observed in this run` : ''),
    ),
    '',
  ];
}

function lateness(report: Report, paint: Paint): string[] {
  const timers = Object.entries(report.lateness).filter(([, { samples }]) => samples > 0);
  if (timers.length === 0) return [];
  const words = timers.map(([timer, seen]) => `  ${plain(timer)}: ${latenessInWords(seen)}`);
  const allowed = report.graceMs === undefined ? '' : `, where ${duration(report.graceMs)} are allowed`;
  return [paint.bold(`How late the timers were${allowed}`), ...words.map(paint.dim), ''];
}

function totals(report: Report, paint: Paint): string[] {
  const { must, should, coveragePercent, conformancePercent, calls, scripts, webhooks, callsForeseen } =
    report.totals;
  const { wallMs, longestWaitMs, foreseenMs } = report.time;
  const open = must.inconclusive + must['not-exercised'];
  const verdict = report.exitCode === 0 ? paint.green(report.verdict) : paint.red(report.verdict);
  return [
    `must    ${must.pass} passed, ${must.fail} failed, ${open} undecided, ${must.untestable} untestable here`,
    `should  ${should.pass} passed, ${should.fail} not followed`,
    `coverage ${coveragePercent} %  conformance ${conformancePercent} %`,
    paint.dim(
      `${counted(scripts, 'script')}, ${counted(calls, 'call')}, ${counted(webhooks, 'webhook')} in ${duration(wallMs)};` +
        ` longest wait ${duration(longestWaitMs)}`,
    ),
    ...(callsForeseen === null || foreseenMs === null
      ? []
      : [paint.dim(`foreseen were about ${counted(callsForeseen, 'call')} in ${duration(foreseenMs)}`)]),
    `${paint.bold(verdict)}  (exit ${report.exitCode})`,
  ];
}
