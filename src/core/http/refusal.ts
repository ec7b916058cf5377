/** Section 7: refusals. The words name the field or the thing at fault. */
import type { Operation } from '../../spec/types.js';
import type { CoreReply } from '../api.js';
import { jsonReply } from '../machine.js';
import type { Machine } from '../machine.js';
import type { Problem } from '../rules/http.js';

export function refusal(m: Machine, problem: Problem, op: Operation | null, detail: string): CoreReply {
  const code = m.rules.codeOf(problem, op);
  return jsonReply(m, code, m.rules.errorBody(code, detail));
}
