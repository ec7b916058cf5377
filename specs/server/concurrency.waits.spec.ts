/** Section 8, the column Concurrency, over sockets: a call is in progress from its header fields on. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../src/server/index.js';
import { sendRaw, type RawExchange } from './raw-socket.js';
import { until } from '../support/until.js';

const LIMIT = 20;
const HEAD = `POST /v2/test/cancel/none HTTP/1.1\r\nHost: x\r\nAuthorization: k\r\nContent-Length: `;
const GENEROUS_MS = 15_000;

let server: RunningServer;
let port: number;
let open: RawExchange[] = [];

beforeEach(async () => {
  server = await startServer({ apiKeys: ['k'] });
  port = Number(new URL(server.url).port);
});

afterEach(async () => {
  for (const { socket } of open) socket.destroy();
  open = [];
  await server.close();
});

/** Sends all of a call but the last byte of its body. */
function hold(): RawExchange {
  const exchange = sendRaw(port, `${HEAD}2\r\n\r\n{`);
  open.push(exchange);
  return exchange;
}

/** The status code of a call that is sent completely, on its own socket. */
async function codeOfWhole(): Promise<number> {
  const exchange = sendRaw(port, `${HEAD}0\r\nConnection: close\r\n\r\n`);
  return Number((await exchange.ended(GENEROUS_MS)).slice(9, 12));
}

/** The code that whole calls get in the end. */
async function settlesAt(code: number): Promise<number> {
  let seen = 0;
  await until(async () => (seen = await codeOfWhole()) === code, GENEROUS_MS);
  return seen;
}

describe('uploads that are held back', () => {
  it('use up the limit, and free it when they end', async () => {
    const held = Array.from({ length: LIMIT }, hold);
    expect(await settlesAt(429)).toBe(429);
    for (const { socket } of held) socket.write('}');
    for (const exchange of held)
      expect(await exchange.matching(/\r\n\r\n/, GENEROUS_MS)).toMatch(/^HTTP\/1\.1 404/);
    expect(await codeOfWhole()).toBe(404);
  });

  it('free it when their client disconnects', async () => {
    const held = Array.from({ length: LIMIT }, hold);
    expect(await settlesAt(429)).toBe(429);
    for (const { socket } of held) socket.destroy();
    expect(await settlesAt(404)).toBe(404);
  });
});
