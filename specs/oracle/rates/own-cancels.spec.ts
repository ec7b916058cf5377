/** What the harness sends to end jobs counts for the limit of /cancel: a refusal is wrong only where all cancels are few. */
import { expect, test } from 'vitest';
import { RUN_ITSELF, type RunEvent } from '../../../src/history/events.js';
import { judge } from '../../../src/oracle/index.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const LIVE: Partial<RunEvent> = {
  clock: 'real',
  graceMs: 2_000,
  earlyMs: 50,
  capabilities: ['scripted-worker', 'dedicated'],
};
const LATER_MS = 60_000;

interface Swept {
  readonly atMs: number;
  readonly cancels: number;
  readonly limited: number;
}

/** One call at the beginning, and cleanups later, each within a second. */
function run(...swept: readonly Swept[]): TraceBuilder {
  const trace = new TraceBuilder(null, LIVE, false).call(0, 'health', null, 200, { jobs: {}, workers: {} });
  for (const { atMs, ...counts } of swept)
    trace.events.push({
      ...{ kind: 'cleanup', script: RUN_ITSELF, endpoint: 'e', ended: [] },
      ...{ fromMs: atMs, atMs: atMs + 1_000, ...counts },
    });
  return trace;
}
const broken = (trace: TraceBuilder): readonly string[] =>
  failed(judge(trace.history(3 * LATER_MS))).filter((id) => id.startsWith('8/'));

test('few cancels, and one refused: the limit is too low', () => {
  expect(broken(run({ atMs: LATER_MS, cancels: 12, limited: 3 }))).toEqual(['8/rate-cancel-below']);
});

test('as many as the limit allows, within ten seconds, may be refused', () => {
  const before = { atMs: LATER_MS - 5_000, cancels: 90, limited: 0 };
  expect(broken(run(before, { atMs: LATER_MS, cancels: 12, limited: 3 }))).toEqual([]);
});

test('what was sent right before the run is not known', () => {
  expect(broken(run({ atMs: 5_000, cancels: 12, limited: 3 }))).toEqual([]);
});

test('so many at once may be too many for the concurrency', () => {
  const beside = { cancels: 12, limited: 1 };
  const three = [0, 1, 2].map((nth) => ({ atMs: LATER_MS + nth, ...beside }));
  expect(broken(run(...three))).toEqual([]);
});

test('where calls of another operation were as many as the limit, that one has used it up', () => {
  const trace = run({ atMs: LATER_MS, cancels: 12, limited: 3 });
  for (let nth = 0; nth < 100; nth += 1) trace.call(LATER_MS - 500, 'status', 'none', 404, {});
  expect(broken(trace)).toEqual(['8/rate-per-operation']);
});

test('where it has used it up for one refusal, it has for another after more cancels', () => {
  const before = { atMs: 2 * LATER_MS - 5_000, cancels: 60, limited: 0 };
  const trace = run({ atMs: LATER_MS, cancels: 12, limited: 3 }, before, {
    atMs: 2 * LATER_MS,
    cancels: 12,
    limited: 3,
  });
  for (const ms of [LATER_MS, 2 * LATER_MS])
    for (let nth = 0; nth < 100; nth += 1) trace.call(ms - 500, 'status', 'none', 404, {});
  expect(broken(trace)).toEqual(['8/rate-per-operation']);
});

test('a window that is as late as timers may be still holds what was sent before', () => {
  const before = { atMs: LATER_MS - 12_500, cancels: 95, limited: 0 };
  expect(broken(run(before, { atMs: LATER_MS, cancels: 12, limited: 3 }))).toEqual([]);
});

test('calls without a key may count', () => {
  const trace = run({ atMs: LATER_MS, cancels: 12, limited: 3 });
  for (let nth = 0; nth < 100; nth += 1)
    trace.call(LATER_MS - 500, 'cancel', 'none', 401, {}, { auth: 'missing' });
  expect(broken(trace)).toEqual([]);
});
