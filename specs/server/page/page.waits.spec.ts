import { describe, expect, it } from 'vitest';
import type { PageState } from '../../../src/server/page/page-state.js';
import { createCaller } from '../caller.js';
import { askPage as ask } from './page-caller.js';
import { serve } from '../../support/servers.js';

describe('who may see the page', () => {
  it.each([
    ['somebody at this machine', {}, 200],
    ['by another name of it', { host: 'localhost:8080' }, 200],
    ['by its address in version 6', { host: '[::1]:8080' }, 200],
    ['by a name that only leads here', { host: 'evil.example:8080' }, 403],
    ['by a name that looks like it', { host: '127.0.0.1.evil.example' }, 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }, 403],
    ['a page of another origin', { origin: 'http://evil.example' }, 403],
  ])('%s', async (_who, headers, status) => {
    const { port } = await serve();
    expect((await ask(port, '/_page/state', headers)).status).toBe(status);
    expect((await ask(port, '/', headers)).text.startsWith('<!doctype html>')).toBe(status === 200);
  });

  it('for other machines there is none, or one that requires the key', async () => {
    const without = await serve({ host: '0.0.0.0' });
    expect((await ask(without.port, '/', {})).status).toBe(401);
    expect((await ask(without.port, '/_page/state', { authorization: 'k' })).status).toBe(404);
    const keyed = await serve({ host: '0.0.0.0', page: 'keyed' });
    expect((await ask(keyed.port, '/', {})).status).toBe(200);
    expect((await ask(keyed.port, '/_page/state', {})).status).toBe(401);
    expect((await ask(keyed.port, '/_page/state', { authorization: 'k' })).status).toBe(200);
  });

  it('a program that asks for / asks the API', async () => {
    const { url } = await serve();
    const answer = await createCaller(url, 'k').get('/');
    expect(answer.status).toBe(404);
    expect(answer.contentType).toContain('application/json');
  });

  it('nothing from other origins may run or be loaded, and only ids and times of jobs are shown', async () => {
    const { port, url } = await serve();
    const body = { input: { secret: 'in-the-input' }, s3Config: { accessSecret: 'in-the-config' } };
    await createCaller(url, 'k').post('/v2/test/run?token=in-the-query', body);
    const { headers } = await ask(port, '/', {});
    expect(headers).toHaveProperty('content-security-policy', expect.stringContaining("default-src 'none'"));
    const { text } = await ask(port, '/_page/state', {});
    expect(text).toContain('"COMPLETED":1');
    expect(text).not.toContain('in-the-');
  });
});

it('lists what each worker runs, and how many there may be', async () => {
  const scaler = { kind: 'queue-delay', delayMs: 1_000 } as const;
  const workers = { min: 1, max: 3, coldStartMs: 5_000, idleTimeoutMs: null, scaler };
  const { port, url, advance } = await serve({ workers });
  const api = createCaller(`${url}/v2/test`, 'k');
  await advance(5_000);
  const jobs: unknown[] = [];
  for (let nth = 0; nth < 2; nth += 1)
    jobs.push((await api.post('/run', { input: { plan: [{ hang: true }] } })).json.id);
  await advance(1_000);
  const { endpoints } = JSON.parse((await ask(port, '/_page/state', {})).text) as PageState;
  expect(endpoints[0]).toMatchObject({
    workersMax: 3,
    pool: [
      { id: 'test-worker-1', state: 'running', jobs: [jobs[0]] },
      { id: 'test-worker-2', state: 'starting', jobs: [] },
    ],
  });
});

describe('the filter', () => {
  async function serving() {
    const { port, url, advance } = await serve();
    const api = createCaller(`${url}/v2/test`, 'k');
    const plan = [{ error: 'it broke' }];
    const failed = (await api.post('/run', { input: { plan } })).json.id as string;
    await advance(1);
    for (let more = 0; more < 45; more += 1) await api.post('/run', { input: {} });
    const state = async (filter: string) => {
      const { text } = await ask(port, `/_page/state?filter=${encodeURIComponent(filter)}`, {});
      const { endpoints, calls, filterFault } = JSON.parse(text) as PageState;
      return {
        jobs: endpoints[0]!.jobs.map(({ id }) => id),
        calls: calls.map(({ number }) => number),
        filterFault,
      };
    };
    return { failed, state, api };
  }

  it('finds jobs and calls beyond those that the page shows', async () => {
    const { failed, state, api } = await serving();
    await api.get('/status/none');
    const all = await state('');
    expect([all.jobs.includes(failed), all.calls.includes(1), all.calls.length]).toEqual([false, false, 40]);
    expect(await state(failed.slice(0, 8).toUpperCase())).toEqual({
      ...{ jobs: [failed], calls: [1], filterFault: null },
    });
    expect((await state('/run')).jobs).toEqual(all.jobs);
    expect(await state('/run failed')).toEqual({ jobs: [failed], calls: [], filterFault: null });
    expect(await state('4xx')).toEqual({ jobs: [], calls: [47], filterFault: null });
    expect((await state('fault')).calls).toEqual([]);
  });

  it('that is none shows everything, and says what is wrong with it', async () => {
    const { state } = await serving();
    const wrong = await state('9xx');
    expect(wrong.filterFault).toBe(
      'has 9xx, which is not a status code: write 1xx to 5xx, or one such as 429',
    );
    expect({ ...wrong, filterFault: null }).toEqual(await state(''));
  });
});
