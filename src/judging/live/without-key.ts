/** Calls that show no key, at an endpoint whose other calls have one. Only a proxy sees that: recorders leave keys out. */
import { answerOf, parametersOf } from '../../history/exchange.js';
import type { ApiExchange } from '../../traffic/index.js';

/** So many calls with a key were answered well before one without it is held to be refused. */
const WITH_KEY_MIN = 20;
/** Wherever a service may look for a key: that the document names one header is not held against clients. */
const MAY_BE_KEY = /auth|key|token|cookie|secret|session|credential|signature|password|jwt/iu;

export class WithoutKey {
  /** How many calls with a key were answered well, by what stands before the operation. */
  readonly #withKey = new Map<string, number>();

  /** Notes a call that is over. True: it shows no key, and its answer says whether it was refused for that. */
  note(call: ApiExchange): boolean {
    const { base } = call.names;
    const { headers } = call.request;
    const code = answerOf(call)?.status;
    const isDone = code !== undefined && code < 300;
    const known = this.#withKey.get(base) ?? 0;
    if (isDone && (headers['authorization'] ?? '') !== '') this.#withKey.set(base, known + 1);
    const names = [...Object.keys(headers), ...parametersOf(call.request).keys()];
    if (known < WITH_KEY_MIN || names.some((name) => MAY_BE_KEY.test(name))) return false;
    return isDone || code === 401;
  }
}
