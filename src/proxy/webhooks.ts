/**
 * The service calls webhooks at the proxy, which passes them on: in submissions, the receiver's address is replaced by one
 * that contains it, signed: the proxy calls no address that it has not seen in one.
 */
import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { LookupFunction } from 'node:net';

/** Services may refuse addresses of more than 2,000 characters, and the new one is longer. */
const ADDRESS_MAX = 1_000;

const PATH = /\/_runproof\/webhook\/(?<signature>[\w-]{43})\/(?<address>[\w-]+)(?:\?(?<query>.*))?$/u;

/** Which addresses may be called for clients, who choose them. */
export interface Reach {
  /**
   * Of an address that is a number.
   *
   * @throws {Error} if it may not be called
   */
  readonly check: (url: URL) => void;
  /** Of names: it finds only addresses that may be called. */
  readonly lookup: LookupFunction;
}

export class Webhooks {
  readonly reach: Reach;
  readonly #key: string;
  readonly #publicUrl: string | null;

  /**
   * @param key signs the addresses: with the same one, they stay valid after a restart
   * @param publicUrl the proxy, as the service reaches it; null: no submission is changed
   */
  constructor(key: string, publicUrl: string | null, reach: Reach) {
    this.reach = reach;
    this.#key = key;
    this.#publicUrl = publicUrl;
  }

  /** Whether the request may be a submission whose webhook is replaced. */
  mayRewrite(method: string, target: string): boolean {
    return this.#publicUrl !== null && method === 'POST' && /\/(?:run|runsync)(?:\?|$)/u.test(target);
  }

  /** The body of a submission with the webhook at the proxy; the same body if it has none that can be. */
  rewrite(body: Buffer): Buffer {
    if (this.#publicUrl === null || !body.includes('webhook')) return body;
    const literal = webhookIn(body);
    if (literal === null || !isPlain(literal.address) || !this.#mayCall(literal.address)) return body;
    const { from, to, address } = literal;
    const encoded = Buffer.from(address).toString('base64url');
    const own = `${this.#publicUrl}/_runproof/webhook/${this.#sign(address).toString('base64url')}/${encoded}`;
    return Buffer.concat([body.subarray(0, from), Buffer.from(JSON.stringify(own)), body.subarray(to)]);
  }

  /** Whether it may be an address that this made. */
  isOne(target: string): boolean {
    return PATH.test(target);
  }

  /** The receiver: its address as the submission has it, and what to call. Null: it was not made with this key. */
  receiverOf(target: string): { readonly webhook: string; readonly url: URL } | null {
    const { signature = '', address = '', query } = PATH.exec(target)?.groups ?? {};
    const webhook = Buffer.from(address, 'base64url').toString();
    const given = Buffer.from(signature, 'base64url');
    const expected = this.#sign(webhook);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const url = new URL(webhook);
    // The service may add to it.
    if (query !== undefined) url.search += `${url.search === '' ? '?' : '&'}${query}`;
    return { webhook, url };
  }

  /** What it may not call goes past the proxy: whether the service calls it is the service's decision. */
  #mayCall(address: string): boolean {
    try {
      this.reach.check(new URL(address));
      return true;
    } catch {
      return false;
    }
  }

  #sign(address: string): Buffer {
    return createHmac('sha256', this.#key).update(address).digest();
  }
}

/** Whatever a service may refuse, or read in another way than others, it is to see as it is. */
function isPlain(address: string): boolean {
  if (address.length > ADDRESS_MAX || address.includes('#') || !URL.canParse(address)) return false;
  const { href, protocol, username, password } = new URL(address);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  return isHttp && (href === address || href === `${address}/`) && username === '' && password === '';
}

interface Literal {
  /** Where it stands, with its quotes. */
  readonly from: number;
  readonly to: number;
  readonly address: string;
}

/** The string that the body, a JSON object, has as its one member `webhook`. */
function webhookIn(body: Buffer): Literal | null {
  const { webhook } = (parsed(body) ?? {}) as { readonly webhook?: unknown };
  if (typeof webhook !== 'string') return null;
  const found: Literal[] = [];
  let depth = 0;
  let name = '';
  let isValue = false;
  // Its bytes, not its text: nothing else of the body changes, whatever it is.
  for (let at = 0; at < body.length; at += 1) {
    const sign = body[at];
    if (sign === SIGN.quote) {
      const to = endOf(body, at);
      if (depth === 1 && !isValue) name = JSON.parse(body.toString('utf8', at, to));
      else if (depth === 1 && name === 'webhook') found.push({ from: at, to, address: webhook });
      at = to - 1;
    } else if (sign === SIGN.object || sign === SIGN.array) depth += 1;
    else if (sign === SIGN.objectEnd || sign === SIGN.arrayEnd) depth -= 1;
    else if (depth === 1 && sign === SIGN.colon) isValue = true;
    else if (depth === 1 && sign === SIGN.comma) isValue = false;
  }
  return found.length === 1 ? found[0]! : null;
}

/** What gives a JSON text its structure. */
const SIGN = {
  ...{ quote: 0x22, comma: 0x2c, colon: 0x3a, escape: 0x5c },
  ...{ array: 0x5b, arrayEnd: 0x5d, object: 0x7b, objectEnd: 0x7d },
} as const;

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

/** Behind the quote that ends the string. */
function endOf(body: Buffer, from: number): number {
  for (let at = body.indexOf(SIGN.quote, from + 1); at > 0; at = body.indexOf(SIGN.quote, at + 1)) {
    let escapes = 0;
    while (body[at - 1 - escapes] === SIGN.escape) escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return body.length;
}
