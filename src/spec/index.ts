/**
 * `spec/` promises the document as data: operations, states, limits, rates, requirements, open
 * questions, editions. It never decides anything, and it imports nothing.
 */
import { QUESTIONS, type QuestionId } from './questions/index.js';
import { REQUIREMENTS, type RequirementId } from './requirements/index.js';
import type { OpenQuestion, Requirement } from './types.js';

export * from './limits.js';
export * from './operations.js';
export * from './rates.js';
export * from './states.js';
export type * from './types.js';
export { QUESTIONS, REQUIREMENTS };
export type { QuestionId, RequirementId };

/** The ids of the readings of one question. */
export type ReadingId<Q extends QuestionId> = Extract<
  (typeof QUESTIONS)[number],
  { readonly id: Q }
>['readings'][number]['id'];

/** How one implementation answers the open questions; a question that is missing is unanswered. */
export type Dialect = { readonly [Q in QuestionId]?: ReadingId<Q> };

/** A dialect that answers every question. */
export type FullDialect = Required<Dialect>;

// Widened before use: mapping over the literal types themselves would cost the type checker seconds.
const allRequirements: readonly Requirement[] = REQUIREMENTS;
const allQuestions: readonly OpenQuestion[] = QUESTIONS;

const requirementsById: ReadonlyMap<string, Requirement> = new Map(allRequirements.map((r) => [r.id, r]));
const questionsById: ReadonlyMap<string, OpenQuestion> = new Map(allQuestions.map((q) => [q.id, q]));

/** The requirement with this id. */
export function requirement(id: RequirementId): Requirement {
  return requirementsById.get(id) as Requirement;
}

/** The open question with this id. */
export function question(id: QuestionId): OpenQuestion {
  return questionsById.get(id) as OpenQuestion;
}

export function isRequirementId(id: string): id is RequirementId {
  return requirementsById.has(id);
}

export function isQuestionId(id: string): id is QuestionId {
  return questionsById.has(id);
}

/** The plainest dialect: the first reading of every question. */
export function defaultDialect(): FullDialect {
  return Object.fromEntries(allQuestions.map((q) => [q.id, q.readings[0]?.id])) as FullDialect;
}
