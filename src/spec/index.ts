/**
 * `spec/` promises the document as data: operations, states, limits, rates, requirements, open
 * questions, editions. It never decides anything, and it imports nothing.
 */
import { QUESTIONS, SETTLED_QUESTIONS, type QuestionId } from './questions/index.js';
import { REQUIREMENTS, type RequirementId } from './requirements/index.js';
import type { OpenQuestion, Requirement } from './types.js';

export * from './dialect.js';
export * from './editions.js';
export * from './ids.js';
export * from './limits.js';
export * from './operations.js';
export * from './prerequisites.js';
export * from './rates.js';
export * from './states.js';
export type * from './types.js';
export { QUESTIONS, REQUIREMENTS, SETTLED_QUESTIONS };
export type { QuestionId, RequirementId };

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

/** Whether there is a requirement with this id. @public */
export function isRequirementId(id: string): id is RequirementId {
  return requirementsById.has(id);
}

/** Whether there is an open question with this id. @public */
export function isQuestionId(id: string): id is QuestionId {
  return questionsById.has(id);
}
