/**
 * A broad tour of the API in controlled time, written down as a history in which ids are replaced by names.
 * A fault is visible when its history differs from that of the server without faults. It judges nothing.
 */
import { createServer, request as httpRequest, Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FaultId } from './faults/index.js';
import type { Json, JsonObject } from './json.js';
import { startNaive, type NaiveOptions } from './server.js';

interface Heard {
  readonly code: number;
  readonly text: string;
  readonly body: Json;
}

interface Probe {
  readonly api: (
    method: string,
    path: string,
    body?: Json | string,
    authorization?: string | null,
  ) => Promise<Heard>;
  readonly control: (method: string, path: string, body?: Json) => Promise<Heard>;
  readonly advance: (byMs: number) => Promise<void>;
  /** Submits a plan; answers the id. */
  readonly run: (plan: Json, more?: JsonObject, input?: JsonObject) => Promise<string>;
  /** Leaves a /runsync waiting; its answer enters the history when it comes. */
  readonly runsync: (plan: Json, query?: string, more?: JsonObject) => Promise<void>;
  /** Reads all jobs submitted so far, and the health. */
  readonly look: () => Promise<void>;
  readonly endpoint: (id: string) => void;
  readonly hook: string;
  readonly answerHooksWith: (...codes: number[]) => void;
  readonly key: string;
  readonly base: string;
}

type Exercise = (probe: Probe) => Promise<void>;

/** Real time after which a call that a fault leaves unanswered is given up. */
const ANSWER_MS_MAX = 5000;

/** The history of one exercise on a fresh server. */
async function historyOf(exercise: Exercise, options: NaiveOptions): Promise<string[]> {
  const history: string[] = [];
  const naive = await startNaive({ clock: 'controlled', ...options });
  const agent = new Agent({ keepAlive: true });
  const names = new Map<string, string>();
  const pending: Promise<void>[] = [];
  let hookCodes: number[] = [];
  let endpointId = naive.endpointId;

  const normal = (text: string): string => {
    let shown = text;
    for (const [id, name] of names) shown = shown.replaceAll(id, name);
    shown = shown.replace(/127\.0\.0\.1:\d+/g, 'host').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'some-id');
    return shown.length > 400 ? `${shown.slice(0, 200)}…${shown.length}…${shown.slice(-100)}` : shown;
  };
  const call = (
    method: string,
    url: string,
    body: Json | string | undefined,
    authorization: string | null,
  ): Promise<Heard> =>
    new Promise((resolve) => {
      const payload = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
      const headers: Record<string, string | number> = { 'content-length': Buffer.byteLength(payload) };
      if (authorization !== null) headers['authorization'] = authorization;
      const request = httpRequest(url, { method, headers, agent }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          let parsed: Json = null;
          try {
            parsed = JSON.parse(text) as Json;
          } catch {
            // Not JSON: the text stands in the history.
          }
          resolve({ code: response.statusCode ?? 0, text, body: parsed });
        });
      });
      const patience = setTimeout(() => request.destroy(new Error('no answer')), ANSWER_MS_MAX);
      request.on('close', () => clearTimeout(patience));
      request.on('error', (error) => resolve({ code: 0, text: String(error), body: null }));
      request.end(payload);
    });
  const note = (what: string, heard: Heard): void => {
    const id = (heard.body as JsonObject | null)?.['id'];
    if (typeof id === 'string' && !names.has(id)) names.set(id, `job-${names.size + 1}`);
    history.push(`${normal(what)} → ${heard.code} ${normal(heard.text)}`);
  };
  const api: Probe['api'] = async (method, path, body, authorization = naive.apiKey) => {
    const heard = await call(method, `${naive.url}/v2/${endpointId}/${path}`, body, authorization);
    const shownBody =
      body === undefined ? '' : typeof body === 'string' ? body.slice(0, 40) : JSON.stringify(body);
    note(`${method} ${path} ${shownBody}`, heard);
    if (heard.text.includes('no answer')) throw new Error('a call was left unanswered');
    return heard;
  };
  const control: Probe['control'] = (method, path, body) =>
    call(method, `${naive.controlUrl}${path}`, body, naive.apiKey);
  const received = async (): Promise<number> => {
    const { body } = await control('GET', `/endpoints/${endpointId}`);
    return Number((body as JsonObject)['received']);
  };

  const receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      history.push(normal(`hook ${request.method} ${request.url} ${text}`));
      response.writeHead(hookCodes.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/Hook`;

  const probe: Probe = {
    api,
    control,
    hook,
    key: naive.apiKey,
    base: naive.url,
    endpoint: (id) => (endpointId = id),
    answerHooksWith: (...codes) => (hookCodes = codes),
    advance: async (byMs) => {
      await control('POST', '/clock/advance', { byMs });
      // Answers of waiting calls come over other connections than that of the control call.
      await new Promise((resolve) => setTimeout(resolve, 2));
      history.push(`advanced by ${byMs}`);
    },
    run: async (plan, more = {}, input = {}) => {
      const heard = await api('POST', 'run', { input: { plan, ...input }, ...more });
      return String((heard.body as JsonObject | null)?.['id'] ?? 'none');
    },
    runsync: async (plan, query = '', more = {}) => {
      const before = await received();
      let over = false;
      const path = `${naive.url}/v2/${endpointId}/runsync${query}`;
      const answered = call('POST', path, { input: { plan }, ...more }, naive.apiKey).then((heard) => {
        over = true;
        note(`runsync${query}`, heard);
      });
      pending.push(answered);
      while (!over && (await received()) <= before);
      await new Promise((resolve) => setTimeout(resolve, 2));
    },
    look: async () => {
      for (const id of names.keys()) await api('GET', `status/${id}`);
      await api('GET', 'health');
    },
  };
  try {
    await exercise(probe);
  } catch (error) {
    history.push(`abandoned: ${String(error)}`);
  }
  history.push('end');
  receiver.closeAllConnections();
  receiver.close();
  await naive.close();
  agent.destroy();
  await Promise.all(pending);
  // What the closing of the server answers is no part of the exercise.
  return history.slice(0, history.indexOf('end'));
}

const S = 1000;
const MIN = 60 * S;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;

const RICH: JsonObject = {
  text: '  grüße 東京 \u{1f600} ',
  none: null,
  zero: 0,
  half: 1.5,
  list: [1, 'a', null, {}],
  empty: [],
  deep: { a: { b: { c: [{}, [], null, 2.25] } } },
  yes: true,
};
const S3 = { accessId: 'a', accessSecret: 'b', bucketName: 'c', endpointUrl: 'http://s3' };

const EXERCISES: Readonly<Record<string, Exercise>> = {
  async first({ api, run, runsync, look, advance }) {
    await run([{ sleepMs: 3 * S }, { return: RICH }]);
    await run([{ sleepMs: 2 * S }, { fail: 'no' }], { policy: { lowPriority: true } });
    await run([{ stream: 'a' }, { stream: { b: 1 } }, { sleepMs: S }, { stream: 0 }, { return: [1, 2] }], {
      s3Config: S3,
    });
    await runsync([{ s3Config: true }], '?wait=300000', { s3Config: S3 });
    await runsync([{ s3Config: true }]);
    for (let step = 0; step < 8; step++) {
      await look();
      await api('GET', 'stream/none');
      await advance(S);
    }
    await advance(MIN);
    await look();
    await advance(4 * MIN);
    await look();
    await advance(24 * MIN);
    await look();
    await advance(5 * MIN);
    await look();
  },
  async outputs({ api, look }) {
    for (const plan of [
      [{ echo: true }],
      [{ return: RICH }],
      [{ return: [1, [2], { a: null }] }],
      [{ return: 'text' }],
      [{ return: 1.75 }],
      [{ returnBytes: 100_000 }],
      [{ s3Config: true }],
      [{ fail: 'x' }],
      [{ crash: true }],
    ]) {
      await api('POST', 'runsync', { input: { plan, ...RICH }, s3Config: S3 });
      await api('POST', 'run', { input: { plan, other: 1 } });
      await look();
    }
  },
  async bodies({ api, hook }) {
    for (const body of [
      '{',
      '',
      '[]',
      '"x"',
      'null',
      {},
      { input: null },
      { input: {} },
      { input: [] },
      { input: 'x' },
      { input: 3 },
      { input: {}, webhook: 42 },
      { input: {}, webhook: 'no url' },
      { input: {}, policy: 'fast' },
      { input: {}, policy: [] },
      { input: {}, policy: null },
      { input: {}, s3Config: 'x' },
      { input: {}, policy: {}, webhook: hook },
      ...[
        4999,
        5000,
        5001,
        9999,
        10_000,
        60_000,
        DAY,
        DAY + 1,
        7 * DAY,
        7 * DAY + 1,
        5000.5,
        '6000',
        null,
        -1,
      ].flatMap((value) => [
        { input: {}, policy: { executionTimeout: value } },
        { input: {}, policy: { ttl: value } },
      ]),
      { input: {}, policy: { lowPriority: true } },
      { input: {}, policy: { lowPriority: 'yes' } },
    ] as (Json | string)[]) {
      await api('POST', 'run', body);
      await api('POST', 'runsync?wait=1000', body);
    }
    for (const wait of ['0', '999', '1000', '300000', '300001', '-1', 'abc', '1.5', '']) {
      await api('POST', `runsync?wait=${wait}`, { input: {} });
    }
    await api('GET', 'health');
  },
  async keys({ api, key, run }) {
    const id = await run([{ fail: 'x' }]);
    const wrong = [
      null,
      '',
      'Bearer ',
      'Bearer',
      'nonsense',
      'Bearer nonsense',
      key.slice(0, -1),
      key.toUpperCase(),
    ];
    wrong.push(
      `${key}x`,
      `Bearer ${key}x`,
      'x'.repeat(key.length),
      key.slice(0, 1),
      `Bearer ${'y'.repeat(key.length)}`,
    );
    for (const given of [key, `Bearer ${key}`, ...wrong]) await api('GET', 'health', undefined, given);
    await api('GET', 'health', undefined, 'naive-key-without-permission-90dE');
    await api('POST', 'run', { input: {} }, 'naive-key-without-permission-90dE');
    for (const path of [`status/${id}`, `stream/${id}`, 'requests'])
      await api('GET', path, undefined, 'nonsense');
    for (const path of ['run', 'runsync', `cancel/${id}`, `retry/${id}`, 'purge-queue', 'openai/v1/chat']) {
      await api('POST', path, { input: {} }, 'nonsense');
      await api('GET', 'health');
    }
  },
  async unknown({ api, endpoint, base, run }) {
    for (const id of ['nobody', '8d5c3f6e-0000-4000-8000-123456789abc']) {
      await api('GET', `status/${id}`);
      await api('GET', `stream/${id}`);
      await api('POST', `cancel/${id}`);
      await api('POST', `retry/${id}`);
    }
    const id = await run([{ hang: true }]);
    await api('POST', `status/${id}`);
    await api('DELETE', `cancel/${id}`);
    endpoint('elsewhere');
    for (const path of ['health', 'status/x']) await api('GET', path);
    for (const path of ['run', 'purge-queue']) await api('POST', path, { input: {} });
    endpoint(`../v1/naive`);
    await api('GET', 'health');
    endpoint(`../naive`);
    await api('GET', 'health');
    void base;
  },
  async queue({ run, look, advance, control }) {
    await control('PUT', '/endpoints/naive', { workers: 2 });
    for (let index = 0; index < 6; index++)
      await run([{ sleepMs: 1500 }, { echo: true }], {}, { index, planOnRetry: [{ return: 'again' }] });
    for (let step = 0; step < 6; step++) {
      await look();
      await advance(S);
    }
    await look();
  },
  async cancelling({ api, run, runsync, look, advance }) {
    const running = await run([{ sleepMs: 4 * S }, { return: 'late' }], {
      policy: { executionTimeout: 5 * S },
    });
    const queued = [];
    for (let index = 0; index < 4; index++) queued.push(await run([{ sleepMs: 3 * S }]));
    await runsync([{ sleepMs: 5 * S }], '?wait=20000');
    await api('POST', `cancel/${queued[0]}`);
    await look();
    await api('POST', `cancel/${running}`);
    await api('POST', `cancel/${running}`);
    await api('POST', `retry/${running}`);
    await look();
    for (let step = 0; step < 4; step++) {
      await advance(3 * S);
      await look();
    }
    await api('POST', 'purge-queue');
    await advance(3 * S);
    await run([{ sleepMs: S }, { return: 1 }]);
    const last = await run([{ hang: true }]);
    await advance(S);
    await look();
    await api('POST', `cancel/${last}`);
    await look();
    await advance(20 * S);
    await look();
  },
  async cancelledSync({ api, runsync, run, advance, look }) {
    const before = await run([{ sleepMs: 30 * S }]);
    await runsync([{ hang: true }], '?wait=60000');
    await runsync([{ sleepMs: 1 }], '?wait=60000');
    await api('POST', `cancel/${before}`);
    await advance(10 * S);
    await api('GET', 'requests').then(async ({ body }) => {
      const list = (body as { requests: { id: string; status: string }[] }).requests;
      for (const { id, status } of list) if (status === 'IN_PROGRESS') await api('POST', `cancel/${id}`);
    });
    await advance(60 * S);
    await look();
  },
  async cancelFirstOfTwo({ api, run, advance, look }) {
    const running = await run([{ hang: true }]);
    await run([{ sleepMs: 5 * S }]);
    await run([{ sleepMs: 5 * S }]);
    await api('POST', `cancel/${running}`);
    await look();
    await advance(5 * S);
    await look();
  },
  async retrying({ api, run, look, advance }) {
    const policy = { ttl: 40 * MIN, executionTimeout: 20 * S };
    const again = { planOnRetry: [{ stream: 'two' }, { sleepMs: 15 * S }, { echo: true }] };
    const failed = await run([{ stream: 'one' }, { fail: 'x' }], { policy, s3Config: S3 }, again);
    const overrun = await run(
      [{ hang: true }],
      { policy },
      { planOnRetry: [{ sleepMs: 2 * S }, { s3Config: true }] },
    );
    await look();
    await api('POST', `retry/${failed}`);
    await api('POST', `retry/${failed}`);
    await look();
    await advance(20 * S);
    await api('POST', `retry/${failed}`);
    await look();
    await advance(16 * S);
    await look();
    await api('GET', `stream/${failed}`);
    await api('POST', `retry/${overrun}`);
    await advance(3 * S);
    await look();
    const completed = await run([{ return: 1 }], {}, again);
    await api('POST', `retry/${completed}`);
    const twice = await run([{ fail: 'x' }], { s3Config: S3 }, { planOnRetry: [{ fail: 'y' }] });
    await api('POST', `retry/${twice}`);
    await api('POST', `retry/${twice}`);
    await look();
    await advance(30 * MIN);
    await api('POST', `retry/${twice}`);
    await look();
    await advance(10 * MIN);
    await look();
  },
  async retryLimits({ api, run, look, advance }) {
    const plan = [{ fail: 'x' }];
    const slow = await run(
      plan,
      { policy: { executionTimeout: 8 * S } },
      { planOnRetry: [{ sleepMs: 10 * S }, { s3Config: true }] },
    );
    await api('POST', `retry/${slow}`);
    await advance(9 * S);
    await look();
    const old = await run(
      plan,
      { policy: { executionTimeout: 7 * DAY } },
      { planOnRetry: [{ sleepMs: 2 * HOUR }, { s3Config: true }] },
    );
    await advance(29 * MIN);
    await api('POST', `retry/${old}`);
    await advance(2 * MIN);
    await look();
    await api('POST', `cancel/${old}`);
    const s3 = await run(plan, { s3Config: S3 }, { planOnRetry: [{ s3Config: true }] });
    await api('POST', `retry/${s3}`);
    const busy = await run([{ hang: true }]);
    void busy;
    const ttl = await run([], { policy: { ttl: 30 * S } });
    await advance(30 * S);
    await api('POST', `retry/${ttl}`);
    await api('POST', `cancel/${ttl}`);
    await api('GET', `stream/${ttl}`);
    await look();
  },
  async retryBusy({ api, run, look, advance, control }) {
    const failed = await run([{ fail: 'x' }], {}, { planOnRetry: [{ sleepMs: 3 * S }] });
    await run([{ sleepMs: 10 * S }]);
    await api('POST', `retry/${failed}`);
    await look();
    await api('POST', `retry/${failed}`);
    await advance(9 * S);
    await look();
    await advance(2 * S);
    await look();
    await advance(30 * S);
    await look();
    await control('PATCH', '/endpoints/naive', { workers: 2 });
    await api('POST', `retry/${failed}`);
    await look();
    const expiring = await run(
      [{ fail: 'x' }],
      { policy: { ttl: 20 * S } },
      { planOnRetry: [{ hang: true }] },
    );
    await advance(10 * S);
    await api('POST', `retry/${expiring}`);
    await advance(10 * S);
    await look();
    const first = await run(
      [{ sleepMs: 4 * S }, { fail: 'x' }],
      { policy: { executionTimeout: 5 * S } },
      { planOnRetry: [{ sleepMs: 4 * S }, { return: 2 }] },
    );
    await advance(4 * S);
    await api('POST', `retry/${first}`);
    await advance(4 * S);
    await look();
    const running = await run([{ sleepMs: 5 * S }], {}, { planOnRetry: [{ return: 'twice' }] });
    await api('POST', `retry/${running}`);
    await look();
    await advance(6 * S);
    await look();
  },
  async ttls({ api, run, runsync, look, advance, control }) {
    await control('PUT', '/endpoints/naive', { workers: 2 });
    const policy = { ttl: 20 * S };
    await run([{ return: 1 }], { policy });
    await run([{ fail: 'x' }], { policy });
    const cancelled = await run([{ hang: true }], { policy });
    await api('POST', `cancel/${cancelled}`);
    await run([{ sleepMs: 25 * S }, { return: 'late' }], { policy });
    await run([{ sleepMs: 25 * S }, { return: 'late' }]);
    await run([{ sleepMs: S }], { policy });
    await runsync([{ sleepMs: S }], '?wait=60000', { policy });
    await run([{ sleepMs: S }, { return: 'after' }]);
    await run([{ sleepMs: S }], { policy: { ttl: 50 * S } });
    await run([{ sleepMs: 60 * S }], { policy: { ttl: 30 * S, executionTimeout: 90 * S } });
    for (const byMs of [10 * S, 9 * S, 999, 1, S, 4 * S, S, S, 5 * S, 20 * S, MIN]) {
      await advance(byMs);
      await look();
    }
    await run([{ return: 1 }]);
    const asked = [];
    for (let index = 0; index < 2; index++) asked.push(await run([{ sleepMs: 3 * MIN }]));
    asked.push(await run([{ sleepMs: S }]));
    await api('GET', `status/${asked[0]}?ttl=6000`);
    await api('GET', `status/${asked[2]}?ttl=6000`);
    await api('GET', `status/${asked[1]}?ttl=abc`);
    await look();
    await advance(5999);
    await look();
    await advance(1);
    await look();
    await advance(MIN);
    await look();
  },
  async ttlRead({ api, run, advance, look }) {
    const id = await run([{ return: 1 }], { policy: { ttl: 20 * S } });
    await advance(15 * S);
    await api('GET', `status/${id}`);
    await advance(15 * S);
    await look();
    const waiting = await run([{ hang: true }], { policy: { ttl: 3 * HOUR, executionTimeout: 7 * DAY } });
    await run([{ hang: true }]);
    await advance(3 * HOUR);
    await look();
    await advance(DAY);
    await look();
    void waiting;
    await run([{ hang: true }], { policy: { executionTimeout: 7 * DAY } });
    await advance(DAY - 1);
    await look();
    await advance(1);
    await look();
    await run([{ hang: true }], { policy: { ttl: 30 * S } });
    await advance(29 * S);
    await run([{ return: 2 }], { policy: { ttl: 20 * S } });
    await advance(S);
    await look();
  },
  async timeouts({ run, look, advance, control, api }) {
    await control('PUT', '/endpoints/naive', { workers: 1 });
    await run([{ sleepMs: 4 * S }], { policy: { executionTimeout: 10 * S } });
    await run([{ stream: 1 }, { sleepMs: 7 * S }, { stream: 2 }, { sleepMs: 7 * S }, { return: 'late' }], {
      policy: { executionTimeout: 10 * S },
    });
    await run([{ sleepMs: 15 * S }], { policy: { executionTimeout: 20 * S } });
    for (let step = 0; step < 12; step++) {
      await advance(2 * S + 500);
      await look();
    }
    await run([{ hang: true }]);
    for (const byMs of [MIN, 8 * MIN, MIN, HOUR]) {
      await advance(byMs);
      await look();
    }
    await api('POST', 'purge-queue');
    const sync = await api('POST', 'runsync?wait=1000', { input: {} });
    void sync;
  },
  async retention({ api, run, runsync, look, advance }) {
    const id = await run([{ sleepMs: 5 * MIN }, { return: 1 }]);
    await advance(5 * MIN);
    await api('GET', `stream/${id}`);
    for (const byMs of [MIN, 2 * MIN, 20 * MIN, 2 * MIN]) {
      await advance(byMs);
      await look();
    }
    await advance(5 * MIN);
    await look();
    await api('GET', `stream/${id}`);
    await api('POST', `retry/${id}`);
    await advance(25 * MIN);
    await look();
    await advance(25 * HOUR);
    await look();
    await runsync([{ sleepMs: 50 * S }, { return: 1 }]);
    for (const byMs of [50 * S, 20 * S, 30 * S, 10 * S, MIN]) {
      await advance(byMs);
      await look();
    }
    await runsync([{ sleepMs: 2 * S }, { return: 1 }], '?wait=1000');
    for (const byMs of [S, S, 30 * S, 20 * S, 10 * S, 6 * MIN]) {
      await advance(byMs);
      await look();
    }
  },
  async waits({ runsync, look, advance, run }) {
    await run([{ hang: true }]);
    for (const query of ['?wait=1000', '?wait=1000', '?wait=30000', '?wait=100000', '?wait=300000', '']) {
      await runsync([{ sleepMs: 10 * S }], query);
    }
    for (const byMs of [500, 500, S, 8 * S, 20 * S, 30 * S, 30 * S, 10 * S, 100 * S, 100 * S, 100 * S]) {
      await advance(byMs);
      await look();
    }
  },
  async syncOrder({ runsync, look, advance, control }) {
    await control('PUT', '/endpoints/naive', { workers: 3 });
    await runsync([{ sleepMs: 3 * S }, { return: 'a' }]);
    await runsync([{ sleepMs: S }, { return: 'b' }]);
    await runsync([{ sleepMs: 2 * S }, { fail: 'c' }]);
    for (let step = 0; step < 4; step++) {
      await advance(S);
      await look();
    }
    await runsync([{ sleepMs: 4 * S }], '?wait=2000');
    await advance(2 * S);
    await look();
    await advance(2 * S);
    await look();
    await advance(5 * MIN);
    await look();
  },
  async streams({ api, run, advance, control }) {
    await control('PUT', '/endpoints/naive', { workers: 2 });
    const steps: Json[] = [];
    for (let index = 0; index < 25; index++) steps.push({ stream: index }, { sleepMs: 100 });
    const many = await run(steps);
    const kinds = await run([
      { stream: 'a' },
      { stream: 'b' },
      { sleepMs: 450 },
      { stream: null },
      { stream: '' },
      { stream: { x: [1] } },
      { streamBytes: 5_000_000 },
      { sleepMs: 450 },
      { stream: 'before' },
      { fail: 'x' },
    ]);
    for (let step = 0; step < 6; step++) {
      await api('GET', `stream/${many}`);
      await api('GET', `stream/${kinds}`);
      await api('GET', `stream/${kinds}`);
      await advance(500);
    }
    await api('GET', `status/${kinds}`);
    const text = Array.from({ length: 40_000 }, (_, index) => `abcdefghijklmnopqrstuvwxyz${index}`).join(' ');
    const long = await run([{ stream: text }, { return: 1 }]);
    await api('GET', `status/${long}`);
    const { text: whole } = await api('GET', `stream/${long}`);
    await api('GET', `status/${String(hash(whole))}`);
    const late = await run([{ stream: 1 }, { stream: 2 }, { return: 3 }]);
    await api('GET', `stream/${late}`);
    const quick = await run([{ stream: 'x' }, { stream: 'y' }]);
    await api('GET', `stream/${quick}`);
  },
  async purging({ api, run, look, advance }) {
    await run([{ return: 'done' }]);
    const failed = await run([{ fail: 'x' }]);
    await run([{ sleepMs: 5 * S }]);
    const cancelled = await run([{ sleepMs: S }]);
    await api('POST', `cancel/${cancelled}`);
    await run([{ sleepMs: S }], { policy: { lowPriority: true } });
    for (let index = 0; index < 12; index++) await run([{ sleepMs: S }], { policy: { ttl: MIN } });
    await api('POST', 'purge-queue');
    await look();
    await advance(6 * S);
    await run([{ return: 'later' }]);
    await look();
    await advance(6 * S);
    await api('POST', 'purge-queue');
    await look();
    void failed;
  },
  async hooks({ run, runsync, look, advance, hook, answerHooksWith, control, api }) {
    await control('PUT', '/endpoints/naive', { workers: 2 });
    answerHooksWith(500, 404, 503, 500, 500, 500);
    await run([{ sleepMs: S }, { return: 1 }], { webhook: `${hook}/One?a=B` });
    for (const byMs of [0, S, 0, 10, 990, 5 * S, 4 * S, 10 * S, 10 * S, 10 * S, MIN, MIN]) {
      await advance(byMs);
      await look();
    }
    answerHooksWith(500, 200, 500, 404, 302, 400, 200);
    await run([{ return: 2 }], { webhook: `${hook}/two` });
    await advance(0);
    const retried = await run(
      [{ fail: 'x' }],
      { webhook: `${hook}/three` },
      { planOnRetry: [{ return: 3 }] },
    );
    await advance(30 * S);
    await api('POST', `retry/${retried}`);
    await advance(30 * S);
    await runsync([{ return: 4 }], '', { webhook: `${hook}/four` });
    await run([{ sleepMs: S }, { return: 5 }], { webhook: `${hook}/five` });
    await run([{ return: 6 }]);
    await advance(MIN);
    await look();
    answerHooksWith(404, 500, 500, 500);
    await run([{ return: 7 }], { webhook: `${hook}/seven` });
    await run([{ return: 7 }], { webhook: 'http://127.0.0.1:9/none' });
    await run([{ return: 7 }], { webhook: `${hook}/eight` });
    await advance(5 * S);
    await advance(MIN);
    await look();
  },
  async storage({ run, advance, hook }) {
    await run([{ return: 1 }], { s3Config: { ...S3, endpointUrl: `${hook}/storage` } });
    await advance(S);
    await advance(S);
  },
  async twoHooks({ run, advance, hook }) {
    await run([{ sleepMs: 2 * S }], { webhook: `${hook}/older` });
    await run([{ sleepMs: 2 * S }], { webhook: `${hook}/newer` });
    await advance(2 * S);
    await advance(2 * S);
  },
  async deadHook({ run, api, control, advance, look, hook }) {
    await control('PUT', '/endpoints/naive', { workers: 1 });
    const other = createServer((request, response) => void response.destroy(request.errored ?? undefined));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    let calls = 0;
    other.on('connection', () => (calls += 1));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/x`;
    await run([{ return: 1 }], { webhook: url });
    await run([{ return: 2 }], { webhook: `${hook}/two` });
    for (const byMs of [0, 10 * S, 10 * S, 10 * S]) {
      await advance(byMs);
      await look();
      await api('GET', `status/calls-${calls}`);
    }
    other.close();
  },
  async clientErrorHook({ run, advance, hook, answerHooksWith }) {
    answerHooksWith(404, 404, 404, 500, 500, 500);
    await run([{ return: 1 }], { webhook: `${hook}/one` });
    await advance(30 * S);
    await run([{ return: 1 }], { webhook: `${hook}/two` });
    await advance(30 * S);
    answerHooksWith(500, 500, 500, 500, 500);
    await run([{ return: 1 }], { webhook: `${hook}/three` });
    await run([{ return: 1 }], { webhook: `${hook}/four` });
    await advance(30 * S);
  },
  async crashes({ run, look, advance, api }) {
    await run([{ sleepMs: S }, { crash: true }]);
    await run([{ sleepMs: S }, { return: 'next' }]);
    for (let step = 0; step < 4; step++) {
      await look();
      await advance(S);
    }
    await api('POST', 'run', { input: {} });
  },
  async freedWorkers({ run, look, advance, api, control }) {
    for (const plan of [[{ fail: 'x' }], [{ crash: true }], [{ hang: true }]]) {
      await control('PUT', '/endpoints/naive', { workers: 1 });
      await run(plan, { policy: { executionTimeout: 5 * S } });
      await advance(6 * S);
      await run([{ sleepMs: S }]);
      await look();
      await advance(2 * S);
      await look();
    }
    await control('PUT', '/endpoints/naive', { workers: 1 });
    await run([{ hang: true }], { policy: { ttl: 10 * S } });
    await run([{ return: 1 }]);
    await run([{ hang: true }], { policy: { ttl: 20 * S } });
    await run([{ return: 1 }], { policy: { ttl: 10 * S } });
    await advance(10 * S);
    await run([{ sleepMs: S }]);
    await look();
    await advance(10 * S);
    await look();
    await advance(10 * S);
    await look();
    await api('GET', 'health');
  },
  async expiredInQueue({ run, look, advance }) {
    await run([{ sleepMs: 15 * S }]);
    await run([{ sleepMs: 15 * S }], { policy: { ttl: 10 * S } });
    await run([{ sleepMs: 5 * S }]);
    for (let step = 0; step < 4; step++) {
      await advance(6 * S);
      await look();
    }
  },
  async twoEndpoints({ control, endpoint, run, api, advance }) {
    await control('PUT', '/endpoints/other', { workers: 1 });
    const one = await run([{ hang: true }]);
    await run([{ sleepMs: S }]);
    endpoint('other');
    await api('GET', `status/${one}`);
    await run([{ hang: true }]);
    await run([{ sleepMs: S }]);
    await api('GET', 'health');
    await api('POST', 'purge-queue');
    await api('POST', `cancel/${one}`);
    endpoint('naive');
    await api('GET', 'health');
    await api('POST', 'purge-queue');
    await api('POST', 'purge-queue');
    await api('GET', `status/${one}`);
    await advance(S);
  },
  async smallRates({ api, advance, run }) {
    const id = await run([{ fail: 'x' }]);
    for (const [method, path, count] of [
      ['POST', 'purge-queue', 4],
      ['GET', 'requests', 12],
      ['GET', 'health', 5],
      ['POST', `retry/${id}`, 5],
      ['POST', 'cancel/none', 102],
    ] as const) {
      for (let index = 0; index < count; index++) await api(method, path);
      await advance(5 * S);
      await api(method, path);
      await advance(5 * S);
      for (let index = 0; index < 3; index++) await api(method, path);
    }
    await advance(10 * S);
    for (const byMs of [4 * S, 4 * S, 4 * S]) {
      for (let index = 0; index < 3; index++) await api('POST', 'purge-queue');
      await run([{ hang: true }]);
      await advance(byMs);
    }
    await api('GET', 'health');
  },
  async sameInputs({ run, advance, look, api }) {
    const first = await run([{ return: 1 }], { policy: { ttl: 10 * S } });
    await run([{ return: 1 }]);
    await advance(10 * S);
    await run([{ return: 2 }]);
    await api('GET', `status/${first}`);
    await look();
  },
  async corners({ api, run, look, advance, hook, answerHooksWith, endpoint, key }) {
    for (const plan of [[{ return: 1 }], [{ fail: 'x' }], [{ stream: 1 }, { stream: 2 }]]) {
      const id = await run(plan);
      await look();
      await api('POST', `cancel/${id}`);
      await api('GET', `status/${id}`);
    }
    await api('GET', 'health', undefined, `bearer ${key}`);
    await api('POST', 'run', { input: {}, s3Config: { bucketName: 'b' } });
    await api('POST', 'run', { input: {}, more: 1 });
    await api('POST', 'openai/v1/chat', { a: 1 });
    answerHooksWith(204, 200, 200, 200);
    await run([{ return: 1 }], { webhook: `${hook}/204` });
    await advance(20 * S);
    await run([{ hang: true }], { webhook: `${hook}/overrun`, policy: { executionTimeout: 5 * S } });
    await advance(20 * S);
    const stopped = await run([{ hang: true }], { webhook: `${hook}/cancelled` });
    await api('POST', `cancel/${stopped}`);
    await advance(20 * S);
    answerHooksWith(500, 500, 500);
    await run([{ return: 1 }], { webhook: `${hook}/deleted`, policy: { ttl: 15 * S } });
    await advance(30 * S);
    answerHooksWith(500, 500, 500, 500, 500, 500);
    const failed = await run(
      [{ fail: 'x' }],
      { webhook: `${hook}/retried` },
      { planOnRetry: [{ hang: true }] },
    );
    await advance(5 * S);
    await api('POST', `retry/${failed}`);
    await api('GET', `status/${failed}?ttl=20000`);
    await advance(5 * S);
    await advance(5 * S);
    await look();
    await advance(7 * S);
    await look();
    endpoint('elsewhere');
    await api('GET', 'health', undefined, 'nonsense');
  },
  async sizes({ api }) {
    const body = (bytes: number): string => `{"input":{"data":"${'x'.repeat(bytes - 21)}"}}`;
    for (const megabytes of [2, 6, 9.5, 11, 21]) {
      const { code } = await api('POST', 'run', body(megabytes * 1_000_000));
      const sync = await api('POST', 'runsync', body(megabytes * 1_000_000));
      await api('GET', `status/${code}-${sync.code}`);
    }
    await api('GET', 'health');
  },
  async largeRates({ api, control, advance }) {
    for (const [method, path, limit] of [
      ['POST', 'run', 1000],
      ['GET', 'status/none', 2000],
      ['GET', 'stream/none', 2000],
      ['POST', 'openai/v1/models', 2000],
      ['POST', 'runsync', 2000],
    ] as const) {
      await control('PUT', '/endpoints/naive', { workers: 1 });
      for (let sent = 0; sent < limit + 5; sent += 50) {
        const batch = Array.from({ length: 50 }, () =>
          api(method, path, method === 'POST' ? '{"input":{}}' : undefined),
        );
        await Promise.all(batch);
      }
      await advance(0);
    }
  },
  async sharedRates({ api, control, endpoint }) {
    await control('PUT', '/endpoints/other', { workers: 1 });
    for (const id of ['other', 'naive']) {
      endpoint(id);
      for (let index = 0; index < 3; index++) await api('POST', 'purge-queue');
    }
    for (let index = 0; index < 105; index++) await api('POST', `cancel/none-${index}`);
    for (let index = 0; index < 1100; index++) {
      await api('GET', 'status/none');
      await api('GET', 'stream/none');
    }
  },
  async waiting({ runsync, api, control, advance, run }) {
    await control('PUT', '/endpoints/naive', { workers: 0 });
    for (let index = 0; index < 405; index++) await runsync([], '?wait=5000');
    await advance(5 * S);
    for (let index = 0; index < 205; index++) await run([]);
    await api('GET', 'health');
    for (let index = 0; index < 450; index++) await api('GET', 'status/none');
  },
};

/** The first exercise whose history a fault changes, or null. */
export async function seenBy(fault: FaultId, plain: ReadonlyMap<string, string[]>): Promise<string | null> {
  for (const [name, exercise] of Object.entries(EXERCISES)) {
    const history = await historyOf(exercise, { fault });
    if (history.join('\n') !== (plain.get(name) ?? []).join('\n')) return name;
  }
  return null;
}

export async function plainHistories(): Promise<Map<string, string[]>> {
  const histories = new Map<string, string[]>();
  for (const [name, exercise] of Object.entries(EXERCISES))
    histories.set(name, await historyOf(exercise, {}));
  return histories;
}

function hash(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum = (sum * 31 + text.charCodeAt(index)) % 1_000_003;
  return sum;
}
