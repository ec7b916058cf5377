/** Recordings of all kinds give the same calls; what tells nothing is named and left out. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CallEvent, HistoryEvent } from '../../src/history/events.js';
import { judge } from '../../src/oracle/index.js';
import type { TrafficFile } from '../../src/traffic/reading/files.js';
import { Traffic } from '../../src/traffic/reading/read-traffic.js';
import { isOfApi, namesAt } from '../../src/traffic/index.js';
import { runHeader } from '../support/run-header.js';

const BASE = 'https://api.example.com/v2/abc';
const AT = Date.UTC(2026, 10, 27, 1, 34, 54);
const RUN = runHeader({ target: { kind: 'http', name: BASE }, capabilities: [] });

interface Told {
  readonly atMs: number;
  readonly op: string;
  readonly reply: object | null;
  readonly status?: number;
  readonly body?: object;
}

const LIFE: readonly Told[] = [
  { atMs: 0, op: 'run', body: { input: { prompt: 'x' } }, reply: { id: 'a', status: 'IN_QUEUE' } },
  { atMs: 900, op: 'status/a', reply: { id: 'a', status: 'IN_PROGRESS' } },
  { atMs: 1_900, op: 'status/a', reply: { id: 'a', status: 'COMPLETED', output: 'ä' } },
];

const file = (name: string, content: string | Buffer, pieceBytes = 7): TrafficFile => ({
  name,
  *pieces() {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  },
});

const line = ({ atMs, op, reply, status = 200, body }: Told): string =>
  JSON.stringify({
    method: body === undefined ? 'GET' : 'POST',
    url: `${BASE}/${op}`,
    ...(body === undefined ? { requestBody: null } : { requestBody: body }),
    ...(reply === null ? {} : { status, body: reply }),
    start: new Date(AT + atMs).toISOString(),
    end: new Date(AT + atMs + 40).toISOString(),
  });

const ndjson = (name: string, told: readonly Told[]): TrafficFile => file(name, told.map(line).join('\n'));

function entry({ atMs, op, reply, status = 200, body }: Told, packed?: 'gzip' | 'br'): object {
  const text = JSON.stringify(reply);
  const bytes = packed === 'gzip' ? gzipSync(text) : brotliCompressSync(text);
  const content = packed === undefined ? { text } : { text: bytes.toString('base64'), encoding: 'base64' };
  return {
    startedDateTime: new Date(AT + atMs).toISOString(),
    time: 40,
    request: {
      method: body === undefined ? 'GET' : 'POST',
      url: `${BASE}/${op}`,
      headers: [{ name: 'Authorization', value: 'Bearer x' }],
      ...(body && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
      bodySize: body === undefined ? 0 : -1,
    },
    response: {
      status,
      headers: packed === undefined ? [] : [{ name: 'Content-Encoding', value: packed }],
      content: { size: text.length, mimeType: 'application/json', ...content },
    },
  };
}

const har = (name: string, entries: readonly object[]): TrafficFile =>
  file(name, JSON.stringify({ log: { version: '1.2', creator: {}, pages: [{ id: 'p' }], entries } }));

const callsIn = (events: Iterable<HistoryEvent>): readonly CallEvent[] =>
  [...events].filter((event): event is CallEvent => event.kind === 'call');

const seen = (files: readonly TrafficFile[]): readonly unknown[] =>
  callsIn(new Traffic(files).events(RUN)).map(({ op, sentTick, endedTick, sentMs, receivedMs, reply }) => ({
    ...{ op, sentTick, endedTick, sentMs, receivedMs },
    body: reply?.body.as === 'json' ? reply.body.value : null,
  }));

test.each<[string, () => readonly TrafficFile[]]>([
  [
    'HAR',
    () => [
      har(
        'a.har',
        LIFE.map((one) => entry(one)),
      ),
    ],
  ],
  [
    'HAR with packed bodies',
    () => [
      har(
        'a.har',
        LIFE.map((one, index) => entry(one, index === 1 ? 'br' : 'gzip')),
      ),
    ],
  ],
  [
    'two files, of which one has what the other lacks',
    () => [ndjson('a', LIFE.slice(1)), ndjson('b', LIFE.slice(0, 1))],
  ],
  ['a recording and its copy', () => [ndjson('a', LIFE), ndjson('b', LIFE)]],
  ['lines in order of their ends', () => [ndjson('a', [LIFE[1]!, LIFE[0]!, LIFE[2]!])]],
])('%s says the same as NDJSON', (_, files) => {
  const plain = seen([ndjson('calls.ndjson', LIFE)]);
  expect(plain).toHaveLength(3);
  expect(plain[2]).toMatchObject({ op: 'status', body: { id: 'a', status: 'COMPLETED', output: 'ä' } });
  expect(seen(files())).toEqual(plain);
});

test('an instant lies between the begin and the end that were recorded, rounded outwards', () => {
  const [run] = callsIn(new Traffic([ndjson('calls', LIFE)]).events(RUN));
  expect(run!.sentMs).toBeLessThanOrEqual(0);
  expect(run!.receivedMs).toBeGreaterThanOrEqual(40);
  expect(run!.receivedMs! - run!.sentMs).toBeLessThan(50);
});

test('calls of one job are one script, which ends with it', () => {
  const events = [...new Traffic([ndjson('calls', LIFE)]).events(RUN)];
  expect(events.filter(({ kind }) => kind === 'script')).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ kind: 'script-end', outcome: 'played' });
});

test('what tells nothing is counted, and named where the user can mend it', () => {
  const lines = [
    ...LIFE.map(line),
    '{"method":',
    JSON.stringify({ method: 'GET', url: 'https://other.example/index.html', status: 200, start: AT }),
    JSON.stringify({
      method: 'GET',
      url: 'https://other.example/health',
      status: 200,
      start: AT,
      ms: 1,
      body: 'ok',
    }),
    JSON.stringify({
      method: 'GET',
      url: `${BASE}/health`,
      status: 401,
      start: AT + 5_000,
      ms: 1,
      body: 'no',
    }),
    JSON.stringify({
      method: 'POST',
      url: `${BASE}/run`,
      status: 200,
      start: AT + 5_000,
      ms: 1,
      body: { id: 'b', status: 'IN_QUEUE' },
    }),
    JSON.stringify({
      method: 'GET',
      url: `${BASE}/health`,
      status: 200,
      start: AT + 5_000,
      end: AT + 1_000,
      body: {},
    }),
    JSON.stringify({ method: 'GET', url: `${BASE}/health`, status: 200, start: 'yesterday', body: {} }),
    JSON.stringify({
      method: 'GET',
      url: `${BASE}/health`,
      status: 403,
      start: AT + 6_000,
      ms: 1,
      body: 'no',
    }),
  ];
  const traffic = new Traffic([file('calls.ndjson', lines.join('\n'))]);
  expect(traffic.summary).toMatchObject({ calls: 3, foreign: 1, unauthorized: 2, bodiless: 1, repeated: 0 });
  expect([...traffic.summary.unanswered]).toEqual([['https://other.example', 1]]);
  expect(traffic.summary.unreadable.map(({ where, why }) => `${where}: ${why}`)).toEqual([
    'calls.ndjson:4: it is not JSON',
    'calls.ndjson:9: it ends before it begins',
    'calls.ndjson:10: `start` is not a time: ISO 8601, or ms since 1970',
  ]);
  expect(traffic.isWhole).toBe(false);
  expect(callsIn(traffic.events(RUN))).toHaveLength(3);
});

test('a request of which only the address was recorded is an ordinary one', () => {
  const [call] = callsIn(
    new Traffic([
      file(
        'a',
        LIFE.slice(1)
          .map((told) => line(told).replace('"requestBody":null,', ''))
          .join('\n'),
      ),
    ]).events(RUN),
  );
  expect(call!.request).toMatchObject({ illegal: null, auth: 'none-needed', body: { as: 'none' } });
});

test('a HAR that was cut off gives the entries before the cut, and says so', () => {
  const whole = JSON.stringify({ log: { entries: LIFE.map((one) => entry(one)) } });
  const traffic = new Traffic([file('cut.har', whole.slice(0, -100))]);
  expect(traffic.summary.unreadable.map(({ where, why }) => `${where}: ${why}`)).toEqual([
    'cut.har, entry 2: the file ends after it',
  ]);
  expect(callsIn(traffic.events(RUN))).toHaveLength(2);
});

test('a clock that jumps back by hours', () => {
  const later = { ...LIFE[0]!, atMs: 7_200_000 };
  const traffic = new Traffic([ndjson('calls', [later, ...LIFE])]);
  expect(traffic.summary.unreadable).toHaveLength(3);
  expect(traffic.summary.unreadable[0]!.why).toMatch(/20 minutes before/);
});

test('a reply whose body was not recorded is a call without an answer, and no sign of a lost service', () => {
  const { response, ...rest } = entry(LIFE[2]!) as { response: { content: object } };
  const bodiless = {
    ...rest,
    response: { ...response, content: { size: 900, mimeType: 'application/json' } },
  };
  const calls = callsIn(new Traffic([har('a', [entry(LIFE[0]!), entry(LIFE[1]!), bodiless])]).events(RUN));
  expect(calls.map(({ lost }) => lost)).toEqual([null, null, 'aborted']);
});

test.each([
  ['more than was recorded of it: it was cut', 60, 1],
  ['as much', 24, 0],
  ['unknown', -1, 0],
])('the body of a request in a HAR is %s', (_, bodySize, bodiless) => {
  const refused = entry({
    atMs: 0,
    op: 'run',
    reply: { error: 'too large' },
    status: 413,
    body: { input: { text: 'abc' } },
  });
  const known = entry({ atMs: 100, op: 'run', reply: { id: 'a', status: 'IN_QUEUE' }, body: { input: {} } });
  const { request } = refused as { readonly request: object };
  const traffic = new Traffic([har('a.har', [{ ...refused, request: { ...request, bodySize } }, known])]);
  callsIn(traffic.events(RUN));
  expect(traffic.summary.bodiless).toBe(bodiless);
});

test('edition runpod: a job whose end two waiting statuses tell differently has not stayed what it was', () => {
  const told: readonly Told[] = [
    { atMs: 0, op: 'run', body: { input: { prompt: 'x' } }, reply: { id: 'a', status: 'IN_QUEUE' } },
    { atMs: 900, op: 'status-sync/a', reply: { id: 'a', status: 'COMPLETED', output: 1 } },
    { atMs: 2_900, op: 'status-sync/a', reply: { id: 'a', status: 'FAILED', error: 'x' } },
  ];
  const events = [...new Traffic([ndjson('calls', told)], 'runpod').events({ ...RUN, edition: 'runpod' })];
  const failed = judge(events).requirements.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ id }) => id)).toContain('3/completed-stays');
});

test.each([
  ['GET', '/v2/e/status-sync/a?wait=1', false, true],
  ['POST', '/v2/e/status-sync/a', false, true],
  ['POST', '/v2/e/status/a', false, true],
  ['POST', '/v2/e/stream/a', true, true],
  ['GET', '/v2/e/status/a', true, true],
  ['POST', '/v2/e/cancel/a', true, true],
  ['GET', '/v2/e/cancel/a', true, true],
  ['OPTIONS', '/v2/e/cancel/a', false, false],
  ['GET', '/v2/e/run', true, true],
  ['GET', '/v2/e/status-sync', false, false],
  ['GET', '/v2/e/requests', false, false],
])(
  '%s %s may be performed by the document: %s, by edition runpod: %s',
  (method, target, document, runpod) => {
    const is = (edition: 'document' | 'runpod'): boolean =>
      isOfApi(method, namesAt(method, `http://host${target}`, edition));
    expect([is('document'), is('runpod')]).toEqual([document, runpod]);
  },
);

test('edition runpod: a status that waits, and reads by POST, are calls on their job', () => {
  const told: readonly Told[] = [
    { atMs: 0, op: 'run', body: { input: { prompt: 'x' } }, reply: { id: 'a', status: 'IN_QUEUE' } },
    { atMs: 900, op: 'status-sync/a?wait=1000', reply: { id: 'a', status: 'COMPLETED', output: 1 } },
    { atMs: 2_900, op: 'status/a', body: {}, reply: { id: 'a', status: 'FAILED', error: 'x' } },
    { atMs: 3_900, op: 'stream/a', body: {}, reply: { status: 'FAILED', stream: [] } },
  ];
  const inEdition = (edition: 'document' | 'runpod'): readonly HistoryEvent[] => [
    ...new Traffic([ndjson('calls', told)], edition).events({ ...RUN, edition }),
  ];
  expect(callsIn(inEdition('document')).map(({ op }) => op)).toEqual(['run']);
  expect(callsIn(inEdition('runpod')).map(({ op }) => op)).toEqual(['run', 'status', 'status', 'stream']);
  const failed = judge(inEdition('runpod')).requirements.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ id }) => id)).toContain('3/completed-stays');
});
