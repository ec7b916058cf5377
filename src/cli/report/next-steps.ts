/** The commands that a user may want to type next, to copy. */
import { causesIn } from '../../report/causes.js';
import { violatedWithout } from '../../report/assumptions.js';
import { checkedOf } from '../../report/checked.js';
import { pluralize } from '../../report/formatting.js';
import type { Report } from '../../report/index.js';
import { quoteForShell } from '../../report/escape.js';
import { program } from '../../program-name.js';
import { YOUR_ADDRESS } from '../options/address.js';
import { exactDuration } from '../../util/duration.js';

export interface NextStep {
  /** Null: Runproof does not know a word of it, and what it is for says all. */
  readonly command: string | null;
  /** What it is for, in a few words. */
  readonly does: string;
}

/** A line for each, the meanings below each other. */
export function nextLines(steps: readonly NextStep[]): readonly string[] {
  const width = Math.max(0, ...steps.map(({ command }) => command?.length ?? 0));
  return steps.map(({ command, does }, index) => {
    const text = command === null ? does : `${command.padEnd(width)}  ${does}`;
    return `${index === 0 ? 'next:' : '     '} ${text}`;
  });
}

/** What lets a check decide more, and what stands behind the option. */
const OPTION_FOR: { readonly [offer: string]: readonly [option: string, needs: string] } = {
  '--dedicated': ['--dedicated', 'if nothing else uses the endpoint'],
  'a longer --profile': ['--profile full', 'waits longer'],
};

/** Options that test control excludes: in its place they are left out. */
const NOT_WITH: { readonly [option: string]: readonly string[] } = {
  '--control': ['--calls-per-second', '--other-endpoint', '--base-path'],
};

/** The same check, with another value of an option, or with an option more. */
function checkOf(
  words: readonly string[],
  option: string | null = null,
  without: readonly string[] = [],
): string {
  const name = option === null ? null : option.split(' ')[0]!;
  const out = name === null ? without : [name, ...(NOT_WITH[name] ?? [])];
  const kept = words.filter((word, index) => {
    const isValue = !word.startsWith('--') && index > 0 && words[index - 1]!.startsWith('--');
    return !out.includes(isValue ? words[index - 1]! : word);
  });
  return [program(), 'check', ...kept.map(quoteForShell), ...(option === null ? [] : [option])].join(' ');
}

/** The same check with what adds most, the most first. */
function stepsThatAddMore(
  report: Report,
  words: readonly string[],
  control: string | undefined,
): readonly NextStep[] {
  const { more } = checkedOf(report.requirements, report.target);
  return more.flatMap(({ offer, musts }): readonly NextStep[] => {
    const decide = `decide ${pluralize(musts, 'rule')} more`;
    const isControl = offer === '--control';
    if (isControl && control === undefined)
      return [
        {
          command: null,
          does: `add --control with the address of its test control to ${decide}, if the server offers it`,
        },
      ];
    const [option, needs] = isControl
      ? [`--control ${quoteForShell(control!)}`, 'with test control']
      : (OPTION_FOR[offer] ?? []);
    return option === undefined ? [] : [{ command: checkOf(words, option), does: `${decide}, ${needs}` }];
  });
}

/**
 * After judging recorded traffic: how to settle what fails unless an assumption holds.
 *
 * @param histories of checks whose calls the files are
 */
export function stepsAfterJudging(
  { assumptions }: Report,
  files: readonly string[],
  histories: readonly string[] = [],
): readonly NextStep[] {
  const { instead = null } = violatedWithout(assumptions) ?? {};
  const judge = (...words: readonly string[]): string =>
    `${program()} judge ${words.map(quoteForShell).join(' ')}`;
  const does = 'decide more: a HAR lacks what the check knew of clock, clients, workers and webhooks';
  return [
    ...histories.map((history) => ({ command: judge(history), does })),
    ...(instead === null
      ? []
      : [{ command: `${judge(...files)} ${instead}`, does: 'see what fails then, with its proof' }]),
  ];
}

interface Checked {
  readonly url: string | null;
  readonly folder: string | null;
  /** Only what had failed before was checked. */
  readonly isAgain?: boolean;
  /** Words of the options that the check had, besides those by which `replay` reaches the target again. */
  readonly others?: readonly string[];
  /** Test control that was found, and is not used. */
  readonly control?: string | undefined;
  /** What `init` writes is there. */
  readonly isSetUp?: boolean;
  /** The budget, and the larger one that would decide more; absent: none would. */
  readonly budget?: { readonly hadMs: number; readonly wants: string } | undefined;
}

/** Of runs that reached their end, or that of their time. */
const ENDED: readonly number[] = [0, 6, 7];

const largerBudget = (
  { hadMs, wants }: NonNullable<Checked['budget']>,
  words: readonly string[],
): NextStep => ({
  command: checkOf(words, `--budget ${wants}`),
  does: `check more: not everything fitted into ${durationWord(hadMs)}`,
});

/** After a selection in which nothing failed. A budget for it has no room for everything. */
const whole = (words: readonly string[]): readonly NextStep[] =>
  words.includes('--only') || words.includes('--skip')
    ? [
        {
          command: checkOf(words, null, ['--only', '--skip', '--budget']),
          does: 'check everything: nothing failed in the selection',
        },
      ]
    : [];

/** As options take it: `1h30m`. */
const durationWord = (ms: number): string => exactDuration(ms).replaceAll(' ', '').replace('min', 'm');

/** After a check, by what it found and what was checked. */
export function stepsAfterCheck(
  report: Report,
  { url, folder, isAgain = false, others = [], control, isSetUp = false, budget }: Checked,
): readonly NextStep[] {
  const { exitCode } = report;
  const words = [...report.target.replayArguments, ...others];
  const cause = causesIn(report)[0]?.requirement;
  const show = {
    command: `${program()} show ${quoteForShell(folder ?? '')} ${cause ?? ''}`,
    does: 'open what was sent and what came back',
  };
  const judge = {
    command: `${program()} judge ${quoteForShell(`${folder ?? ''}/history.ndjson`)}`,
    does: 'judge the recorded calls again, without a server',
  };
  const { shards } = report;
  const merge = {
    command: `${program()} report merge FOLDERS`,
    does: `join the reports of all ${shards?.of ?? 0} shards: they are judged together`,
  };
  const larger = budget !== undefined && ENDED.includes(exitCode) ? [largerBudget(budget, words)] : [];
  if (isAgain && cause === undefined && ENDED.includes(exitCode))
    return [...larger, { command: checkOf(words), does: 'check everything: nothing failed again' }];
  if (shards !== undefined && cause === undefined) return [merge];
  if (exitCode !== 0) return cause !== undefined && folder !== null ? [show] : larger;
  const again = folder === null || larger.length > 0 ? [] : [judge];
  if (report.conforms === false && url !== null) {
    const more = [...larger, ...whole(words), ...stepsThatAddMore(report, words, control)];
    return [...more, ...(more.length === 0 ? again : [])];
  }
  if (url !== null) {
    const init = { command: `${program()} init`, does: 'check it in CI, too' };
    const explore = { command: checkOf(words, '--explore 20'), does: 'also play scripts of random calls' };
    const wider = [...larger, ...whole(words)];
    return [...wider, ...again, ...(!isSetUp ? [init] : words.includes('--explore') ? [] : [explore])];
  }
  return [
    ...larger,
    { command: `${program()} demo`, does: 'watch it find and prove a bug' },
    { command: `${program()} check ${YOUR_ADDRESS}`, does: 'check your own server' },
    ...again,
    { command: `${program()} serve`, does: 'test a client against this endpoint' },
  ];
}
