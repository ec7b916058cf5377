import type { RandomStream } from '../../../src/time/random.js';

export const KEY = 'Authorization: k\r\n';

const post = (headers: string, body: string): string =>
  `POST /v2/test/run HTTP/1.1\r\nHost: x\r\n${KEY}${headers}\r\n${body}`;

/** Requests that are invalid before they can be read; all of them must be refused. */
export const BAD_FRAMING: readonly (readonly [kind: string, text: (random: RandomStream) => string])[] = [
  ['two lengths', () => post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}x')],
  ['a list of lengths', () => post('Content-Length: 2, 3\r\n', '{}x')],
  ['a negative length', () => post('Content-Length: -1\r\n', '{}')],
  ['a length with a sign', () => post('Content-Length: +2\r\n', '{}')],
  ['a length in hex', () => post('Content-Length: 0x2\r\n', '{}')],
  ['a length beyond all numbers', () => post(`Content-Length: ${'9'.repeat(40)}\r\n`, '{}')],
  ['length and chunks', () => post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
  ['an encoding nobody has', () => post('Transfer-Encoding: gzip\r\n', '{}')],
  ['chunks before another encoding', () => post('Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n')],
  ['chunked with a tail', () => post('Transfer-Encoding: chunkedx\r\n', '0\r\n\r\n')],
  ['a chunk of no size', () => post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n')],
  ['a chunk of all sizes', () => post('Transfer-Encoding: chunked\r\n', `${'f'.repeat(20)}\r\n{}\r\n`)],
  ['a chunk longer than said', () => post('Transfer-Encoding: chunked\r\n', '2\r\n{}}}\r\n0\r\n\r\n')],
  [
    'huge chunk extensions',
    () => post('Transfer-Encoding: chunked\r\n', `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
  ],
  [
    'huge trailers',
    () => post('Transfer-Encoding: chunked\r\n', `2\r\n{}\r\n0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
  ],
  ['no host', () => `GET /v2/test/health HTTP/1.1\r\n${KEY}\r\n`],
  [
    'a broken host',
    (random) =>
      `GET /v2/test/status/x HTTP/1.1\r\nHost: ${random.pick(['[]:x', 'a b', 'x:99999', '@', 'x/y', '\xff'])}\r\n${KEY}\r\n`,
  ],
  ['a header without a colon', () => `GET /v2/test/health HTTP/1.1\r\nHost: x\r\nnonsense\r\n${KEY}\r\n`],
  [
    'a header with a space in its name',
    () => `GET /v2/test/health HTTP/1.1\r\nHost: x\r\nX Y: 1\r\n${KEY}\r\n`,
  ],
  ['a header with a NUL', () => `GET /v2/test/health HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n${KEY}\r\n`],
  ['a header with a lone CR', () => `GET /v2/test/health HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n${KEY}\r\n`],
  [
    'a very long header',
    () => `GET /v2/test/health HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n${KEY}\r\n`,
  ],
  [
    'a flood of headers',
    () => `GET /v2/test/health HTTP/1.1\r\nHost: x\r\n${'X-Y: z\r\n'.repeat(5_000)}${KEY}\r\n`,
  ],
  ['a very long target', () => `GET /v2/test/status/${'x'.repeat(60_000)} HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`],
  ['no version', () => `GET /v2/test/health\r\nHost: x\r\n${KEY}\r\n`],
  [
    'another version',
    (random) =>
      `GET /v2/test/health HTTP/${random.pick(['0.9', '1.2', '2.0', '3', '11', 'x'])}\r\nHost: x\r\n${KEY}\r\n`,
  ],
  [
    'another protocol',
    (random) =>
      `${random.pick(['GET / ICE/1.0', 'PRI * HTTP/2.0', 'SIP/2.0 200 OK', 'EHLO x', '\x16\x03\x01\x02\x00\x01'])}\r\n\r\n`,
  ],
  ['a method in lower case', () => `get /v2/test/health HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`],
  ['CONNECT', () => `CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n${KEY}\r\n`],
  [
    'a target that is none',
    (random) =>
      `GET ${random.pick(['*', 'x', 'ftp://x/', '\\v2\\test', 'http:///v2/test/health x'])} HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
  ],
  ['an answer', () => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
];
