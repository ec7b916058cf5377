/** Section 7: refusals. The detail names the field or the object at fault. */
import type { Operation } from '../../spec/types.js';
import type { CoreReply } from '../api.js';
import { jsonReply } from '../state.js';
import type { ServiceState } from '../state.js';
import type { Problem } from '../rules/http.js';

/** Why a call is refused; `detail` is for people. */
export interface Refused {
  readonly problem: Problem;
  readonly detail: string;
}

export function refusal(
  state: ServiceState,
  problem: Problem,
  op: Operation | null,
  detail: string,
): CoreReply {
  return refusalWith(state, state.rules.codeOf(problem, op), detail);
}

export function refusalWith(state: ServiceState, code: number, detail: string): CoreReply {
  const reply = jsonReply(state, code, state.rules.errorBody(code, detail));
  if (code === 401) return withHeader(reply, 'www-authenticate', state.rules.challenge());
  if (code === 429) return withHeader(reply, 'retry-after', state.rules.retryAfterS());
  return reply;
}

const withHeader = (reply: CoreReply, name: string, value: string | number | null): CoreReply =>
  value === null ? reply : { ...reply, headers: { ...reply.headers, [name]: String(value) } };
