/** HAR 1.2, as browsers, mitmproxy and Playwright write it; what else it contains is ignored. */
import { JSONParser } from '@streamparser/json';
import type { Entry, Header } from 'har-format';
import { decoded } from './bodies.js';
import { Unreadable, type Exchange, type Headers, type RecordedBody } from './exchange.js';
import { instantOf } from './instants.js';

/** Reads the entries of a file that arrives in pieces, and keeps none of them. */
export class HarReader {
  readonly #found: (Exchange | Unreadable)[] = [];
  readonly #parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false });
  readonly #name: string;
  #entries = 0;
  #problem: string | null = null;

  constructor(name: string) {
    this.#name = name;
    this.#parser.onValue = ({ value }) => {
      this.#entries += 1;
      this.#found.push(exchangeOfEntry(value as unknown as Entry, this.#where));
    };
    // `write` throws as well.
    this.#parser.onError = () => {};
  }

  get #where(): string {
    return `${this.#name}, entry ${this.#entries}`;
  }

  /** Nothing behind this point can be read. */
  get isDamaged(): boolean {
    return this.#problem !== null;
  }

  /** The entries that are complete with this piece. */
  *read(piece: Uint8Array): Generator<Exchange | Unreadable> {
    try {
      this.#parser.write(piece);
    } catch {
      this.#problem = 'what follows is not JSON';
    }
    yield* this.#found.splice(0);
    if (this.#problem !== null) yield new Unreadable(this.#where, this.#problem);
  }

  *end(): Generator<Unreadable> {
    if (!this.#parser.isEnded) yield new Unreadable(this.#where, 'the file ends after it');
  }
}

function exchangeOfEntry(entry: Entry, where: string): Exchange | Unreadable {
  const { request, response, startedDateTime, time } = entry;
  const began = instantOf(startedDateTime);
  if (typeof request?.method !== 'string' || !URL.canParse(request.url) || began === null)
    return new Unreadable(where, 'it has no request with method, url and startedDateTime');
  const headers = headersOf(request.headers);
  const exchange = {
    where,
    fromMs: began.fromMs,
    byMs: typeof time === 'number' && time >= 0 ? began.byMs + Math.ceil(time) : null,
    method: request.method.toUpperCase(),
    url: new URL(request.url),
    headers,
    body: requestBodyOf(request, headers),
  };
  // A request that failed has status 0 in Chrome, and -1 in Playwright.
  if (!(response?.status > 0)) return { ...exchange, reply: null };
  const replied = headersOf(response.headers);
  const reply = { status: response.status, headers: replied, body: replyBodyOf(response, replied) };
  return { ...exchange, reply };
}

const headersOf = (headers: readonly Header[] | undefined): Headers =>
  new Map((headers ?? []).map(({ name, value }) => [name.toLowerCase(), value]));

function requestBodyOf({ postData, bodySize }: Entry['request'], headers: Headers): RecordedBody {
  const text = postData?.text;
  if (typeof text === 'string') {
    const { encoding } = postData as { readonly encoding?: unknown };
    // Recorders keep what had been sent when the answer came, which may be before the end of the body.
    const isCut =
      !headers.has('content-encoding') && encoding === undefined && bodySize > Buffer.byteLength(text);
    if (isCut) return undefined;
    return encoding === 'base64' ? decoded(Buffer.from(text, 'base64'), headers) : text;
  }
  const isEmpty = bodySize === 0 || headers.get('content-length') === '0';
  return isEmpty || (postData === undefined && bodySize === -1 && !headers.has('content-length'))
    ? null
    : undefined;
}

function replyBodyOf({ content }: Entry['response'], headers: Headers): RecordedBody {
  const { text, encoding, size } = content ?? {};
  if (typeof text === 'string')
    return encoding === 'base64' ? decoded(Buffer.from(text, 'base64'), headers) : text;
  // Recorders leave out what is too large, and what they keep in a file of its own.
  return size === 0 ? null : undefined;
}
