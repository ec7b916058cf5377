/** The figures of README.md, from the ledger. */
import { conformers } from '../../specs/variants/correct-endpoints.js';
import { FAULTS } from '../../specs/naive/faults/wrongs.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { clockFor, COMBINED } from '../variants.js';
import type { Entry, Ledger } from './entry.js';
import type { Outcome, Word } from './outcome.js';

/** What the figures say of themselves. */
export type Age = 'a month' | '500 commits' | null;

const COMMITS_MAX = 500;
const DAYS_MAX = 31;
const DAY_MS = 86_400_000;

/** Errors that are planted, one in each endpoint, and correct endpoints. */
export interface Totals {
  readonly errors: number;
  readonly variants: number;
}

export function totals(): Totals {
  const errors = FAULTS.filter(({ legal }) => legal === undefined).length + MUTANTS.length;
  return { errors, variants: conformers(1, COMBINED).filter((one) => clockFor(one) !== null).length };
}

/** Without real time, which shows less, and less often. */
const ERROR = /^precision\/(control|simulator)\/(naive|mutant)-(?!none$)/;
const CORRECT = /^(variants|conformant)\//;

const counted = (ledger: Ledger): readonly Entry[] =>
  [...ledger.values()].filter(({ id }) => ERROR.test(id) || CORRECT.test(id));

/**
 * The case that was tried the longest time ago, of those that the figures count.
 *
 * @param commits how many there are since a commit, by which cases of one day are told apart
 */
export function oldest(ledger: Ledger, commits: (commit: string) => number = () => 0): Entry | null {
  const [first = null] = counted(ledger).toSorted((left, right) =>
    left.date === right.date ? commits(right.commit) - commits(left.commit) : left.date < right.date ? -1 : 1,
  );
  return first;
}

/** @param commits how many there are since that case was tried; null: it is not known */
export function ageOf({ date }: Pick<Entry, 'date'>, todays: string, commits: number | null): Age {
  if ((Date.parse(todays) - Date.parse(date)) / DAY_MS > DAYS_MAX) return 'a month';
  return commits !== null && commits > COMMITS_MAX ? '500 commits' : null;
}

export function figures(
  ledger: Ledger,
  { errors, variants }: Totals,
  age: Age,
  last: Entry | null = oldest(ledger),
): string {
  if (last === null) return 'No proof has been run yet (`npm run proofs`).';
  const entries = counted(ledger);
  const of = (pattern: RegExp): readonly Entry[] => entries.filter(({ id }) => pattern.test(id));
  const faults = of(ERROR);
  const named = (...words: readonly Word[]): string =>
    number(faults.filter(({ outcome }) => words.includes(outcome.word)).length);
  const endpoints = of(/^variants\//);
  const sum = (some: readonly Entry[], count: keyof Outcome['counts']): number =>
    some.reduce((all, { outcome }) => all + (outcome.counts[count] ?? 0), 0);
  const alarms = sum(endpoints, 'alarms') + sum(of(/^conformant\//), 'alarms');
  const open = sum(endpoints, 'open');
  const unchecked = named('unchecked');
  const sentences = [
    `Of ${part(faults.length, errors)} planted bugs, Runproof catches ${named('right', 'advice', 'another')} and misses ${named('none')}` +
      `${unchecked === '0' ? '' : `; ${unchecked} could not be checked`}. ` +
      `It names the broken rule for all but ${named('another')} of the bugs that it catches.`,
    `It raises ${alarms === 0 ? 'no false alarm' : `${number(alarms)} false alarms`} on ${part(endpoints.length, variants)} correct servers, ` +
      `${alarms === 0 ? 'nor' : 'and'} in ${number(sum(entries, 'calls'))} calls through a simulated network that loses and delays calls` +
      `${open === 0 ? '' : `; ${number(open)} rules stayed undecided without a reason`}.`,
    `The oldest of these results is from ${last.date}, commit \`${last.commit}\`${age === null ? '' : `, more than ${age} old`}; ` +
      '`npm run proofs` measures them again.',
  ];
  return sentences.join(' ');
}

const number = (count: number): string => count.toLocaleString('en-US');
const part = (tried: number, all: number): string =>
  tried === all ? number(all) : `${number(tried)} (of ${number(all)})`;

const BEGIN = '<!-- `npm run generate` writes these figures from proof/ledger.txt. -->';
const END = '<!-- End of the figures. -->';
const LINE_CHARS = 130;

/** README.md with these figures. */
export function withFigures(readme: string, text: string): string {
  const [before, rest] = readme.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (after === undefined) throw new Error('README.md has no place for the figures');
  return `${before}${BEGIN}\n\n${wrapped(text)}\n\n${END}${after}`;
}

function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= LINE_CHARS) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
