import type { CoreReply } from '../../core/api.js';
import type { Rules } from '../../core/rules.js';
import type { Problem } from '../../core/rules/http.js';

/** Refuses a request that never reaches the core, with the edition's code and wording. */
export type Refuse = (problem: Problem, detail: string) => CoreReply;

export const JSON_TYPE = 'application/json';

export function createRefuse(rules: Pick<Rules, 'codeOf' | 'errorBody'>): Refuse {
  const refusal = createRefusal(rules);
  return (problem, detail) => refusal(rules.codeOf(problem, null), detail);
}

/** Likewise, with an HTTP status code given. @internal */
export type Refusal = (status: number, detail: string) => CoreReply;

export function createRefusal(rules: Pick<Rules, 'errorBody'>): Refusal {
  return (status, detail) => ({
    status,
    headers: { 'content-type': JSON_TYPE },
    body: rules.errorBody(status, detail),
  });
}
