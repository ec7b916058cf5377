/** A requirement whose sentence ranges over several cases passes once each was decided, and says before which were not. */
import { describe, expect, test } from 'vitest';
import { RATE_PAIRS, rateBefore } from '../../../src/oracle/observed/instances.js';
import type { HistoryEvent } from '../../../src/history/events.js';
import type { RequirementFinding } from '../../../src/oracle/index.js';
import { TraceBuilder } from '../support/trace-builder.js';

const found = (trace: TraceBuilder, id: string): RequirementFinding =>
  trace.judged(60_000).requirements.find((one) => one.id === id)!;
const refusal = { error: 'no such key' };
const hang = [{ hang: true }];
const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };
/** It fails once, and never ends after a retry. */
const failsOnce = (trace: TraceBuilder, id: string): TraceBuilder =>
  trace.call(
    0,
    'run',
    null,
    200,
    { id, status: 'IN_QUEUE' },
    { body: { input: { plan: [{ fail: 'once' }], planOnRetry: hang }, policy: FAR } },
  );

describe('5/wrong-key-health', () => {
  const accepted = (): TraceBuilder =>
    new TraceBuilder(1).call(0, 'health', null, 200, { jobs: {}, workers: {} });

  test('is open while only the bare key was tried', () => {
    const { verdict, reason } = found(
      accepted().call(10, 'health', null, 401, refusal, { auth: 'wrong' }),
      '5/wrong-key-health',
    );
    expect([verdict, reason]).toEqual(['inconclusive', '1 of 2 cases were decided; not: after Bearer']);
  });

  test('passes by both, and fails by one', () => {
    const both = accepted()
      .call(10, 'health', null, 401, refusal, { auth: 'wrong' })
      .call(20, 'health', null, 401, refusal, { auth: 'wrong-bearer' });
    expect(found(both, '5/wrong-key-health').verdict).toBe('pass');
    const one = accepted().call(20, 'health', null, 200, { jobs: {}, workers: {} }, { auth: 'wrong-bearer' });
    expect(found(one, '5/wrong-key-health').verdict).toBe('fail');
  });
});

describe('8/rate-per-operation', () => {
  const ID = '8/rate-per-operation';
  const cancelsAndPurge = (code: number): RequirementFinding => {
    const trace = new TraceBuilder(0);
    for (let one = 0; one < 2; one += 1) trace.call(0, 'cancel', 'none', 404, refusal);
    trace.call(0, 'cancel', 'none', 404, refusal);
    return found(
      trace.call(10, 'purge-queue', null, code, code === 200 ? { removed: 0, status: 'completed' } : refusal),
      ID,
    );
  };

  test('counts two cancels before a purge as one case', () => {
    const { verdict, reason } = cancelsAndPurge(200);
    expect(verdict).toBe('inconclusive');
    expect(reason).toMatch(/^1 of 18 cases were decided; not: /);
    expect(RATE_PAIRS.map((pair) => rateBefore(...pair))).toContain('/cancel before /purge-queue');
  });

  test('fails where the purge is refused', () => {
    expect(cancelsAndPurge(429).verdict).toBe('fail');
  });
});

describe('2.2/ttl-not-restarted-by-reading', () => {
  test.each([
    [['status'], '1 of 2 cases were decided; not: /stream'],
    [['status', 'stream'], null],
  ] as const)('is decided by %s', (reads, left) => {
    const trace = new TraceBuilder(0).submitted(0, 'a', hang, { ttl: 10_000 }).seen(5_000, 'a', 'IN_QUEUE');
    if (reads.length > 1) trace.call(6_000, 'stream', 'a', 200, []);
    trace.call(13_000, 'status', 'a', 404, { error: 'gone' });
    expect(found(trace, '2.2/ttl-not-restarted-by-reading').reason).toBe(left);
  });
});

describe('4.3/ttl-lengthens-life', () => {
  test.each([
    ['IN_PROGRESS', '1 of 2 cases were decided; not: waiting'],
    ['IN_QUEUE', '1 of 2 cases were decided; not: running'],
  ])('of a job that was %s when it was given the ttl', (status, left) => {
    const trace = new TraceBuilder(status === 'IN_QUEUE' ? 0 : 1)
      .submitted(0, 'a', hang, { ttl: 10_000 })
      .call(1_000, 'status', 'a', 200, { id: 'a', status }, { query: { ttl: '20000' } })
      .seen(19_000, 'a', status);
    expect(found(trace, '4.3/ttl-lengthens-life').reason).toBe(left);
  });
});

test('4.3/ttl-shortens-life is decided by a job that was last seen running before it was given a ttl that is over', () => {
  const trace = new TraceBuilder(1)
    .submitted(0, 'a', hang, FAR)
    .seen(15_000, 'a', 'IN_PROGRESS')
    .call(15_100, 'status', 'a', 404, refusal, { query: { ttl: '10000' } })
    .seen(25_500, 'a', 'GONE');
  expect(found(trace, '4.3/ttl-shortens-life').reason).toBe('1 of 2 cases were decided; not: waiting');
});

describe('4.5/cancels-retried-job', () => {
  const ID = '4.5/cancels-retried-job';
  /** It waits or runs again, and is cancelled at once. */
  const cancelled = (trace: TraceBuilder, status: string): TraceBuilder =>
    failsOnce(trace, 'a')
      .seen(50, 'a', 'FAILED')
      .submitted(1_000, 'b', hang)
      .seen(1_010, 'b', 'IN_PROGRESS')
      .call(1_100, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(1_110, 'a', status)
      .call(1_200, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' })
      .seen(1_210, 'a', 'CANCELLED')
      .seen(2_000, 'b', 'IN_PROGRESS');

  test('waited while the only worker had another job', () => {
    expect(found(cancelled(new TraceBuilder(1), 'IN_QUEUE'), ID).reason).toBe(
      '1 of 2 cases were decided; not: running',
    );
  });

  test('may have started since it was seen, where another worker may have been free', () => {
    expect(found(cancelled(new TraceBuilder(2), 'IN_QUEUE'), ID).decided).toBe(0);
  });

  test('ran', () => {
    expect(found(cancelled(new TraceBuilder(2), 'IN_PROGRESS'), ID).reason).toBe(
      '1 of 2 cases were decided; not: waiting',
    );
  });
});

test('4.6/retried-job-not-expired is decided by a job that waits and by one that runs', () => {
  const trace = new TraceBuilder(1);
  for (const id of ['a', 'b']) failsOnce(trace, id).seen(100, id, 'FAILED');
  for (const id of ['a', 'b']) trace.call(200, 'retry', id, 200, { id, status: 'IN_QUEUE' });
  trace.seen(300, 'a', 'IN_PROGRESS').seen(1_900_000, 'b', 'IN_QUEUE');
  const left = (): string | null => found(trace, '4.6/retried-job-not-expired').reason;
  expect(left()).toBe('1 of 2 cases were decided; not: running');
  trace.seen(1_900_100, 'a', 'IN_PROGRESS');
  expect(left()).toBe(null);
});

describe('3/invalid-submission-creates-nothing', () => {
  const ID = '3/invalid-submission-creates-nothing';
  const empty = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };
  const counted = (trace: TraceBuilder): RequirementFinding =>
    found(trace.call(5_000, 'health', null, 200, { jobs: empty, workers: { idle: 0, running: 0 } }), ID);
  const large = 21 * 1024 * 1024;

  test.each([
    ['no body', 400, undefined, 'no JSON object'],
    ['a text as input', 400, { input: 'text' }, 'without an input object'],
    // Any code refuses it, and none of another job's end says that it is too large.
    ['too many bytes', 413, { input: { text: 'x'.repeat(large) } }, 'too large'],
  ])('with %s counts as one case of each operation', (_, code, body, what) => {
    const refused = (op: 'run' | 'runsync', trace: TraceBuilder): TraceBuilder =>
      trace.call(0, op, null, code, refusal, { illegal: what, ...(body === undefined ? {} : { body }) });
    const both = counted(refused('runsync', refused('run', new TraceBuilder(0))));
    expect(both.reason).toMatch(/^2 of 6 cases were decided; not: /);
    for (const op of ['/run', '/runsync']) expect(both.reason).not.toContain(`${op}: ${what}`);
  });

  test('is not decided by a refusal that may tell how the job of a waiting call ended', () => {
    const told = new TraceBuilder(0).call(0, 'runsync', null, 422, refusal, { body: { input: {} } });
    expect(counted(told).decided).toBe(0);
  });
});

describe('8/rate-per-endpoint', () => {
  const ID = '8/rate-per-endpoint';
  const two = (calls: number, code: number): RequirementFinding => {
    const trace = new TraceBuilder(0);
    trace.events[0] = { ...trace.events[0]!, secondEndpoint: 'n' } as HistoryEvent;
    const purged = { removed: 0, status: 'completed' };
    for (let one = 0; one < calls; one += 1) trace.call(0, 'purge-queue', null, 200, purged);
    trace.call(0, 'purge-queue', null, 429, refusal);
    return found(trace.on('n').call(0, 'purge-queue', null, code, code === 200 ? purged : refusal), ID);
  };

  test('counts one operation as one case', () => {
    expect(two(2, 200).reason).toBe(
      '1 of 6 cases were decided; not: /runsync, /run, /status, /stream and 1 more',
    );
  });

  test('is not decided by a refusal that came before the rate was used up', () => {
    expect(two(1, 200).decided).toBe(0);
  });

  test('fails where both endpoints share the rate', () => {
    expect(two(2, 429).verdict).toBe('fail');
  });
});
