/** What passes a proxy is recorded: in files of bounded size and number, which say whether calls are missing. */
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecorded } from '../../../src/features/judge/recorded-traffic.js';
import { openRecordFolder, type RecordSettings } from '../../../src/judging/live/record-folder.js';
import { Recording } from '../../../src/features/proxy/recording.js';
import type { CallEvent } from '../../../src/history/events.js';
import { LiveJudge } from '../../../src/judging/live/live-judge.js';
import type { Exchange } from '../../../src/history/exchange.js';
import { namesAt } from '../../../src/traffic/index.js';
import { AT, job, LIFE, read as readCall, recordedIn, settings, watch } from './support.js';

function call(
  nth: number,
  body: string | undefined = `{"id":"job-${nth}","status":"COMPLETED","output":"private"}`,
): Exchange {
  const target = `http://service.test/v2/abc/status/job-${nth}`;
  return {
    ...{
      id: nth,
      fromMs: AT + nth * 1_000,
      byMs: AT + nth * 1_000 + 5,
      names: namesAt('GET', target, 'document'),
    },
    request: { method: 'GET', target, headers: { authorization: 'Bearer sk-1234' }, body: null },
    outcome: { kind: 'answer', status: 200, headers: { 'content-type': 'application/json' }, body },
  };
}

const folderOf = (): string => join(mkdtempSync(join(tmpdir(), 'runproof-')), 'recorded');

function recording(
  settings: RecordSettings,
  fileBytesMax?: number,
): { recording: Recording; told: string[] } {
  const told: string[] = [];
  return { recording: new Recording(settings, (reason) => told.push(reason), fileBytesMax), told };
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .sort();

interface Read {
  readonly jobs: readonly (string | undefined)[];
  readonly isComplete: boolean;
}

function read(folder: string): Read {
  const { run, parts } = readRecorded(filesIn(folder), {}, folder);
  const events = [...parts(() => undefined)].flat();
  const calls = events
    .filter((event): event is CallEvent => event.kind === 'call')
    .sort((left, right) => left.sentMs - right.sentMs);
  const jobs = calls.map(({ request }) => request.path.split('/').at(-1));
  const mayMiss = events.some((event) => event.kind === 'script' && event.mayMissCalls === true);
  return { jobs, isComplete: run.capture!.complete && !mayMiss };
}

test('what was recorded is read again, without payloads and keys, and belongs to its owner', () => {
  const folder = folderOf();
  const { recording: one } = recording(openRecordFolder(folder, false, 3));
  one.add(call(1));
  one.write(AT);
  one.add(call(2));
  one.close(AT, []);
  expect(read(folder)).toEqual({ jobs: ['job-1', 'job-2'], isComplete: true });
  const [name] = filesIn(folder);
  const text = readFileSync(join(folder, name!), 'utf8');
  expect(text).not.toMatch(/private|sk-1234/u);
  for (const file of [name!, 'digest.key']) expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
});

test('payloads are recorded if that is asked for', () => {
  const folder = folderOf();
  const { recording: one } = recording(openRecordFolder(folder, true, 3));
  one.add(call(1));
  one.close(AT, []);
  const text = readFileSync(join(folder, filesIn(folder)[0]!), 'utf8');
  expect(text).toContain('private');
  expect(text).not.toContain('sk-1234');
});

test('files are rotated, and the oldest is removed', () => {
  const folder = folderOf();
  const { recording: one } = recording(openRecordFolder(folder, false, 3), 300);
  for (let nth = 0; nth < 8; nth += 1) {
    one.add(call(nth));
    one.write(AT + nth);
  }
  one.close(AT + 8, []);
  expect(filesIn(folder)).toHaveLength(3);
  expect(read(folder)).toEqual({ jobs: ['job-5', 'job-6', 'job-7'], isComplete: true });
});

test('a recorder that is started again goes on with the same key', () => {
  const folder = folderOf();
  for (const nth of [0, 1]) {
    const { recording: one } = recording(openRecordFolder(folder, false, 3));
    one.add(call(nth));
    one.close(AT + nth, []);
  }
  expect(read(folder)).toEqual({ jobs: ['job-0', 'job-1'], isComplete: true });
});

test.each([
  ['at the end of a line', 0],
  ['in a line', 10],
])('a recorder that was killed %s may lack calls, and loses none that were over', (_, cutBytes) => {
  const folder = folderOf();
  const { recording: killed } = recording(openRecordFolder(folder, false, 3));
  killed.add(call(0));
  killed.add(call(1));
  killed.write(AT);
  const [name] = filesIn(folder);
  const text = readFileSync(join(folder, name!), 'utf8');
  writeFileSync(join(folder, name!), text.slice(0, text.length - cutBytes));
  const { recording: next } = recording(openRecordFolder(folder, false, 3));
  next.add(call(2));
  next.close(AT + 1, []);
  const jobs = cutBytes === 0 ? ['job-0', 'job-1', 'job-2'] : ['job-0', 'job-2'];
  expect(read(folder)).toEqual({ jobs, isComplete: false });
});

test.each([
  ['calls that were not told', (one: Recording) => one.miss(3, AT, AT + 5), []],
  ['calls that are not over at the end', () => undefined, [AT]],
])('%s are missing', (_, change, underWay) => {
  const folder = folderOf();
  const { recording: one } = recording(openRecordFolder(folder, false, 3));
  one.add(call(0));
  change(one);
  one.close(AT, underWay);
  expect(read(folder)).toEqual({ jobs: ['job-0'], isComplete: false });
});

test('of a job from before a pause of the recorder, no webhook counts as missing', () => {
  const early = [{ ...job(0, 'a')[0]! }, readCall(1_000, 'a', 'IN_PROGRESS')];
  const [first, ...rest] = LIFE.map((one) => ({ ...one, atMs: one.atMs + 60_000 }));
  const late = [first!, readCall(60_050, 'a', 'COMPLETED'), ...rest];
  const failing = (pause: RecordSettings['pause']): readonly string[] => {
    const folder = openRecordFolder(folderOf(), true, 100);
    for (const [told, before] of [[early, null] as const, [late, pause] as const]) {
      const { recording: one } = recording({ ...folder, pause: before });
      const live = new LiveJudge(settings({ webhooks: true }), (exchange) => one.add(exchange));
      watch(live, ...told);
      one.close(AT + told.at(-1)!.atMs, []);
    }
    return recordedIn(folder.folder, false);
  };
  expect(failing(null)).toEqual(['6/called-on-completion-run']);
  expect(failing({ fromMs: AT + 1_500, byMs: AT + 59_000 })).toEqual([]);
});

test('a failure is told once, and recording goes on when it can', () => {
  const folder = folderOf();
  const settings = openRecordFolder(folder, false, 3);
  const { recording: one, told } = recording({ ...settings, folder: join(folder, 'gone') });
  for (const atMs of [0, 20_000]) {
    one.add(call(0));
    one.write(AT + atMs);
  }
  expect(told).toHaveLength(1);
  openRecordFolder(join(folder, 'gone'), false, 3);
  one.add(call(1));
  one.write(AT + 40_000);
  one.close(AT + 40_000, []);
  expect(read(join(folder, 'gone'))).toEqual({ jobs: ['job-1'], isComplete: false });
});

test('a body that cannot be walked through harms nothing', () => {
  const folder = folderOf();
  const { recording: one } = recording(openRecordFolder(folder, false, 3));
  one.add(call(0, `{"output":${'['.repeat(200_000)}${']'.repeat(200_000)}}`));
  one.add(call(1));
  one.close(AT, []);
  expect(read(folder)).toEqual({ jobs: ['job-0', 'job-1'], isComplete: true });
});

test('calls that are missing concern the jobs that were there then, and no others', () => {
  const folder = folderOf();
  const { recording: one } = recording(openRecordFolder(folder, false, 3));
  one.add(call(0));
  one.miss(1, AT + 2_000, AT + 3_000);
  one.add({ ...call(0), fromMs: AT + 5_000, byMs: AT + 5_005 });
  one.add(call(9));
  one.close(AT + 10_000, []);
  const { parts } = readRecorded(filesIn(folder), {}, folder);
  const scripts = [...parts(() => undefined)].flat().filter(({ kind }) => kind === 'script');
  expect(scripts).toMatchObject([{ title: 'job job-0', mayMissCalls: true }, { title: 'job job-9' }]);
  expect(scripts[1]).not.toHaveProperty('mayMissCalls');
});

test('a key that is none is no reason to make another one', () => {
  const folder = folderOf();
  openRecordFolder(folder, false, 3);
  writeFileSync(join(folder, 'digest.key'), 'x');
  expect(() => openRecordFolder(folder, false, 3)).toThrow('remove that file');
});
