/**
 * `spec/` promises the document as data: operations, states, limits, rates, requirements, open
 * questions, editions. It never decides anything, and it imports nothing.
 */
export * from './dialect.js';
export * from './editions.js';
export * from './ids.js';
export * from './limits.js';
export * from './operations.js';
export * from './prerequisites.js';
export * from './rates.js';
export * from './states.js';
export type * from './types.js';
export * from './question-by-id.js';
export * from './requirement-by-id.js';
export { QUESTIONS, SETTLED_QUESTIONS, type QuestionId } from './questions/index.js';
export { REQUIREMENTS, type RequirementId, type Section } from './requirements/index.js';
