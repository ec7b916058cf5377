/** The failures in a terminal: causes first, what follows from each below it, one example each. */
import { truncated } from '../escape.js';
import { causesIn, type Cause } from '../causes.js';
import { cut, sourceWords } from '../client/words.js';
import { headlines } from '../headline.js';
import {
  capitalized,
  runsAgain,
  formatFailed,
  LEVEL_WORDS,
  MARK_SYMBOL,
  markOf,
  pluralize,
  scenarioOf,
  wordsOf,
} from '../formatting.js';
import { beforeSending, isShownByOneCall } from '../calls/call-again.js';
import { BUSY } from '../calls/shell-prelude.js';
import { replayLine, shellLine } from '../replay-line.js';
import { LOCAL_API_KEY } from '../../spec/local-key.js';
import type { Report, ReportFailure, ReportRequirement } from '../report.js';
import type { Colours } from './terminal-colours.js';
import type { TerminalOptions } from './terminal.js';

const VALUE_CHARACTERS_MAX = 400;
/** Causes shown with an example; the others with a line each. `--verbose` shows an example of all. */
const CAUSES_SHOWN_MAX = 8;
/** Requirements named behind a cause; `--verbose` lists all. */
const NAMED_MAX = 8;
/** Examples of one requirement with `--verbose`; `report.json` has up to ten. */
const EXAMPLES_MAX = 2;

export function failures(report: Report, options: TerminalOptions, colours: Colours): string[] {
  const byId = new Map(report.requirements.map((requirement) => [requirement.id, requirement]));
  const causes = causesIn(report);
  const titles = headlines(report);
  const advice = report.requirements.filter((requirement) => markOf(requirement) === 'advice');
  return [
    ...(causes.length === 0
      ? []
      : [
          colours.bold(
            causes.length === 1 ? wordsOf(report).theCause : `${causes.length} ${wordsOf(report).causes}`,
          ),
          '',
        ]),
    ...causes.flatMap((cause, index) =>
      oneCause(cause, index, byId, titles.get(cause.requirement)?.[0] ?? '', report, options, colours),
    ),
    ...(options.verbose || causes.length <= CAUSES_SHOWN_MAX
      ? []
      : [colours.dim('Without an example: --verbose shows one of each cause'), '']),
    ...(advice.length === 0 ? [] : [colours.bold('Advice not followed')]),
    ...advice.flatMap((requirement) => oneAdvice(requirement, report, options, colours)),
    ...(advice.length === 0 ? [] : ['']),
  ];
}

function oneCause(
  cause: Cause,
  index: number,
  byId: ReadonlyMap<string, ReportRequirement>,
  title: string,
  report: Report,
  options: TerminalOptions,
  colours: Colours,
): string[] {
  const requirement = byId.get(cause.requirement);
  if (requirement === undefined) return [];
  const others = [
    ...named(cause.sameAnswer, 'also fails in this way', 'also fail in this way', byId, options),
    ...named(cause.consequences, 'fails because of it', 'fail because of it', byId, options),
  ];
  const source = sourceOf(requirement, options);
  const examples = options.verbose ? EXAMPLES_MAX : index < CAUSES_SHOWN_MAX ? 1 : 0;
  return [
    colours.red(`${MARK_SYMBOL.fail} ${title}`),
    `  ${LEVEL_WORDS[requirement.level]}  ${requirement.id}  ${colours.dim(timesOf(requirement))}`,
    // A headline without words of its own is the sentence.
    ...(title.includes(requirement.text.slice(0, -1)) ? [] : [`  ${requirement.text}`]),
    ...(examples === 0 || source === null ? [] : [colours.dim(`  ${source}`)]),
    ...requirement.failures
      .slice(0, examples)
      .flatMap((failure) => example(failure, requirement.text, report, options, colours)),
    ...others.map((line) => colours.yellow(`  ${line}`)),
    '',
  ];
}

/** Where the requirement comes from. */
function sourceOf({ id, section, rule }: ReportRequirement, { quotes }: TerminalOptions): string | null {
  if (rule?.source !== undefined) return sourceWords(rule.source);
  const quote = quotes.get(id);
  return quote === undefined ? null : `“${quote}” (§${section})`;
}

const timesOf = (requirement: ReportRequirement): string =>
  `${formatFailed(requirement)}${requirement.selected === false ? ', outside the selection' : ''}`;

function named(
  ids: readonly string[],
  one: string,
  several: string,
  byId: ReadonlyMap<string, ReportRequirement>,
  { verbose }: TerminalOptions,
): readonly string[] {
  if (ids.length === 0) return [];
  const shown = verbose ? ids : ids.slice(0, NAMED_MAX);
  const more = ids.length - shown.length;
  const counted = shown.map((id) => {
    const requirement = byId.get(id);
    return requirement === undefined ? id : `${id} (${requirement.failed} of ${requirement.decided})`;
  });
  return [
    ids.length === 1 ? `1 requirement ${one}:` : `${ids.length} requirements ${several}:`,
    ...counted.map((text) => `  ${text}`),
    ...(more > 0 ? [`  and ${more} more (--verbose lists them)`] : []),
  ];
}

function oneAdvice(
  requirement: ReportRequirement,
  report: Report,
  options: TerminalOptions,
  colours: Colours,
): string[] {
  const [failure] = requirement.failures;
  return [
    `  ${colours.yellow(`${MARK_SYMBOL.advice} ${LEVEL_WORDS[requirement.level]}  ${requirement.id}`)}  ${colours.dim(timesOf(requirement))}`,
    `    ${requirement.text}`,
    ...(failure === undefined
      ? []
      : options.verbose
        ? example(failure, requirement.text, report, options, colours)
        : [colours.dim(`    Actual: ${truncated(failure.actual, VALUE_CHARACTERS_MAX)}`)]),
  ];
}

function example(
  failure: ReportFailure,
  sentence: string,
  report: Report,
  options: TerminalOptions,
  colours: Colours,
): string[] {
  const value = (text: string): string => truncated(text, VALUE_CHARACTERS_MAX);
  const fitted = (line: string): string =>
    options.columns === undefined ? line : cut(line, options.columns);
  const replay = replayLine(failure, report, options.program);
  return [
    '',
    ...(failure.steps ?? []).map((step, nth) => `  ${nth === 0 ? 'Steps: ' : '       '}   ${value(step)}`),
    // The sentence stands above.
    ...(failure.expected === sentence ? [] : [`  Expected: ${value(failure.expected)}`]),
    `  Actual:   ${value(failure.actual)}`,
    ...failure.proof.map((line) =>
      (line.startsWith('> ') ? colours.bold : colours.dim)(fitted(`            ${value(line)}`)),
    ),
    ...[...shownBy(failure), runsAgain(failure) ?? []]
      .flat()
      .map((line) => colours.dim(`            ${line}`)),
    `  ${capitalized(wordsOf(report).scenario)}: ${scenarioOf(failure)}`,
    ...reproduce(failure).flatMap((line) => [
      ...(beforeSending(line) === null ? [] : [colours.dim(`  ${BUSY}:`)]),
      `  ${colours.cyan(options.usedPublishedKey ? withPublishedKey(line) : line)}`,
    ]),
    ...(replay === null ? [] : [`  ${colours.cyan(replay)}`]),
    '',
  ];
}

/** The call that showed it, where it needs no job submitted before; otherwise the shell script with all its calls. */
function reproduce(failure: ReportFailure): readonly string[] {
  const { curl } = failure;
  if (curl !== null && isShownByOneCall(failure, curl)) return [curl];
  const all = shellLine(failure) ?? curl;
  return all === null ? [] : [all];
}

/** The shell expands the variable of a `curl` line before a setting in front of it applies. */
function withPublishedKey(line: string): string {
  const setting = `RUNPROOF_API_KEY=${LOCAL_API_KEY}`;
  if (line.startsWith('bash ')) return `${setting} ${line}`;
  return line.includes('RUNPROOF_API_KEY') ? `${setting}; ${line}` : line;
}

/** With more calls than this, only their count is shown. */
const CALLS_NAMED_MAX = 12;

function shownBy({ shrunk, steps }: ReportFailure): string[] {
  // The steps of a short script are there to read.
  if (!shrunk || steps !== undefined) return [];
  const { calls, of } = shrunk;
  if (calls.length > CALLS_NAMED_MAX) return [`${calls.length} of ${pluralize(of, 'call')} prove it`];
  const numbers = calls.map((call) => `#${call}`).join(', ');
  return [
    `${calls.length} of ${pluralize(of, 'call')} ${calls.length === 1 ? 'proves' : 'prove'} it: ${numbers}`,
  ];
}
