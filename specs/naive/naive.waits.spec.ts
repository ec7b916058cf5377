import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { DEFAULT_CHOICES, UNITS_PER_MS } from './choices.js';
import { hooksOf, type FaultId } from './faults/index.js';
import { FAULTS } from './faults/wrongs.js';
import type { Hooks } from './hooks.js';
import type { Json, JsonObject } from './json.js';
import { LEGAL } from './legal-variants.js';
import { RIGHT } from './default-hooks.js';
import { startNaive, type NaiveOptions } from './server.js';

interface Heard {
  readonly code: number;
  readonly body: Json;
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server in controlled time with a client that knows its key. */
async function tour(options: NaiveOptions = {}) {
  const naive = await startNaive({ clock: 'controlled', ...options });
  closers.push(() => naive.close());
  const send = async (
    method: string,
    url: string,
    body?: Json | string,
    key = naive.apiKey,
  ): Promise<Heard> => {
    const response = await fetch(url, {
      method,
      headers: { authorization: key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { code: response.status, body: text === '' ? null : (JSON.parse(text) as Json) };
  };
  const api = (method: string, path: string, body?: Json | string, key?: string): Promise<Heard> =>
    send(method, `${naive.url}/v2/${naive.endpointId}/${path}`, body, key);
  const control = (method: string, path: string, body?: Json): Promise<Heard> =>
    send(method, `${naive.controlUrl}${path}`, body);
  const run = async (plan: Json, more: JsonObject = {}, input: JsonObject = {}): Promise<string> => {
    const heard = await api('POST', 'run', { input: { plan, ...input }, ...more });
    expect(heard).toMatchObject({ code: 200, body: { status: 'IN_QUEUE' } });
    return String((heard.body as JsonObject)['id']);
  };
  const status = async (id: string): Promise<JsonObject | number> => {
    const { code, body } = await api('GET', `status/${id}`);
    return code === 200 ? (body as JsonObject) : code;
  };
  const advance = (byMs: number): Promise<Heard> => control('POST', '/clock/advance', { byMs });
  const arrived = async (count: number): Promise<void> => {
    for (;;) {
      const { body } = await control('GET', `/endpoints/${naive.endpointId}`);
      if (Number((body as JsonObject)['received']) >= count) return;
    }
  };
  return { naive, api, control, run, status, advance, arrived };
}

/** A webhook receiver that answers with the codes given, then with 200. */
async function receiver(...codes: number[]): Promise<{ url: string; heard: JsonObject[] }> {
  const heard: JsonObject[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      heard.push(JSON.parse(text) as JsonObject);
      response.writeHead(codes.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, heard };
}

describe('the naive server, in controlled time', () => {
  test('runs a job, and keeps its result for thirty minutes', async () => {
    const { run, status, advance } = await tour();
    const id = await run([{ sleepMs: 1500 }, { return: { answer: 42 } }]);
    expect(await status(id)).toMatchObject({ id, status: 'IN_PROGRESS' });
    await advance(1500);
    const record = { id, status: 'COMPLETED', delayTime: 0, executionTime: 1500, output: { answer: 42 } };
    expect(await status(id)).toEqual(record);
    await advance(1_799_999);
    expect(await status(id)).toEqual(record);
    await advance(1);
    expect(await status(id)).toBe(404);
  });

  test('queues what no worker is free for, cancels, purges, and counts', async () => {
    const { api, run, status, advance } = await tour();
    const ids = [];
    for (let index = 0; index < 5; index++) ids.push(await run([{ sleepMs: 1000 }]));
    const [first, second] = ids as [string, string];
    const health = { completed: 0, failed: 0, inProgress: 1, inQueue: 4, retried: 0 };
    const workers = { idle: 0, running: 1 };
    expect(await api('GET', 'health')).toEqual({ code: 200, body: { jobs: health, workers } });
    expect(await api('POST', `cancel/${second}`)).toEqual({
      code: 200,
      body: { id: second, status: 'CANCELLED' },
    });
    expect(await api('POST', 'purge-queue')).toEqual({
      code: 200,
      body: { removed: 3, status: 'completed' },
    });
    expect(await api('POST', `cancel/${first}`)).toMatchObject({ body: { id: first, status: 'CANCELLED' } });
    await advance(5000);
    expect(await Promise.all(ids.map(status))).toMatchObject([
      { status: 'CANCELLED' },
      { status: 'CANCELLED' },
      404,
      404,
      404,
    ]);
  });

  test('retries a failed and an overrun job under the same id', async () => {
    const { api, run, status, advance } = await tour();
    const failed = await run([{ stream: 1 }, { fail: 'no' }], {}, { planOnRetry: [{ echo: true }] });
    expect(await status(failed)).toMatchObject({ status: 'FAILED' });
    expect(await api('POST', `retry/${failed}`)).toEqual({
      code: 200,
      body: { id: failed, status: 'IN_QUEUE' },
    });
    expect(await status(failed)).toMatchObject({
      status: 'COMPLETED',
      output: { plan: [{ stream: 1 }, { fail: 'no' }] },
    });
    expect(await api('GET', `stream/${failed}`)).toEqual({ code: 200, body: [] });
    expect(await api('POST', `retry/${failed}`)).toMatchObject({ code: 400 });
    const hung = await run([{ hang: true }], { policy: { executionTimeout: 5000 } }, { planOnRetry: [] });
    await advance(4999);
    expect(await status(hung)).toMatchObject({ status: 'IN_PROGRESS' });
    await advance(1);
    expect(await status(hung)).toMatchObject({ status: 'TIMED_OUT' });
    await api('POST', `retry/${hung}`);
    expect(await status(hung)).toMatchObject({ status: 'COMPLETED', output: { ok: true } });
    const crashed = await run([{ crash: true }]);
    expect(await status(crashed)).toMatchObject({ status: 'FAILED' });
  });

  test('deletes a job when its ttl expires, whatever its state', async () => {
    const { api, run, status, advance } = await tour();
    const policy = { ttl: 10_000 };
    const finished = await run([], { policy });
    const running = await run([{ hang: true }], { policy });
    const queued = await run([], { policy });
    const longer = await run([{ return: 1 }]);
    await advance(9999);
    expect(await status(finished)).toMatchObject({ status: 'COMPLETED' });
    expect(await status(running)).toMatchObject({ status: 'IN_PROGRESS' });
    expect(await status(queued)).toMatchObject({ status: 'IN_QUEUE' });
    await advance(1);
    expect(await Promise.all([finished, running, queued].map(status))).toEqual([404, 404, 404]);
    expect(await status(longer)).toMatchObject({ status: 'COMPLETED', output: 1 });
    const short = await run([{ hang: true }]);
    await api('GET', `status/${short}?ttl=6000`);
    await advance(6000);
    expect(await status(short)).toBe(404);
  });

  test('runsync waits for the end, or as long as wait says', async () => {
    const { api, status, advance, arrived } = await tour();
    const quick = api('POST', 'runsync', { input: { plan: [{ sleepMs: 700 }, { return: [1, 2] }] } });
    await arrived(1);
    await advance(700);
    const heard = await quick;
    expect(heard).toMatchObject({ code: 200, body: { status: 'COMPLETED', output: [1, 2] } });
    const { id } = heard.body as { id: string };
    await advance(59_999);
    expect(await status(id)).toMatchObject({ status: 'COMPLETED' });
    await advance(1);
    expect(await status(id)).toBe(404);
    const slow = api('POST', 'runsync?wait=1000', { input: { plan: [{ sleepMs: 60_000 }] } });
    await arrived(4);
    await advance(1000);
    expect(await slow).toMatchObject({ code: 200, body: { status: 'IN_PROGRESS' } });
    expect(await api('POST', 'runsync?wait=999', { input: {} })).toMatchObject({ code: 400 });
  });

  test('streams chunks as they are produced, none over a megabyte', async () => {
    const { api, run, advance } = await tour();
    const id = await run([{ stream: { a: 1 } }, { sleepMs: 10 }, { streamBytes: 2_500_000 }]);
    expect(await api('GET', `stream/${id}`)).toEqual({ code: 200, body: [{ output: { a: 1 } }] });
    await advance(10);
    const { body } = await api('GET', `stream/${id}`);
    const parts = (body as { output: string }[]).map((chunk) => chunk.output);
    expect(parts.length).toBe(3);
    expect(parts.join('')).toBe('x'.repeat(2_500_000));
    expect(await api('GET', `stream/${id}`)).toEqual({ code: 200, body: [] });
  });

  test('calls a webhook up to three times, ten seconds apart', async () => {
    const { run, advance } = await tour();
    const failing = await receiver(500, 404, 503, 500);
    const id = await run([{ return: 'x' }], { webhook: failing.url });
    await advance(0);
    expect(failing.heard).toMatchObject([{ id, status: 'COMPLETED', output: 'x' }]);
    await advance(9999);
    expect(failing.heard.length).toBe(1);
    await advance(1);
    expect(failing.heard.length).toBe(2);
    await advance(60_000);
    expect(failing.heard.length).toBe(3);
  });

  test('refuses what it must refuse', async () => {
    const { naive, api } = await tour();
    expect(await api('GET', 'health', undefined, 'wrong')).toMatchObject({ code: 401 });
    expect(await api('GET', 'health', undefined, `Bearer ${naive.apiKey}`)).toMatchObject({ code: 200 });
    const malformed: (Json | string)[] = [
      '{',
      '[]',
      {},
      { input: [] },
      { input: {}, webhook: 1 },
      { input: {}, policy: [] },
      { input: {}, policy: { ttl: 9999 } },
      { input: {}, policy: { executionTimeout: 604_800_001 } },
      { input: {}, policy: { lowPriority: 'yes' } },
      { input: {}, s3Config: 'x' },
    ];
    for (const body of malformed) expect(await api('POST', 'run', body)).toMatchObject({ code: 400 });
    for (const path of ['status/nobody', 'stream/nobody'])
      expect(await api('GET', path)).toMatchObject({ code: 404 });
    for (const path of ['cancel/no', 'retry/no'])
      expect(await api('POST', path)).toMatchObject({ code: 404 });
    expect(
      (await fetch(`${naive.url}/v2/other/health`, { headers: { authorization: naive.apiKey } })).status,
    ).toBe(404);
    const large = (bytes: number): string => `{"input":{"data":"${'x'.repeat(bytes - 21)}"}}`;
    expect(await api('POST', 'run', large(10 * 2 ** 20))).toMatchObject({ code: 200 });
    expect(await api('POST', 'run', large(10 * 2 ** 20 + 1))).toMatchObject({ code: 400 });
  });

  test('limits rates per operation', async () => {
    const { api, advance } = await tour();
    const codes = async (): Promise<number[]> => {
      const heard = [];
      for (let index = 0; index < 3; index++) heard.push((await api('POST', 'purge-queue')).code);
      return heard;
    };
    expect(await codes()).toEqual([200, 200, 429]);
    expect((await api('GET', 'requests')).code).toBe(200);
    await advance(10_000);
    expect(await codes()).toEqual([200, 200, 429]);
  });

  test('offers test control', async () => {
    const { api, control, run, advance, arrived } = await tour();
    expect(await control('GET', '')).toEqual({
      code: 200,
      body: { protocol: 'test-control/1', features: ['clock', 'endpoints', 'keys'] },
    });
    await run([{ sleepMs: 300 }]);
    const { nowMs, nextEventAtMs } = (await control('GET', '/clock')).body as Record<string, number>;
    expect(Number(nextEventAtMs) - Number(nowMs)).toBe(300);
    expect(await control('POST', '/clock/advance', { byMs: -1 })).toMatchObject({ code: 400 });
    const waiting = api('POST', 'runsync', { input: { plan: [{ hang: true }] } });
    await arrived(2);
    expect(await control('PUT', '/endpoints/naive', { workers: 3 })).toEqual({
      code: 200,
      body: { endpointId: 'naive', workers: 3, received: 0 },
    });
    expect(await waiting).toMatchObject({ code: 404 });
    await run([{ hang: true }]);
    expect(await control('PATCH', '/endpoints/naive', { workers: 0 })).toMatchObject({
      body: { workers: 0, received: 1 },
    });
    await advance(1000);
    expect(await api('GET', 'health')).toMatchObject({ body: { workers: { idle: 0, running: 1 } } });
    expect(await control('DELETE', '/endpoints/naive')).toMatchObject({ code: 204 });
    expect(await control('GET', '/endpoints/naive')).toMatchObject({ code: 404 });
  });
});

test('in real time the same jobs run', async () => {
  const { api, naive } = await tour({ clock: 'real' });
  const heard = await api('POST', 'runsync', { input: { plan: [{ sleepMs: 30 }, { return: 'done' }] } });
  expect(heard).toMatchObject({ code: 200, body: { status: 'COMPLETED', output: 'done' } });
  const clock = await fetch(`${naive.controlUrl}/clock`, { headers: { authorization: naive.apiKey } });
  expect(clock.status).toBe(404);
});

describe('faults and variants', () => {
  test('every fault has code: hooks that are not those of the server without a fault', () => {
    const names = Object.keys(RIGHT) as (keyof Hooks)[];
    const missing = FAULTS.filter(({ id }) => {
      const hooks = hooksOf(id);
      return names.every((name) => hooks[name] === RIGHT[name]);
    });
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  test('ids are unique, and variants choose what differs from the default', () => {
    for (const ids of [FAULTS.map(({ id }): string => id), LEGAL.map(({ id }) => id)]) {
      expect(ids.length).toBe(new Set(ids).size);
    }
    for (const { choices } of LEGAL) {
      for (const [name, choice] of Object.entries(choices)) {
        if (name === 'chunkBytesMax') continue;
        expect([name, choice]).not.toEqual([name, DEFAULT_CHOICES[name as keyof typeof DEFAULT_CHOICES]]);
      }
    }
  });

  test.each(LEGAL.filter(({ realTimeOnly }) => !realTimeOnly))(
    'variant $id runs a job',
    async ({ choices }) => {
      const { api, naive, advance } = await tour({ choices });
      const key = choices.authForm === 'bare' ? naive.apiKey : `Bearer ${naive.apiKey}`;
      const body = { input: { plan: [{ sleepMs: 1000 }, { return: 'grüße' }] } };
      const { id } = (await api('POST', 'run', body, key)).body as { id: string };
      await advance(3000);
      expect(await api('GET', `status/${encodeURIComponent(id)}`, undefined, key)).toMatchObject({
        code: 200,
        body: {
          id,
          status: 'COMPLETED',
          executionTime: (1000 + (choices.timesSkewMs ?? 0)) * UNITS_PER_MS[choices.timeUnit ?? 'ms'],
          output: 'grüße',
        },
      });
    },
  );

  test.each<[FaultId, (heard: JsonObject | number) => void]>([
    ['status-running', (heard) => expect(heard).toMatchObject({ status: 'RUNNING' })],
    ['status-404-until-ended', (heard) => expect(heard).toBe(404)],
    ['id-missing-in-status', (heard) => expect(heard).not.toHaveProperty('id')],
  ])('%s changes what a client sees', async (fault, check) => {
    const { run, status } = await tour({ fault });
    check(await status(await run([{ sleepMs: 1000 }])));
  });
});
