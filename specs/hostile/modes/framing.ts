/** Bytes and framing: invalid HTTP, and HTTP with false lengths. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { EITHER, type Mode } from '../mode.js';
import { bytesOf } from '../server.js';
import {
  body,
  endlessly,
  headers,
  large,
  later,
  laterAnswers,
  MB,
  mode,
  noService,
  says,
  thenCloses,
  unclear,
  untold,
} from './helpers.js';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

const gzipBomb = large(() => gzipSync(Buffer.alloc(40 * MB, 32)));
const text40 = large(() => Buffer.alloc(40 * MB, 'x'));
const text70 = large(() => Buffer.alloc(70 * MB, 'x'));

export const BYTES: readonly Mode[] = [
  untold('length-too-long', 'names a length of 1,000 bytes, sends 2 and waits', {
    writes: later(says(`${HEAD}content-length: 1000\r\n\r\n{}`)),
  }),
  untold('closes-too-early', 'names a length of 1,000 bytes, sends 2 and closes', {
    writes: later(thenCloses(says(`${HEAD}content-length: 1000\r\n\r\n{}`))),
  }),
  unclear('length-too-short', 'sends a second answer behind each, which nobody asked for', {
    writes(_call, socket, plain) {
      for (const part of bytesOf(plain)) socket.write(part);
      socket.write(`${HEAD}content-length: 2\r\n\r\n{}`);
    },
  }),
  noService('two-lengths', 'names two lengths that differ', {
    writes: says(`${HEAD}content-length: 2\r\ncontent-length: 4\r\n\r\n{}{}`),
  }),
  untold('negative-length', 'names a length of -1', {
    writes: later(thenCloses(says(`${HEAD}content-length: -1\r\n\r\n{}`))),
  }),
  untold('huge-length', 'names a length of 9 exabytes', {
    writes: later(says(`${HEAD}content-length: 9007199254740993000\r\n\r\n{`)),
  }),
  untold('length-and-chunks', 'names a length and sends chunks', {
    writes: later(says(`${HEAD}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)),
  }),
  untold('no-length', 'names no length and lets the end of the connection be the end of the answer', {
    writes: thenCloses((_call, socket, plain) => {
      socket.write(
        `HTTP/1.1 ${plain.status} Any\r\ncontent-type: application/json\r\n\r\n${String(plain.body)}`,
      );
    }),
  }),
  untold('endless-headers', 'sends headers without end', {
    writes: later(async (_call, socket) => {
      socket.write(HEAD);
      await endlessly(socket, `x-more: ${'y'.repeat(1_000)}\r\n`);
    }),
  }),
  mode('many-headers', 'sends 2,000 headers of all sorts', {
    answers: headers(() =>
      Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`x-${n}`, 'v'] as const)),
    ),
  }),
  mode('long-header', 'sends a header of 15 KB', {
    answers: headers(() => ({ 'x-long': 'y'.repeat(15_000) })),
  }),
  untold('one-byte-headers', 'sends a byte of the header every 300 ms', {
    writes: later((_call, socket) => endlessly(socket, 'H', 300)),
  }),
  untold('slow-drip', 'sends a byte of the body every 300 ms', {
    writes: later(async (_call, socket) => {
      socket.write(`${HEAD}content-length: 100000\r\n\r\n`);
      await endlessly(socket, ' ', 300);
    }),
  }),
  untold('endless-body', 'sends a body without end, as fast as it can', {
    writes: later(async (_call, socket) => {
      socket.write(`${HEAD}\r\n[`);
      await endlessly(socket, Buffer.alloc(64 * 1024, '0,'));
    }),
  }),
  untold('endless-chunks', 'sends chunks without end', {
    writes: later(async (_call, socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
      await endlessly(socket, `1000\r\n${'x'.repeat(0x1000)}\r\n`, 1);
    }),
  }),
  untold('one-byte-chunks', 'sends 40,000 chunks of one byte', {
    writes: later((_call, socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n${'1\r\n0\r\n'.repeat(40_000)}0\r\n\r\n`);
    }),
  }),
  unclear('chunk-size-nonsense', 'names chunks of zz and of ffffffffffffffff bytes', {
    writes: later((call, socket) => {
      const size = call.number % 2 === 0 ? 'zz' : 'ffffffffffffffff';
      socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n${size}\r\n{}\r\n0\r\n\r\n`);
    }),
  }),
  unclear('chunk-extensions', 'puts 8 KB behind each chunk size, and trailers behind the last', {
    writes: later((_call, socket) => {
      const extension = `;x=${'y'.repeat(8_000)}`;
      const chunks = `2${extension}\r\n{}\r\n0\r\n`;
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n${chunks}x-trailer: \u001b[31m\r\n\r\n`);
    }),
  }),
  noService('resets-at-once', 'resets every connection', { connects: (socket) => socket.resetAndDestroy() }),
  unclear('resets-later', 'answers the first calls and resets the connection of all others', {
    writes: later((_call, socket) => void socket.resetAndDestroy()),
  }),
  unclear('resets-in-the-body', 'resets in the middle of each body', {
    writes: later((_call, socket) => {
      socket.write(`${HEAD}content-length: 1000\r\n\r\n{"id":"x`, () => socket.resetAndDestroy());
    }),
  }),
  noService('never-answers', 'takes every request and says nothing', { answers: () => null }),
  mode('falls-silent', 'answers the first calls and says nothing more', {
    answers: laterAnswers(() => null),
    jobs: 'named',
    exits: EITHER,
  }),
  unclear('half-closes', 'ends its side of the connection without an answer', {
    writes: later((_call, socket) => void socket.end()),
  }),
  noService('http-0.9', 'sends bodies alone, as HTTP/0.9 had it', {
    writes: (_call, socket, plain) => void socket.end(plain.body),
  }),
  untold('http-1.0', 'answers by HTTP/1.0 and closes', {
    writes(_call, socket, plain) {
      socket.end(
        `HTTP/1.0 ${plain.status} OK\r\ncontent-type: application/json\r\n\r\n${String(plain.body)}`,
      );
    },
  }),
  noService('http-2', 'answers in frames of HTTP/2', {
    writes: (_call, socket) => void socket.write(Buffer.from('000000040000000000', 'hex')),
  }),
  noService('tls-alert', 'answers plain HTTP with an alert of TLS', {
    writes: (_call, socket) => void socket.end(Buffer.from('15030300020228', 'hex')),
  }),
  noService('ssh', 'greets every connection as an SSH server does', {
    connects: (socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
  }),
  noService('random-bytes', 'answers with bytes that mean nothing', {
    writes: (call, socket) =>
      void socket.write(
        Buffer.from(Array.from({ length: 500 }, (_, n) => (n * 89 + call.number * 57) % 256)),
      ),
  }),
  unclear('continues-for-ever', 'says 100 Continue without end', {
    writes: later((_call, socket) => endlessly(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100), 5)),
  }),
  untold('early-hints-for-ever', 'says 103 Early Hints without end', {
    writes: later((_call, socket) =>
      endlessly(socket, `HTTP/1.1 103 Early Hints\r\nlink: </${'a'.repeat(900)}>\r\n\r\n`, 5),
    ),
  }),
  unclear('switches-protocols', 'answers 101 and goes on in another protocol', {
    writes: later(says('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n\u0000\u0001')),
  }),
  noService('gzip-bomb', 'answers with 40 KB of gzip, which would be 40 MB', {
    answers: (_call, plain) => ({
      ...plain,
      headers: { ...plain.headers, 'content-encoding': 'gzip' },
      body: gzipBomb(),
    }),
  }),
  noService('nested-encodings', 'names five encodings one around the other', {
    answers: (_call, plain) => ({
      ...plain,
      headers: { ...plain.headers, 'content-encoding': 'br, gzip, deflate, gzip, br' },
      body: brotliCompressSync(gzipSync(plain.body)),
    }),
  }),
  mode('encoding-lies', 'calls plain JSON gzip', {
    answers: headers(() => ({ 'content-encoding': 'gzip' })),
  }),
  unclear('redirects-in-circles', 'redirects every call to itself', {
    answers: (call) => ({ status: 307, headers: { location: `/v2/test/${call.operation}` }, body: '' }),
  }),
  unclear('redirects-to-files', 'redirects every call to a file, to a script or to nowhere', {
    answers: (call) => ({
      status: [301, 302, 303, 308][call.number % 4]!,
      headers: {
        location: ['file:///etc/passwd', 'javascript:hostile()', '//', 'http://[::1'][call.number % 4]!,
      },
      body: '<a href="javascript:hostile()">moved</a>',
    }),
  }),
  mode('refreshes', 'sends a Refresh header and cookies by the dozen', {
    answers: headers(() => ({
      refresh: '0; url=javascript:hostile()',
      'set-cookie': Array.from({ length: 40 }, (_, n) => `c${n}=<script>hostile()</script>; Path=/`),
    })),
  }),
  mode('type-lies', 'calls its JSON HTML, an image, or two things at once', {
    answers: headers((_plain, call) => ({
      'content-type': [
        'text/html; charset=utf-7',
        'image/svg+xml',
        ['application/json', 'text/html'],
        '\u00ff\u00fe',
        '',
        `application/json; ${'x'.repeat(4_000)}`,
      ][call.number % 6]!,
    })),
  }),
  noService('byte-order-mark', 'puts a byte order mark before its JSON', {
    answers: body((text) => `\ufeff${text}`),
  }),
  noService('utf-16', 'answers in UTF-16', {
    answers: body((text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
  }),
  noService('nul-bytes', 'puts NUL bytes between all others', {
    answers: body((text) => text.split('').join('\u0000')),
  }),
  mode('broken-utf-8', 'puts bytes that are no UTF-8 into its strings', {
    answers: body((text) =>
      Buffer.concat([
        Buffer.from(`${text.trimEnd().replace(/\}$/, '')}${text.startsWith('{') ? ',' : ''}"x":"`),
        Buffer.from('c328a0a1e28228f0288cbcc080eda080ff', 'hex'),
        Buffer.from('"}'),
      ]),
    ),
  }),
  unclear('odd-status-codes', 'answers 199, 299, 418, 599, 999 and 000', {
    writes: later((call, socket) => {
      const code = ['199', '299', '418', '599', '999', '000', '2000', '20', '-1'][call.number % 9];
      socket.end(`HTTP/1.1 ${code} \u001b[31mred\r\ncontent-length: 2\r\n\r\n{}`);
    }),
  }),
  unclear('header-injection', 'puts bare carriage returns, folded lines and controls into its headers', {
    writes: later((call, socket) => {
      const odd = ['a: b\rc: d', 'a: b\r\n c', 'a\u0000b: c', 'a : b', ': empty', 'a: \u001b]0;x\u0007'];
      socket.end(`HTTP/1.1 200 OK\r\n${odd[call.number % odd.length]}\r\ncontent-length: 2\r\n\r\n{}`);
    }),
  }),
  mode('header-names-of-objects', 'names its headers __proto__, constructor and toString', {
    answers: headers(() => ({ ['__proto__']: 'x', constructor: 'y', tostring: 'z', hasownproperty: '1' })),
  }),
  noService('empty-200', 'answers 200 and nothing else', {
    answers: () => ({ status: 200, headers: {}, body: '' }),
  }),
  unclear('204-with-a-body', 'answers 204 and 304 with bodies', {
    writes: later((call, socket) => {
      const code = call.number % 2 === 0 ? 204 : 304;
      socket.end(`HTTP/1.1 ${code} Odd\r\ncontent-length: 20\r\n\r\n{"id":"x","status":1}`);
    }),
  }),
  untold('40-mb-of-text', 'answers everything with 40 MB that are no JSON', {
    answers: laterAnswers(body(text40)),
  }),
  untold('70-mb-of-text', 'answers everything with 70 MB', { answers: laterAnswers(body(text70)) }),
];
