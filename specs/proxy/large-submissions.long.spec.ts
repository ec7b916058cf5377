/** Submissions as large as the API allows are rewritten as any other, in pieces: larger ones pass as they are. */
import { request as httpRequest } from 'node:http';
import { expect, it } from 'vitest';
import { forThisTest, listen } from '../support/servers.js';
import { processorMs } from '../support/processor-time.js';
import { proxy } from './raw.js';
import { given, rewritten, service, submit, WEBHOOK } from './submissions.js';

const largeOf = (bytes: number): string => JSON.stringify({ input: 'x'.repeat(bytes), webhook: WEBHOOK });
/** More than the API allows, and more than is kept. */
const TOO_LARGE = largeOf(25 << 20);

it('takes 5 MB of any JSON in a moment', () => {
  const parts = [
    JSON.stringify('x\\"'.repeat(500_000)),
    '[1,'.repeat(1).concat('2,'.repeat(1_000_000), '3]'),
  ];
  const body = `{"input":[${parts.join(',')}],"webhook":"http://x/"}`;
  const beganMs = processorMs();
  expect(rewritten(body).length).toBeGreaterThan(body.length);
  expect(processorMs() - beganMs).toBeLessThan(1_000);
});

async function submitInPieces(port: number, body: string): Promise<void> {
  const headers = { 'transfer-encoding': 'chunked' };
  const call = httpRequest({ port, method: 'POST', path: '/v2/abc/run', headers });
  for (let at = 0; at < body.length; at += 100_000) call.write(body.slice(at, at + 100_000));
  call.end();
  await new Promise((resolve) => call.once('response', resolve));
}

it('a body that is too large passes as it is, and one that becomes too large', async () => {
  const { url, got } = await service();
  const through = await proxy(url, { webhooks: given });
  expect(await submit(`${through.url}/v2/abc/run`, TOO_LARGE)).toBe(200);
  await submitInPieces(through.port, TOO_LARGE);
  expect(got.map(({ body }) => body === TOO_LARGE)).toEqual([true, true]);
  const told = await through.told(2);
  expect(told.map(({ isWebhookSeen }) => isWebhookSeen)).toEqual([undefined, undefined]);
});

it.each([
  ['10 MB', '/v2/abc/run', 10_000_000],
  ['20 MB', '/v2/abc/runsync', 20_000_000],
])('a submission of %s, as large as the API allows, is rewritten', async (_, path, bytes) => {
  const { url, got } = await service();
  const through = await proxy(url, { webhooks: given });
  const body = largeOf(bytes - largeOf(0).length);
  expect(await submit(through.url + path, body)).toBe(200);
  await submitInPieces(through.port, body);
  const passed = rewritten(body).toString();
  expect(passed === body).toBe(false);
  expect(got.map((one) => one.body === passed)).toEqual([true, true]);
  const told = await through.told(2);
  expect(told.map((end) => [end.isWebhookSeen, Buffer.from(end.request.body!).toString() === body])).toEqual([
    [true, true],
    [true, true],
  ]);
});

it('what refuses a large body before it has all of it is heard', async () => {
  const { url } = forThisTest(
    await listen((_, answer) => {
      answer.writeHead(413, { connection: 'close' }).end('{}', () => answer.socket?.destroySoon());
    }),
  );
  const through = await proxy(url, { webhooks: given });
  expect(await submit(`${through.url}/v2/abc/run`, largeOf(9_000_000))).toBe(413);
});
