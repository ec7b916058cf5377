import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createApp } from '../../src/server/app.js';
import { createBodyBudget } from '../../src/server/body-budget.js';
import { createHttpServer, type ConnectionLimits } from '../../src/server/http-server.js';
import { readIncomingBody, type Patience, type ReadBody } from '../../src/server/read-body.js';
import { sendRaw } from './raw-socket.js';

const HASTE = { headersTimeoutMs: 200, requestTimeoutMs: 400, checkEveryMs: 50 };
const GENEROUS_MS = 15_000;

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

async function serve(limits: Partial<ConnectionLimits>): Promise<number> {
  const app = createApp({ apiKeys: ['k'], dialect: { '7/error-body': 'problem-details' } });
  const server = createHttpServer(app, limits).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(
    () => app.close(),
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return (server.address() as AddressInfo).port;
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

it('connections beyond the most that may be are closed at once, and others go on', async () => {
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

/** Reads one body at a time of every request, and tells in which order what came of them. */
async function readBodies(patience: Patience): Promise<{ port: number; results: [string, ReadBody][] }> {
  const results: [string, ReadBody][] = [];
  const server = createServer((incoming, outgoing) => {
    void readIncomingBody(incoming, 2_000_000, patience).then((body) => {
      results.push([incoming.url ?? '', body]);
      outgoing.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { port: (server.address() as AddressInfo).port, results };
}

async function until(condition: () => boolean): Promise<void> {
  for (const endMs = performance.now() + GENEROUS_MS; !condition() && performance.now() < endMs;) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const head = (name: string, bytes: number): string =>
  `POST ${name} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`;

it('a body of which nothing more comes is given up', async () => {
  const { port, results } = await readBodies({ stallMs: 100 });
  const client = sendRaw(port, `${head('/a', 1_000)}{"inp`);
  await until(() => results.length > 0);
  expect(results).toEqual([['/a', { kind: 'stalled' }]]);
  client.socket.destroy();
});

it('large bodies take turns for the memory there is; small ones pass by', async () => {
  const { port, results } = await readBodies({ budget: createBodyBudget(1_500_000), stallMs: 1_500 });
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
  // The first goes on sending and the second is waiting: neither has stalled.
  for (let part = 0; part < 20; part++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    slow.socket.write('a'.repeat(25_000));
  }
  await until(() => results.length === 3);
  expect(names()).toEqual(['/small read', '/first read', '/second read']);
  for (const { socket } of clients) socket.destroy();
});

it('a client that goes away while it waits gives its place to the next', () => {
  const budget = createBodyBudget(10);
  const granted: string[] = [];
  const first = budget.take(8, () => granted.push('first'));
  const second = budget.take(8, () => granted.push('second'));
  budget.take(100, () => granted.push('too large for all of it'));
  second.giveBack();
  first.giveBack();
  first.giveBack();
  expect(granted).toEqual(['first', 'too large for all of it']);
});
