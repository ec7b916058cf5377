/**
 * The ledger of the proofs: of each case when it was last tried, with which code, and what came out. A line a case, sorted, so
 * that a commit shows what has changed.
 */
import { readOutcome, textOf, type Outcome } from './outcome.js';

/** Digests of the code that an answer depends on. */
export interface CodeDigests {
  /** Of what plays the case, and of the case itself. */
  readonly play: string;
  /** Of what judges it; empty where that is played anew each time. */
  readonly judge: string;
}

export interface Entry extends CodeDigests {
  readonly id: string;
  readonly outcome: Outcome;
  /** What came out before it got worse; null: it did not. Who accepts that removes it from the file, and says why in the commit. */
  readonly before: Outcome | null;
  /** The last commit when it was tried; `+` at its end: the tree held changes that were not committed. */
  readonly commit: string;
  /** YYYY-MM-DD */
  readonly date: string;
}

export type Ledger = ReadonlyMap<string, Entry>;

const HEAD = [
  '# The ledger of `npm run proofs`, which writes it: case | what came out | last tried at | digests of the code.',
  '# `now < before`: it got worse. Fix it; or, if that is right, delete the `<` and what follows, and say why in the commit.',
];
const BETWEEN = ' | ';
const WORSE = ' < ';

export function lineOf({ id, outcome, before, commit, date, play, judge }: Entry): string {
  const came = textOf(outcome) + (before === null ? '' : WORSE + textOf(before));
  return [id, came, `${commit} ${date}`, `${play} ${judge}`.trim()].join(BETWEEN);
}

export function ledgerText(ledger: Ledger): string {
  const entries = [...ledger.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
  return [...HEAD, ...entries.map(lineOf), ''].join('\n');
}

export function readLedger(text: string): Ledger {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(BETWEEN)), entryOf(line)]));
}

function entryOf(line: string): Entry {
  const [id = '', came = '', tried = '', code = '', ...rest] = line.split(BETWEEN);
  if (code === '' || rest.length > 0) throw new Error(`not a line of the ledger: ${line}`);
  const [outcome = '', before] = came.split(WORSE);
  const [commit = '', date = ''] = tried.split(' ');
  const [play = '', judge = ''] = code.split(' ');
  return {
    ...{ id, commit, date, play, judge },
    outcome: readOutcome(outcome),
    before: before === undefined ? null : readOutcome(before),
  };
}
