/** A slow disk holds up what it has to keep, and nothing else. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createApp, type App } from '../../../src/server/index.js';
import { createMemoryStore } from './memory-store.js';

const SYNC_MS = 150;
const CLIENTS = 32;

const root = mkdtempSync(join(tmpdir(), 'runproof-slow-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const call = (app: App, method: string, path: string): Promise<Response> =>
  Promise.resolve(
    app.fetch(
      new Request(`http://in.process${path}`, {
        method,
        headers: { authorization: 'runproof-local', 'content-type': 'application/json' },
        body: method === 'POST' ? '{"input":{}}' : null,
      }),
    ),
  );

it('the calls of clients that call again and again share each sync', async () => {
  const store = createMemoryStore();
  const app = createApp({ workers: 0 }, { store });
  store.gate = () => new Promise((resolve) => setTimeout(resolve, SYNC_MS));
  await call(app, 'POST', '/v2/test/run');
  const before = store.writes;
  const ROUNDS = 5;
  // Some are slower than others to call again.
  const client = async (n: number): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      expect((await call(app, 'POST', '/v2/test/run')).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, (n % 4) * 4));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
  expect((CLIENTS * ROUNDS) / (store.writes - before)).toBeGreaterThan(CLIENTS * 0.6);
  await app.close();
});
