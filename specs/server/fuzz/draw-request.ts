/** Requests that no client should send: bad framing, bad targets, bad headers, and good HTTP with bad contents. */
import type { RandomStream } from '../../../src/time/random.js';
import { BAD_FRAMING, KEY } from './bad-framing.js';
import { drawBody, noise } from './draw-body.js';

export interface BadRequest {
  /** What is wrong, for the message of a failure. */
  readonly kind: string;
  /** Written one after the other, with a short pause in between. */
  readonly pieces: readonly Buffer[];
  /** No implementation may answer this with success; where false, a reading of the document may. */
  readonly refused: boolean;
  /** What the client does when it has sent its pieces. */
  readonly ending: 'wait' | 'half-close' | 'destroy' | 'flood';
}

const OPERATIONS = [
  'run',
  'runsync',
  'status',
  'stream',
  'cancel',
  'retry',
  'purge-queue',
  'health',
  'requests',
  'openai',
];
const WORKER_CALLS = ['job-take', 'job-take-batch', 'job-stop', 'job-stream', 'job-done', 'ping'];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH'];
const POSTS = ['run', 'runsync', 'cancel', 'retry', 'purge-queue', 'openai'];
const TAKES_JOB = ['status', 'stream', 'cancel', 'retry'];

const IDS = [
  'x',
  '__proto__',
  'constructor',
  'toString',
  '..',
  '.',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'a%2fb',
  'a%5cb',
  'a%00b',
  '%00',
  '%',
  '%zz',
  '%c0%af',
  '%ed%a0%80',
  '%ff',
  '%f0%9f%92%a5',
  '%0d%0aset-cookie:%20a=b',
  '%3cscript%3e',
  'a;b=c',
  "'%20or%201=1--",
  '*',
  '-1',
  '0',
  'null',
  '%252e%252e',
  'é',
  'a'.repeat(300),
  'a'.repeat(7_000),
];

const QUERIES = [
  '',
  '?',
  '?wait=-1',
  '?wait=0',
  '?wait=1e9',
  '?wait=999999999999999999999',
  '?wait=1000&wait=x',
  '?wait=%',
  '?wait=%00',
  '?wait[]=1000',
  '?__proto__=1&constructor=2',
  '?ttl=-6000',
  '?ttl=NaN',
  '?ttl=0x10',
  '?ttl=١٢٣',
  `?${'a=b&'.repeat(1_500)}`,
  '?=',
  '?&&&',
  '?wait=1000#x',
  '??wait=1000',
];

const AUTHORIZATIONS = [
  'Authorization: k\r\n',
  'Authorization: Bearer k\r\n',
  'Authorization: bearer  k\r\n',
  'Authorization: \r\n',
  'Authorization: Bearer\r\n',
  'Authorization: Basic azpr\r\n',
  'Authorization: k k\r\n',
  'Authorization: K\r\n',
  `Authorization: ${'k'.repeat(5_000)}\r\n`,
  'Authorization: \xff\xfe\r\n',
  'authorization: wrong\r\nAuthorization: k\r\n',
  '',
];

const HEADERS = [
  '',
  '',
  'Content-Type: application/json\r\n',
  'Content-Type: text/plain\r\n',
  'Content-Type: application/json; charset=utf-16\r\n',
  'Content-Type: \r\n',
  'Content-Encoding: gzip\r\n',
  'Expect: 100-continue\r\n',
  'Expect: the-unexpected\r\n',
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n',
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
  'X-Forwarded-For: 127.0.0.1\r\nX-HTTP-Method-Override: DELETE\r\n',
  'Range: bytes=0-0,1-1\r\nIf-None-Match: *\r\n',
  'Accept: text/html\r\n',
  'Cookie: __proto__=x\r\n',
  'Connection: keep-alive, close, upgrade\r\n',
  'Trailer: Authorization\r\nTE: trailers\r\n',
];

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

function framing(random: RandomStream): BadRequest {
  const [kind, text] = random.pick(BAD_FRAMING);
  return { kind, pieces: cut(random, latin1(text(random))), refused: true, ending: 'wait' };
}

function garbage(random: RandomStream): BadRequest {
  const pieces = [noise(random, random.intBetween(1, 600))];
  return { kind: 'noise', pieces, refused: true, ending: random.pick(['wait', 'half-close', 'destroy']) };
}

function target(random: RandomStream): string {
  const op = random.pick(OPERATIONS);
  const path = random.pick([
    () => `/v2/test/${op}/${random.pick(IDS)}`,
    () => `/v2/${random.pick(IDS)}/${op}`,
    () => `/v2/test/${op}`,
    () => `/v2/test/${op}/x/${random.pick(IDS)}`,
    () => `//v2//test//${op}`,
    () => `/v2/test/${random.pick(IDS)}`,
    () => `/${random.pick(['v1', 'v2x', 'V2', '', 'v2%2ftest', '%76%32'])}/test/${op}`,
    () => `/v2/test/${op}${'/'.repeat(random.pick([1, 2, 5_000]))}`,
    () => `/v2/test/${random.pick(WORKER_CALLS)}/${random.pick(IDS)}`,
    () => `/v2/test/${random.pick(WORKER_CALLS)}/x/${random.pick(IDS)}`,
    () => `/v2/test/../test/${op}`,
    () => `http://x/v2/test/${op}`,
    () => `http://evil.example/v2/${random.pick(IDS)}/${op}`,
    () =>
      `/_control/${random.pick(['', 'clock', 'clock/advance', 'endpoints', `endpoints/${random.pick(IDS)}`, random.pick(IDS)])}`,
    () =>
      `/${random.pick(['', 'favicon.ico', '.env', '_page', '_page/state', '_page/advance', 'metrics', random.pick(IDS)])}`,
  ])();
  return path + random.pick(QUERIES);
}

/** Good HTTP; whether it may succeed depends on what was drawn. */
function contents(random: RandomStream): BadRequest {
  const head = [
    `${random.chance(600) ? random.pick(['GET', 'POST']) : random.pick(METHODS)} ${target(random)} HTTP/1.${random.chance(50) ? 0 : 1}\r\n`,
    'Host: x\r\n',
    random.chance(700) ? KEY : random.pick(AUTHORIZATIONS),
    random.pick(HEADERS),
    random.chance(800) ? 'Connection: close\r\n' : '',
  ].join('');
  return {
    kind: 'contents',
    pieces: withBody(random, head, drawBody(random)),
    refused: false,
    ending: 'wait',
  };
}

/** To an operation that exists, with a body that may not do. */
function submission(random: RandomStream): BadRequest {
  const op = random.pick(['run', 'run', 'runsync', 'openai/v1/chat/completions']);
  const query = op === 'runsync' ? '?wait=1000' : '';
  const head = `POST /v2/test/${op}${query} HTTP/1.1\r\nHost: x\r\n${KEY}Connection: close\r\n`;
  return {
    kind: 'submission',
    pieces: withBody(random, head, drawBody(random)),
    refused: false,
    ending: 'wait',
  };
}

/** Without a valid key nothing succeeds, whatever it is. */
function keyless(random: RandomStream): BadRequest {
  const op = random.pick(OPERATIONS);
  const job = TAKES_JOB.includes(op) || op === 'openai' ? '/x' : '';
  const method = POSTS.includes(op) ? 'POST' : 'GET';
  const authorization = random.pick(AUTHORIZATIONS.slice(3, -2));
  const head = `${method} /v2/test/${op}${job} HTTP/1.1\r\nHost: x\r\n${authorization}Connection: close\r\n`;
  return {
    kind: 'no valid key',
    pieces: withBody(random, head, drawBody(random)),
    refused: true,
    ending: 'wait',
  };
}

function pipelined(random: RandomStream): BadRequest {
  const good = `GET /v2/test/health HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`;
  const some = Array.from({ length: random.intBetween(1, 20) }, () => latin1(good));
  const last = random.pick([garbage, framing])(random);
  const kind = `after ${some.length} good requests: ${last.kind}`;
  return { kind, pieces: [Buffer.concat([...some, ...last.pieces])], refused: false, ending: 'wait' };
}

/** Begins correctly and never continues. */
function broken(random: RandomStream): BadRequest {
  const body = drawBody(random);
  const whole = latin1(
    `POST /v2/test/run HTTP/1.1\r\nHost: x\r\n${KEY}Content-Length: ${body.length + 1}\r\n\r\n`,
  );
  const bytes = Buffer.concat([whole, body]);
  const pieces = cut(random, bytes.subarray(0, random.intBetween(1, bytes.length)));
  return { kind: 'breaks off', pieces, refused: true, ending: random.pick(['half-close', 'destroy']) };
}

function oversize(random: RandomStream): BadRequest {
  const key = random.chance(500) ? KEY : 'Authorization: wrong\r\n';
  const head = `POST /v2/test/${random.pick(['run', 'runsync'])} HTTP/1.1\r\nHost: x\r\n${key}`;
  const expects = random.chance(300) ? 'Expect: 100-continue\r\n' : '';
  const declared = `Content-Length: ${random.pick([25_000_000, 1_000_000_000, 2 ** 40])}\r\n`;
  const framed = random.chance(700) ? declared : 'Transfer-Encoding: chunked\r\n';
  return {
    kind: 'oversize',
    pieces: [latin1(`${head}${expects}${framed}\r\n`)],
    refused: true,
    ending: 'flood',
  };
}

function withBody(random: RandomStream, head: string, body: Buffer): readonly Buffer[] {
  if (random.chance(200)) {
    const size = latin1(
      `Transfer-Encoding: chunked\r\n\r\n${body.length === 0 ? '' : `${body.length.toString(16)}\r\n`}`,
    );
    const rest = latin1(`${body.length === 0 ? '' : '\r\n'}0\r\n\r\n`);
    return cut(random, Buffer.concat([latin1(head), size, body, rest]));
  }
  const length = body.length === 0 && random.chance(500) ? '' : `Content-Length: ${body.length}\r\n`;
  return cut(random, Buffer.concat([latin1(`${head}${length}\r\n`), body]));
}

/** Mostly in one piece; now and then cut where it hurts. */
function cut(random: RandomStream, bytes: Buffer): readonly Buffer[] {
  if (bytes.length < 2 || !random.chance(100)) return [bytes];
  const at = random.intBetween(1, bytes.length - 1);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

export function drawBadRequest(random: RandomStream): BadRequest {
  const dice = random.intBetween(0, 999);
  if (dice < 300) return contents(random);
  if (dice < 550) return submission(random);
  if (dice < 750) return framing(random);
  if (dice < 830) return keyless(random);
  if (dice < 890) return pipelined(random);
  if (dice < 940) return garbage(random);
  if (dice < 998) return broken(random);
  return oversize(random);
}
