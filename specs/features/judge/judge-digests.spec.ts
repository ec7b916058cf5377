/** `judge --save-digests`: a recording that can be passed on, and is judged alike. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { Report } from '../../../src/report/index.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';

const BASE = 'https://api.example.com/v2/abc';
const AT = 1_800_000_000_000;

const done = (answer: string): object => ({
  ...{ id: 'a', status: 'COMPLETED', delayTime: 5, executionTime: 20 },
  output: { answer },
});

const LINES = [
  ['POST', '/run', { input: { prompt: 'private' } }, { id: 'a', status: 'IN_QUEUE' }],
  ['GET', '/status/a', null, done('private too')],
  ['GET', '/status/a', null, done('changed')],
].map(([method, path, requestBody, body], index) => ({
  ...{ method, url: `${BASE}${path as string}`, start: AT + index * 1_000, ms: 10, status: 200 },
  ...{ headers: { 'content-type': 'application/json' }, requestBody, body },
}));

async function judged(io: FakeIo, ...args: readonly string[]): Promise<Report> {
  return report(1, io, args);
}

async function report(exit: number, io: FakeIo, args: readonly string[]): Promise<Report> {
  const fixed = ['--world', 'closed', '--crashes', 'no', '--min-decided', '1', '--out', 'r'];
  expect(await runCli(['judge', ...args, ...fixed, '--format', 'json'], io)).toBe(exit);
  return JSON.parse(readFileSync(join(io.cwd, 'r/report.json'), 'utf8')) as Report;
}

const verdicts = ({ requirements }: Report): unknown =>
  requirements.map(({ id, verdict, decided, failed }) => [id, verdict, decided, failed]);

test('says nothing of the payloads, and comes to the same verdicts', { timeout: 60_000 }, async () => {
  const io = createFakeIo();
  writeFileSync(join(io.cwd, 'calls.ndjson'), LINES.map((line) => JSON.stringify(line)).join('\n'));
  const plain = await judged(io, 'calls.ndjson', '--save-digests', 'digests.ndjson');
  expect(io.complained()).toContain('calls without their payloads: digests.ndjson');
  const text = readFileSync(join(io.cwd, 'digests.ndjson'), 'utf8');
  expect(text).not.toMatch(/private|changed/u);
  expect(text.trim().split('\n')).toHaveLength(4);
  const digests = await judged(io, 'digests.ndjson');
  expect(verdicts(digests)).toEqual(verdicts(plain));
  expect(digests.requirements.filter(({ failed }) => failed > 0).map(({ id }) => id)).toEqual([
    '4.3/reading-does-not-consume',
  ]);
  for (const [file, other, why] of [
    ['calls.ndjson', 'digests.ndjson', 'exists already: choose another file'],
    ['digests.ndjson', 'more.ndjson', 'has digests instead of payloads already'],
    ['r/history.ndjson', 'more.ndjson', 'takes recorded traffic, not the history of a run'],
  ] as const) {
    expect(await runCli(['judge', file, '--save-digests', other], io)).toBe(2);
    expect(io.complained()).toContain(why);
  }
});

test('says when calls are missing', { timeout: 60_000 }, async () => {
  const io = createFakeIo();
  const gap = { missing: 2, start: AT + 100, end: AT + 900 };
  writeFileSync(join(io.cwd, 'calls.ndjson'), [...LINES, gap].map((line) => JSON.stringify(line)).join('\n'));
  const plain = await report(0, io, ['calls.ndjson', '--save-digests', 'digests.ndjson']);
  expect(readFileSync(join(io.cwd, 'digests.ndjson'), 'utf8').trim().split('\n').slice(-2)).toEqual([
    // What is told in ms may be told of less than one.
    JSON.stringify({ missing: true, start: gap.start - 1, end: gap.end + 1 }),
    '{"missing":0}',
  ]);
  expect(verdicts(await report(0, io, ['digests.ndjson']))).toEqual(verdicts(plain));
});
