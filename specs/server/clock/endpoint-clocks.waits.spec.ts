/** Endpoints with clocks of their own, at our server (contract `test-control`, rule 9). */
import { type ServerResponse } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LOCAL_API_KEY, startServer, type RunningServer } from '../../../src/server/index.js';
import { checkControl } from '../../../src/target/contract/check-control.js';
import { createCaller } from '../caller.js';
import { forThisTest, listen } from '../../support/servers.js';

async function withServer(
  work: (server: RunningServer & { readonly controlUrl: string }) => Promise<void>,
): Promise<void> {
  const server = await startServer({ clock: 'controlled' });
  try {
    await work({ ...server, controlUrl: server.controlUrl! });
  } finally {
    await server.close();
  }
}

it('our server keeps every sentence of the contract', () =>
  withServer(async ({ url, controlUrl }) => {
    const { results } = await checkControl({ baseUrl: url, controlUrl, apiKey: LOCAL_API_KEY });
    expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
    expect(results.some(({ rule }) => rule === 'rule 9')).toBe(true);
  }));

it('a webhook call that does not end holds up its own clock, and no other', () =>
  withServer(async ({ url, controlUrl }) => {
    const held: ServerResponse[] = [];
    let called!: () => void;
    const isCalled = new Promise<void>((resolve) => (called = resolve));
    const receiver = forThisTest(
      await listen((_, response) => {
        held.push(response);
        called();
      }),
    );
    const webhook = `${receiver.url}/`;
    const control = createCaller(controlUrl, LOCAL_API_KEY);
    const api = createCaller(`${url}/v2`, LOCAL_API_KEY);
    for (const name of ['calls', 'quiet'])
      await control.send('PUT', `/endpoints/${name}`, { body: { workers: 1, clock: name } });
    const input = { plan: [{ sleepMs: 1_000 }] };
    await api.post('/calls/run', { input, webhook });
    const quiet = await api.post('/quiet/run', { input });
    let isOver = false;
    const waits = control.post('/clocks/calls/advance', { byMs: 1_000 }).finally(() => (isOver = true));
    await isCalled;
    expect((await control.post('/clocks/quiet/advance', { byMs: 1_000 })).json).toMatchObject({
      nowMs: 1_000,
    });
    expect((await api.get(`/quiet/status/${quiet.json.id as string}`)).json.status).toBe('COMPLETED');
    expect(isOver).toBe(false);
    for (const response of held) response.writeHead(200).end();
    expect((await waits).json).toMatchObject({ nowMs: 1_000 });
    expect((await control.get('/clock')).json).toMatchObject({ nowMs: 0 });
  }));

it('job ids are unique over all clocks, and an endpoint goes from one clock to another empty', () =>
  withServer(async ({ url, controlUrl }) => {
    const control = createCaller(controlUrl, LOCAL_API_KEY);
    const api = createCaller(`${url}/v2`, LOCAL_API_KEY);
    const put = (name: string, clock: object) =>
      control.send('PUT', `/endpoints/${name}`, { body: { workers: 0, ...clock } });
    await put('a', { clock: 'one' });
    await put('b', { clock: 'two' });
    await put('c', {});
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.push((await api.post(`/${name}/run`, { input: {} })).json.id);
    expect(new Set(ids).size).toBe(3);
    await put('a', {});
    expect((await api.get(`/a/status/${ids[0] as string}`)).status).toBe(404);
    expect((await control.get('/clocks/one')).status).toBe(404);
    for (const clock of ['', 7, null, 'x'.repeat(201)]) expect((await put('a', { clock })).status).toBe(400);
  }));

it('a server that stores its jobs has one clock, as they are stored with its time', async () => {
  const data = mkdtempSync(join(tmpdir(), 'runproof-clocks-'));
  const server = await startServer({ clock: 'controlled', data });
  try {
    const control = createCaller(server.controlUrl!, LOCAL_API_KEY);
    expect((await control.get('')).json.features).toEqual(['clock', 'endpoints', 'keys']);
    expect((await control.get('/clocks/any')).status).toBe(404);
  } finally {
    await server.close();
    rmSync(data, { recursive: true });
  }
});
