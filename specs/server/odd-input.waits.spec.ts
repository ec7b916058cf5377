import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../src/server/index.js';
import { sendRaw } from './raw-socket.js';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ apiKeys: ['k'], control: true });
});
afterAll(() => server.close());

const KEY = 'Authorization: k';

/** Statuses of all answers on one connection, after the last of which nothing more is expected. */
async function statuses(text: string, answers: number): Promise<number[]> {
  const exchange = sendRaw(server.port, text);
  const pattern = new RegExp(`(HTTP/1\\.1 \\d+[^]*){${answers}}`);
  const received = await exchange.matching(pattern, 10_000);
  exchange.socket.destroy();
  return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => Number(match[1]));
}

const request = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

it.each([
  ['a broken escape in the path', request('GET /v2/test/status/%zz', KEY)],
  ['a broken escape in the endpoint id', request('GET /v2/%e0%a4/health', KEY)],
  ['a broken escape in the query', request('POST /v2/test/runsync?wait=%', KEY)],
  ['an escaped NUL', request('GET /v2/test/status/a%00b', KEY)],
  ['a raw NUL', request('GET /v2/test/status/a\0b', KEY)],
  ['a very long path', request(`GET /v2/test/status/${'a'.repeat(60_000)}`, KEY)],
  ['very long headers', request('GET /v2/test/health', KEY, `X-Long: ${'a'.repeat(60_000)}`)],
  ['dot segments', request('GET /v2/test/status/../health', KEY)],
  ['double slashes', request('GET //v2//test//health', KEY)],
  ['a backslash', request('GET /v2\\test\\health', KEY)],
  ['a fragment', request('GET /v2/test/status/#x', KEY)],
  ['no such path', request('GET /', KEY)],
  ['a path named after a prototype', request('GET /v2/test/__proto__', KEY)],
  ['a job named after a prototype', request('GET /v2/test/status/__proto__', KEY)],
  ['an endpoint named after a prototype', request('GET /v2/constructor/health', KEY)],
  ['a wait named after a prototype', request('POST /v2/test/runsync?__proto__=1', KEY)],
  ['OPTIONS *', request('OPTIONS *', KEY)],
  ['OPTIONS', request('OPTIONS /v2/test/run', KEY)],
  ['TRACE', request('TRACE /v2/test/health', KEY)],
  ['a method nobody has', request('PROPFIND /v2/test/health', KEY)],
  ['no method', request('/v2/test/health', KEY)],
  ['no host', `GET /v2/test/health HTTP/1.1\r\n${KEY}\r\n\r\n`],
  ['an odd host', `GET /v2/test/none HTTP/1.1\r\nHost: []:x\r\n${KEY}\r\n\r\n`],
  ['garbage', 'garbage garbage garbage\r\n\r\n'],
  ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00'],
  ['two lengths', request('POST /v2/test/run', KEY, 'Content-Length: 2', 'Content-Length: 3') + '{}'],
  ['a length that is none', request('POST /v2/test/run', KEY, 'Content-Length: -1')],
  [
    'length and chunks',
    request('POST /v2/test/run', KEY, 'Content-Length: 2', 'Transfer-Encoding: chunked') + '{}',
  ],
  ['broken chunks', request('POST /v2/test/run', KEY, 'Transfer-Encoding: chunked') + 'zz\r\n'],
  ['control: a broken escape', request('GET /_control/endpoints/%zz', KEY)],
  ['control: no such call', request('GET /_control/nothing', KEY)],
  ['control: TRACE', request('TRACE /_control', KEY)],
])('%s: one clear 4xx', async (_what, text) => {
  const [status, ...more] = await statuses(text, 1);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(more).toEqual([]);
});

it('the absolute form of a target', async () => {
  expect(await statuses(request('GET http://x/v2/test/health', KEY), 1)).toEqual([200]);
});

it('HEAD has no body and no 5xx', async () => {
  const exchange = sendRaw(server.port, request('HEAD /v2/test/health', KEY, 'Connection: close'));
  const text = await exchange.ended(2_000);
  expect(text).toMatch(/^HTTP\/1\.1 [24]\d\d /);
  expect(text.endsWith('\r\n\r\n')).toBe(true);
});

it('the first of two equal keys counts', async () => {
  expect(await statuses(request('GET /v2/test/health', KEY, 'Authorization: wrong'), 1)).toEqual([200]);
  expect(await statuses(request('GET /v2/test/health', 'Authorization: wrong', KEY), 1)).toEqual([401]);
});

it('pipelined requests are answered in order', async () => {
  const text = [request('GET /v2/test/health', KEY), request('GET /v2/test/status/x', KEY)].join('');
  expect(await statuses(text + request('GET /v2/test/health', KEY), 3)).toEqual([200, 404, 200]);
});

it('garbage after a valid request is refused, and the connection ends', async () => {
  const exchange = sendRaw(server.port, request('GET /v2/test/health', KEY));
  expect(await exchange.matching(/\r\n\r\n.*\}/s, 10_000)).toMatch(/^HTTP\/1\.1 200 /);
  exchange.socket.write('garbage\r\n\r\n');
  expect(await exchange.ended(2_000)).toMatch(/HTTP\/1\.1 400 Bad Request/);
  expect(exchange.socket.readableEnded).toBe(true);
});

it('a client that disconnects in the middle of its body leaves nothing behind', async () => {
  const exchange = sendRaw(server.port, `${request('POST /v2/test/run', KEY, 'Content-Length: 100')}{"in`);
  await new Promise((resolve) => setTimeout(resolve, 20));
  exchange.socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await statuses(request('GET /v2/test/health', KEY), 1)).toEqual([200]);
});
