/** A must that recorded traffic leaves open has one reason: it never occurs, no recording decides it, or what would decide it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecorded, type GivenCapture } from '../../src/features/judge/recorded-traffic.js';
import { judgeHistory } from '../../src/features/judge/judge-history.js';
import { JUDGE_OPTIONS } from '../../src/features/judge/index.js';
import { openMusts, openMustsLine } from '../../src/report/open-musts.js';
import type { OpenBecause } from '../../src/oracle/ledger/findings.js';
import type { Report } from '../../src/report/index.js';
import type { RequirementId } from '../../src/spec/index.js';
import { Parts } from '../../src/traffic/index.js';
import { createFakeIo } from '../cli/fake-io.js';
import { JOB, LIFE, line, ndjson, type Told } from './recordings.js';

const HOUR_MS = 3_600_000;

async function reportOn(told: readonly Told[], given: GivenCapture = {}, callsMax?: number): Promise<Report> {
  const { cwd } = createFakeIo();
  writeFileSync(join(cwd, 'a.ndjson'), ndjson(told.map((one) => line(one))));
  const recorded = readRecorded(['a.ndjson'], given, cwd);
  const { run, parts } = recorded;
  const events = [...parts(() => undefined)].flatMap((part, index) => (index === 0 ? part : part.slice(1)));
  const divided =
    callsMax === undefined ? recorded : { ...recorded, parts: () => new Parts(run, callsMax).of(events) };
  return (await judgeHistory(divided)).report;
}

const of = ({ requirements }: Report, id: RequirementId) => {
  const { openBecause, reason } = requirements.find((one) => one.id === id)!;
  return [openBecause, reason];
};

const RETRY: Told = { atMs: 6_000, op: `retry/${JOB}`, reply: { id: JOB, status: 'IN_QUEUE' } };

test('says what never occurs in the recording', async () => {
  const report = await reportOn(LIFE);
  expect(of(report, '4/operation-retry')).toEqual(['never-occurs', 'no call of /retry in this recording']);
  expect(of(report, '2.2/ttl-accepted')).toEqual([
    'never-occurs',
    'no submission with a `ttl` in this recording',
  ]);
  expect(of(report, '2.1/input-null-refused-run')).toEqual([
    'never-occurs',
    'no submission to /run whose `input` is null in this recording',
  ]);
  expect(of(report, '3/retry-requeues-failed')[1]).toBe(
    'no job that has a call of /retry and an answer FAILED in this recording',
  );
  expect(of(report, '8/rate-run-above')[0]).toBe('not-judged');
  expect(of(report, '5/wrong-key-run')[0]).toBe('not-judged');
});

test('what occurs in a later part only is not said to be absent', async () => {
  const later = LIFE.map((one) => ({ ...one, atMs: one.atMs + HOUR_MS }));
  const other = (told: Told): Told =>
    JSON.parse(JSON.stringify(told).replaceAll(JOB, JOB.replace('6f', '7f'))) as Told;
  const told = [...LIFE, ...[...later, { ...RETRY, atMs: HOUR_MS + 6_000 }].map(other)];
  for (const callsMax of [1, 5_000]) {
    const report = await reportOn(told, {}, callsMax);
    expect(of(report, '4.6/no-effect-on-completed')[0]).not.toBe('never-occurs');
    expect(of(report, '4.5/this-job-only')[0]).toBe('never-occurs');
  }
});

test('counts each undecided must once, by its reason', async () => {
  const report = await reportOn(LIFE);
  const { inconclusive, 'not-exercised': notExercised } = report.totals.must;
  const counts = openMusts(report);
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(inconclusive + notExercised);
  expect(counts.get('closed-world')).toBe(report.assumptions!.costs[0]!.musts);
  expect(counts.get('closed-world')).toBeGreaterThan(0);
  expect(openMustsLine(report)).toMatch(
    /^\d+ required rules are undecided: \d+ never occur in this traffic, \d+ are not judged in recorded traffic .*, \d+ needs? --world closed, /u,
  );
  expect(openMusts(await reportOn(LIFE, { others: false })).get('closed-world')).toBe(0);
});

test('says of one that it needs or is, and of more that they need or are', async () => {
  const report = await reportOn(LIFE);
  const one = (openBecause: OpenBecause) => ({
    ...report.requirements[0]!,
    ...({ level: 'must', verdict: 'not-exercised', openBecause } as const),
  });
  const lineOf = (...reasons: readonly OpenBecause[]) =>
    openMustsLine({ ...report, requirements: reasons.map(one) });
  expect(lineOf('never-occurs', 'closed-world', 'otherwise')).toBe(
    '3 required rules are undecided: 1 never occurs in this traffic, 1 needs --world closed, 1 is undecided for another reason',
  );
  expect(lineOf('closed-world', 'closed-world')).toBe(
    '2 required rules are undecided: 2 need --world closed',
  );
});

test('names no option that judge does not have', async () => {
  const { requirements } = await reportOn(LIFE);
  const own = Object.keys(JUDGE_OPTIONS);
  const named = requirements.flatMap(({ verdict, reason }) =>
    verdict === 'not-applicable'
      ? []
      : [...(reason ?? '').replaceAll(/`proxy [^`]*`/gu, '').matchAll(/--([a-z-]+)/gu)],
  );
  expect(named.length).toBeGreaterThan(0);
  for (const [, option] of named) expect(own).toContain(option);
});
