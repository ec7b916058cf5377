/**
 * Recordings without what their payloads say. A value is replaced by its digest, which keeps whether it is equal to another
 * one, of which type it is, and how large:
 *
 *     "output": {"@runproof/digest": "b1946ac9…", "type": "string", "bytes": 14, "chars": 12}
 *
 * An array or object that a history would not keep is replaced as a history replaces it (`large-value.ts`), with such a digest.
 */
import { createHash, createHmac } from 'node:crypto';
import type { Json } from '../history/events.js';
import { writeCanonical } from '../history/canonical.js';
import { jsonBytesOf } from '../history/json-size.js';
import { abridged, markIn } from '../history/large-value.js';
import { digestedText } from '../history/long-text.js';
import { isCount, isObject, jsonIn } from '../util/json.js';
import { isPrivateUrl } from '../util/address.js';

const MARK = '@runproof/digest';
/** Limits are of megabytes: of smaller bodies it makes no difference how many blanks they have. */
const SIZED_CHARACTERS_MIN = 10_000;
/** Of a text that is not JSON, so much is written. */
const TEXT_CHARACTERS_MAX = 2_000;
/** Deeper values are replaced as a whole. */
const DEPTH_MAX = 400;
/** Of a digest, in hexadecimal. */
const DIGITS = 32;

/** What a body is of. */
export type BodyOf = keyof typeof KEPT;

/** What is not of the client or the worker, but of the API, or needed to tell which of its rules apply. */
const RECORD = [
  ...['id', 'status', 'delayTime', 'executionTime', 'retries', 'policy', 'removed', 'jobs', 'workers'],
];
const KEPT = {
  request: new Set(['id', 'policy']),
  reply: new Set(RECORD),
  webhook: new Set(RECORD),
};

/** Makes digests with one key: who does not have it cannot try which values have them. */
export class Digester {
  readonly #key: Uint8Array;
  /** Which key it is, without telling it: digests of different keys cannot be compared. */
  readonly name: string;

  constructor(key: Uint8Array) {
    this.#key = key;
    this.name = createHash('sha256').update('name').update(key).digest('hex').slice(0, 8);
  }

  /** A body with its payloads replaced; a text that is not JSON becomes asterisks. `bytes`: its size, if that matters. */
  body(text: string, of: BodyOf): { readonly value: Json; readonly bytes?: number } {
    const sized = text.length > SIZED_CHARACTERS_MIN && { bytes: Buffer.byteLength(text) };
    const value = jsonIn(abridged(text, undefined, () => createHmac('sha256', this.#key))) as
      | Json
      | undefined;
    if (value === undefined)
      return { value: '*'.repeat(Math.min(text.length, TEXT_CHARACTERS_MAX)), ...sized };
    return { value: this.#value(value, text, of), ...sized };
  }

  #value(value: Json, text: string, of: BodyOf): Json {
    if (Array.isArray(value)) return this.#items(value as readonly Json[]);
    if (isObject(value)) return this.#record(value as JsonObject, of);
    const digest = this.#digest(value);
    // In a line, a text stands for itself, and null for no body.
    return typeof digest === 'object' && digest !== null ? digest : text;
  }

  #record(record: JsonObject, of: BodyOf, isMember = false): Json {
    return mapped(record, (value, name) => {
      if (KEPT[of].has(name)) return value;
      if (name === 'webhook' && typeof value === 'string') return this.address(value);
      // The document does not show the body of a webhook: the record may be a member of it.
      const mayBeRecord = of === 'webhook' && !isMember && name !== 'input' && name !== 'output';
      if (mayBeRecord && isObject(value) && typeof value['id'] === 'string')
        return this.#record(value as JsonObject, of, true);
      if (name === 's3Config' && isObject(value)) return this.#members(value as JsonObject);
      if (name === 'output' && Array.isArray(value))
        return (value as readonly Json[]).map((item) => this.#digest(item));
      if (name === 'stream' && Array.isArray(value)) return this.#items(value as readonly Json[]);
      return this.#digest(value);
    });
  }

  /** Chunks of a stream. */
  #items(items: readonly Json[]): Json {
    return items.map((item) => (isObject(item) ? this.#members(item as JsonObject) : this.#digest(item)));
  }

  #members(record: JsonObject): Json {
    return mapped(record, (value) => this.#digest(value));
  }

  /** Of a webhook. A service may refuse what is no address, of another scheme, without a host, or in a private network. */
  address(url: string): Json {
    const scheme = /^([a-z][a-z0-9+.-]*):\/\/\S+$/iu.exec(url)?.[1];
    if (scheme === undefined) return this.#digest(url);
    const hash = this.#hash(url).slice(0, 16);
    if (isPrivateUrl(url)) return `${scheme}://127.0.0.1/${hash}`;
    return /^https?:\/\/[^/?#]/u.test(url) ? `${scheme}://${hash}.invalid/` : `${scheme}://?${hash}`;
  }

  /** Values that say nothing but their type stay. */
  #digest(value: Json): Json {
    if (value === null || typeof value === 'boolean' || value === '') return value;
    if (typeof value === 'object' && Object.keys(value).length === 0) return value;
    const mark = markIn(value);
    if (mark !== null) return Array.isArray(value) ? [{ ...mark }] : { ...mark };
    if (typeof value === 'string')
      return {
        ...{ [MARK]: this.#hash(`string ${value}`), type: 'string' },
        ...{ bytes: Buffer.byteLength(value), chars: value.length },
      };
    const type = Array.isArray(value) ? 'array' : typeof value;
    const hash = createHmac('sha256', this.#key).update(`${type} `, 'utf16le');
    writeCanonical(value, (piece) => hash.update(piece, 'utf16le'));
    return { [MARK]: hash.digest('hex').slice(0, DIGITS), type, bytes: jsonBytesOf(value) };
  }

  #hash(text: string): string {
    return createHmac('sha256', this.#key).update(text, 'utf16le').digest('hex').slice(0, DIGITS);
  }
}

/**
 * A value whose digests are in the form in which a history has texts of which only the digest is known.
 *
 * @throws {Error} for a digest that lacks something, with what it lacks
 */
export function undigested(value: Json, depth = 0): Json {
  if (depth > DEPTH_MAX || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => undigested(item, depth + 1));
  const record = value as JsonObject;
  return MARK in record ? known(record) : mapped(record, (item) => undigested(item, depth + 1));
}

function known({ [MARK]: digest, type, bytes, chars = bytes }: JsonObject): Json {
  if (typeof digest !== 'string' || digest === '') throw new Error(`"${MARK}" is not text`);
  if (!isCount(bytes) || !isCount(chars)) throw new Error('a digest has no number of "bytes"');
  const hash = createHash('sha256')
    .update(`${String(type)} ${digest}`)
    .digest('hex');
  const text = digestedText({ chars, bytes, sha256: hash });
  if (type === 'string') return text;
  if (type === 'number') return Number.parseInt(hash.slice(0, 12), 16);
  if (type === 'array') return [text];
  if (type === 'object') return { [MARK]: text };
  throw new Error('the "type" of a digest is not string, number, array or object');
}

type JsonObject = { readonly [name: string]: Json };

const mapped = (record: JsonObject, change: (value: Json, name: string) => Json): Json =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
