/** `judge` of recorded traffic says what it assumes, and what options decide more: by the recording, and by its history. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { Report } from '../../../src/report/index.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';

const BASE = 'https://api.example.com/v2/abc';

const call = (at: number, more: object, reply: object): object => ({
  ...{ method: 'GET', start: 1_800_000_000_000 + at, ms: 10, status: 200 },
  ...{ headers: { 'content-type': 'application/json' }, body: { id: 'a', ...reply } },
  ...more,
});

const LINES = [
  call(0, { method: 'POST', url: `${BASE}/run`, requestBody: { input: {} } }, { status: 'IN_QUEUE' }),
  call(100, { url: `${BASE}/status/a` }, { status: 'IN_PROGRESS', delayTime: 50 }),
  ...[20_000, 30_000].map((at) =>
    call(at, { url: `${BASE}/status/a` }, { status: 'COMPLETED', delayTime: 50, executionTime: 19_000 }),
  ),
];

async function judged(io: FakeIo, file: string, ...options: readonly string[]): Promise<Report> {
  const fixed = ['--min-decided', '1', '--out', 'r', '--format', 'terminal,json'];
  expect(await runCli(['judge', file, ...fixed, ...options], io)).toBe(0);
  return JSON.parse(readFileSync(join(io.cwd, 'r/report.json'), 'utf8')) as Report;
}

const costsOf = ({ assumptions }: Report): unknown =>
  assumptions?.costs.map(({ assumed, instead, musts }) => [assumed.join(), instead, musts! > 0]);

test('names the options that decide more, which do so', { timeout: 60_000 }, async () => {
  const io = createFakeIo();
  writeFileSync(join(io.cwd, 'calls.ndjson'), LINES.map((line) => JSON.stringify(line)).join('\n'));
  const open = await judged(io, 'calls.ndjson');
  expect(costsOf(open)).toEqual([
    ['others', '--world closed', true],
    ['crashes', '--crashes no', false],
    ['others,crashes', '--world closed --crashes no', true],
  ]);
  expect(io.printed()).toMatch(
    /^  other clients may use the endpoint: costs 1 required rule, which --world closed would decide$/mu,
  );
  const told = open.requirements.filter(({ reason }) => reason?.includes('--world closed would decide it'));
  expect(told.length).toBe(open.assumptions!.costs[0]!.musts);
  writeFileSync(join(io.cwd, 'history.ndjson'), readFileSync(join(io.cwd, 'r/history.ndjson')));

  const closed = await judged(io, 'calls.ndjson', '--world', 'closed');
  expect(closed.totals.must.pass).toBe(open.totals.must.pass + told.length);
  expect(costsOf(closed)).toEqual([['crashes', '--crashes no', true]]);

  // The history remembers what was assumed, and takes the same options.
  const again = await judged(io, 'history.ndjson');
  expect(again.assumptions).toEqual(open.assumptions);
  const closedAgain = await judged(io, 'history.ndjson', '--world', 'closed');
  expect(closedAgain.requirements).toEqual(closed.requirements);
  const sure = await judged(io, 'history.ndjson', '--world', 'closed', '--crashes', 'no');
  expect(sure.assumptions).toBeUndefined();
});

test('says that calls are missing where a line cannot be read', { timeout: 60_000 }, async () => {
  const io = createFakeIo();
  const lines = [...LINES.map((line) => JSON.stringify(line)), '{"method":"GET"}'];
  writeFileSync(join(io.cwd, 'calls.ndjson'), lines.join('\n'));
  const report = await judged(io, 'calls.ndjson', '--world', 'closed', '--crashes', 'no');
  expect(costsOf(report)).toEqual([['missing-calls', null, true]]);
  const again = await judged(io, 'r/history.ndjson', '--complete', 'yes');
  expect(costsOf(again)).toEqual([['missing-calls', null, true]]);
});

test('of the HAR of a report, names its history, which decides more', { timeout: 60_000 }, async () => {
  const io = createFakeIo();
  writeFileSync(join(io.cwd, 'calls.ndjson'), LINES.map((line) => JSON.stringify(line)).join('\n'));
  await judged(io, 'calls.ndjson', '--format', 'har');
  expect(io.complained()).not.toContain('history.ndjson');
  await judged(io, 'r/calls.har');
  expect(io.complained()).toMatch(/^next: .* judge r\/history\.ndjson +decide more/mu);
});

test('refuses calls of a server whose clock test control moved meanwhile', async () => {
  const io = createFakeIo();
  const address = 'https://api.example.com/_control/clock/advance';
  const advance = call(50, { method: 'POST', url: address, requestBody: { byMs: 9 } }, {});
  const refused = [...LINES, { ...advance, body: { nowMs: 9 } }];
  writeFileSync(join(io.cwd, 'calls.ndjson'), refused.map((line) => JSON.stringify(line)).join('\n'));
  expect(await runCli(['judge', 'calls.ndjson'], io)).toBe(2);
  expect(io.complained()).toContain('test control moves the clock of the service');
});
