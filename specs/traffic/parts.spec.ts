/** Traffic is judged in parts, each a history of its own: no part lacks a call on its jobs. */
import { expect, test } from 'vitest';
import type { CallEvent, HistoryEvent } from '../../src/history/events.js';
import { judge } from '../../src/oracle/index.js';
import type { TrafficFile } from '../../src/traffic/reading/files.js';
import { Traffic } from '../../src/traffic/reading/read-traffic.js';
import { Parts } from '../../src/traffic/index.js';
import { runHeader } from '../support/run-header.js';

const BASE = 'https://api.example.com/v2/abc';
const RUN = {
  ...runHeader({ target: { kind: 'http', name: BASE }, capabilities: [] }),
  ...{ clock: 'real' as const, graceMs: 2_000, earlyMs: 50, capture: { others: false, complete: true } },
};

interface Told {
  readonly atMs: number;
  readonly op: string;
  readonly reply: object;
}

const file = (told: readonly Told[]): TrafficFile => {
  const lines = told.map(({ atMs, op, reply }) =>
    JSON.stringify({
      method: op.startsWith('status') ? 'GET' : 'POST',
      url: `${BASE}/${op}`,
      requestBody: op === 'run' ? { input: {} } : null,
      ...{ status: 200, body: reply, start: 1_800_000_000_000 + atMs, ms: 20 },
    }),
  );
  return { name: 'calls.ndjson', pieces: () => [Buffer.from(lines.join('\n'))] };
};

const life = (id: string, fromMs: number, ...states: readonly string[]): readonly Told[] => [
  { atMs: fromMs, op: 'run', reply: { id, status: 'IN_QUEUE' } },
  ...states.map((status, nth) => ({
    atMs: fromMs + 1_000 * (nth + 1),
    op: `status/${id}`,
    reply: { id, status, delayTime: 0, ...(status === 'IN_QUEUE' ? {} : { executionTime: 1 }) },
  })),
];

const inTime = (told: readonly Told[]): readonly Told[] =>
  told.toSorted((left, right) => left.atMs - right.atMs);
const partsOf = (told: readonly Told[], callsMax: number): readonly (readonly HistoryEvent[])[] => [
  ...new Parts(RUN, callsMax).of(new Traffic([file(inTime(told))]).events(RUN)),
];
const callsIn = (part: readonly HistoryEvent[]): readonly string[] =>
  part
    .filter((event): event is CallEvent => event.kind === 'call')
    .map(({ request: { path } }) => path.slice('/v2/abc/'.length));
const failedIn = (parts: readonly (readonly HistoryEvent[])[]): readonly string[] =>
  parts.flatMap((part) =>
    judge(part).requirements.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : [])),
  );

const DAY_MS = 86_400_000;

test('a job is in one part with all its calls, in their order', () => {
  const told = [
    ...life('a', 0, 'IN_PROGRESS', 'COMPLETED'),
    ...life('b', 500, 'COMPLETED'),
    ...life('c', 2 * DAY_MS, 'COMPLETED'),
  ];
  expect(partsOf(told, 3).map(callsIn)).toEqual([
    ['run', 'run', 'status/a', 'status/b', 'status/a'],
    ['run', 'status/c'],
  ]);
});

test('each part is a history: the run first, scripts begun and ended, positions without a gap', () => {
  const told = [
    ...life('a', 0, 'COMPLETED'),
    ...life('b', 500, 'COMPLETED'),
    ...life('c', 2 * DAY_MS, 'FAILED'),
  ];
  const parts = partsOf(told, 1);
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts) {
    const ticks = part.flatMap((event) => (event.kind === 'call' ? [event.sentTick, event.endedTick!] : []));
    expect(ticks.toSorted((left, right) => left - right)).toEqual(ticks.map((_, index) => index));
    const open = new Set<number>();
    // And what other parts tell of the service.
    expect(part[0]).toMatchObject(RUN);
    for (const event of part.slice(1)) {
      if (event.kind === 'script') open.add(event.script);
      else if (event.kind === 'script-end') open.delete(event.script);
      else expect(open).toContain((event as CallEvent).script);
    }
    expect(open.size).toBe(0);
  }
});

test('a purge is in the part of each job that it may have removed', () => {
  const purge = { atMs: 3_000, op: 'purge-queue', reply: { removed: 2, status: 'completed' } };
  const gone = { status: 'CANCELLED', delayTime: 0, executionTime: 0 };
  const told = [
    ...life('a', 0),
    ...life('b', 500),
    ...life('c', 5_000, 'COMPLETED'),
    purge,
    { atMs: 4_000, op: 'status/a', reply: { ...gone, id: 'a' } },
    { atMs: DAY_MS / 2, op: 'status/b', reply: { ...gone, id: 'b' } },
    ...life('d', 2 * DAY_MS, 'COMPLETED'),
  ];
  const parts = partsOf(told, 1);
  const partWith = (path: string): readonly string[] =>
    parts.map(callsIn).find((calls) => calls.includes(path))!;
  expect(partWith('status/a')).toContain('purge-queue');
  expect(partWith('status/b')).toContain('purge-queue');
  expect(partWith('status/c')).not.toContain('purge-queue');
  expect(failedIn(parts)).toEqual([]);
  // What it has left in the queue fails, however much later that is seen.
  const left = { atMs: DAY_MS / 2, op: 'status/b', reply: { id: 'b', status: 'IN_QUEUE', delayTime: 0 } };
  expect(
    failedIn(
      partsOf(
        told.map((one) => (one.op === 'status/b' ? left : one)),
        1,
      ),
    ),
  ).not.toEqual([]);
});

test('what fails in the whole fails in its part', () => {
  const told = [
    ...life('a', 0, 'COMPLETED', 'IN_PROGRESS'),
    ...life('b', 500, 'COMPLETED'),
    ...life('c', 2 * DAY_MS, 'COMPLETED'),
  ];
  const whole = failedIn(partsOf(told, 5_000));
  expect(whole).not.toEqual([]);
  expect(failedIn(partsOf(told, 1))).toEqual(whole);
});

test('headers that are not in a recording do not fail', () => {
  const failed = failedIn(partsOf(life('a', 0, 'COMPLETED'), 1));
  expect(failed.filter((id) => id.includes('content-type'))).toEqual([]);
});

test('memory is bounded: the jobs that were not asked about for longest are over', () => {
  const jobs = Array.from({ length: 300 }, (_, nth) => life(`j${nth}`, nth * 10, 'IN_QUEUE', 'COMPLETED'));
  const most = (heldMax: number): number => {
    const traffic = new Traffic([file(inTime(jobs.flat()))]);
    let open = 0;
    let opened = 0;
    for (const { kind } of traffic.events(RUN, heldMax)) {
      if (kind === 'script') open += 1;
      if (kind === 'script-end') open -= 1;
      opened = Math.max(opened, open);
    }
    return opened;
  };
  expect(most(1e9)).toBe(300);
  expect(most(50_000)).toBeLessThan(130);
});

test('of a job that is polled for long, a look takes the first and the last reads of each status', () => {
  const states = [...Array<string>(500).fill('IN_PROGRESS'), ...Array<string>(500).fill('COMPLETED')];
  const parts = new Parts(RUN);
  const events = [...new Traffic([file(life('a', 0, ...states, 'IN_PROGRESS'))]).events(RUN)];
  for (const event of events) if (event.kind !== 'run' && event.kind !== 'script-end') parts.take(event);
  const [end] = events.filter((event) => event.kind === 'script-end');
  const look = parts.soFar([end!.script], [], () => end!)!;
  expect(callsIn(look).length).toBe(1 + 2 * (3 + 20) + 1);
  const calls = look.filter((event) => event.kind === 'call');
  expect(calls.at(-1)!.reply!.body).toMatchObject({ value: { status: 'IN_PROGRESS' } });
  expect(failedIn([look])).not.toEqual([]);
});
