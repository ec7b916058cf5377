/**
 * A call that is refused because of its header fields is answered before any of its body has come, and none
 * of the body is stored.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSmallChunkThrottle } from '../../src/server/calls/small-chunk-throttle.js';
import { startServer, type RunningServer } from '../../src/server/index.js';
import { createCaller } from './caller.js';
import { sendRaw, type RawExchange } from './raw-socket.js';

const GENEROUS_MS = 15_000;
const MB = 1_000_000;

let server: RunningServer;
let open: RawExchange[] = [];

beforeEach(async () => {
  server = await startServer({ apiKeys: ['k'], workers: 0, clock: 'controlled' });
});
afterEach(async () => {
  for (const { socket } of open) socket.destroy();
  open = [];
  await server.close();
});

function send(text: string): RawExchange {
  const exchange = sendRaw(server.port, text);
  open.push(exchange);
  return exchange;
}

const head = (target: string, lines: string[], { key = 'k', method = 'POST' } = {}): string =>
  [`${method} ${target} HTTP/1.1`, 'Host: x', `Authorization: ${key}`, ...lines, '', ''].join('\r\n');

const LENGTH = 'Content-Length: 1000000';
const CHUNKED = 'Transfer-Encoding: chunked';

const codeOf = async (exchange: RawExchange): Promise<number> =>
  Number((await exchange.matching(/\r\n\r\n.*\}/s, GENEROUS_MS)).slice(9, 12));

describe.each([LENGTH, CHUNKED])('with %s and nothing of the body', (length) => {
  it.each([
    ['a wrong key', 401, '/v2/test/run', { key: 'wrong' }],
    ['an endpoint that is not there', 404, '/v2/none/runsync', {}],
    ['a path that names nothing', 404, '/v2/test/nothing', {}],
    ['another method', 405, '/v2/test/run', { method: 'PUT' }],
    ['a wrong key of a worker', 401, '/v2/test/job-done/pod/job', { key: 'wrong' }],
    ["a worker's endpoint that is not there", 404, '/v2/none/job-done/pod/job', {}],
    ['a wrong key for test control', 401, '/_control/clock/advance', { key: 'wrong' }],
    ['an address that is not valid', 400, '/v2/test/run?%ff', {}],
  ])('%s is answered %i', async (_what, code, target, more) => {
    expect(await codeOf(send(head(target, [length], more)))).toBe(code);
  });

  it('a rate that is used up is answered with 429', async () => {
    for (let count = 0; count < 2; count++)
      expect(await codeOf(send(head('/v2/test/purge-queue', ['Content-Length: 0'])))).toBe(200);
    expect(await codeOf(send(head('/v2/test/purge-queue', [length])))).toBe(429);
  });

  it('one call too many is answered with 429, and does not affect the others', async () => {
    const held = Array.from({ length: 20 }, () =>
      send(`${head('/v2/test/cancel/none', ['Content-Length: 2'])}{`),
    );
    let code = 0;
    for (let tries = 0; tries < 60 && code !== 429; tries++) {
      const late = send(head('/v2/test/cancel/none', [length]));
      code = Number((await late.matching(/\r\n\r\n.*\}/s, 200)).slice(9, 12));
      if (code === 0) late.socket.destroy();
    }
    expect(code).toBe(429);
    for (const { socket } of held) socket.write('}');
    for (const exchange of held) expect(await codeOf(exchange)).toBe(404);
  });
});

it.each([
  ['/run', 10.6],
  ['/runsync', 21.1],
])('%s with %d MB declared is refused before they come', async (path, megabytes) => {
  const exchange = send(head(`/v2/test${path}`, [`Content-Length: ${megabytes * MB}`]));
  expect([400, 413]).toContain(await codeOf(exchange));
});

it('a client that expects 100-continue gets the refusal instead', async () => {
  const lines = [LENGTH, 'Expect: 100-continue'];
  const exchange = send(head('/v2/test/run', lines, { key: 'wrong' }));
  expect(await exchange.matching(/\r\n\r\n.*\}/s, GENEROUS_MS)).toMatch(/^HTTP\/1\.1 401 /);
  expect(exchange.text()).not.toContain('100 Continue');
});

it('a short refused body that is sent nevertheless is dropped, and the connection stays open', async () => {
  const exchange = send(
    head('/v2/test/run', ['Content-Length: 60000'], { key: 'wrong' }) + 'x'.repeat(60_000),
  );
  expect(await codeOf(exchange)).toBe(401);
  exchange.socket.write(head('/v2/test/health', [], { method: 'GET' }));
  expect(await exchange.matching(/401[^]*200 OK/, GENEROUS_MS)).toMatch(/401[^]*200 OK/);
});

it('a call without a body leaves its connection open', async () => {
  const exchange = send(head('/_control', [], { method: 'GET' }));
  expect(await codeOf(exchange)).toBe(200);
  exchange.socket.write(head('/v2/test/health', [], { method: 'GET' }));
  expect(await exchange.matching(/200 OK[^]*200 OK/, GENEROUS_MS)).toMatch(/200 OK[^]*200 OK/);
  expect(exchange.text().toLowerCase()).not.toContain('connection: close');
});

it('real clients that send a large body with a wrong key see the refusal', async () => {
  const api = createCaller(`${server.url}/v2/test`, 'wrong');
  for (const bytes of [100, 100_000, 5 * MB, 30 * MB]) {
    const body = { input: { pad: 'p'.repeat(bytes) } };
    expect((await api.send('POST', '/run', { body })).status).toBe(401);
    const answer = await fetch(`${server.url}/v2/test/run`, {
      method: 'POST',
      headers: { authorization: 'wrong' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(401);
  }
});

it('a refused client that keeps sending is disconnected', async () => {
  const exchange = send(head('/v2/test/run', [CHUNKED], { key: 'wrong' }));
  expect(await codeOf(exchange)).toBe(401);
  const timer = setInterval(() => exchange.socket.write('1\r\nx\r\n'), 20);
  await exchange.ended(GENEROUS_MS);
  clearInterval(timer);
  expect(exchange.socket.closed || exchange.socket.readableEnded).toBe(true);
});

it('bodies in chunks of one byte take no more memory than they have bytes', { timeout: 60_000 }, async () => {
  const piece = '1\r\nx\r\n'.repeat(20_000);
  const exchanges = Array.from({ length: 40 }, () => send(head('/v2/test/run', [CHUNKED])));
  const before = process.memoryUsage();
  for (const { socket } of exchanges) if (!socket.write(piece)) await once(socket, 'drain');
  const api = createCaller(`${server.url}/v2/test`, 'k');
  expect((await api.get('/health')).status).toBe(200);
  globalThis.gc?.();
  const after = process.memoryUsage();
  // At three hundred bytes for each piece, 800,000 of them would take 240 MB.
  expect(after.external + after.heapUsed - before.external - before.heapUsed).toBeLessThan(100 * MB);
  for (const { socket } of exchanges) socket.write('0\r\n\r\n');
  for (const exchange of exchanges) expect(await codeOf(exchange)).toBe(400);
});

it('bodies in tiny chunks are read in turns, one after the other', async () => {
  const smallChunks = createSmallChunkThrottle();
  const bodies = Array.from({ length: 3 }, () => {
    const socket = new PassThrough().resume();
    return { socket, ...smallChunks.enter(socket as unknown as Socket) };
  });
  const waiting = (): number => bodies.filter(({ socket }) => socket.isPaused()).length;
  for (const body of bodies) for (let piece = 0; piece < 10_000; piece++) body.took(1_000);
  expect(waiting()).toBe(0);
  for (const body of bodies) for (let piece = 0; piece < 10_000; piece++) body.took(1);
  expect(waiting()).toBe(3);
  // A read asks for more of it: it stays paused.
  bodies[2]!.socket.resume();
  await new Promise((resolve) => process.nextTick(resolve));
  expect(waiting()).toBe(3);
  const left: number[] = [];
  for (const endMs = performance.now() + GENEROUS_MS; waiting() > 0 && performance.now() < endMs;) {
    if (left.at(-1) !== waiting()) left.push(waiting());
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(left).toEqual([3, 2, 1]);
  for (let piece = 0; piece < 10_000; piece++) bodies[0]!.took(1);
  bodies[0]!.leave();
  expect(waiting()).toBe(0);
});

it('test control tells how many calls have arrived except for the end of their body', async () => {
  const incomplete = async (): Promise<unknown> => {
    const url = `http://127.0.0.1:${server.port}/_control/endpoints/test`;
    const reply = await fetch(url, { headers: { authorization: 'k' } });
    return ((await reply.json()) as { incomplete: unknown }).incomplete;
  };
  const body = '{"input":{}}';
  const part = head('/v2/test/run', [`Content-Length: ${body.length}`]) + body.slice(0, -1);
  expect(await incomplete()).toBe(0);
  const [first, second] = [send(part), send(part)];
  await expect.poll(incomplete).toBe(2);
  first.socket.write(body.slice(-1));
  expect(await codeOf(first)).toBe(200);
  expect(await incomplete()).toBe(1);
  second.socket.destroy();
  await expect.poll(incomplete).toBe(0);
});
