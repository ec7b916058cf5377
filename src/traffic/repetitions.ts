/** Exchanges that a recording contains more than once, as two recordings of one client do that overlap. */
import { hash } from 'node:crypto';
import { addressOf, answerOf, type Exchange, type Message } from '../history/exchange.js';
import { CLIENT_CLOSED } from './calls.js';
import { LISTED_LATE_MS } from './in-order.js';
import type { Interval } from './instants.js';

export class Repetitions {
  /** Those of the last minutes, and those of the minutes before. */
  #recent = new Set<string>();
  #older = new Set<string>();
  #sinceMs = -Infinity;
  readonly #onPurge: (during: Interval) => void;

  /** @param onPurge told of each repeated purge: it names no job, so two calls of one instant may have removed as many jobs each */
  constructor(onPurge: (during: Interval) => void) {
    this.#onPurge = onPurge;
  }

  /** Whether it was there before; from now on it is. */
  has(exchange: Exchange): boolean {
    const { fromMs, byMs, request } = exchange;
    const { method, target } = request;
    if (fromMs > this.#sinceMs + LISTED_LATE_MS) {
      [this.#older, this.#recent] = [this.#recent, new Set()];
      this.#sinceMs = fromMs;
    }
    const sent = textOf(request.body);
    const answer = answerOf(exchange);
    // Some recorders have a number for an answer that the client did not wait for.
    const code = exchange.outcome.kind === 'abandoned' ? CLIENT_CLOSED : answer?.status;
    const call = `${fromMs} ${byMs} ${method} ${target} ${code} ${sent.length} `;
    const key = hash('sha1', `${call}${sent}${textOf(answer?.body)}`, 'base64');
    const isRepeated = this.#recent.has(key) || this.#older.has(key);
    if (isRepeated && addressOf(request).includes('/purge-queue'))
      this.#onPurge({ fromMs, byMs: byMs ?? Infinity });
    this.#recent.add(key);
    return isRepeated;
  }
}

const textOf = (body: Message['body']): string =>
  typeof body === 'object' && body !== null ? JSON.stringify(body) : String(body);
