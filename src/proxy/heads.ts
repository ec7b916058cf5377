/** Which fields of a head pass, as they were sent. */
import type { IncomingMessage } from 'node:http';
import type { ReadBody } from './read-body.js';
import { pairsOf } from './tap.js';

/** Of one connection, not of the call (RFC 9110, 7.6.1). How a body is framed passes: its pieces do, too. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'upgrade',
]);

export const isChunked = (coding = ''): boolean => /(?:^|[\s,])chunked\s*$/iu.test(coding);

/** RFC 9112, 6.3. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** What the upstream is sent. */
export function headersFor(request: IncomingMessage, host: string, read: ReadBody | null): string[] {
  const { headers, method = '' } = request;
  const all = passed(request.rawHeaders, (name, value) => {
    if (name === 'trailer' && !isChunked(headers['transfer-encoding'])) return null;
    if (name === 'content-length' && read !== null)
      return String(read.passed.reduce((sum, { length }) => sum + length, 0));
    return name === 'host' ? host : value;
  });
  if (headers.host === undefined) all.unshift('Host', host);
  const isFramed = headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
  // Node would announce pieces otherwise.
  if (!isFramed && !BODILESS.has(method)) all.push('Content-Length', '0');
  return all;
}

/** Methods for which Node takes it that nothing follows where nothing is announced. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Names and values by turns, in their order and their spelling; without those of the connection and of value null. */
export function passed(
  raw: readonly string[],
  valueOf: (name: string, value: string) => string | null,
): string[] {
  const named = new Set(OF_CONNECTION);
  for (const [name, value] of pairsOf(raw))
    if (name.toLowerCase() === 'connection')
      for (const one of value.split(',')) named.add(one.trim().toLowerCase());
  return pairsOf(raw).flatMap(([spelled, value]) => {
    const name = spelled.toLowerCase();
    const given = NEEDED.has(name) || !named.has(name) ? valueOf(name, value) : null;
    return given === null ? [] : [spelled, given];
  });
}

/** They pass even where `connection` names them: without them the message is another one. */
const NEEDED: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding']);
