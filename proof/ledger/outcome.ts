/** What came out of a case, in one word and a few counts, so that two tries can be compared. */

/**
 * Of a planted error: `right`, named by a must that it breaks; `advice`, by a should alone; `none`, by nothing; `another`, only by
 * what it does not break; `unchecked`, the endpoint could not be checked. Of what is correct: `clean` or `alarm`. Of a faulty client
 * `caught` or `missed`, of a fault in ordinary traffic `shown` or `hidden`.
 */
const RANKS = {
  right: 0,
  clean: 0,
  caught: 0,
  shown: 0,
  advice: 1,
  none: 2,
  missed: 2,
  hidden: 2,
  another: 3,
  unchecked: 4,
  alarm: 4,
} as const;

export type Word = keyof typeof RANKS;

/**
 * Counts that may not grow. Of what is correct, `alarms`: requirements that failed; `open`: musts that stay open without a reason.
 * Of an error, `wrong`: musts that failed though it does not break them; `over`: musts that passed though a script alone shows them
 * broken; `silent`: nothing is said of it, and no reason is listed; `stale`: something is, though one is listed.
 */
const BAD = ['alarms', 'open', 'wrong', 'over', 'silent', 'stale'] as const;
/** Counts that are only told. */
const TOLD = ['calls', 'doubts'] as const;

type Count = (typeof BAD)[number] | (typeof TOLD)[number];
const COUNTS: readonly Count[] = [...TOLD, ...BAD];

export interface Outcome {
  readonly word: Word;
  /** Those that are not 0. */
  readonly counts: { readonly [count in Count]?: number };
}

export function outcomeOf(word: Word, counts: { readonly [count in Count]?: number } = {}): Outcome {
  return {
    word,
    counts: Object.fromEntries(COUNTS.flatMap((name) => (counts[name] ? [[name, counts[name]]] : []))),
  };
}

/** `right wrong=2` */
export function textOf({ word, counts }: Outcome): string {
  return [word, ...COUNTS.flatMap((name) => (counts[name] ? [`${name}=${counts[name]}`] : []))].join(' ');
}

export function readOutcome(text: string): Outcome {
  const [word = '', ...counts] = text.trim().split(' ');
  if (!(word in RANKS)) throw new Error(`no outcome is called ${word}`);
  return outcomeOf(
    word as Word,
    Object.fromEntries(counts.map((one) => one.split('=')).map(([name, count]) => [name, Number(count)])),
  );
}

/** An error that was named is not any more, or something is said that is wrong and was not said before. */
export function isWorse(now: Outcome, before: Outcome): boolean {
  return (
    RANKS[now.word] > RANKS[before.word] ||
    BAD.some((name) => (now.counts[name] ?? 0) > (before.counts[name] ?? 0))
  );
}

/** What a case that was never tried is compared with: nothing that is correct fails, and of each error something is said. */
export const AT_FIRST: Outcome = outcomeOf('none', { wrong: Infinity });
