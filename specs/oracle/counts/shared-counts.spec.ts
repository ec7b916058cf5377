/** What `/health` counts on an endpoint that nothing else uses, but that was not made for the run. */
import { describe, expect, test } from 'vitest';
import { RUN_ITSELF, type CallEvent, type Json, type RunEvent } from '../../../src/history/events.js';
import { judge, type Findings } from '../../../src/oracle/index.js';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const LIVE: Partial<RunEvent> = {
  clock: 'real',
  graceMs: 2_000,
  earlyMs: 50,
  capabilities: ['scripted-worker', 'webhook-reachable', 'dedicated'],
};

const live = (run: Partial<RunEvent> = {}): TraceBuilder =>
  new TraceBuilder(null, { ...LIVE, ...run }, false);

type Jobs = Partial<Record<'inQueue' | 'inProgress' | 'completed' | 'failed' | 'retried', number>>;

function record(jobs: Jobs): Json {
  const all = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0, ...jobs };
  return { jobs: all, workers: { idle: 2 - Math.min(2, all.inProgress), running: all.inProgress } };
}

const count = (trace: TraceBuilder, atMs: number, jobs: Jobs): TraceBuilder =>
  trace.call(atMs, 'health', null, 200, record(jobs));

function cleanedUp(trace: TraceBuilder, atMs: number, ...ended: readonly string[]): TraceBuilder {
  trace.events.push({ kind: 'cleanup', script: 0, endpoint: 'e', atMs, ended });
  return trace;
}

const hang = [{ hang: true }];
const cancel = (trace: TraceBuilder, atMs: number, id: string): TraceBuilder =>
  trace.call(atMs, 'cancel', id, 200, { id, status: 'CANCELLED' });

/** A job runs and another one waits while they are counted. */
function busy(trace: TraceBuilder, during: Jobs = { inProgress: 1, inQueue: 1 }): TraceBuilder {
  trace.submitted(100, 'a', hang).submitted(150, 'b', hang).seen(200, 'a', 'IN_PROGRESS');
  count(trace, 3_000, during);
  return trace.seen(3_100, 'a', 'IN_PROGRESS').seen(3_150, 'b', 'IN_QUEUE');
}

function over(trace: TraceBuilder): TraceBuilder {
  return cancel(cancel(trace, 3_200, 'b'), 3_250, 'a');
}

const IDS = ['4.8/counts-in-queue', '4.8/counts-in-progress'] as const;
const verdicts = (trace: TraceBuilder): readonly (string | undefined)[] => {
  const findings = judge(trace.history(40_000));
  return IDS.map((id) => verdictOf(findings, id));
};

describe('after all jobs of the run have ended', () => {
  test.each<readonly [string, number, Jobs, readonly string[]]>([
    ['as before', 13_000, {}, ['pass', 'pass']],
    ['one still runs', 13_000, { inProgress: 1 }, ['pass', 'fail']],
    ['one still waits', 13_000, { inQueue: 1 }, ['fail', 'pass']],
    // The requirements were tested, but not by this.
    ['one still runs a little later', 11_000, { inProgress: 1 }, ['pass', 'not-exercised']],
  ])('%s', (_, atMs, jobs, wanted) => {
    expect(verdicts(count(over(busy(count(live(), 0, {}))), atMs, jobs))).toEqual(wanted);
  });

  test('a count that was never higher is not tested', () => {
    const trace = count(over(count(live(), 0, {}).submitted(100, 'a', hang)), 13_000, {});
    expect(verdicts(trace)).toEqual(['not-exercised', 'not-exercised']);
  });

  test.each([
    [0, 'told'],
    [RUN_ITSELF, 'none (the run itself, before or after its scripts)'],
  ])('a count of script %s names its scenario: %s', (script, scenario) => {
    const trace = count(over(busy(count(live(), 0, {}))), 13_000, { inProgress: 1 });
    const last = trace.events.pop() as CallEvent;
    trace.events.push({ ...last, script });
    const found = trace.judged(40_000).requirements.find(({ id }) => id === '4.8/counts-in-progress');
    expect(found?.failures.map((failure) => failure.scenario)).toEqual([scenario]);
  });

  test('what others had there before may still be there', () => {
    const trace = (most: number): TraceBuilder =>
      count(
        over(busy(count(live(), 0, { inQueue: 2, inProgress: 1 }), { inQueue: 3, inProgress: 2 })),
        13_000,
        {
          inProgress: most,
        },
      );
    expect(failed(trace(3).judged(40_000))).toEqual([]);
    expect(failed(trace(4).judged(40_000))).toEqual(['4.8/counts-in-progress']);
  });

  test('what the harness ended has ended', () => {
    const left = (): TraceBuilder => busy(count(live(), 0, {}));
    expect(failed(count(left(), 13_000, { inProgress: 1 }).judged(40_000))).toEqual([]);
    const ended = cleanedUp(left(), 3_300, 'a', 'b');
    expect(failed(count(ended, 13_000, { inProgress: 1 }).judged(40_000))).toEqual([
      '4.8/counts-in-progress',
    ]);
  });

  test.each<readonly [string, (trace: TraceBuilder) => TraceBuilder]>([
    [
      'a submission without an answer',
      (trace) => trace.call(4_000, 'run', null, null, null, { body: { input: {} } }),
    ],
    [
      'one that was answered with an error',
      (trace) => trace.call(4_000, 'run', null, 500, null, { body: { input: {} } }),
    ],
    ['a retry without an answer', (trace) => trace.call(4_000, 'retry', 'a', null, null)],
    ['a target that was lost', (trace) => trace.lost(4_000, 'health', null, 'refused')],
    ['a second use of an id', (trace) => trace.submitted(4_000, 'a', hang)],
  ])('%s may explain one more', (_, also) => {
    const trace = also(over(busy(count(live(), 0, {}))));
    expect(failed(count(trace, 13_000, { inProgress: 1 }).judged(40_000))).not.toContain(
      '4.8/counts-in-progress',
    );
  });

  test('a refused submission explains nothing', () => {
    const refused = over(busy(count(live(), 0, {}))).call(4_000, 'run', null, 400, null, {
      body: { input: 1 },
    });
    expect(failed(count(refused, 13_000, { inProgress: 1 }).judged(40_000))).toEqual([
      '4.8/counts-in-progress',
    ]);
  });

  test('a cancelled job that goes on is counted rightly', () => {
    const goesOn = over(busy(count(live(), 0, {}))).seen(7_000, 'a', 'IN_PROGRESS');
    const ids = failed(count(cleanedUp(goesOn, 8_000, 'a'), 20_000, { inProgress: 1 }).judged(40_000));
    expect(ids).toContain('3/cancel-running');
    expect(ids).not.toContain('4.8/counts-in-progress');
  });
});

describe('nothing is compared', () => {
  const leaks = (trace: TraceBuilder): readonly string[] =>
    failed(count(over(busy(trace)), 13_000, { inProgress: 1 }).judged(40_000));

  test('where others may use the endpoint', () => {
    expect(leaks(count(live({ capabilities: ['scripted-worker'] }), 0, {}))).toEqual([]);
  });

  test('without a count before the first submission', () => {
    expect(leaks(live())).toEqual([]);
  });
});

describe('while jobs are there', () => {
  test.each<readonly [string, Jobs, readonly string[]]>([
    ['counted as they are', { inProgress: 1, inQueue: 1 }, []],
    ['the running one is missing', { inQueue: 1 }, ['4.8/counts-in-progress']],
    ['the waiting one is missing', { inProgress: 1 }, ['4.8/counts-in-queue']],
    ['one too many', { inProgress: 3 }, ['4.8/counts-in-queue', '4.8/counts-in-progress']],
  ])('%s', (_, during, ids) => {
    expect(failed(over(busy(count(live(), 0, {}), during)).judged(40_000))).toEqual(ids);
  });
});

describe('a retried job that waits', () => {
  const again = [{ sleepMs: 200 }, { return: 1 }];
  const waits = (
    inQueue: number,
    planOnRetry: Json = again,
    retries = 1,
    atMs = 4_000,
  ): readonly string[] => {
    const trace = count(live(), 0, {}).submitted(
      100,
      'a',
      [],
      {},
      { input: { plan: [{ fail: 'once' }], planOnRetry } },
    );
    trace.seen(200, 'a', 'FAILED').submitted(300, 'b', hang).seen(400, 'b', 'IN_PROGRESS');
    for (let n = 0; n < retries; n += 1)
      trace.call(500 + n, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' }, { ticks: [60 + n, 70 + n] });
    count(trace.seen(700, 'a', 'IN_QUEUE'), atMs, { failed: 1, inProgress: 1, inQueue, retried: 1 });
    return failed(trace.seen(atMs + 100, 'a', 'IN_QUEUE').judged(40_000));
  };

  test('is counted', () => {
    expect(waits(1)).toEqual([]);
    expect(waits(0)).toEqual(['4.8/counts-in-queue']);
  });

  test('may be missing where it may have waited for less, or where it is open when it came back', () => {
    expect(waits(0, again, 1, 2_400)).toEqual([]);
    expect(waits(0, [{ crash: true }])).toEqual([]);
    expect(waits(0, again, 2)).toEqual([]);
  });
});

describe('a job whose ttl is over, and that nobody asked for', () => {
  const expired = (atMs: number, more: (trace: TraceBuilder) => TraceBuilder = (trace) => trace) => {
    const trace = count(live(), 0, {}).submitted(100, 'a', hang, { ttl: 10_000 });
    return failed(count(more(trace), atMs, { inQueue: 1 }).judged(60_000));
  };

  test('is not counted when counts have settled', () => {
    expect(expired(19_000)).toEqual([]);
    expect(expired(20_000)).toEqual(['4.8/counts-in-queue']);
  });

  test('may be there where it was given another ttl, or is seen there', () => {
    const given = { query: { ttl: '60000' } };
    const answer = { id: 'a', status: 'IN_QUEUE', delayTime: 100, executionTime: 0 };
    expect(expired(20_000, (trace) => trace.call(200, 'status', 'a', 200, answer, given))).toEqual([]);
    const spared = expired(20_000, (trace) => trace.seen(19_000, 'a', 'IN_QUEUE'));
    expect(spared).toEqual(['2.2/ttl-removes-queued']);
  });
});

describe('ended jobs', () => {
  const ended = (after: Jobs, atMs = 5_000): Findings => {
    const trace = count(live(), 0, { completed: 7, failed: 7 })
      .submitted(100, 'good', [{ return: 1 }])
      .submitted(150, 'bad', [{ fail: 'on purpose' }])
      .seen(400, 'good', 'COMPLETED', { output: 1 })
      .seen(450, 'bad', 'FAILED', { error: 'on purpose' });
    return count(trace, atMs, after).judged(100_000);
  };
  const done = (after: Jobs, atMs = 5_000): readonly string[] => failed(ended(after, atMs));

  test('each is tested', () => {
    const findings = ended({ completed: 8, failed: 8 });
    const ids = [
      'counts-completed',
      'completed-counts-nothing-else',
      'counts-failed',
      'failed-not-completed',
    ];
    expect(ids.map((id) => verdictOf(findings, `4.8/${id}`))).toEqual(['pass', 'pass', 'pass', 'pass']);
  });

  test.each<readonly [string, Jobs, readonly string[]]>([
    ['one more of each', { completed: 8, failed: 8 }, []],
    ['older ones do not count any more', { completed: 1, failed: 1 }, []],
    ['no completed one', { completed: 0, failed: 8 }, ['4.8/counts-completed']],
    ['no failed one', { completed: 8, failed: 0 }, ['4.8/counts-failed']],
    ['the failed one as completed', { completed: 9, failed: 8 }, ['4.8/completed-counts-nothing-else']],
    ['the completed one as failed', { completed: 8, failed: 9 }, ['4.8/failed-not-completed']],
  ])('%s', (_, after, ids) => {
    expect(done(after)).toEqual(ids);
  });

  test('counters of the last minute are back at zero', () => {
    expect(done({}, 62_000)).toEqual([]);
  });
});

describe('a purge', () => {
  const purged = (trace: TraceBuilder, removed: number): TraceBuilder =>
    trace.call(3_400, 'purge-queue', null, 200, { removed, status: 'completed' });

  test.each([
    // How many it removes exactly is decided where the number of workers is known.
    ['removes what may wait', {}, 1, 'untestable'],
    ['removes more than there can be: it counts a job that has a worker', {}, 2, 'fail'],
    ['may remove what others had there', { inQueue: 1 }, 2, 'untestable'],
  ])('%s', (_, before, removed, wanted) => {
    const trace = purged(busy(count(live(), 0, before)), removed);
    expect(verdictOf(trace.judged(40_000), '2.6/removed-counts-queued')).toBe(wanted);
  });

  const lost = (op: 'purge-queue' | 'cancel') => (trace: TraceBuilder) =>
    trace.call(3_200, op, op === 'cancel' ? 'b' : null, null, null, { receivedMs: 3_300 });
  const byGet = (trace: TraceBuilder): TraceBuilder =>
    trace.call(3_200, 'purge-queue', null, 200, {}, { method: 'GET', illegal: 'wrong-method' });
  test.each<readonly [string, (trace: TraceBuilder) => TraceBuilder, number, string]>([
    ['counts a job that waited before it and is gone after it', (trace) => trace, 1, 'untestable'],
    ['does not count it', (trace) => trace, 0, 'fail'],
    ['does not count what another purge may have removed', lost('purge-queue'), 0, 'untestable'],
    ['does not count what a cancel may have ended', lost('cancel'), 0, 'untestable'],
    ['does not count what a call by another method has removed', byGet, 0, 'untestable'],
  ])('%s', (_, between, removed, wanted) => {
    const trace = purged(between(busy(count(live(), 0, {}))), removed);
    trace.seen(3_500, 'b', 'GONE').seen(3_600, 'a', 'IN_PROGRESS');
    expect(verdictOf(trace.judged(40_000), '2.6/removed-counts-queued')).toBe(wanted);
  });

  test.each([
    [1, 'untestable'],
    [2, 'fail'],
  ])('does not count one that ended just before it: removed %i', (removed, wanted) => {
    const trace = busy(count(live(), 0, {})).submitted(3_180, 'c', [{ return: 1 }]);
    trace.seen(3_300, 'c', 'COMPLETED', { output: 1 });
    expect(verdictOf(purged(trace, removed).judged(40_000), '2.6/removed-counts-queued')).toBe(wanted);
  });

  test.each<readonly [string, number, number, string]>([
    ['before its time was up', 404, 300, 'fail'],
    ['when its time was up', 404, 1_980, 'untestable'],
    ['with an error of the service', 500, 300, 'untestable'],
  ])('does not count the job of a call that was answered %s with %i', (_, code, afterMs, wanted) => {
    const trace = count(live(), 0, {}).submitted(20, 'a', hang).submitted(40, 'b', hang);
    trace.seen(60, 'a', 'IN_PROGRESS').call(
      100,
      'runsync',
      null,
      code,
      {},
      {
        body: { input: { plan: hang } },
        query: { wait: '2000' },
        receivedMs: 100 + afterMs,
      },
    );
    expect(verdictOf(purged(trace, 2).judged(40_000), '2.6/removed-counts-queued')).toBe(wanted);
  });

  test('may count one that waits again because its worker crashed', () => {
    const trace = count(live(), 0, {}).submitted(100, 'a', [{ sleepMs: 500 }, { crash: true }]);
    trace.submitted(150, 'b', hang).seen(200, 'a', 'IN_PROGRESS').seen(3_150, 'b', 'IN_QUEUE');
    expect(verdictOf(purged(trace, 2).judged(40_000), '2.6/removed-counts-queued')).toBe('untestable');
  });
});

test.each([
  [404, []],
  [429, ['2.6/removed-counts-queued']],
])('a purge may remove the job of a waiting /runsync, which is then answered %i', (code, wanted) => {
  const trace = count(live(), 0, {})
    .submitted(100, 'a', hang)
    .submitted(150, 'b', hang)
    .seen(200, 'a', 'IN_PROGRESS');
  trace
    .call(
      300,
      'runsync',
      null,
      code,
      { error: 'not found' },
      {
        body: { input: { plan: hang } },
        receivedMs: 1_400,
        ticks: [50, 90],
      },
    )
    .call(1_000, 'purge-queue', null, 200, { removed: 2, status: 'completed' }, { ticks: [60, 61] });
  expect(failed(judge(trace.history(40_000)))).toEqual(wanted);
});
