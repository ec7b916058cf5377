/** What the document does not exclude is failed by no must: each of these servers was. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { requirement, REQUIREMENTS } from '../../../src/spec/index.js';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const fails = [{ fail: 'on purpose' }];
const hang = [{ hang: true }];

const failedMusts = (trace: TraceBuilder, untilMs: number): readonly string[] =>
  failed(trace.judged(untilMs)).filter((id) => requirement(id as never).level === 'must');

describe('a job that did not complete', () => {
  const story = (): TraceBuilder =>
    new TraceBuilder(1).submitted(0, 'a', fails).seen(300, 'a', 'FAILED', { error: 'no' });

  test('need not be kept for longer than an immediate /retry takes', () => {
    expect(failed(story().seen(10_000, 'a', 'GONE').judged(20_000))).toEqual([]);
  });

  test('is not deleted at once', () => {
    expect(failed(story().seen(1_000, 'a', 'GONE').judged(20_000))).toEqual(['3/failed-stays']);
  });

  test('may report its own times', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', [{ sleepMs: 5_000 }, { fail: 'no' }])
      .seen(5_050, 'a', 'FAILED', { delayTime: 0, executionTime: 0 });
    expect(failed(trace.judged(20_000))).toEqual([]);
  });
});

test('a retried job may run with the default policy: keeping its own is advice', () => {
  const trace = new TraceBuilder(1)
    .submitted(0, 'a', hang, { executionTimeout: 5_000 })
    .seen(5_050, 'a', 'TIMED_OUT')
    .call(5_100, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
    .seen(5_200, 'a', 'IN_PROGRESS')
    .seen(20_000, 'a', 'IN_PROGRESS');
  expect(failed(trace.judged(30_000))).toEqual(['4.6/keeps-policy']);
  expect(failedMusts(trace, 30_000)).toEqual([]);
});

describe('a call for a job that its ttl deleted', () => {
  const URL = 'http://hooks.example/1';
  const story = (body: Json): TraceBuilder =>
    new TraceBuilder(1)
      .submitted(0, 'a', hang, { ttl: 10_000 }, { webhook: URL })
      .seen(9_000, 'a', 'IN_PROGRESS')
      .webhook(10_400, URL, 200, body)
      .seen(11_000, 'a', 'GONE');

  test('must not succeed, as advice', () => {
    expect(failed(story({ id: 'a', event: 'deleted' }).judged(60_000))).toEqual(['6/no-call-for-removed']);
    expect(requirement('6/no-call-for-removed').level).toBe('should');
  });

  test('must not say that it has completed', () => {
    const trace = story({ id: 'a', status: 'COMPLETED' });
    expect(failed(trace.judged(60_000))).toEqual(['6/no-completion-told-of-removed']);
  });
});

describe('the status in an answer of /runsync', () => {
  const answered = (waitMs: number, ms: number, status: string): TraceBuilder =>
    new TraceBuilder(1).call(
      0,
      'runsync',
      null,
      200,
      { id: 'a', status },
      {
        query: { wait: String(waitMs) },
        body: { input: { plan: [{ sleepMs: 2_000 }] } },
        receivedMs: ms,
      },
    );

  test('is open once the wait has elapsed', () => {
    const trace = answered(1_000, 1_000, 'STILL_RUNNING').judged(5_000);
    expect(verdictOf(trace, '2.4/status-known-runsync')).not.toBe('fail');
  });

  test('is one of the six if the job has ended', () => {
    const trace = answered(90_000, 2_010, 'Completed').judged(5_000);
    expect(verdictOf(trace, '2.4/status-known-runsync')).toBe('fail');
  });
});

describe('a job whose submission names no executionTimeout', () => {
  const trace = (defaultMs: number | null): TraceBuilder =>
    new TraceBuilder(1, { executionTimeoutDefaultMs: defaultMs })
      .submitted(0, 'a', hang)
      .seen(10, 'a', 'IN_PROGRESS');
  const stopped = (defaultMs: number | null, atMs: number): readonly string[] =>
    failed(
      trace(defaultMs)
        .seen(atMs, 'a', 'TIMED_OUT')
        .judged(atMs + 1_000),
    );
  const runsOn = (defaultMs: number | null, atMs: number): readonly string[] =>
    failed(
      trace(defaultMs)
        .seen(atMs, 'a', 'IN_PROGRESS')
        .judged(atMs + 1_000),
    );

  test.each([
    ['it is stopped after 5 minutes, by a default that is not stated', stopped(null, 300_000), []],
    ['it runs for 15 minutes, by a default that is not stated', runsOn(null, 900_000), []],
    ['it is stopped after 3 s', stopped(null, 3_000), ['2.2/execution-timeout-default-not-early']],
    ['it is stopped when the default that is stated is over', stopped(300_000, 300_000), []],
    ['it is stopped before', stopped(300_000, 100_000), ['2.2/execution-timeout-default-not-early']],
    ['it runs on after it', runsOn(300_000, 400_000), ['2.2/execution-timeout-default-enforced']],
  ])('%s', (_, found, ids) => {
    expect(found).toEqual(ids);
  });

  test('is undecided for an unknown default, with a reason', () => {
    const findings = trace(null).seen(300_000, 'a', 'TIMED_OUT').judged(400_000);
    const held = findings.requirements.find(({ id }) => id === '2.2/execution-timeout-default-enforced');
    expect(held).toMatchObject({ verdict: 'inconclusive' });
    expect(held?.reason).toContain('--execution-timeout-default');
    expect(findings.openQuestions.find(({ id }) => id === '2.2/execution-timeout-default')?.readings).toEqual(
      ['own-setting'],
    );
  });
});

describe('a field of `policy` of the wrong type may be passed over, as `policy` itself: that it is refused is advice', () => {
  test.each([
    ['ttl', 'soon', '2.2/ttl-type-checked'],
    ['ttl', true, '2.2/ttl-type-checked'],
    ['executionTimeout', {}, '2.2/execution-timeout-type-checked'],
    ['executionTimeout', [60_000], '2.2/execution-timeout-type-checked'],
    ['lowPriority', 'yes', '2.2/low-priority-type-checked'],
  ] as const)('%s: %j', (field, value, id) => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', hang, { [field]: value as Json })
      .seen(10, 'a', 'IN_PROGRESS', { executionTime: 10 })
      .seen(30_000, 'a', 'IN_PROGRESS', { executionTime: 30_000 });
    expect(failed(trace.judged(40_000))).toEqual([id]);
    expect(failedMusts(trace, 40_000)).toEqual([]);
  });
});

test('a webhook whose calls keep failing may be called twice: "up to 2 more" is a bound, three in all is advice', () => {
  const url = 'http://hooks.example/1';
  const trace = new TraceBuilder(1)
    .submitted(0, 'a', [{ return: 1 }], undefined, { webhook: url })
    .seen(10, 'a', 'COMPLETED', { output: 1 })
    .webhook(20, url, 500)
    .webhook(10_020, url, 500);
  expect(failed(trace.judged(90_000))).toEqual(['6/three-attempts']);
  expect(failedMusts(trace, 90_000)).toEqual([]);
});

test('a /runsync call may be held to the end of its wait if its job has failed', () => {
  const trace = new TraceBuilder(1).call(
    0,
    'runsync',
    null,
    200,
    { id: 'a', status: 'FAILED', error: 'on purpose', delayTime: 0, executionTime: 0 },
    { query: { wait: '5000' }, body: { input: { plan: fails } }, receivedMs: 5_000 },
  );
  expect(failed(trace.judged(10_000))).toEqual(['4.1/wait-answers-on-failure']);
  expect(failedMusts(trace, 10_000)).toEqual([]);
});

describe('three counters of workers', () => {
  const looked = (
    trace: TraceBuilder,
    atMs: number,
    busy: number,
    running: number,
    idle: number,
  ): TraceBuilder =>
    trace.call(atMs, 'health', null, 200, {
      jobs: { completed: 0, failed: 0, inProgress: busy, inQueue: 0, retried: 0 },
      workers: { running, idle },
    });
  const withOneBusy = (trace: TraceBuilder): TraceBuilder =>
    trace.submitted(3_000, 'a', hang).seen(3_010, 'a', 'IN_PROGRESS', { executionTime: 10 });
  const IDS = ['4.8/counts-workers-running', '4.8/counts-workers-idle'];

  test('may have other meanings: 2.7 only names them', () => {
    const trace = looked(withOneBusy(new TraceBuilder(3)), 10_000, 1, 2, 0);
    const findings = trace.judged(20_000);
    expect(failed(findings)).toEqual([]);
    expect(IDS.map((id) => verdictOf(findings, id))).toEqual(['not-applicable', 'not-applicable']);
  });

  test('should keep counting what they were observed to count', () => {
    const trace = looked(withOneBusy(looked(new TraceBuilder(3), 0, 0, 0, 3)), 10_000, 1, 1, 2);
    expect(failed(trace.judged(20_000))).toEqual([]);
    expect(failed(looked(trace, 20_000, 1, 2, 1).judged(30_000))).toEqual(IDS);
    expect(failedMusts(trace, 30_000)).toEqual([]);
  });
});

test('the metrics of an unknown worker are open', () => {
  const odd: readonly Json[] = ['fast', [1], null, { nested: { tokens: 1 } }, { none: null, yes: true }];
  const chunks = odd.map((metrics) => ({ output: 'x', metrics }));
  const body = { input: { prompt: 'x' } };
  const trace = new TraceBuilder(null, { capabilities: [] }, false)
    .call(0, 'run', null, 200, { id: 'a', status: 'IN_QUEUE' }, { body })
    .call(1_000, 'stream', 'a', 200, chunks)
    .seen(2_000, 'a', 'COMPLETED', { output: 1 })
    .call(2_010, 'stream', 'a', 200, chunks);
  expect(failed(trace.judged(3_000))).toEqual([]);
});

describe('the run after a retry', () => {
  const ID = '2.2/execution-timeout-stops-retried';
  const rerun = (run: object = {}): TraceBuilder =>
    new TraceBuilder(1, run)
      .call(
        0,
        'run',
        null,
        200,
        { id: 'a', status: 'IN_QUEUE' },
        {
          body: {
            input: { plan: [{ fail: 'once' }], planOnRetry: hang },
            policy: { executionTimeout: 9_000 },
          },
        },
      )
      .seen(10, 'a', 'FAILED')
      .call(20, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(30, 'a', 'IN_PROGRESS');

  test.each([
    ['is stopped by its own executionTimeout', rerun().seen(9_030, 'a', 'TIMED_OUT'), 'pass', []],
    [
      'may run for the default: that its own is kept is advice',
      rerun().seen(600_030, 'a', 'IN_PROGRESS'),
      undefined,
      ['4.6/keeps-policy'],
    ],
    ['must not run beyond both', rerun().seen(600_131, 'a', 'IN_PROGRESS'), 'fail', [ID, '4.6/keeps-policy']],
    [
      'may run for long where the default is not known',
      rerun({ executionTimeoutDefaultMs: null }).seen(900_000, 'a', 'IN_PROGRESS'),
      undefined,
      ['4.6/keeps-policy'],
    ],
  ] as const)('%s', (_, trace, verdict, broken) => {
    const findings = trace.judged(1_000_000);
    expect(failed(findings)).toEqual(broken);
    if (verdict === undefined) expect(['pass', 'fail']).not.toContain(verdictOf(findings, ID));
    else expect(verdictOf(findings, ID)).toBe(verdict);
  });
});

describe('a ttl given to /status', () => {
  const given = (plan: object[], seen: string, code: number): TraceBuilder =>
    new TraceBuilder(1)
      .submitted(0, 'a', plan as never)
      .seen(100, 'a', seen)
      .call(200, 'status', 'a', code, { error: 'no' }, { query: { ttl: '20000' } })
      .seen(300, 'a', seen);

  test('may be refused for a job that has ended, and that is a reading', () => {
    const findings = given(fails, 'FAILED', 409).judged(1_000);
    expect(failed(findings)).toEqual([]);
    const question = findings.openQuestions.find(({ id }) => id === '4.3/ttl-of-ended-job');
    expect(question?.readings).toEqual(['refused']);
  });

  test('may not be refused for a job that runs', () => {
    expect(failed(given(hang, 'IN_PROGRESS', 400).judged(1_000))).toEqual(['4.3/ttl-accepted']);
  });
});

test('what optional fields and parameters of another type are answered is advice, for all of them alike', () => {
  const levels = REQUIREMENTS.filter(({ id }) =>
    /-type-checked|^2\.2\/.*-integer$|^7\/.*-not-integer$/.test(id),
  ).map(({ level }) => level);
  expect(levels).toHaveLength(11);
  expect(new Set(levels)).toEqual(new Set(['should']));
});
