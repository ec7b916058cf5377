/**
 * The plain form: one exchange for each line, a JSON object that anybody's logger can write.
 *
 *     {"method":"POST","url":"https://…/v2/abc/run","requestBody":{…},"status":200,"body":{…},
 *      "start":"2026-11-27T01:34:54.123Z","end":"2026-11-27T01:34:54.310Z"}
 *
 * A body is its JSON value, or its text as a string; a member that is absent says that the body was not recorded, and
 * null that there was none. `start` and `end` are ISO 8601, or seconds, ms, µs or ns since 1970; `ms`, how long it took,
 * may stand instead of `end`. `requestHeaders` and `headers` are objects. Without `status` there was no reply. `digests`
 * says that payloads are replaced by their digests, and names the key of these (`digest.ts`); `requestBodyBytes` and
 * `bodyBytes` are then how large the bodies were, where their digests do not tell. With `webhook` instead of `url` it is a call
 * of that webhook, and `webhookHere` says that those of a submission are recorded. `client` says who made the call (`Caller`). A line with `missing` says how
 * many calls are not recorded there; true: some may be. With `start` and `end` all of them were made between the two.
 */
import type { Json } from '../../history/events.js';
import { shortBodyOf } from '../../history/body.js';
import {
  jsonOf,
  ABANDONED,
  LOST,
  type Caller,
  type Exchange,
  type Headers,
  type Message,
} from '../../history/exchange.js';
import type { Edition } from '../../spec/index.js';
import { isCount, isObject, jsonIn } from '../../util/json.js';
import { decoded } from './bodies.js';
import { Bodies } from './cut-bodies.js';
import { undigested } from '../digest.js';
import { instantOf, type Interval } from '../instants.js';
import { namesOf } from '../calls.js';
import { Unreadable } from './unreadable.js';

/**
 * @param where of the line, for messages
 * @param unitMs in which the recording counts `ms`; 0: it shows fractions
 * @returns null: the line tells nothing
 */
export function exchangeOfLine(
  line: string,
  where: string,
  edition: Edition,
  unitMs = 0,
): Exchange | Unreadable | null {
  const unreadable = (why: string): Unreadable => new Unreadable(where, why);
  const value = jsonIn(line);
  if (value === undefined) return unreadable('it is not JSON');
  if (!isObject(value)) return unreadable('it is not a JSON object');
  const { webhook, url = webhook, status, start, end, ms, missing, digests } = value;
  if (missing === 0) return null;
  if (missing === true) return new Unreadable(where, 'calls may be missing here', intervalOf(start, end));
  if (typeof missing === 'number')
    return new Unreadable(where, `${missing} calls are missing here`, intervalOf(start, end));
  const address = urlOf(url);
  if (typeof value['method'] !== 'string' || address === null)
    return unreadable('it has no `method` and `url`, such as "https://host/v2/abc/run"');
  const began = instantOf(start);
  if (began === null) return unreadable('`start` is not a time: ISO 8601, or ms since 1970');
  const ended = end === undefined || end === null ? null : instantOf(end);
  const byMs = ended?.byMs ?? (isDuration(ms) ? began.byMs + Math.ceil(ms) + unitMs : null);
  const headers = headersOf(value['headers']);
  const requestHeaders = headersOf(value['requestHeaders']);
  const areDigests = digests !== undefined;
  const bodies = new Bodies();
  let body: Message['body'];
  let requestBody: Message['body'];
  try {
    requestBody = bodyOf(value, 'requestBody', requestHeaders, areDigests, bodies);
    body = bodyOf(value, 'body', headers, areDigests, bodies);
  } catch (error) {
    return unreadable((error as Error).message);
  }
  const hasNoReply = status === undefined || status === null || status === 0;
  if (!hasNoReply && !Number.isInteger(status)) return unreadable('`status` is not a number');
  const method = value['method'].toUpperCase();
  const isOfWebhook = typeof webhook === 'string';
  const none = isOfWebhook && value['givenUp'] === true ? ABANDONED : LOST;
  return {
    id: where,
    fromMs: began.fromMs,
    byMs,
    request: { method, target: address.href, headers: requestHeaders, body: requestBody },
    outcome: hasNoReply ? none : { kind: 'answer', status: status as number, headers, body },
    names: isOfWebhook ? null : namesOf(method, address, edition),
    ...(isOfWebhook && { webhook }),
    ...(value['webhookHere'] === true && { isWebhookSeen: true }),
    ...(areDigests && { digests: String(digests) }),
    ...(bodies.cut > 0 && { cutBodies: bodies.cut }),
    ...(isObject(value['client']) && { client: callerOf(value['client']) }),
  };
}

function callerOf({ key, isKeyInQuery, ...others }: { readonly [name: string]: unknown }): Caller {
  const text = (name: 'address' | 'connection' | 'name'): object =>
    typeof others[name] === 'string' ? { [name]: others[name] } : {};
  return {
    key: typeof key === 'string' ? key : null,
    ...(isKeyInQuery === true && { isKeyInQuery }),
    ...{ ...text('address'), ...text('connection'), ...text('name') },
  };
}

function intervalOf(start: unknown, end: unknown): Interval | null {
  const [from, by] = [instantOf(start), instantOf(end)];
  return from === null || by === null ? null : { fromMs: from.fromMs, byMs: by.byMs };
}

/** Null: it is none. */
function urlOf(text: unknown): URL | null {
  try {
    return typeof text === 'string' ? new URL(text) : null;
  } catch {
    return null;
  }
}

const isDuration = (ms: unknown): ms is number => typeof ms === 'number' && ms >= 0;

/** The `ms` of a line; null: it has none. */
export function durationIn(line: string): number | null {
  const value = jsonOf(line);
  return isObject(value) && isDuration(value['ms']) ? value['ms'] : null;
}

const NO_HEADERS: Headers = {};
/** The ones made last: most lines have the same, and many are held at once. */
const madeLast: { of: readonly (readonly [string, unknown])[]; headers: Headers }[] = [];
const MADE_MAX = 4;

function headersOf(value: unknown): Headers {
  if (!isObject(value)) return NO_HEADERS;
  const of = Object.entries(value);
  const isSame = ({ of: known }: (typeof madeLast)[number]): boolean =>
    known.length === of.length &&
    of.every(([name, text], index) => known[index]![0] === name && known[index]![1] === text);
  const known = madeLast.find(isSame);
  if (known !== undefined) return known.headers;
  const headers = Object.fromEntries(of.map(([name, text]) => [name.toLowerCase(), String(text)]));
  if (madeLast.length >= MADE_MAX) madeLast.shift();
  madeLast.push({ of, headers });
  return headers;
}

/** `body`, or `bodyBase64` with its bytes as they were sent. */
function bodyOf(
  value: { readonly [name: string]: unknown },
  name: 'body' | 'requestBody',
  headers: Headers,
  areDigests: boolean,
  bodies: Bodies,
): Message['body'] {
  const bytes = value[`${name}Base64`];
  if (typeof bytes === 'string') return bodies.whole(decoded(Buffer.from(bytes, 'base64'), headers), headers);
  const body = value[name];
  if (body === undefined || body === null) return body;
  if (!areDigests) return typeof body === 'string' ? bodies.whole(body, headers) : JSON.stringify(body);
  const text = typeof body === 'string' ? body : JSON.stringify(undigested(body as Json));
  const sizeBytes = value[`${name}Bytes`];
  const kept = isCount(sizeBytes) ? shortBodyOf(text) : null;
  // A text that is digested keeps its size in characters.
  return kept === null || kept.as === 'none' ? text : { ...kept, bytes: sizeBytes as number };
}
