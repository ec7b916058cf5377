/** Readings of open questions in which only the server can make the difference: it holds the connection, the date, the calls. */
import { expect, test } from 'vitest';
import { rulesFor } from '../../src/core/rules.js';
import { type ServerOptions } from '../../src/server/index.js';
import { forThisTest, listen, serve as serveForTest } from '../support/servers.js';

async function serve(options: ServerOptions) {
  const server = await serveForTest({ clock: 'real', ...options });
  const headers = { authorization: server.apiKeys[0]!, 'content-type': 'application/json' };
  return (path: string, body: string): Promise<Response> =>
    fetch(`${server.url}/v2/test/${path}`, { method: 'POST', headers, body });
}

test('8/retry-after: a date is the date at which there is room again', async () => {
  const post = await serve({ dialect: { '8/retry-after': 'date' } });
  const replies = [];
  for (let call = 0; call < 3; call += 1) replies.push(await post('purge-queue', ''));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
  const header = replies[2]!.headers.get('retry-after')!;
  expect(header).toMatch(/^\w{3}, \d\d \w{3} \d{4} .* GMT$/);
  const inMs = Date.parse(header) - Date.now();
  expect(inMs).toBeGreaterThan(0);
  expect(inMs).toBeLessThanOrEqual(10_000);
});

test('7/oversize-code: the connection is closed without an answer', async () => {
  const post = await serve({ dialect: { '7/oversize-code': 'connection-closed' } });
  const body = (bytes: number): string => JSON.stringify({ input: { text: 'x'.repeat(bytes) } });
  await expect(post('run', body(10_000_100))).rejects.toThrow();
  expect((await post('run', body(100))).status).toBe(200);
});

test('8/payload-measure: what surrounds the input does not count', async () => {
  const post = await serve({ dialect: { '8/payload-measure': 'input' } });
  const body = (inputBytes: number): string =>
    JSON.stringify({
      webhook: `http://127.0.0.1:9/${'w'.repeat(500)}`,
      input: { t: 'x'.repeat(inputBytes - 8) },
    });
  expect((await post('run', body(10_000_000))).status).toBe(200);
  expect((await post('run', body(10_000_001))).status).toBe(400);
});

test('2.1/duplicate-keys: the first value holds, or the body is refused', async () => {
  const body = '{"input":{"plan":[{"return":1}]},"input":{"plan":[{"return":2}]}}';
  const first = await serve({ dialect: { '2.1/duplicate-keys': 'first-wins' } });
  expect(await (await first('runsync', body)).json()).toMatchObject({ output: 1 });
  const last = await serve({});
  expect(await (await last('runsync', body)).json()).toMatchObject({ output: 2 });
  const strict = await serve({ dialect: { '2.1/duplicate-keys': 'refused' } });
  expect((await strict('runsync', body)).status).toBe(400);
});

test('6/attempt-timeout: a receiver that does not answer is given as long as the rule says', async () => {
  for (const [reading, ms] of [
    ['up-to-10-s', 10_000],
    ['up-to-30-s', 20_000],
    ['longer', 40_000],
  ] as const)
    expect(rulesFor({ '6/attempt-timeout': reading }, 'document').webhookTimeoutMs()).toBe(ms);
  const calls: number[] = [];
  const receiver = forThisTest(await listen(() => void calls.push(performance.now())));
  // Called again as soon as a call times out: the time between two calls is the timeout of the first.
  const post = await serve({
    rules: { webhookTimeoutMs: () => 400, webhookAgainAtMs: (_called, endedMs) => endedMs },
  });
  const webhook = `${receiver.url}/`;
  await post('runsync', JSON.stringify({ input: { plan: [] }, webhook }));
  await expect.poll(() => calls.length, { timeout: 15_000 }).toBe(3);
  expect(calls[1]! - calls[0]!).toBeGreaterThan(300);
});
