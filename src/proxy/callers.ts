/** Tells clients apart, without keeping their keys. */
import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Caller } from '../history/exchange.js';

/** Something stands between: its connections are not those of clients. */
const SHARED = ['via', 'forwarded', 'x-forwarded-for', 'x-real-ip'];
/** Too few digits to try keys by. */
const DIGITS = 6;

export class Callers {
  readonly #secret = randomBytes(16);
  readonly #name = randomBytes(3).toString('hex');
  readonly #connections = new WeakMap<Socket, string>();
  readonly #by: string | undefined;
  #made = 0;

  /** @param by the header field by which the user tells processes apart, in lower case */
  constructor(by?: string) {
    this.#by = by;
  }

  of({ headers, socket, url = '' }: IncomingMessage): Caller {
    const { authorization = '' } = headers;
    const key = authorization.replace(/^bearer\s+/iu, '').trim();
    const name = this.#by === undefined ? undefined : headers[this.#by];
    return {
      key: key === '' ? null : createHmac('sha256', this.#secret).update(key).digest('hex').slice(0, DIGITS),
      ...(key !== '' && valuesIn(url).includes(key) && { isKeyInQuery: true }),
      ...(socket.remoteAddress !== undefined && { address: socket.remoteAddress.replace(/^::ffff:/u, '') }),
      ...(SHARED.every((header) => !(header in headers)) && { connection: this.#numberOf(socket) }),
      ...(name !== undefined && { name: String(name) }),
    };
  }

  /** No other proxy gives the same. */
  #numberOf(socket: Socket): string {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    this.#made += 1;
    const number = `${this.#name}.${this.#made}`;
    this.#connections.set(socket, number);
    return number;
  }
}

const valuesIn = (target: string): readonly string[] =>
  target.includes('?') ? [...new URLSearchParams(target.replace(/^[^?]*\?/u, '')).values()] : [];
