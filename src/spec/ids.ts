/** The only place that composes ids: families of ids that differ in one word, such as the operation. */
import type { QuestionId } from './questions/index.js';
import type { RequirementId } from './requirements/index.js';

/** A pattern with a word in the place of its `*`. */
type Filled<
  Pattern extends string,
  Word extends string | number,
> = Pattern extends `${infer Before}*${infer After}` ? `${Before}${Word}${After}` : `${Pattern} without a *`;

/** No constraint on a pattern all of whose ids exist; an unsatisfiable one on any other pattern. */
type Existing<Id extends string> = [Id] extends [RequirementId | QuestionId]
  ? unknown
  : { readonly 'does not exist': Exclude<Id, RequirementId | QuestionId> };

/**
 * The ids of a pattern, by the word that stands for its `*`: `idsFor('5/missing-key-*', MAIN_OPERATIONS).run` is
 * `'5/missing-key-run'`. A pattern that yields an id of no requirement and no open question does not compile.
 *
 * Call it once, next to the check, and look the ids up: composing an id per call would cost a hash per lookup.
 * `runproof list requirements --where` finds a check by its id or by such a pattern, so write the pattern as a literal,
 * followed by a list of literals or by one of the lists that `operations.ts` exports.
 */
export function idsFor<const Pattern extends string, const Word extends string | number>(
  pattern: Pattern & Existing<Filled<Pattern, Word>>,
  words: readonly Word[],
): { readonly [W in Word]: Filled<Pattern, W> } {
  const ids = words.map((word) => [word, pattern.replace('*', () => `${word}`)] as const);
  return Object.fromEntries(ids) as { readonly [W in Word]: Filled<Pattern, W> };
}
