/** A purge counts the jobs that it removed: at least those that recorded clients see no more, where nothing else removed them. */
import { expect, test } from 'vitest';
import { judged, line, ndjson, type Told } from './recordings.js';

const COUNTED = '2.6/removed-counts-queued';
const IDS = ['a', 'b', 'c'].map((name) => `6f1c2a9e-47d3-4c0b-9b56-2f8f6f1f3d1${name}`);

const calls = (states: readonly string[], ...more: readonly Told[]): readonly Told[] => [
  ...IDS.map((id, nth) => ({
    ...{ atMs: nth * 100, op: 'run', body: { input: {} }, reply: { id, status: 'IN_QUEUE' } },
  })),
  ...IDS.map((id, nth) => ({
    atMs: 1_000 + nth * 100,
    op: `status/${id}`,
    reply: { id, status: states[nth] },
  })),
  ...more,
];
const purge = (removed: unknown, atMs = 2_000): Told => ({
  ...{ atMs, op: 'purge-queue', reply: { removed, status: 'completed' } },
});
/** The jobs are found no more. */
const gone = IDS.map((id, nth) =>
  line({ atMs: 3_000 + nth * 100, op: `status/${id}`, reply: {} }, { status: 404 }),
);
const failed = (told: readonly Told[], others = false): readonly string[] =>
  judged([ndjson([...told.map((one) => line(one)), ...gone])], { others, crashes: false }).failed;

const WAITING = ['IN_QUEUE', 'IN_QUEUE', 'IN_QUEUE'];

test.each([0, 1, 2])('of three jobs that waited and are gone, a purge says that it removed %i', (removed) => {
  expect(failed(calls(WAITING, purge(removed)))).toContain(COUNTED);
});

test.each([
  ['it says so', calls(WAITING, purge(3))],
  ['others may have waited, too', calls(WAITING, purge(20))],
  ['another purge did', calls(WAITING, purge(3, 1_500), purge(0))],
  ['either of two did', calls(WAITING, purge(3, 2_000), purge(0, 2_010))],
  ['two of one instant may have removed as many each', calls(WAITING, purge(2), purge(2))],
  ['it does not say how many', calls(WAITING, purge('three'))],
])('nothing fails where %s', (_, told) => {
  expect(failed(told)).not.toContain(COUNTED);
});

test('nothing fails where other clients may have removed them', () => {
  expect(failed(calls(WAITING, purge(0)), true)).toEqual([]);
});
