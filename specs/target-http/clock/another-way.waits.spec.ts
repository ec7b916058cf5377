/** Calls go through a proxy that holds up a reply now and then, and test control does not: no reply is late by the clock. */
import { expect, onTestFinished, test } from 'vitest';
import { lateReplies } from '../../../bench/late-replies.js';
import { LOCAL_API_KEY, startServer } from '../../../src/server/index.js';
import { httpTarget } from '../../../src/target/http/index.js';
import { playOn, scriptOf } from '../support.js';

test('a reply that is held up on its way was given when the server gave it', async () => {
  const server = await startServer({ clock: 'controlled', endpoints: [] });
  const { port, server: proxy } = await lateReplies(Number(new URL(server.url).port), 100, 100, (path) =>
    path.includes('/runsync'),
  );
  const url = new URL(server.url);
  url.port = `${port}`;
  const { controlUrl } = server;
  const target = await httpTarget({
    url: url.href,
    controlUrl,
    apiKey: LOCAL_API_KEY,
    worker: 'scripted',
  });
  onTestFinished(async () => {
    await target.close();
    proxy.closeAllConnections();
    proxy.close();
    await server.close();
  });
  const script = scriptOf([
    ...Array.from({ length: 5 }, () => ({ do: 'health' }) as const),
    { do: 'runsync', job: 'a', plan: [{ sleepMs: 1_000 }] },
  ]);
  const { calls } = await playOn(target, [script]);
  const { sentMs, receivedMs } = calls.find(({ op }) => op === 'runsync')!;
  expect(receivedMs! - sentMs).toBe(1_000);
});
