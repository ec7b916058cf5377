/** Rates: whatever the algorithm, what it may do is not failed, and what none may do is. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder } from '../support/trace-builder.js';

describe('rates: every algorithm is legal', () => {
  /** `/purge-queue`, 2 in 10 s, with no worker that could raise the limit. */
  const purges = (...calls: readonly (readonly [ms: number, code: number])[]): TraceBuilder => {
    const trace = new TraceBuilder(0);
    for (const [ms, code] of calls)
      trace.call(
        ms,
        'purge-queue',
        null,
        code,
        code === 200 ? { removed: 0, status: 'completed' } : { error: 'rate' },
      );
    return trace;
  };

  test.each([
    [
      'a sliding window',
      [
        [0, 200],
        [0, 200],
        [0, 429],
        [9_000, 429],
        [10_001, 200],
      ],
    ],
    [
      'fixed windows',
      [
        [9_900, 200],
        [9_900, 200],
        [9_950, 429],
        [10_000, 200],
        [10_000, 200],
        [10_000, 429],
      ],
    ],
    [
      'a bucket refilled steadily',
      [
        [0, 200],
        [0, 200],
        [0, 429],
        [5_000, 200],
        [5_000, 429],
        [10_000, 200],
      ],
    ],
    [
      'a window that refused calls prolong',
      [
        [0, 200],
        [0, 200],
        [0, 429],
        [9_999, 429],
        [9_999, 429],
        [10_100, 429],
        [30_000, 200],
      ],
    ],
  ] as const)('%s', (_, calls) => {
    expect(failed(purges(...(calls as never as [number, number][])).judged(40_000))).toEqual([]);
  });

  test('a limit below the document’s is none of them', () => {
    expect(failed(purges([0, 200], [0, 429]).judged(20_000))).toEqual(['8/rate-purge-queue-below']);
  });

  test('a missing limit shows within one instant', () => {
    expect(failed(purges([0, 200], [0, 200], [0, 200]).judged(20_000))).toEqual(['8/rate-purge-queue-above']);
  });

  test('an allowance that is never restored', () => {
    expect(failed(purges([0, 200], [0, 200], [0, 429], [25_000, 429]).judged(40_000))).toEqual([
      '8/rate-purge-queue-recovers',
    ]);
  });
});

describe('rates on an endpoint that existed before the run and has no other clients', () => {
  const trace = (
    op: 'purge-queue' | 'cancel',
    ...calls: readonly (readonly [ms: number, code: number])[]
  ): TraceBuilder => {
    const shared = new TraceBuilder(
      null,
      { clock: 'real', capabilities: ['scripted-worker', 'dedicated'] },
      false,
    );
    for (const [ms, code] of calls)
      shared.call(
        ms,
        op,
        op === 'cancel' ? 'none' : null,
        code,
        code === 200 ? PURGED : { error: 'refused' },
      );
    return shared;
  };
  const PURGED = { removed: 0, status: 'completed' };

  test('an allowance used up before the run is not held against the target', () => {
    expect(failed(trace('purge-queue', [0, 200], [100, 429], [19_000, 429]).judged(40_000))).toEqual([]);
  });

  test('a refusal two windows later is a violation', () => {
    expect(failed(trace('purge-queue', [0, 200], [25_000, 200], [25_100, 429]).judged(40_000))).toEqual([
      '8/rate-purge-queue-below',
    ]);
  });

  test('jobs are ended by calls that are not in the history', () => {
    expect(failed(trace('cancel', [0, 404], [25_000, 404], [25_100, 429]).judged(40_000))).toEqual([]);
  });

  test('workers from before the run may have raised the limit', () => {
    const many = Array.from({ length: 9 }, (): [number, number] => [25_000, 200]);
    expect(failed(trace('purge-queue', [0, 200], ...many).judged(40_000))).toEqual([]);
  });

  test('a refusal beyond the limit is judged, and so is what follows', () => {
    const calls = trace('purge-queue', [0, 200], [100, 200], [200, 429], [300, 429], [20_000, 200]);
    const passed = calls
      .judged(40_000)
      .requirements.filter(({ verdict, id }) => verdict === 'pass' && id.startsWith('8/rate-purge'));
    expect(passed.map(({ id }) => id)).toEqual([
      '8/rate-purge-queue-below',
      '8/rate-purge-queue-above',
      '8/rate-purge-queue-recovers',
    ]);
  });
});

describe('rates of paths that are answered with errors', () => {
  /** `/cancel`s of jobs that are not there show whether calls that fail are counted. */
  const trace = (
    workers: number,
    code: number,
    cancels: 'counted' | 'not-counted' | 'none',
  ): TraceBuilder => {
    const one = new TraceBuilder(workers);
    const limit = cancels === 'counted' ? 100 : Infinity;
    for (let nth = 0; nth < (cancels === 'none' ? 0 : 250); nth += 1)
      one.call(0, 'cancel', 'none', nth < limit ? 404 : 429, { error: 'no' });
    for (let nth = 0; nth < 2_001; nth += 1)
      one.call(60_000, 'openai', null, code, { error: 'no such model' }, { body: {} });
    return one;
  };
  const ID = '8/rate-openai-above';
  const finding = (one: TraceBuilder) => one.judged(90_000).requirements.find(({ id }) => id === ID)!;

  test.each([400, 422, 500])('%i: calls beyond the rate are not refused, and failed ones count', (code) => {
    expect(finding(trace(0, code, 'counted')).verdict).toBe('fail');
  });

  test.each([
    ['failed calls do not count', trace(0, 400, 'not-counted'), '8/failed-calls-count'],
    ['whether they do is not known', trace(0, 400, 'none'), '8/failed-calls-count'],
    ['workers may have raised the limit', trace(1, 400, 'counted'), 'workers'],
  ])('%s', (_, one, reason) => {
    expect(finding(one)).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining(reason) });
  });

  test.each([404, 405, 501])('%i: the path is not served', (code) => {
    expect(finding(trace(0, code, 'counted')).verdict).toBe('not-exercised');
  });
});
