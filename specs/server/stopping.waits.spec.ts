import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createApp } from '../../src/server/app.js';
import { startServer } from '../../src/server/index.js';
import { createCaller } from './caller.js';
import { sendRaw } from './raw-socket.js';
import { forThisTest, listen } from '../support/servers.js';

/** A webhook receiver that answers on request. */
async function receive(): Promise<{ url: string; arrived: Promise<unknown>; answer(): void }> {
  const answers: (() => void)[] = [];
  const { server, url } = forThisTest(
    await listen((incoming, outgoing) => {
      incoming.resume();
      answers.push(() => outgoing.end());
    }),
  );
  return {
    url: `${url}/`,
    arrived: once(server, 'request'),
    answer: () => answers.forEach((answer) => answer()),
  };
}

it('a webhook call in progress may end, and new calls are refused meanwhile', async () => {
  const server = await startServer({ apiKeys: ['k'] });
  const api = createCaller(`${server.url}/v2/test`, 'k');
  const { url, arrived, answer } = await receive();
  const kept = sendRaw(server.port, 'GET /v2/test/health HTTP/1.1\r\nHost: x\r\nAuthorization: k\r\n\r\n');
  await kept.matching(/200 OK/, 10_000);
  await api.post('/run', { input: {}, webhook: url });
  await arrived;

  let closed = false;
  const closing = server.close().then(() => (closed = true));
  await expect(api.get('/health')).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(closed).toBe(false);
  answer();
  await closing;
  kept.socket.destroy();
});

it('closing does not wait long for a webhook receiver that never answers', async () => {
  const server = await startServer({ apiKeys: ['k'] });
  const { url, arrived } = await receive();
  await createCaller(server.url, 'k').post('/v2/test/run', { input: {}, webhook: url });
  await arrived;
  const startMs = performance.now();
  await server.close();
  expect(performance.now() - startMs).toBeLessThan(9_000);
});

it('a request in progress when the server begins to stop is refused', async () => {
  const app = createApp({ apiKeys: ['k'] });
  let send: () => void = () => undefined;
  const body = new ReadableStream({
    start(controller) {
      send = () => {
        controller.enqueue(new TextEncoder().encode('{"input":{}}'));
        controller.close();
      };
    },
  });
  const init = { method: 'POST', headers: { authorization: 'k' }, body, duplex: 'half' };
  const reply = app.fetch(new Request('http://x/v2/test/run', init as RequestInit));
  const closed = app.close();
  send();
  expect((await reply).status).toBe(503);
  await closed;
});
