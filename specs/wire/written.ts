/** How exchanges are written. */

/** No more is sent. */
export const END = { does: 'end' } as const;
/** The connection is reset. */
export const RESET = { does: 'reset' } as const;

/** Bytes as latin1; a number: a pause of so many ms; `until`: this has come from the other side. */
export type Part = string | number | { readonly until: string } | typeof END | typeof RESET;

export interface Exchange {
  readonly name: string;
  readonly parts: readonly Part[];
  /** What the upstream of a proxy answers, request by request. */
  readonly upstream?: readonly UpstreamAnswer[];
}

export interface UpstreamAnswer {
  readonly parts: readonly Part[];
  /** Once the head of the request is there. */
  readonly early?: true;
}

export const KEY = 'Authorization: Bearer k';
export const HOST = 'Host: x.test';
export const HEALTH = '/v2/weather/health';
export const RUN = '/v2/weather/run';
export const BODY = '{"input":{"a":1}}';

/** A request: its line, its fields, its body. */
export const req = (line: string, fields: readonly string[] = [], body = ''): string =>
  `${line}\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n${body}`;

export const get = (target: string, ...more: readonly string[]): string =>
  req(`GET ${target} HTTP/1.1`, [HOST, KEY, ...more]);

export const post = (fields: readonly string[], body: string, target = RUN): string =>
  req(`POST ${target} HTTP/1.1`, [HOST, KEY, 'Content-Type: application/json', ...fields], body);

export const length = (body: string): string => `Content-Length: ${body.length}`;
export const plain = (body = BODY): string => post([length(body)], body);
export const chunked = (pieces: string, ...more: readonly string[]): string =>
  post(['Transfer-Encoding: chunked', ...more], pieces);
export const piece = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
export const LAST = '0\r\n\r\n';
export const GET = get(HEALTH);

export const megabytes = (count: number): string => {
  const frame = '{"input":{"text":""}}';
  return `{"input":{"text":"${'x'.repeat(count * 1_000_000 - frame.length)}"}}`;
};

/** Rows of a name and what is sent. */
export const rows = (
  group: string,
  found: { readonly [name: string]: string | readonly Part[] },
): Exchange[] =>
  Object.entries(found).map(([name, sent]) => ({
    name: `${group}: ${name}`,
    parts: typeof sent === 'string' ? [sent] : sent,
  }));

/** A line's target, in a request that is right otherwise. */
export const targets = (found: { readonly [name: string]: string }): Exchange[] =>
  rows('target', Object.fromEntries(Object.entries(found).map(([name, target]) => [name, get(target)])));

/** A field, in a request that is right otherwise. */
export const fields = (found: { readonly [name: string]: string }): Exchange[] =>
  rows('field', Object.fromEntries(Object.entries(found).map(([name, field]) => [name, get(HEALTH, field)])));

export const withLine = (line: string): string => req(line, [HOST, KEY]);

export const EXPECT = 'Expect: 100-continue';

/** The head of an answer. */
export const ANSWERED: Part = { until: '\r\n\r\n' };
