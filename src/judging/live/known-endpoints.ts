/** Which addresses are endpoints: those that answered as one does, and where none has, those that look like one. */
import { answerOf } from '../../history/exchange.js';
import type { Operation } from '../../spec/index.js';
import {
  isAnsweredByEndpoint,
  isAnsweredInJson,
  looksLikeEndpoint,
  type ApiExchange,
} from '../../traffic/index.js';

/** So many calls are answered otherwise before an address is taken for an endpoint whose every answer is wrong. */
const PRESUMED_CALLS = 10;
/** Addresses that did not answer as an endpoint does; clients may try any number. */
const ADDRESSES_MAX = 1_000;
/** Answers that say nothing of the service, but of a key, of the endpoint's id, or of what stands before the service. */
const OF_OTHERS: ReadonlySet<number> = new Set([401, 403, 404, 429, 499, 502, 503, 504]);

interface Asked {
  readonly ops: Set<Operation>;
  calls: number;
}

export class KnownEndpoints {
  readonly #upstream: string;
  readonly #answered = new Set<string>();
  readonly #asked = new Map<string, Asked>();

  /** @param upstream what stands before the paths of calls: the user says that it is a service of this API */
  constructor(upstream: string) {
    this.#upstream = upstream;
  }

  /** Notes a call that is over. */
  note(call: ApiExchange): void {
    const { base, operation } = call.names;
    if (isAnsweredByEndpoint(call)) {
      this.#answered.add(base);
      this.#asked.clear();
    }
    const answer = answerOf(call);
    if (this.#answered.size > 0 || answer === null || OF_OTHERS.has(answer.status)) return;
    if (answer.status < 500 && !isAnsweredInJson(call)) return;
    const asked = this.#asked.get(base) ?? { ops: new Set(), calls: 0 };
    asked.ops.add(operation);
    asked.calls += 1;
    this.#asked.set(base, asked);
    if (this.#asked.size > ADDRESSES_MAX) this.#asked.delete(this.#asked.keys().next().value!);
  }

  /** @param base what stands before the operation in an address */
  has(base: string): boolean {
    if (this.#answered.has(base)) return true;
    const { calls = 0, ops = new Set<Operation>() } = this.#asked.get(base) ?? {};
    const id = base.startsWith(`${this.#upstream}/v2/`) ? base.slice(this.#upstream.length + 4) : '/';
    return calls >= PRESUMED_CALLS && !id.includes('/') && looksLikeEndpoint([base, ops]);
  }
}
