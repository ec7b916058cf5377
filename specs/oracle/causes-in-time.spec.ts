/** What is blamed had happened by then, explains the time at which it happened, and rests on what was seen. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder, verdictOf } from './support/trace-builder.js';

const WEEK_MS = 604_800_000;
const hang = [{ hang: true }];
const sleeps = (ms: number) => [{ sleepMs: ms }, { return: 1 }];

/** On an endpoint made for the script, and on one that is deployed and shared. */
const ENDPOINTS: readonly (readonly [string, () => TraceBuilder])[] = [
  ['of its own', () => new TraceBuilder()],
  [
    'shared',
    () =>
      new TraceBuilder(
        null,
        {
          capabilities: ['scripted-worker', 'webhook-reachable'],
          clock: 'real',
          graceMs: 1_000,
          earlyMs: 20,
        },
        false,
      ),
  ],
];
/** The only worker is busy for this long, or for good. */
const busy = (trace: TraceBuilder, ms = Infinity): TraceBuilder =>
  trace
    .submitted(0, 'b', ms === Infinity ? hang : sleeps(ms), { ttl: WEEK_MS, executionTimeout: WEEK_MS })
    .seen(5, 'b', 'IN_PROGRESS');
const given = (trace: TraceBuilder, ms: number, id: string, status: string, ttlMs: number): TraceBuilder =>
  trace.call(
    ms,
    'status',
    id,
    200,
    { id, status, delayTime: 0, executionTime: status === 'FAILED' ? 15_700 : 0 },
    { query: { ttl: `${ttlMs}` } },
  );
/** `/runsync?wait=1000`, answered when its wait was over. */
const waited = (trace: TraceBuilder, policy?: { readonly ttl: number }): TraceBuilder =>
  trace.call(
    10,
    'runsync',
    null,
    200,
    { id: 'a', status: 'IN_PROGRESS' },
    {
      query: { wait: '1000' },
      body: { input: { plan: hang }, ...(policy === undefined ? {} : { policy }) },
      receivedMs: 1_010,
    },
  );

describe.each(ENDPOINTS)('on an endpoint %s, what happens later is no cause', (_, begin) => {
  test('a ttl that /status sets long after the own one was ignored', () => {
    const trace = busy(begin()).submitted(20, 'a', hang, { ttl: 11_000 }).seen(30, 'a', 'IN_QUEUE');
    given(trace.seen(35_000, 'a', 'IN_QUEUE'), 97_000, 'a', 'IN_QUEUE', 60_000);
    expect(failed(trace.judged(98_000))).toEqual(['2.2/ttl-removes-queued']);
  });

  test('the same where the call that sets it is the one that finds the job', () => {
    const trace = busy(begin()).submitted(20, 'a', hang, { ttl: 11_000 }).seen(30, 'a', 'IN_QUEUE');
    given(trace, 97_000, 'a', 'IN_QUEUE', 60_000);
    expect(failed(trace.judged(98_000))).toEqual(['2.2/ttl-removes-queued']);
  });

  test('a job FAILED when its run ended, long after its ttl, although a later call sets another one', () => {
    const trace = begin().submitted(0, 'a', sleeps(15_700), { ttl: 11_000 }).seen(10, 'a', 'IN_PROGRESS');
    trace.seen(15_800, 'a', 'FAILED', { executionTime: 15_700 });
    given(trace, 70_000, 'a', 'FAILED', 60_000);
    expect(failed(trace.judged(98_000))).toEqual(['2.2/ttl-removes-running']);
  });

  test('a retry made after a job has outlived its ttl', () => {
    const trace = begin()
      .submitted(0, 'a', [{ fail: 'x' }], { ttl: 11_000 })
      .seen(10, 'a', 'FAILED');
    trace.seen(14_000, 'a', 'FAILED').call(15_000, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' });
    expect(failed(trace.judged(16_000))).toContain('2.2/ttl-removes-failed');
  });

  test('a ttl counted from the start would not be over so soon', () => {
    const one = busy(begin(), 6_000).submitted(20, 'a', hang, { ttl: 11_000 }).seen(5_000, 'a', 'IN_QUEUE');
    one.seen(6_500, 'a', 'IN_PROGRESS').seen(14_000, 'a', 'IN_PROGRESS');
    expect(failed(one.judged(15_000))).toEqual(['2.2/ttl-starts-at-submission']);
    const other = busy(begin(), 6_000).submitted(20, 'a', hang, { ttl: 11_000 }).seen(5_000, 'a', 'IN_QUEUE');
    other.seen(6_500, 'a', 'IN_PROGRESS').seen(30_000, 'a', 'IN_PROGRESS');
    expect(failed(other.judged(31_000))).toEqual(['2.2/ttl-removes-running']);
  });

  test('nor would one that another job outlives from its start', () => {
    const ended = begin()
      .submitted(0, 'c', [{ return: 1 }], { ttl: 11_000 })
      .seen(10, 'c', 'COMPLETED');
    const trace = busy(ended, 6_000).submitted(20, 'a', hang, { ttl: 11_000 }).seen(5_000, 'a', 'IN_QUEUE');
    trace.seen(6_500, 'a', 'IN_PROGRESS').seen(14_000, 'a', 'IN_PROGRESS').seen(15_000, 'c', 'COMPLETED');
    trace.call(15_100, 'retry', 'c', 400, { error: 'has not failed' });
    const found = failed(trace.judged(26_000)).toSorted();
    expect(found).toEqual(['2.2/ttl-removes-completed', '2.2/ttl-removes-running']);
  });
});

describe.each(ENDPOINTS)('on an endpoint %s, a job removed when its wait elapses', (_, begin) => {
  const ALIVE = ['4.1/wait-leaves-job-alive'];

  test('as the next read shows', () => {
    expect(failed(waited(begin()).seen(1_100, 'a', 'GONE').judged(9_000))).toEqual(ALIVE);
  });

  test('though a read right after the answer still found it', () => {
    const trace = waited(begin()).seen(1_015, 'a', 'IN_PROGRESS').seen(1_500, 'a', 'GONE');
    expect(failed(trace.judged(9_000))).toEqual(ALIVE);
  });

  test('and whose ttl is far', () => {
    expect(failed(waited(begin(), { ttl: 600_000 }).seen(1_100, 'a', 'GONE').judged(9_000))).toEqual(ALIVE);
    const near = waited(begin(), { ttl: 10_000 }).seen(8_000, 'a', 'GONE');
    expect(failed(near.judged(9_000))[0]).toMatch(/^2\.2\/ttl-not-early-/);
  });

  test('as a cancel shows that no longer finds it', () => {
    const trace = waited(begin()).call(1_100, 'cancel', 'a', 404, { error: 'not found' });
    expect(failed(trace.judged(9_000))).toEqual(ALIVE);
  });
});

describe('an executionTimeout that counts from the submission', () => {
  const FULL = '2.2/execution-timeout-full-after-queue';

  test.each(ENDPOINTS)(
    'stops a job that has waited before it has run so long, on an endpoint %s',
    (_, begin) => {
      const trace = busy(begin(), 8_000).submitted(20, 'a', hang, { executionTimeout: 10_000 });
      trace.seen(7_000, 'a', 'IN_QUEUE').seen(8_100, 'a', 'IN_PROGRESS');
      expect(failed(trace.seen(10_100, 'a', 'TIMED_OUT').judged(12_000))).toEqual([FULL]);
    },
  );

  test('also where only the free worker shows that its run had begun', () => {
    const trace = busy(new TraceBuilder(), 8_000).submitted(20, 'a', hang, { executionTimeout: 10_000 });
    const ended = { output: 1, delayTime: 0, executionTime: 8_000 };
    trace.seen(8_050, 'b', 'COMPLETED', ended);
    expect(failed(trace.seen(17_900, 'a', 'TIMED_OUT').judged(19_000))).toEqual([FULL]);
  });

  test('the default as well', () => {
    const trace = busy(new TraceBuilder(), 400_000).submitted(20, 'a', hang);
    trace.seen(399_000, 'a', 'IN_QUEUE').seen(400_100, 'a', 'IN_PROGRESS');
    expect(failed(trace.seen(600_100, 'a', 'TIMED_OUT').judged(601_000))).toEqual([FULL]);
  });

  test('or in the queue, the default as well', () => {
    const trace = busy(new TraceBuilder()).submitted(20, 'a', hang, { executionTimeout: 10_000 });
    trace.submitted(20, 'c', hang).seen(10_100, 'a', 'TIMED_OUT').seen(599_000, 'c', 'IN_QUEUE');
    expect(failed(trace.seen(600_100, 'c', 'TIMED_OUT').judged(601_000))).toEqual([
      '2.2/execution-timeout-not-in-queue',
    ]);
  });

  test('is none where the job is stopped after half of its time, whenever it was submitted', () => {
    const trace = busy(new TraceBuilder(), 8_000).submitted(20, 'a', hang, { executionTimeout: 20_000 });
    trace.seen(7_000, 'a', 'IN_QUEUE').seen(8_100, 'a', 'IN_PROGRESS');
    expect(failed(trace.seen(18_100, 'a', 'TIMED_OUT').judged(22_000))).toEqual([
      '2.2/execution-timeout-not-early',
    ]);
  });

  test('is excluded only by a run that goes on after that time', () => {
    const run = (ms: number): TraceBuilder => {
      const trace = busy(new TraceBuilder(), 8_000).submitted(20, 'a', sleeps(ms), {
        executionTimeout: 5_000,
      });
      return trace.seen(7_900, 'a', 'IN_QUEUE').seen(8_020 + ms, 'a', 'COMPLETED', { output: 1 });
    };
    // It is over as soon as such a timer could stop it.
    expect(verdictOf(run(0).judged(20_000), FULL)).not.toBe('pass');
    expect(verdictOf(run(1_000).judged(20_000), FULL)).toBe('pass');
  });
});

test('a job that nothing has shown to run has not returned to the queue', () => {
  const trace = new TraceBuilder().submitted(10, 'a', [{ return: 1 }]);
  for (const ms of [1_000, 5_000])
    trace
      .call(ms, 'purge-queue', null, 200, { removed: 0, status: 'completed' })
      .seen(ms + 1_000, 'a', 'IN_QUEUE')
      .seen(ms + 2_000, 'a', 'IN_QUEUE');
  const found = failed(trace.judged(9_000));
  expect(found).not.toContain('3/no-return-to-queue');
  expect(found).not.toEqual([]);
});

test('what /runsync answers when its wait elapses is not shown, and proves no state', () => {
  const work = [{ sleepMs: 500 }, { return: 1 }];
  const trace = new TraceBuilder(1).submitted(0, 'other', hang, { executionTimeout: 60_000 });
  trace.seen(5, 'other', 'IN_PROGRESS');
  const body = { input: { plan: work } };
  const waits = { body, query: { wait: '1000' }, receivedMs: 1_010 };
  trace.call(10, 'runsync', null, 200, { id: 'a', status: 'IN_PROGRESS' }, waits);
  trace.seen(1_200, 'a', 'IN_QUEUE');
  expect(failed(trace.judged(2_000))).toEqual([]);
  expect(
    failed(trace.seen(1_300, 'a', 'IN_PROGRESS').seen(1_400, 'a', 'IN_QUEUE').judged(2_000)),
  ).not.toEqual([]);
});
