/** What a client has sent: the operation, the key, the body. */
import type { IncomingMessage } from 'node:http';
import type { Json } from '../../history/events.js';
import type { ClientCall, KeySent, SentBody } from '../../client/session.js';
import type { Edition } from '../../spec/index.js';
import { operationNamed } from '../../spec/operation-of.js';
import { ENDPOINT } from './endpoint.js';
import { jsonIn } from '../../util/json.js';
import { readBody } from '../../wire/read-body.js';

export interface Sent {
  readonly body: SentBody;
  /** Null: there was none. Of one larger than what is read, the beginning, which is too large for the endpoint as well. */
  readonly bytes: Buffer | null;
}

const JSON_BYTES_MAX = 1 << 20;

/** The operation that a path names, whatever the method; null where it names none. */
export function operationIn(path: string, edition: Edition): Pick<ClientCall, 'operation' | 'job'> {
  const [empty, version, endpoint, name = '', ...rest] = path.split('/');
  const none = { operation: null, job: null };
  if (empty !== '' || version !== 'v2' || endpoint !== ENDPOINT) return none;
  const found = operationNamed(name, edition);
  if (found === null) return none;
  if (found.op === 'openai') return { operation: 'openai', job: null };
  if (found.takesJob) {
    const [job = ''] = rest;
    return rest.length === 1 && job !== '' ? { operation: found.op, job: decoded(job) } : none;
  }
  return rest.length === 0 ? { operation: found.op, job: null } : none;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

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
  if (read === null) return null;
  const { bytes, kept } = read;
  if (bytes === 0) return { body: { bytes, isJson: null }, bytes: null };
  if (bytes > JSON_BYTES_MAX) return { body: { bytes, isJson: null }, bytes: kept };
  const value = jsonIn(kept.toString()) as Json | undefined;
  return {
    body: value === undefined ? { bytes, isJson: false } : { bytes, value, isJson: true },
    bytes: kept,
  };
}
