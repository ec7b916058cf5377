/** The ids of a family of requirements or questions, which differ in one word, such as the operation. */
import { filled, type Filled } from './filled.js';
import type { QuestionId } from './questions/index.js';
import type { RequirementId } from './requirements/index.js';

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
  const ids = words.map((word) => [word, filled(pattern, word)] as const);
  return Object.fromEntries(ids) as { readonly [W in Word]: Filled<Pattern, W> };
}
