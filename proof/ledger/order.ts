/** Which cases are tried first, and what a new answer makes of the entry that was there. */
import type { CodeDigests, Entry, Ledger } from './entry.js';
import { AT_FIRST, isWorse, type Outcome } from './outcome.js';

/** A case with the code that its answer depends on today. */
export interface Known {
  readonly id: string;
  /** One of these: a fault of which too little was said is played with more scenarios. */
  readonly plays: readonly string[];
  readonly judge: string;
}

export type Need = 'untried' | 'changed' | 'current';

export function needOf({ plays, judge }: Known, entry: Entry | undefined): Need {
  if (entry === undefined) return 'untried';
  return plays.includes(entry.play) && entry.judge === judge ? 'current' : 'changed';
}

const NEEDS: readonly Need[] = ['untried', 'changed', 'current'];

/**
 * Cases never tried, those whose code has changed, the others; each by when they were tried, longest ago first.
 *
 * @param shuffled a number for each id: the order of those that were tried on the same day, another one at each commit, so that
 *   short runs come to all of them
 */
export function inOrder<C extends Known>(
  cases: readonly C[],
  ledger: Ledger,
  shuffled: (id: string) => number,
): readonly C[] {
  const ranked = cases.map((one) => {
    const entry = ledger.get(one.id);
    return {
      one,
      need: NEEDS.indexOf(needOf(one, entry)),
      date: entry?.date ?? '',
      place: shuffled(one.id),
    };
  });
  ranked.sort(
    (left, right) =>
      left.need - right.need ||
      (left.date < right.date ? -1 : left.date > right.date ? 1 : left.place - right.place),
  );
  return ranked.map(({ one }) => one);
}

/** What is noted of a case. It stays worse than before until it is as good again. */
export function entryAfter(
  known: Entry | undefined,
  now: Pick<Entry, 'id' | 'outcome' | 'commit' | 'date'> & CodeDigests,
): Entry {
  const before: Outcome = known?.before ?? known?.outcome ?? AT_FIRST;
  return { ...now, before: known !== undefined && isWorse(now.outcome, before) ? before : null };
}

/** Whether it makes the command fail: it is worse than it was, or, tried for the first time, than any case may be. */
export function isRegression(known: Entry | undefined, { outcome, before }: Entry): boolean {
  return known === undefined ? isWorse(outcome, AT_FIRST) : before !== null;
}

/** Without the cases that there are no more. */
export function withoutOthers(ledger: Ledger, cases: readonly { readonly id: string }[]): Ledger {
  const ids = new Set(cases.map(({ id }) => id));
  return new Map([...ledger].filter(([id]) => ids.has(id)));
}
