/** Two machines poll one job, and their clocks differ: the service is not accused for it. */
import { describe, expect, test } from 'vitest';
import { judged, JOB, line, ndjson, type Told } from './recordings.js';

const stateAt = (ms: number): object =>
  ms < 2_000
    ? { status: 'IN_QUEUE' }
    : ms < 10_000
      ? { status: 'IN_PROGRESS', delayTime: 2_000 }
      : { status: 'COMPLETED', delayTime: 2_000, executionTime: 8_000, output: { ok: true } };

const poll = (atMs: number): Told => ({
  atMs,
  op: `status/${JOB}`,
  reply: { id: JOB, ...stateAt(atMs + 20) },
});
const RUN: Told = { atMs: 0, op: 'run', body: { input: {} }, reply: { id: JOB, status: 'IN_QUEUE' } };
const each = (fromMs: number): readonly Told[] =>
  Array.from({ length: 15 }, (_, i) => poll(fromMs + i * 1_000));
/** A submits and polls; B polls half a second later, by a clock that is ahead. */
const A = [RUN, ...each(1_000)];
const B = each(1_500);

const fileOf = (told: readonly Told[], aheadMs = 0): string =>
  ndjson(told.map((one) => line({ ...one, atMs: one.atMs + aheadMs })));

describe('a service that is right', () => {
  test.each([0, 400, 600, 1_000, 2_000, 5_000, 60_000, -600, -2_000, -5_000, -60_000])(
    'B is ahead by %d ms',
    (aheadMs) => {
      for (const others of [true, false]) {
        const { failed, passed } = judged([fileOf(A), fileOf(B, aheadMs)], { others });
        expect(failed).toEqual([]);
        expect(passed).toContain('4.2/status-in-queue');
      }
    },
  );

  test('a cancel by B, whose clock is behind', () => {
    const cancelled = { id: JOB, status: 'CANCELLED' };
    const seen = [3_600, 4_600].map((atMs) => ({ ...poll(atMs), reply: cancelled }));
    const byA = [RUN, poll(1_000), poll(2_000), ...seen];
    const byB = [{ atMs: 2_500, op: `cancel/${JOB}`, reply: cancelled }];
    for (const aheadMs of [0, -1_000, 1_500])
      expect(judged([fileOf(byA), fileOf(byB, aheadMs)], { others: false }).failed).toEqual([]);
  });
});

describe('a service that forgets that the job was completed', () => {
  const running = { id: JOB, status: 'IN_PROGRESS', delayTime: 2_000 };
  const forgets = [...B.slice(0, -1), { ...B.at(-1)!, reply: running }];

  test('5 s later, by the other file, with clocks that differ by at most 1 s', () => {
    expect(judged([fileOf(A), fileOf(forgets)], { clockSkewMs: 1_000 }).failed).toContain(
      '3/completed-stays',
    );
  });

  test('fails by default where no clocks explain it: B knew the job soon after its submission', () => {
    expect(judged([fileOf(A), fileOf(forgets)]).failed).toContain('3/completed-stays');
  });

  test('fails by A alone, whose clock is one', () => {
    const byA = [...A, { ...poll(17_000), reply: running }];
    expect(judged([fileOf(byA), fileOf(B.slice(0, 3), 600)]).failed).toContain('3/completed-stays');
  });
});

test('--clock-skew 0: one clock has made all files', () => {
  const { failed } = judged([fileOf(A), fileOf(B, 5_000)], { clockSkewMs: 0 });
  expect(failed).toContain('3/completed-stays');
  const one = judged(
    [[...A, ...B].sort((left, right) => left.atMs - right.atMs)].map((told) => fileOf(told)),
  );
  const two = judged([fileOf(A), fileOf(B)], { clockSkewMs: 0 });
  expect(two.calls.map(({ sentMs, receivedMs }) => [sentMs, receivedMs])).toEqual(
    one.calls.map(({ sentMs, receivedMs }) => [sentMs, receivedMs]),
  );
});

test('files that have no job in common keep their times', () => {
  const other = A.map((one) => JSON.parse(JSON.stringify(one).replaceAll(JOB, `${JOB}-2`)) as Told);
  const { calls } = judged([fileOf(A), fileOf(other, 7)]);
  expect(calls.every(({ sentMs, receivedMs }) => receivedMs! - sentMs < 50)).toBe(true);
});

test('a clock that certainly differs is named, with the range', () => {
  const { notes } = judged([fileOf(A), fileOf(B, -5_000)]);
  expect(notes).toEqual([
    expect.stringMatching(
      /^the clock of b\.ndjson is 3\.5 to 5\.\d s behind that of a\.ndjson, as their calls/u,
    ),
  ]);
});

test('a purge by B concerns the jobs of A', () => {
  const gone = { ...poll(3_600), reply: { error: 'not found' } };
  const byA = [line(RUN), line(poll(1_000)), line(gone, { status: 404 })];
  const purge = (atMs: number): object =>
    line({ atMs, op: 'purge-queue', reply: { removed: 1, status: 'completed' } });
  expect(judged([ndjson(byA), ndjson([purge(1_500)])], { others: false }).failed).toEqual([]);
  expect(judged([ndjson(byA), ndjson([purge(4_100)])], { others: false }).failed).toEqual([]);
  expect(judged([ndjson(byA), ndjson([purge(9_000)])], { others: false }).failed).not.toEqual([]);
});
