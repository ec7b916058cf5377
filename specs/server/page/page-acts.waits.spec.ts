/** What the page may do, and that no other site's script may do it. */
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  LOCAL_API_KEY,
  startServer,
  type RunningServer,
  type ServerOptions,
} from '../../../src/server/index.js';
import { createCaller } from '../caller.js';
import { askPage, tokenOf, type PageAnswer } from './page-caller.js';
import { serve } from '../../support/servers.js';

/** The page of this server, with its token and the key. */
async function pageOf(server: RunningServer) {
  const headers = { 'x-runproof-page': await tokenOf(server.port), authorization: 'k' };
  const json = ({ status, text }: PageAnswer) => ({ status, body: JSON.parse(text) as unknown });
  return {
    headers,
    advance: async (how: string) =>
      json(await askPage(server.port, `/_page/advance?${how}`, headers, 'POST')),
    job: async (id: string, endpoint = 'test') =>
      json(await askPage(server.port, `/_page/job?endpoint=${endpoint}&id=${id}`, headers)),
    faults: async (change: unknown) =>
      json(await askPage(server.port, '/_page/faults', headers, 'POST', JSON.stringify(change))),
    // oxlint-disable-next-line typescript/no-explicit-any -- the specs reach into the state
    state: async (): Promise<any> => JSON.parse((await askPage(server.port, '/_page/state', {})).text),
  };
}

const ACTS: readonly (readonly [method: string, path: string, body: string])[] = [
  ['POST', '/_page/advance?by=1000', ''],
  ['POST', '/_page/advance?until=JOB&endpoint=test', ''],
  ['POST', '/_page/webhook?endpoint=test&id=JOB', ''],
  ['POST', '/_page/faults', '{"add":"*=503"}'],
  ['GET', '/_page/job?endpoint=test&id=JOB', ''],
  ['GET', '/_page/call?number=1', ''],
  ['GET', '/_page/calls.json', ''],
];

describe('who may act', () => {
  it.each<[string, { [name: string]: string }, number]>([
    ['the page itself', {}, 200],
    [
      'the page by another name of this machine',
      { host: 'localhost:8080', origin: 'http://localhost:8080' },
      200,
    ],
    ['a page of another origin', { origin: 'http://evil.example' }, 403],
    ['a page of another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['a page without an origin, such as a file', { origin: 'null' }, 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a name that only leads here', { host: 'evil.example', origin: 'http://evil.example' }, 403],
    ['a page without the token', { 'x-runproof-page': '' }, 403],
    ['a page with the token of another server', { 'x-runproof-page': 'A'.repeat(32) }, 403],
    ['a page without the key', { authorization: '' }, 401],
    ['a page with a wrong key', { authorization: 'wrong' }, 401],
  ])('%s', async (_who, more, status) => {
    const server = await serve({ record: true });
    const { headers, state } = await pageOf(server);
    const job = { input: { plan: [{ sleepMs: 9_000 }] }, webhook: 'http://127.0.0.1:1/' };
    const id = (await createCaller(server.url, 'k').post('/v2/test/run', job)).json.id as string;
    for (const [method, path, body] of ACTS) {
      const answer = await askPage(
        server.port,
        path.replace('JOB', id),
        { ...headers, ...more },
        method,
        body,
      );
      expect([path, answer.status]).toEqual([path, status]);
    }
    const after = await state();
    expect(after.nowMs).toBe(status === 200 ? 9_000 : 0);
    expect(after.faults.rules).toHaveLength(status === 200 ? 1 : 0);
  });

  it('with the published key the page has the key, with a key of your own it has not', async () => {
    const published = await startServer({ clock: 'controlled' });
    onTestFinished(() => published.close());
    expect(await (await pageOf(published)).state()).toMatchObject({
      publishedKey: LOCAL_API_KEY,
      acts: true,
    });
    const text = JSON.stringify(await (await pageOf(await serve({ apiKeys: ['my-secret'] }))).state());
    expect(text).toContain('"publishedKey":null');
    expect(text).not.toContain('my-secret');
  });

  it('another site cannot call the API with the published key: its preflight is not answered', async () => {
    const { port } = await serve({ apiKeys: [LOCAL_API_KEY] });
    const preflight = {
      origin: 'http://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    for (const path of ['/v2/test/run', '/_page/advance?by=1', '/_page/faults', '/_control/clock/advance']) {
      const { headers } = await askPage(port, path, preflight, 'OPTIONS');
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it('nothing may act where other machines can reach the server, and the page says so', async () => {
    for (const page of ['open', 'keyed'] as const) {
      const server = await serve({ host: '0.0.0.0', page });
      const headers = { 'x-runproof-page': await tokenOf(server.port), authorization: 'k' };
      for (const [method, path, body] of ACTS) {
        const { status, text } = await askPage(server.port, path, headers, method, body);
        expect(status).toBe(403);
        expect(text).toContain(
          'the page only shows: other machines can reach this server; use the API and test control',
        );
      }
      const { text } = await askPage(server.port, '/_page/state', headers);
      expect(JSON.parse(text)).toMatchObject({ acts: false, faults: null });
    }
  });
});

describe('advance', () => {
  it('by a time, to the next event, and not where time is real', async () => {
    const { advance } = await pageOf(await serve());
    expect((await advance('by=next')).status).toBe(400);
    expect((await advance('by=-5')).status).toBe(400);
    expect(await advance('by=999999999999999')).toEqual({
      status: 200,
      body: { nowMs: 999_999_999_999_999 },
    });
    const real = await (await pageOf(await serve({ clock: 'real' }))).advance('by=1');
    expect(real).toEqual({
      status: 400,
      body: { error: 'time is real here; start serve with --clock controlled' },
    });
  });

  it('until a job ends, and not further', async () => {
    const server = await serve();
    const { advance } = await pageOf(server);
    const api = createCaller(`${server.url}/v2/test`, 'k');
    const run = async (ms: number) =>
      (await api.post('/run', { input: { plan: [{ sleepMs: ms }] } })).json.id as string;
    await run(4_000);
    const second = await run(5_000);
    expect(await advance(`until=${second}&endpoint=test`)).toEqual({
      status: 200,
      body: { nowMs: 9_000, ended: true },
    });
    expect((await api.get(`/status/${second}`)).json.status).toBe('COMPLETED');
    // Ended, or unknown: nothing to do.
    expect(await advance(`until=${second}&endpoint=test`)).toMatchObject({
      body: { nowMs: 9_000, ended: true },
    });
    expect(await advance('until=none&endpoint=test')).toMatchObject({ body: { nowMs: 9_000 } });
  });

  it('until a job ends: a handler that works in real time is given time to', async () => {
    const handler: ServerOptions['handler'] = async (_job, { sleep }) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await sleep(5_000);
      await new Promise((resolve) => setTimeout(resolve, 150));
      return 'done';
    };
    const server = await serve({ handler });
    const { advance, job } = await pageOf(server);
    const api = createCaller(`${server.url}/v2/test`, 'k');
    const { id } = (await api.post('/run', { input: {} })).json as { id: string };
    expect(await advance(`until=${id}&endpoint=test`)).toMatchObject({ body: { nowMs: 5_000, ended: true } });
    expect(await job(id)).toMatchObject({ body: { status: 'COMPLETED', output: 'done' } });
  });

  it('until a job ends by its ttl, when nothing else ends it', async () => {
    const server = await serve({ workers: 0 });
    const { advance } = await pageOf(server);
    const { id } = (await createCaller(`${server.url}/v2/test`, 'k').post('/run', { input: {} })).json as {
      id: string;
    };
    expect(await advance(`until=${id}&endpoint=test`)).toMatchObject({
      body: { nowMs: 86_400_000, ended: true },
    });
  });
});

describe('what it shows', () => {
  it('what happens next, and why', async () => {
    const server = await serve();
    const { state, advance, job } = await pageOf(server);
    const api = createCaller(`${server.url}/v2/test`, 'k');
    const plan = [{ stream: 1 }, { sleepMs: 2_000 }, { stream: 2 }, { sleepMs: 3_000 }, { fail: 'no' }];
    const webhook = 'http://127.0.0.1:1/';
    const running = (await api.post('/run', { input: { plan }, policy: { executionTimeout: 60_000 } })).json
      .id as string;
    const waiting = (await api.post('/run', { input: {}, webhook, policy: { ttl: 30_000 } })).json
      .id as string;
    const next = async (): Promise<unknown[]> =>
      (await state()).next.map(({ atMs, kind, job: about, attempt }: Record<string, unknown>) => [
        atMs,
        kind,
        about,
        attempt,
      ]);
    expect(await next()).toEqual([
      [2_000, 'worker-stream', running, null],
      [5_000, 'worker-error', running, null],
      [30_000, 'ttl', waiting, null],
      [60_000, 'execution-timeout', running, null],
      [86_400_000, 'ttl', running, null],
    ]);
    await advance('by=5000');
    expect(await next()).toContainEqual([15_000, 'webhook', waiting, 2]);
    expect((await job(waiting)).body).toMatchObject({
      webhooks: [{ attempt: 1, atMs: 5_000, url: webhook, forwardedTo: null, status: 0 }],
      next: [
        { kind: 'webhook', atMs: 15_000 },
        { kind: 'ttl', atMs: 30_000 },
      ],
    });
  });

  it('also sleeps of a handler, and faults to come', async () => {
    const handler: ServerOptions['handler'] = (_job, { sleep }) => sleep(7_000);
    const server = await serve({ handler, faults: ['worker=+3s,crash'] });
    const { state, advance } = await pageOf(server);
    await createCaller(`${server.url}/v2/test`, 'k').post('/run', { input: {} });
    await advance('by=0');
    const { next } = await state();
    expect(next.slice(0, 2)).toMatchObject([
      { atMs: 3_000, kind: 'worker-fault', worker: 'test-worker-1' },
      { atMs: 7_000, kind: 'worker-wake' },
    ]);
  });

  it('a job with its content, without its s3Config', async () => {
    const server = await serve();
    const { job } = await pageOf(server);
    const s3Config = {
      accessId: 'a',
      accessSecret: 'in-the-config',
      bucketName: 'c',
      endpointUrl: 'http://s3.local',
    };
    const plan = [{ stream: 'piece' }, { return: 'result' }];
    const { id } = (
      await createCaller(`${server.url}/v2/test`, 'k').post('/run', { input: { plan }, s3Config })
    ).json as { id: string };
    const found = await job(id);
    expect(found).toMatchObject({
      status: 200,
      body: {
        id,
        input: { plan },
        status: 'COMPLETED',
        chunks: [{ output: 'piece' }],
        chunksRead: 0,
        hasS3Config: true,
      },
    });
    expect(JSON.stringify(found)).not.toContain('in-the-config');
    expect(await job('none')).toEqual({ status: 404, body: { error: 'there is no such job, or no longer' } });
    expect((await job(id, 'other')).status).toBe(404);
  });
});

describe('faults', () => {
  it('are added, switched off and on, and removed', async () => {
    const server = await serve({ faults: ['health=500'] });
    const { faults, state } = await pageOf(server);
    const health = async (): Promise<number> =>
      (await createCaller(`${server.url}/v2/test`, 'k').get('/health')).status;
    expect(await health()).toBe(500);
    expect((await faults({ turn: 1, on: false })).status).toBe(200);
    expect(await health()).toBe(200);
    expect((await faults({ add: 'health:#2=418' })).status).toBe(200);
    expect([await health(), await health()]).toEqual([200, 418]);
    await faults({ remove: 2 });
    await faults({ turn: 1, on: true });
    expect(await health()).toBe(500);
    expect((await state()).faults).toMatchObject({
      seed: 1,
      rules: [{ id: 1, text: 'health=500', on: true, seen: 2, injected: 2 }],
      recent: [{ on: 'health', fault: '500' }, { fault: '418' }, { fault: '500' }],
    });
  });

  it.each([
    [{ add: 'health=200' }, 'the effect "200" is not known; write a status code such as 503'],
    [{ turn: 1 }, 'the body must have the member add, remove, or turn with on'],
    [[], 'the body must be a JSON object'],
  ])('%j is refused', async (change, error) => {
    const { faults } = await pageOf(await serve());
    const { status, body } = await faults(change);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(JSON.stringify(error).slice(1, -1));
  });
});
