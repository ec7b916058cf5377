/** Ids that differ in one word, as those of each operation do: the one place where an id is put together. */
import type { QuestionId } from './questions/index.js';
import type { RequirementId } from './requirements/index.js';

/** A pattern with a word in the place of its `*`. */
type Filled<
  Pattern extends string,
  Word extends string | number,
> = Pattern extends `${infer Before}*${infer After}` ? `${Before}${Word}${After}` : `${Pattern} without a *`;

/** Asks nothing more of a pattern all of whose ids exist, and of another one what no text has. */
type Existing<Id extends string> = [Id] extends [RequirementId | QuestionId]
  ? unknown
  : { readonly 'does not exist': Exclude<Id, RequirementId | QuestionId> };

/**
 * The ids of a pattern, by the word that stands for its `*`: `idsFor('5/missing-key-*', MAIN_OPERATIONS).run` is
 * `'5/missing-key-run'`. What would make an id that no requirement and no open question has does not compile.
 *
 * Call it once, beside the check, and look the ids up: a text put together anew for each call is hashed for each look-up.
 * `runproof list requirements --where` finds a check by its id or by such a pattern, so a pattern stands there as it is,
 * in quotes, followed by a list of literals or by one of the lists that `operations.ts` exports.
 */
export function idsFor<const Pattern extends string, const Word extends string | number>(
  pattern: Pattern & Existing<Filled<Pattern, Word>>,
  words: readonly Word[],
): { readonly [W in Word]: Filled<Pattern, W> } {
  const ids = words.map((word) => [word, pattern.replace('*', () => `${word}`)] as const);
  return Object.fromEntries(ids) as { readonly [W in Word]: Filled<Pattern, W> };
}
