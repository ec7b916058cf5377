import type { CoreReply } from '../core/api.js';
import type { Rules } from '../core/rules.js';
import type { Problem } from '../core/rules/http.js';

/** What this folder refuses by itself, because it never reaches the core, in the words the edition has for it. */
export type Refuse = (problem: Problem, detail: string) => CoreReply;

export const JSON_TYPE = 'application/json';

export function createRefuse(rules: Pick<Rules, 'codeOf' | 'errorBody'>): Refuse {
  return (problem, detail) => {
    const status = rules.codeOf(problem, null);
    return { status, headers: { 'content-type': JSON_TYPE }, body: rules.errorBody(status, detail) };
  };
}
