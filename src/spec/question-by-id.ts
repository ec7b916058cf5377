import { QUESTIONS, type QuestionId } from './questions/index.js';
import type { OpenQuestion } from './types.js';

// Widened before use, as in requirement-by-id.ts.
const all: readonly OpenQuestion[] = QUESTIONS;
const byId: ReadonlyMap<string, OpenQuestion> = new Map(all.map((each) => [each.id, each]));

/** The open question with this id. */
export function question(id: QuestionId): OpenQuestion {
  return byId.get(id) as OpenQuestion;
}

/** Whether there is an open question with this id. */
export function isQuestionId(id: string): id is QuestionId {
  return byId.has(id);
}
