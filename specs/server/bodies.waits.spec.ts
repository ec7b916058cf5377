import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../src/server/index.js';
import { createCaller, type Caller } from './caller.js';
import { sendRaw } from './raw-socket.js';

const MB = 1_000_000;

let server: RunningServer;
let api: Caller;

beforeAll(async () => {
  server = await startServer({ apiKeys: ['k'], workers: 4, dialect: { '7/error-body': 'problem-details' } });
  api = createCaller(`${server.url}/v2/test`, 'k');
});
afterAll(() => server.close());

/** A body of exactly that many bytes. */
function bodyOf(bytes: number): string {
  const frame = JSON.stringify({ input: { plan: [{ return: 1 }], pad: '' } });
  return frame.replace('"pad":""', `"pad":"${'p'.repeat(bytes - frame.length)}"`);
}

const head = (lines: string[], operation = 'run') =>
  [`POST /v2/test/${operation} HTTP/1.1`, 'Host: x', 'Authorization: k', ...lines, '', ''].join('\r\n');

describe('oversize bodies', () => {
  it.each([
    ['/run', 10],
    ['/runsync', 20],
  ])('%s takes %d MB quickly and refuses what is clearly more', async (path, megabytes) => {
    const startMs = performance.now();
    expect((await api.send('POST', path, { body: bodyOf(megabytes * MB) })).status).toBe(200);
    expect(performance.now() - startMs).toBeLessThan(5_000);
    const refused = await api.send('POST', path, { body: bodyOf(Math.ceil(megabytes * 1.05 * MB)) });
    expect([400, 413]).toContain(refused.status);
    expect(refused.json.detail).toContain('body');
  });

  it('a huge content-length is refused before any of the body has come', async () => {
    const exchange = sendRaw(server.port, `${head(['Content-Length: 1000000000'])}{"input":`);
    const text = await exchange.matching(/\r\n\r\n.*\}/s, 10_000);
    expect(text).toMatch(/^HTTP\/1\.1 4(00|13) /);
    expect(text).toContain('application/json');
    expect(await exchange.ended(3_000)).toBe(text);
    expect(exchange.socket.closed || exchange.socket.readableEnded).toBe(true);
  });

  it('a wrong key is reported, however large the body', async () => {
    const lines = head(['Content-Length: 1000000000']).replace('Authorization: k', 'Authorization: wrong');
    const exchange = sendRaw(server.port, lines);
    expect(await exchange.matching(/\r\n\r\n.*\}/s, 10_000)).toMatch(/^HTTP\/1\.1 401 /);
    exchange.socket.destroy();
  });

  it('a refused client that expects 100-continue does not get it', async () => {
    const lines = head(['Content-Length: 1000000000', 'Expect: 100-continue']);
    const exchange = sendRaw(server.port, lines);
    expect(await exchange.matching(/\r\n\r\n.*\}/s, 10_000)).toMatch(/^HTTP\/1\.1 4(00|13) /);
    exchange.socket.destroy();
  });

  it('a client with a small body that expects 100-continue gets it', async () => {
    const body = '{"input":{}}';
    const exchange = sendRaw(server.port, head([`Content-Length: ${body.length}`, 'Expect: 100-continue']));
    expect(await exchange.matching(/100 Continue/, 10_000)).toMatch(/^HTTP\/1\.1 100 Continue/);
    exchange.socket.write(body);
    expect(await exchange.matching(/200 OK/, 10_000)).toMatch(/HTTP\/1\.1 200 OK/);
    exchange.socket.destroy();
  });

  it('chunks without a length are counted, and reading stops', async () => {
    const exchange = sendRaw(server.port, head(['Transfer-Encoding: chunked']));
    const chunk = `100000\r\n${'p'.repeat(0x100000)}\r\n`;
    for (let sent = 0; sent < 60 && !exchange.text().includes('}') && !exchange.socket.destroyed; sent++) {
      await new Promise((resolve) => exchange.socket.write(chunk, resolve));
    }
    expect(await exchange.matching(/\r\n\r\n.*\}/s, 10_000)).toMatch(/^HTTP\/1\.1 4(00|13) /);
    exchange.socket.destroy();
  });

  it('chunks within the limit are a body like any other', async () => {
    const body = '{"input":{"plan":[{"return":5}]}}';
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const exchange = sendRaw(server.port, head(['Transfer-Encoding: chunked'], 'runsync') + chunked);
    expect(await exchange.matching(/"output":5/, 10_000)).toMatch(/^HTTP\/1\.1 200 OK/);
    exchange.socket.destroy();
  });

  it('the server keeps serving', async () => {
    expect((await api.get('/health')).status).toBe(200);
  });
});

describe('malformed bodies', () => {
  const deep = (levels: number) => `{"input":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
  it.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['broken JSON', '{"input":{}'],
    ['two values', '{"input":{}}{"input":{}}'],
    ['an array', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['input missing', '{"webhook":"http://127.0.0.1/"}'],
    ['input that is a string', '{"input":"x"}'],
    ['input under __proto__', '{"__proto__":{"input":{}}}'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ['JSON 100,000 levels deep', deep(100_000)],
    ['brackets that never close', '['.repeat(1_000_000)],
  ])('%s: 400', async (_what, body) => {
    for (const path of ['/run', '/runsync']) {
      const answer = await api.send('POST', path, { body });
      expect(answer.status).toBe(400);
      expect(answer.json.detail).toEqual(expect.any(String));
    }
  });

  it('deep but valid JSON is passed on and comes back', async () => {
    const input = JSON.parse(deep(500)).input as object;
    const answer = await api.send('POST', '/runsync', { body: { input } });
    expect(answer.json).toMatchObject({ status: 'COMPLETED', output: { echo: input } });
  });

  it('__proto__ within the input is data', async () => {
    const answer = await api.send('POST', '/runsync', {
      body: '{"input":{"__proto__":{"x":1},"constructor":2}}',
    });
    expect(answer.text).toContain('"__proto__":{"x":1}');
    expect(answer.status).toBe(200);
  });
});
