import { describe, expect, it } from 'vitest';
import { parseScript, type Script } from '../../src/scenario/index.js';
import { LOST, type Exchange } from '../../src/history/exchange.js';
import { namesOf } from '../../src/traffic/calls.js';
import { scriptOf, type Origin } from '../../src/traffic/script-of.js';

const BASE = 'http://host/v2/own';

interface Call {
  readonly at: number;
  /** Until it was answered; null: never. */
  readonly ms?: number | null;
  /** Begins with the method. */
  readonly call: string;
  readonly base?: string;
  readonly body?: string | null | undefined;
  readonly headers?: { readonly [name: string]: string };
  readonly status?: number;
  /** The id in the answer. */
  readonly id?: string;
}

function exchangeOf({
  at,
  ms = 10,
  call,
  base = BASE,
  headers = { authorization: '*' },
  status = 200,
  id,
  ...rest
}: Call): Exchange {
  const [method = '', path = ''] = call.split(' ');
  const body = 'body' in rest ? rest.body : null;
  const url = new URL(base + path);
  return {
    ...{ id: '', fromMs: 5_000 + at, byMs: ms === null ? null : 5_000 + at + ms },
    request: { method, target: url.href, headers: { 'content-type': 'application/json', ...headers }, body },
    outcome: ms === null ? LOST : { kind: 'answer', status, headers: {}, body: id && JSON.stringify({ id }) },
    names: namesOf(method, url, 'document'),
  };
}

/** As it is read from its file. */
function scriptFrom(calls: readonly Call[], origin: Partial<Origin> = {}): Script {
  const script = scriptOf(calls.map(exchangeOf), { recorded: 'recorded', workers: 3, ...origin });
  return parseScript(JSON.parse(JSON.stringify(script)));
}

const RUN = { call: 'POST /run', body: '{"input":{"n":1}}' } as const;

describe('a script of recorded calls', () => {
  it('names jobs by labels, and turns the time between calls into waits', () => {
    const script = scriptFrom([
      { at: 0, ...RUN, id: 'first' },
      { at: 10, ...RUN, body: '{"input":{},"policy":{"ttl":9000},"more":[1]}', id: 'se/cond' },
      { at: 520, call: 'GET /status/first?ttl=60000' },
      { at: 530, call: 'POST /cancel/se%2Fcond' },
      { at: 1_540, call: 'POST /runsync?wait=2000', body: '{"input":"text"}', ms: 700, id: 'third' },
      { at: 2_240, call: 'GET /stream/third' },
    ]);
    expect(script).toMatchObject({
      workers: 3,
      needs: [],
      exclusive: false,
      title: '6 calls recorded',
      expectedMs: 2_250,
    });
    expect(script.steps).toEqual([
      { do: 'run', job: 'job-1', input: { n: 1 } },
      { do: 'run', job: 'job-2', input: {}, policy: { ttl: 9_000 }, extra: { more: [1] } },
      { do: 'status', job: 'job-1', ttl: 60_000, at: { waitMs: 500 } },
      { do: 'cancel', job: 'job-2' },
      { do: 'runsync', job: 'job-3', input: 'text', wait: 2_000, illegal: 'no-input', at: { waitMs: 1_000 } },
      { do: 'stream', job: 'job-3' },
    ]);
  });

  it('puts calls that overlapped into lanes, those on a job behind its submission', () => {
    const { steps } = scriptFrom([
      { at: 0, ...RUN, ms: 50, id: 'one' },
      { at: 20, ...RUN, ms: 50, id: 'two' },
      { at: 100, call: 'GET /status/two', ms: 100 },
      { at: 110, call: 'GET /status/one' },
      { at: 130, call: 'GET /stream/two' },
      { at: 300, call: 'POST /runsync', body: '{"input":{}}', ms: null },
      { at: 900, call: 'GET /health' },
    ]);
    expect(steps.map(({ do: does, lane, at }) => [does, lane, at])).toEqual([
      ['run', undefined, undefined],
      ['run', 'client-2', { sinceStartMs: 20 }],
      ['status', 'client-2', { waitMs: 30 }],
      ['status', undefined, { waitMs: 60 }],
      ['stream', undefined, { job: 'job-2', milestone: 'submitted', side: 'earliest', plusMs: 110 }],
      ['runsync', undefined, { waitMs: 160 }],
      ['health', 'client-2', { waitMs: 700 }],
    ]);
  });

  it('makes odd requests as they were made', () => {
    const { steps } = scriptFrom([
      { at: 0, ...RUN, id: 'one' },
      { at: 10, call: 'POST /run', body: '{"input":', status: 400 },
      { at: 20, call: 'POST /cancel/one', body: '{}', headers: { 'content-type': 'text/plain' } },
      { at: 30, call: 'PUT /status/one?secret=s&ttl=5', status: 405 },
      { at: 40, call: 'GET /status/other', status: 404 },
      { at: 50, call: 'POST /openai/v1/chat', body: '{"model":"m"}' },
      { at: 60, call: 'GET /requests' },
    ]);
    expect(steps.slice(1)).toEqual([
      {
        do: 'raw',
        method: 'POST',
        path: '/run',
        contentType: 'application/json',
        bodyText: '{"input":',
        illegal: 'not-json',
      },
      {
        do: 'raw',
        method: 'POST',
        path: '/cancel/{job:job-1}',
        contentType: 'text/plain',
        bodyText: '{}',
        illegal: 'unneeded-body',
      },
      { do: 'raw', method: 'PUT', path: '/status/{job:job-1}', query: { ttl: '5' }, illegal: 'no-operation' },
      { do: 'raw', method: 'GET', path: '/status/other', illegal: 'unknown-job' },
      { do: 'openai', path: 'v1/chat', body: { model: 'm' } },
      { do: 'requests' },
    ]);
  });

  it.each([
    [401, { authorization: '*' }, '', 'wrong'],
    [401, {}, '?api_key=*', 'in-query'],
    [401, { authorization: 'Bearer *' }, '', 'wrong-bearer'],
    [401, { authorization: 'bearer' }, '', 'empty-bearer'],
    [401, { authorization: '' }, '', 'empty'],
    [401, {}, '', 'missing'],
    [403, { authorization: '*' }, '', 'unpermitted'],
    [200, { authorization: 'Bearer *' }, '', undefined],
    [429, { authorization: '*' }, '', undefined],
  ])('an answer %i to the header %j shows which key it was', (status, headers, query, auth) => {
    const [, step] = scriptFrom([
      { at: 0, call: 'GET /health' },
      { at: 20, call: `GET /health${query}`, headers, status },
    ]).steps;
    expect(step?.auth).toBe(auth);
  });

  it('has its own receiver answer webhooks as they were answered, and no secret of a storage', () => {
    const body = JSON.stringify({
      input: {},
      webhook: 'https://app.example/hook?token=abc',
      s3Config: { accessId: 'id', accessSecret: 'hidden' },
    });
    const script = scriptFrom(
      [
        { at: 0, ...RUN, body, id: 'one' },
        { at: 20, ...RUN, body, id: 'two' },
      ],
      {
        webhookAnswers: (job) => (job === 'one' ? [500, null, 200] : undefined),
      },
    );
    expect(script.needs).toEqual(['webhook-reachable']);
    expect(script.steps).toMatchObject([
      { webhook: [{ status: 500 }, { close: true }, { status: 200 }], s3Config: { accessId: 'id' } },
      { webhook: [{ status: 200 }] },
    ]);
    expect(JSON.stringify(script)).not.toMatch(/example|abc|hidden/);
  });

  it('tells two endpoints apart, and one that does not exist', () => {
    const script = scriptFrom([
      { at: 0, ...RUN, base: 'http://host/v2/nowhere', status: 404 },
      { at: 20, ...RUN, id: 'one' },
      { at: 40, ...RUN, base: 'http://host/v2/second', id: 'two' },
      { at: 60, call: 'GET /status/one', base: 'http://host/v2/second', status: 404 },
    ]);
    expect(script).toMatchObject({ secondEndpoint: true, needs: ['test-control', 'second-endpoint'] });
    expect(script.steps.map(({ do: does, endpoint }) => [does, endpoint])).toEqual([
      ['run', 'nowhere'],
      ['run', undefined],
      ['run', '{second-endpoint}'],
      ['status', '{second-endpoint}'],
    ]);
    expect(script.steps[3]).toMatchObject({ job: 'job-2' });
  });

  it('says which calls it leaves out, and why', () => {
    const script = scriptFrom([
      { at: 0, ...RUN, id: 'one' },
      { at: 20, ...RUN, body: undefined, id: 'two' },
      { at: 40, call: 'GET /status/two' },
      { at: 60, call: 'GET /status/earlier' },
      { at: 80, call: 'GET /', base: 'http://host' },
      { at: 90, call: 'GET /health', base: 'http://host/v2/second' },
      { at: 100, call: 'GET /health', base: 'http://host/v2/third' },
      { at: 120, ...RUN, body: undefined, status: 429 },
      { at: 140, call: 'POST /cancel/one', body: '{input}' },
    ]);
    expect(script.steps.map(({ do: does }) => does)).toEqual(['run', 'health', 'run']);
    expect(script.title).toBe(
      '3 calls recorded, without 2 calls with a body that was not read, or that a script cannot send, ' +
        'without 2 calls on jobs whose submission was not recorded, without 1 call to other addresses, ' +
        'without 1 call to more endpoints than the two that a script can have',
    );
  });

  it('of no calls has no steps', () => {
    expect(scriptFrom([])).toMatchObject({ steps: [], title: '0 calls recorded', expectedMs: 0 });
  });
});
