/** Exchanges that a recording contains more than once, as two recordings of one client do that overlap. */
import { hash } from 'node:crypto';
import type { Exchange, RecordedBody } from './exchange.js';
import { LISTED_LATE_MS } from './in-order.js';

export class Repetitions {
  /** Those of the last minutes, and those of the minutes before. */
  #recent = new Set<string>();
  #older = new Set<string>();
  #sinceMs = -Infinity;

  /** Whether it was there before; from now on it is. */
  has({ fromMs, byMs, method, url, body, reply }: Exchange): boolean {
    if (fromMs > this.#sinceMs + LISTED_LATE_MS) {
      [this.#older, this.#recent] = [this.#recent, new Set()];
      this.#sinceMs = fromMs;
    }
    const sent = textOf(body);
    const call = `${fromMs} ${byMs} ${method} ${url.href} ${reply?.status} ${sent.length} `;
    const key = hash('sha1', `${call}${sent}${textOf(reply?.body)}`, 'base64');
    if (this.#recent.has(key) || this.#older.has(key)) return true;
    this.#recent.add(key);
    return false;
  }
}

const textOf = (body: RecordedBody): string =>
  typeof body === 'object' && body !== null ? JSON.stringify(body) : String(body);
