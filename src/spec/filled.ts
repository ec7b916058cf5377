/** A pattern with a word in the place of its `*`. */
export type Filled<
  Pattern extends string,
  Word extends string | number,
> = Pattern extends `${infer Before}*${infer After}` ? `${Before}${Word}${After}` : `${Pattern} without a *`;

/** The pattern with the word in the place of its `*`. */
export function filled<Pattern extends string, Word extends string | number>(
  pattern: Pattern,
  word: Word,
): Filled<Pattern, Word> {
  return pattern.replace('*', () => `${word}`) as Filled<Pattern, Word>;
}
