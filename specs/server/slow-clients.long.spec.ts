import { until } from '../support/until.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../src/server/app.js';
import { createBodyBudget, type Reservation } from '../../src/server/calls/body-budget.js';
import { listenFor } from '../../src/server/http-server.js';
import type { Limits } from '../../src/wire/listen.js';
import { readIncomingBody, type BodyReadLimits, type ReadBody } from '../../src/server/calls/read-body.js';
import { sendRaw } from './raw-socket.js';
import { forThisTest, listen } from '../support/servers.js';

const HASTE = { headersTimeoutMs: 200, requestTimeoutMs: 400, checkEveryMs: 50 };
const GENEROUS_MS = 15_000;

async function serve(limits: Partial<Limits>): Promise<number> {
  const app = createApp({ apiKeys: ['k'], dialect: { '7/error-body': 'problem-details' } });
  forThisTest(app);
  const { port, close } = await listenFor(app, { host: '127.0.0.1', port: 0 }, limits);
  onTestFinished(() => close(0));
  return port;
}

it.each([
  ['sends nothing', ''],
  ['sends half a request line', 'GET /v2/te'],
  ['sends header after header', 'GET /v2/test/health HTTP/1.1\r\nHost: x\r\nX: 1\r\n'],
  [
    'sends half a body',
    'POST /v2/test/run HTTP/1.1\r\nHost: x\r\nAuthorization: k\r\nContent-Length: 9\r\n\r\n{',
  ],
  [
    'sends half a chunk',
    'POST /v2/test/run HTTP/1.1\r\nHost: x\r\nAuthorization: k\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{',
  ],
])('a client that %s is told so and cut off', async (_what, text) => {
  const client = sendRaw(await serve(HASTE), text);
  const answer = await client.ended(GENEROUS_MS);
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ status: 408 });
  expect(client.socket.closed || client.socket.readableEnded).toBe(true);
});

it('a client that waits for its answer is not slow', async () => {
  const port = await serve({ ...HASTE, requestTimeoutMs: 1_000 });
  const body = '{"input":{"plan":[{"sleepMs":2000},{"return":"late"}]}}';
  const head = `POST /v2/test/runsync HTTP/1.1\r\nHost: x\r\nAuthorization: k\r\nContent-Length: ${body.length}`;
  const client = sendRaw(port, `${head}\r\n\r\n${body}`);
  expect(await client.matching(/"output":"late"/, GENEROUS_MS)).toMatch(/^HTTP\/1\.1 200 OK/);
  client.socket.destroy();
});

it('connections beyond the maximum are closed at once, and others continue', async () => {
  const port = await serve({ connectionsMax: 20 });
  const health = 'GET /v2/test/health HTTP/1.1\r\nHost: x\r\nAuthorization: k\r\n\r\n';
  const first = sendRaw(port, health);
  await first.matching(/200 OK/, GENEROUS_MS);
  const others = Array.from({ length: 60 }, () => sendRaw(port, ''));
  const closed = (): number => others.filter(({ socket }) => socket.closed).length;
  for (const endMs = performance.now() + GENEROUS_MS; closed() < 41 && performance.now() < endMs;) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(closed()).toBe(41);
  first.socket.write(health);
  expect(await first.matching(/200 OK[^]*200 OK/, GENEROUS_MS)).toMatch(/200 OK[^]*200 OK/);
  for (const { socket } of [first, ...others]) socket.destroy();
});

/** Reads one body of every request at a time, and reports the outcomes in order. */
async function readBodies(
  patience: BodyReadLimits,
): Promise<{ port: number; results: [string, ReadBody][] }> {
  const results: [string, ReadBody][] = [];
  const { port } = forThisTest(
    await listen((incoming, outgoing) => {
      void readIncomingBody(incoming, 2_000_000, patience).then((body) => {
        results.push([incoming.url ?? '', body]);
        outgoing.end();
      });
    }),
  );
  return { port, results };
}

const head = (name: string, bytes: number): string =>
  `POST ${name} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`;

it('a body that stalls is refused', async () => {
  const { port, results } = await readBodies({ windowMs: 100 });
  const client = sendRaw(port, `${head('/a', 1_000)}{"inp`);
  await until(() => results.length > 0);
  expect(results).toEqual([['/a', { kind: 'stalled' }]]);
  client.socket.destroy();
});

it('a body that keeps the minimum rate is accepted, and a slower one is refused, however steady', async () => {
  const { port, results } = await readBodies({ windowMs: 1_000 });
  const [slow, steady] = [sendRaw(port, head('/slow', 5_000)), sendRaw(port, head('/steady', 5_000))];
  for (let part = 0; part < 25; part++) {
    slow.socket.write('a'.repeat(10));
    steady.socket.write('b'.repeat(200));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await until(() => results.length === 2);
  expect(results.map(([name, { kind }]) => `${name} ${kind}`)).toEqual(['/slow stalled', '/steady read']);
  for (const { socket } of [slow, steady]) socket.destroy();
});

it('large bodies take turns for the memory; small ones are not delayed', async () => {
  const budget = createBodyBudget({ bytesMax: 600_000, briskBytes: 1, windowMs: 1_000 });
  const { port, results } = await readBodies({ budget });
  const names = (): string[] => results.map(([name, { kind }]) => `${name} ${kind}`);
  const slow = sendRaw(port, head('/first', 1_000_000) + 'a'.repeat(500_000));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const clients = [
    slow,
    sendRaw(port, head('/second', 1_000_000) + 'b'.repeat(1_000_000)),
    sendRaw(port, head('/small', 4) + 'cccc'),
  ];
  await until(() => results.length === 1);
  expect(names()).toEqual(['/small read']);
  for (let part = 0; part < 20; part++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    slow.socket.write('a'.repeat(25_000));
  }
  await until(() => results.length === 3);
  expect(names().sort()).toEqual(['/first read', '/second read', '/small read']);
  for (const { socket } of clients) socket.destroy();
});

it('a body that is slow while others wait for memory is refused, and the others continue', async () => {
  const budget = createBodyBudget({ bytesMax: 1_400_000, windowMs: 200 });
  const { port, results } = await readBodies({ budget });
  const slow = Array.from({ length: 10 }, (_, index) =>
    sendRaw(port, head(`/slow-${index}`, 1_900_000) + 'a'.repeat(100_000)),
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(results).toEqual([]);
  const fromMs = performance.now();
  const normal = sendRaw(port, head('/normal', 1_500_000) + 'b'.repeat(1_500_000));
  await until(() => results.some(([name]) => name === '/normal'));
  expect(performance.now() - fromMs).toBeLessThan(5_000);
  expect(results.at(-1)).toMatchObject(['/normal', { kind: 'read', bytes: 1_500_000 }]);
  expect(results.slice(0, -1).map(([, { kind }]) => kind)).toEqual(Array(10).fill('stalled'));
  for (const { socket } of [...slow, normal]) socket.destroy();
});

describe('the memory budget for bodies', () => {
  /** Bodies by name; `log` records the calls they received. */
  function bodies(bytesMax: number) {
    const log: string[] = [];
    const budget = createBodyBudget({ bytesMax, smallBytes: 1 });
    const enter = (name: string): Reservation =>
      budget.reserve({
        received: () => 0,
        pause: () => log.push(`${name} waits`),
        resume: () => log.push(`${name} goes on`),
        abandon: () => log.push(`${name} is given up`),
      });
    return { enter, log };
  }

  it('goes to waiting bodies in order of arrival, and to one of them until it is complete', () => {
    const { enter, log } = bodies(10);
    const [a, b, c] = [enter('a'), enter('b'), enter('c')];
    a.resize(6);
    b.resize(6);
    c.resize(6);
    expect(log).toEqual(['b waits', 'c waits']);
    a.resize(8);
    expect(log.slice(2)).toEqual(['a waits', 'b goes on']);
    b.resize(100);
    b.resize(200);
    expect(log.slice(4)).toEqual([]);
    b.release();
    expect(log.slice(4)).toEqual(['c goes on']);
    c.release();
    expect(log.slice(5)).toEqual(['a goes on']);
    a.release();
    a.release();
    enter('d').resize(10);
    expect(log.slice(6)).toEqual([]);
  });

  it('is freed by a client that disconnects while waiting', () => {
    const { enter, log } = bodies(10);
    const [a, b, c] = [enter('a'), enter('b'), enter('c')];
    a.resize(9);
    b.resize(9);
    b.release();
    c.resize(5);
    a.release();
    expect(log).toEqual(['b waits', 'c waits', 'c goes on']);
  });
});
