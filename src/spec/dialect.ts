/** How one implementation answers the open questions. */
import { QUESTIONS, type QuestionId } from './questions/index.js';
import type { OpenQuestion } from './types.js';

/** The ids of the readings of one question. */
export type ReadingId<Q extends QuestionId> = Extract<
  (typeof QUESTIONS)[number],
  { readonly id: Q }
>['readings'][number]['id'];

/** Question id → reading id; a missing question is unanswered. @internal */
export type Dialect = { readonly [Q in QuestionId]?: ReadingId<Q> };

/** A dialect that answers every question. */
export type FullDialect = Required<Dialect>;

/** The default dialect: the first reading of every question. */
export function defaultDialect(): FullDialect {
  const questions: readonly OpenQuestion[] = QUESTIONS;
  return Object.fromEntries(questions.map(({ id, readings }) => [id, readings[0]?.id])) as FullDialect;
}
