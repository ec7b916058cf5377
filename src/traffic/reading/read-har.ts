/** HAR 1.2, as browsers, mitmproxy and Playwright write it; what else it contains is ignored. */
import { JSONParser } from '@streamparser/json';
import type { Entry, Header } from 'har-format';
import {
  ABANDONED,
  LOST,
  type Exchange,
  type Headers,
  type Message,
  type Outcome,
} from '../../history/exchange.js';
import type { Edition } from '../../spec/index.js';
import { decoded } from './bodies.js';
import { namesOf } from '../calls.js';
import { Bodies } from './cut-bodies.js';
import { instantOf } from '../instants.js';
import { Unreadable } from './unreadable.js';

/** Reads the entries of a file that arrives in pieces, and keeps none of them. */
export class HarReader {
  readonly #found: (Exchange | Unreadable)[] = [];
  readonly #parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false });
  readonly #name: string;
  #entries = 0;
  #problem: string | null = null;

  constructor(name: string, edition: Edition) {
    this.#name = name;
    this.#parser.onValue = ({ value }) => {
      this.#entries += 1;
      this.#found.push(read(value as unknown as Entry, this.#where, edition));
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

/** An entry that is made in another way than HAR 1.2 says costs no other one. */
function read(entry: Entry, where: string, edition: Edition): Exchange | Unreadable {
  try {
    return exchangeOfEntry(entry, where, edition);
  } catch {
    return new Unreadable(where, 'it is not a HAR 1.2 entry');
  }
}

function exchangeOfEntry(entry: Entry, where: string, edition: Edition): Exchange | Unreadable {
  const { request, startedDateTime, time } = entry;
  const began = instantOf(startedDateTime);
  if (typeof request?.method !== 'string' || !URL.canParse(request.url) || began === null)
    return new Unreadable(where, 'it has no request with method, url and startedDateTime');
  const headers = headersOf(request.headers);
  const bodies = new Bodies();
  const method = request.method.toUpperCase();
  const url = new URL(request.url);
  const exchange = {
    id: where,
    fromMs: began.fromMs,
    byMs: typeof time === 'number' && time >= 0 ? began.byMs + Math.ceil(time) : null,
    request: { method, target: url.href, headers, body: requestBodyOf(request, headers, bodies) },
    outcome: outcomeOf(entry, bodies),
    names: namesOf(method, url, edition),
  };
  return bodies.cut === 0 ? exchange : { ...exchange, cutBodies: bodies.cut };
}

const headersOf = (headers: readonly Partial<Header>[] | undefined): Headers =>
  Object.fromEntries(
    (headers ?? []).flatMap((header) =>
      typeof header?.name === 'string'
        ? [[header.name.toLowerCase(), String(header.value ?? '')] as const]
        : [],
    ),
  );

function requestBodyOf(
  { postData, bodySize }: Entry['request'],
  headers: Headers,
  bodies: Bodies,
): Message['body'] {
  const text = postData?.text;
  // Browsers do not record what a script has sent as a Blob or a stream, and give its size as 0.
  if (typeof text !== 'string') return headers['content-length'] === '0' ? null : undefined;
  const { encoding } = postData as { readonly encoding?: unknown };
  if (encoding === 'base64') return bodies.whole(decoded(Buffer.from(text, 'base64'), headers), headers);
  // Recorders keep what had been sent when the answer came, which may be before the end of the body.
  return bodies.whole(text, headers, 'content-encoding' in headers ? 0 : bodySize);
}

/** What browsers add to an entry, each by its own name. */
interface Added {
  /** Why there is no response: Playwright, Chrome. */
  readonly _failureText?: unknown;
  readonly _error?: unknown;
  /** Where the response was taken from: Chrome. */
  readonly _fromCache?: unknown;
  /** Bytes that came over the network. */
  readonly _transferSize?: unknown;
}

function outcomeOf({ response, ...entry }: Entry, bodies: Bodies): Outcome {
  const { _failureText, _error }: Added = response ?? {};
  const failure = [_failureText, _error].join(' ');
  // A request that failed has status 0 in Chrome, and -1 in Playwright.
  if (!(response?.status > 0)) return /abort|cancel/iu.test(failure) ? ABANDONED : LOST;
  if (isOfCache(response, entry)) return ABANDONED;
  const { status, content, bodySize } = response;
  const told = headersOf(response.headers);
  const body = bodies.whole(replyBodyOf(content, told), told, content?.size);
  // A browser that asked whether its copy is still good shows the copy, with the headers of the 304.
  const isCopy = bodySize === 0 && typeof body === 'string' && body !== '';
  if (isCopy) return { kind: 'answer', status, headers: {}, body };
  const mimeType = content?.mimeType ?? '';
  const isTyped = 'content-type' in told || mimeType === '' || mimeType === UNKNOWN_TYPE;
  const headers = isTyped ? told : { ...told, 'content-type': mimeType };
  return { kind: 'answer', status, headers, body };
}

/** What Chrome and Playwright write where a reply has no type. */
const UNKNOWN_TYPE = 'x-unknown';

/** The service was not asked. Playwright takes the size of the headers from the 0 bytes that were transferred. */
function isOfCache(response: Entry['response'] & Added, { _fromCache }: Added): boolean {
  return _fromCache !== undefined || response._transferSize === 0 || response.bodySize < -1;
}

function replyBodyOf(content: Entry['response']['content'] | undefined, headers: Headers): Message['body'] {
  const { text, encoding, size } = content ?? {};
  if (typeof text === 'string')
    return encoding === 'base64' ? decoded(Buffer.from(text, 'base64'), headers) : text;
  // Recorders leave out what is too large, and what they keep in a file of its own.
  return size === 0 ? null : undefined;
}
