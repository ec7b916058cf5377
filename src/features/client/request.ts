/** What a client has sent: the operation, the key, the body. */
import type { IncomingMessage } from 'node:http';
import type { Body, Json } from '../../history/events.js';
import { OF_CLIENT } from '../../history/kept-bodies.js';
import type { KeySent } from '../../client/session.js';
import { API_VERSION, METHOD_OF, type Edition } from '../../spec/index.js';
import { namesIn, type Names } from '../../spec/operation-of.js';
import { ENDPOINT } from './endpoint.js';
import { jsonIn } from '../../util/json.js';
import { readBody } from '../../wire/read-body.js';

export interface Sent {
  readonly bytes: number;
  /** Null: there was none. Of one larger than what is read, the beginning, which is too large for the endpoint as well. */
  readonly body: Buffer | null;
}

const BASE = `/${API_VERSION}/${ENDPOINT}`;

/** What a path names at the endpoint; null: nothing. */
export function namesAtEndpoint(method: string, path: string, edition: Edition): Names | null {
  if (`${path}/`.startsWith(`${BASE}/openai/`))
    return { ...OPENAI, hasItsMethod: method === METHOD_OF.openai };
  const names = namesIn(method, '', path, edition);
  return names?.base === BASE && names.isExact && names.job !== '' ? names : null;
}

const OPENAI = { base: BASE, operation: 'openai', job: null, isExact: true } as const;

export function whereKeyIs(
  { headers, rawHeaders }: IncomingMessage,
  search: string,
  apiKey: string,
): KeySent {
  const sent = headers.authorization ?? '';
  const isBearer = /^bearer\s+/iu.test(sent);
  const value = sent.replace(/^bearer\s+/iu, '').trim();
  const header = sent === '' ? 'missing' : value !== apiKey ? 'wrong' : isBearer ? 'bearer' : 'bare';
  if (decodedQuery(search).includes(apiKey)) return { header, elsewhere: 'the query' };
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (name !== 'authorization' && rawHeaders[at + 1]!.includes(apiKey))
      return { header, elsewhere: `the header ${name}` };
  }
  return { header, elsewhere: null };
}

const decodedQuery = (search: string): string => [...new URLSearchParams(search).values()].join('\n');

/** Reads the body to its end, and keeps at most `bytesMax` of it; null: the client has gone before. */
export async function sentBody(incoming: IncomingMessage, bytesMax: number): Promise<Sent | null> {
  const read = await readBody(incoming, bytesMax);
  return read && { bytes: read.bytes, body: read.bytes === 0 ? null : read.kept };
}

/** What is kept of it; undefined: it is too large to be kept. */
export function keptBody({ bytes, body }: Sent): Body | null | undefined {
  if (body === null || bytes > OF_CLIENT.readBytesMax) return body && undefined;
  const value = jsonIn(body.toString()) as Json | undefined;
  return value === undefined ? { as: 'text', text: '', bytes } : { as: 'json', value, bytes };
}
