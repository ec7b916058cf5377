/** Digests instead of payloads: they hide what was said, and keep what a judgement needs of it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallEvent, Json } from '../../src/history/events.js';
import { jsonBytesOf } from '../../src/history/json-size.js';
import { judge } from '../../src/oracle/index.js';
import { sameJson } from '../../src/oracle/observed/recorded-call.js';
import { readRecorded } from '../../src/features/judge/recorded-traffic.js';
import type { Exchange } from '../../src/history/exchange.js';
import { namesAt } from '../../src/traffic/calls.js';
import type { TrafficFile } from '../../src/traffic/reading/files.js';
import { Traffic } from '../../src/traffic/reading/read-traffic.js';
import { Digester } from '../../src/traffic/digest.js';
import { lineOf, Parts } from '../../src/traffic/index.js';
import { runHeader } from '../support/run-header.js';

const BASE = 'https://api.example.com/v2/abc';
const AT = Date.UTC(2026, 10, 27);
const DIGESTER = new Digester(Buffer.from('one key'));
const RUN = runHeader({
  target: { kind: 'http', name: BASE },
  capabilities: [],
  clock: 'real',
  capture: { others: false, complete: true, crashes: false, digests: true },
});

interface Said {
  readonly atMs?: number;
  readonly path: string;
  readonly sent?: string;
  readonly status?: number;
  readonly answered: string | null;
}

const JSON_TYPE = { 'content-type': 'application/json' };

function exchange({ atMs = 0, path, sent, status = 200, answered }: Said): Exchange {
  const [method, target] = [sent === undefined ? 'GET' : 'POST', BASE + path];
  const headers = { authorization: 'Bearer sk-1234', cookie: 'session=sk-1234', ...JSON_TYPE };
  return {
    ...{ id: '', fromMs: AT + atMs, byMs: AT + atMs + 10, names: namesAt(method, target, 'document') },
    request: { method, target, headers, body: sent ?? null },
    outcome: {
      ...{ kind: 'answer', status, body: answered },
      headers: { ...JSON_TYPE, 'set-cookie': 'session=sk-1234' },
    },
  };
}

const traffic = (lines: readonly string[]): TrafficFile => ({
  name: 'calls.ndjson',
  pieces: () => [Buffer.from(lines.join(''))],
});

const callsIn = (lines: readonly string[]): readonly CallEvent[] =>
  [...new Traffic([traffic(lines)]).events(RUN)].filter((event) => event.kind === 'call');

const record = (output: Json): string =>
  JSON.stringify({ id: 'a', status: 'COMPLETED', delayTime: 5, executionTime: 20, output });

/** What a history has of the output of a job, of which a recording has only digests. */
function readBack(output: Json): Json {
  const [call] = callsIn([lineOf(exchange({ path: '/status/a', answered: record(output) }), DIGESTER)]);
  const body = call!.reply!.body;
  return body.as === 'json' ? (body.value as { readonly output: Json }).output : null;
}

const typeOf = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

test('values are equal if and only if they were, and keep their type', () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      const [was, is] = [
        JSON.parse(JSON.stringify([one, other])) as Json[],
        [readBack(one), readBack(other)],
      ];
      expect(sameJson(is[0], is[1])).toBe(sameJson(was[0], was[1]));
      expect(typeOf(is[0]!)).toBe(typeOf(one));
    }),
  );
});

test('members in another order make the same value', () => {
  expect(readBack({ a: 1, b: [2] })).toEqual(readBack({ b: [2], a: 1 }));
});

test('the size of texts is kept, and no more than a few bytes is added to others', () => {
  expect(jsonBytesOf(readBack('ä'.repeat(3_000)))).toBe(6_002);
  const large = { text: 'x'.repeat(9_000), more: [1, 2, 3] };
  expect(Math.abs(jsonBytesOf(readBack(large)) - JSON.stringify(large).length)).toBeLessThan(100);
});

test('the parts of a stream are those of the output', () => {
  const said = JSON.stringify({ status: 'IN_PROGRESS', stream: [{ output: 'one' }, { output: 'two' }] });
  const [call] = callsIn([
    lineOf(exchange({ path: '/stream/a', answered: said }), DIGESTER),
    lineOf(exchange({ path: '/status/a', answered: record(['one', 'two']) }), DIGESTER),
  ]);
  const { body } = call!.reply!;
  const { stream } = (body.as === 'json' ? body.value : {}) as {
    readonly stream: readonly { output: Json }[];
  };
  expect(stream.map(({ output }) => output)).toEqual(readBack(['one', 'two']));
});

test.each([
  ['a body that blanks make large', `{"input":${' '.repeat(20_000)}{}}`],
  ['a text that is not JSON', `{"input":{"text":"${'é'.repeat(20_000)}"`],
  ['an array of so many values that they are not looked at', `[${'1,'.repeat(2_100_000)}1]`],
])('%s keeps its size', (_, sent) => {
  const line = lineOf(exchange({ path: '/run', sent, answered: '{"id":"a","status":"IN_QUEUE"}' }), DIGESTER);
  expect(line.length).toBeLessThan(4_000);
  expect(callsIn([line])[0]!.request.body).toMatchObject({ bytes: Buffer.byteLength(sent) });
});

test('what a history would not keep differs if and only if it did, and says nothing', () => {
  const read = (last: string, indent?: number): Json => {
    const output = [...Array<string>(100_000).fill('secret'), last];
    const text = JSON.stringify({ id: 'a', status: 'COMPLETED', output }, null, indent);
    const line = lineOf(exchange({ path: '/status/a', answered: text }), DIGESTER);
    expect(line).not.toContain('secret');
    const { body } = callsIn([line])[0]!.reply!;
    return body.as === 'json' ? body.value : null;
  };
  expect(sameJson(read('x'), read('x', 2))).toBe(true);
  expect(sameJson(read('x'), read('y'))).toBe(false);
});

test.each([
  ['https://hooks.example.com/a', /^https:\/\/[0-9a-f]+\.invalid\/$/u],
  ['http://192.168.1.7:8080/hook', /^http:\/\/127\.0\.0\.1\/[0-9a-f]+$/u],
  ['https://?a', /^https:\/\/\?[0-9a-f]+$/u],
  ['ftp://example.com/a', /^ftp:\/\/\?[0-9a-f]+$/u],
])('a webhook %s stays one that services treat alike', (webhook, expected) => {
  const sent = JSON.stringify({ input: {}, webhook });
  const line = lineOf(exchange({ path: '/run', sent, answered: '{"error":"no"}' }), DIGESTER);
  expect((JSON.parse(line) as { requestBody: { webhook: string } }).requestBody.webhook).toMatch(expected);
});

test('neither payloads nor keys are written', () => {
  const said = exchange({
    path: '/runsync?api_key=sk-1234&token=sk-1234&wait=2000',
    sent: JSON.stringify({
      input: { prompt: 'secret', secret: 4711 },
      webhook: 'https://hooks.example.com/secret',
      s3Config: { accessSecret: 'secret', bucketName: 'secret' },
      policy: { ttl: 20_000 },
      more: 'secret',
    }),
    answered: JSON.stringify({ id: 'a', status: 'FAILED', error: 'secret', output: { secret: ['secret'] } }),
  });
  const line = lineOf(said, DIGESTER);
  expect(line).not.toMatch(/secret|4711|sk-1234|hooks/u);
  expect(line).toContain('"policy":{"ttl":20000}');
  expect(line).toContain('wait=2000');
  const whole = lineOf(said, null);
  expect(whole).not.toContain('sk-1234');
  expect(whole).toContain('4711');
});

test.each(['<html>Bad gateway</html>', '"text"', '""', 'null', 'true', '17', ''])(
  'a body %s stays what it is: JSON, or a text, or nothing',
  (answered) => {
    const isJson = answered !== '' && !answered.startsWith('<');
    const submitted = exchange({ path: '/status/a', answered: record('x') });
    const lines = [submitted, exchange({ atMs: 20, path: '/status/a', status: 502, answered })].map((one) =>
      lineOf(one, DIGESTER),
    );
    const as = answered === '' ? 'none' : isJson ? 'json' : 'text';
    expect(callsIn(lines)[1]!.reply!.body.as).toBe(as);
  },
);

/** A job whose output is another one at the second look, or is not. */
const life = (later: Json): readonly Said[] => [
  { path: '/run', sent: '{"input":{"prompt":"x"}}', answered: '{"id":"a","status":"IN_QUEUE"}' },
  { atMs: 1_000, path: '/status/a', answered: record({ text: 'first' }) },
  { atMs: 2_000, path: '/status/a', answered: record(later) },
];

test.each<[string, Json, readonly string[]]>([
  ['the same output', { text: 'first' }, []],
  ['another output', { text: 'other' }, ['4.3/reading-does-not-consume']],
])('%s is judged like the payload itself', (_, later, expected) => {
  const failed = (digester: Digester | null): readonly string[] => {
    const lines = life(later).map((said) => lineOf(exchange(said), digester));
    const [part] = [...new Parts(RUN).of(new Traffic([traffic(lines)]).events(RUN))];
    return judge(part!)
      .requirements.filter(({ verdict, level }) => verdict === 'fail' && level === 'must')
      .map(({ id }) => id);
  };
  expect(failed(DIGESTER)).toEqual(failed(null));
  expect(failed(DIGESTER)).toEqual(expected);
});

test.each([
  [{ '@runproof/digest': 'a', type: 'string' }, 'a digest has no number of "bytes"'],
  [{ '@runproof/digest': 7, type: 'string', bytes: 1 }, '"@runproof/digest" is not text'],
  [
    { '@runproof/digest': 'a', type: 'date', bytes: 1 },
    'the "type" of a digest is not string, number, array or object',
  ],
])('a digest that lacks something is named: %j', (output, why) => {
  const line = lineOf(exchange({ path: '/status/a', answered: record('x') }), DIGESTER);
  const broken = JSON.parse(line) as { body: { output: unknown } };
  broken.body.output = output;
  const { summary } = new Traffic([traffic([line, `${JSON.stringify(broken)}\n`])]);
  expect(summary.unreadable).toEqual([expect.objectContaining({ where: 'calls.ndjson:2', why })]);
});

test.each([
  ['{"missing":12}\n', '12 calls are missing here'],
  ['{"missing":true}\n', 'calls may be missing here'],
  ['{"missing":0}\n', undefined],
])('%j says whether calls are missing: then what is absent proves nothing', (told, why) => {
  const line = lineOf(exchange({ path: '/status/a', answered: record('x') }), null);
  const read = new Traffic([traffic([line, told])]);
  expect(read.isWhole).toBe(why === undefined);
  expect(read.summary.unreadable[0]?.why).toBe(why);
});

test('digests of two keys, and digests and payloads, are not judged together', () => {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-'));
  const said = exchange({ path: '/status/a', answered: record('x') });
  const write = (name: string, digester: Digester | null): void =>
    writeFileSync(join(folder, name), lineOf(said, digester));
  write('one.ndjson', DIGESTER);
  write('other.ndjson', new Digester(Buffer.from('another key')));
  write('plain.ndjson', null);
  const capture = { others: true, complete: true };
  for (const other of ['other.ndjson', 'plain.ndjson'])
    expect(() => readRecorded(['one.ndjson', other], capture, folder)).toThrow(
      'judge what is of one key by itself',
    );
  expect(readRecorded(['one.ndjson'], capture, folder).run.capture).toEqual({ ...capture, digests: true });
});
