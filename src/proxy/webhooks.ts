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

  /** The address at the proxy that takes the place of the receiver's; null: that one is left as it is. */
  ownAddressOf(address: string): string | null {
    if (this.#publicUrl === null || !isPlain(address) || !this.#mayCall(address)) return null;
    const encoded = Buffer.from(address).toString('base64url');
    return `${this.#publicUrl}/_runproof/webhook/${this.#sign(address).toString('base64url')}/${encoded}`;
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
