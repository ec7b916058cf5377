/** The layers above a job's life: webhooks, streams, waits, and what is left open. */
import { describe, expect, test } from 'vitest';
import type { HistoryEvent, Json, RunEvent } from '../../../src/history/events.js';
import { judge } from '../../../src/oracle/judge.js';
import { REQUIREMENTS } from '../../../src/spec/index.js';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const hang = [{ hang: true }];
describe('webhooks', () => {
  const URL = 'http://hooks.example/1';
  const done = (): TraceBuilder =>
    new TraceBuilder(1)
      .submitted(0, 'a', [{ return: { ok: 1 } }], undefined, { webhook: URL })
      .seen(300, 'a', 'COMPLETED', { output: { ok: 1 } });
  /** In the order of their arrivals: the first comes before the job is looked at. */
  const called = (...calls: readonly (readonly [ms: number, answered: number])[]): TraceBuilder => {
    const trace = done();
    for (const [ms, answered] of calls) trace.webhook(ms, URL, answered, { id: 'a', status: 'COMPLETED' });
    return trace.seen(50_000, 'a', 'COMPLETED', { output: { ok: 1 } });
  };

  test.each([
    ['both', [310, 320], []],
    ['one of them', [310], ['6/called-on-completion-run']],
    ['neither', [], ['6/called-on-completion-run']],
    ['both, and one twice', [310, 320, 10_310], ['6/stops-after-200']],
  ])('two jobs that name one address: %s told of', (_, calls, ids) => {
    const trace = done()
      .submitted(301, 'b', [{ return: { ok: 1 } }], undefined, { webhook: URL })
      .seen(309, 'b', 'COMPLETED', { output: { ok: 1 } });
    for (const ms of calls) trace.webhook(ms, URL, 200);
    trace.seen(50_000, 'a', 'COMPLETED', { output: { ok: 1 } });
    expect(failed(trace.judged(100_000))).toEqual(ids);
  });

  test.each([
    ['one call answered 200', [[310, 200]], []],
    [
      'three calls, ten seconds apart',
      [
        [310, 500],
        [10_310, 500],
        [20_310, 500],
      ],
      [],
    ],
    [
      'called again after 200',
      [
        [310, 200],
        [10_310, 200],
      ],
      ['6/stops-after-200'],
    ],
    ['no second attempt', [[310, 500]], ['6/retries-after-error-status']],
    [
      'a pause too short',
      [
        [310, 500],
        [1_310, 200],
      ],
      ['6/pause-not-shorter'],
    ],
    ['never called', [], ['6/called-on-completion-run']],
    [
      'four attempts',
      [
        [310, 500],
        [10_310, 500],
        [20_310, 500],
        [30_310, 500],
      ],
      ['6/at-most-three-attempts'],
    ],
  ] as const)('%s', (_, calls, ids) => {
    expect(failed(called(...(calls as never as [number, number][])).judged(100_000))).toEqual(ids);
  });

  test.each([
    ['within a private network', 'http://127.0.0.1:8081/1', [/^no webhook arrived at 127\.0\.0\.1:8081: /]],
    ['elsewhere', URL, []],
  ])('where none ever came to an address %s, the run says so or not', (_, webhook, doubts) => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', [{ return: { ok: 1 } }], undefined, { webhook })
      .seen(300, 'a', 'COMPLETED', { output: { ok: 1 } })
      .seen(50_000, 'a', 'COMPLETED', { output: { ok: 1 } });
    const skip = REQUIREMENTS.flatMap(({ id, section }) => (section === '6' ? [id] : []));
    expect(judge(trace.history(100_000), { selection: { skip } }).warnings).toEqual([]);
    const { warnings, requirements } = trace.judged(100_000);
    expect(requirements.find(({ id }) => id === '6/called-on-completion-run')?.verdict).toBe('fail');
    expect(warnings).toEqual(doubts.map((doubt) => expect.stringMatching(doubt)));
  });

  test('none for a job deleted by its ttl while waiting', () => {
    const story = (): TraceBuilder =>
      new TraceBuilder(0)
        .submitted(0, 'a', hang, { ttl: 10_000 }, { webhook: URL })
        .seen(10_300, 'a', 'GONE');
    expect(verdictOf(story().judged(60_000), '6/no-call-for-removed')).toBe('pass');
    expect(failed(story().webhook(10_400, URL, 200).judged(60_000))).toEqual(['6/no-call-for-removed']);
  });
});

describe('streams', () => {
  const chunk = (output: Json): Json => ({ output });
  const plan = [{ stream: 1 }, { stream: 2 }, { stream: 3 }, { return: 'end' }];
  const reads = (...answers: readonly (readonly Json[])[]): TraceBuilder => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', plan)
      .seen(200, 'a', 'COMPLETED', { output: [1, 2, 3] });
    answers.forEach((answer, index) => trace.call(300 + index, 'stream', 'a', 200, answer.map(chunk)));
    return trace;
  };

  test.each([
    ['all, then nothing', [[1, 2, 3], []], []],
    [
      'all, and all again',
      [
        [1, 2, 3],
        [1, 2, 3],
      ],
      [],
    ],
    ['the last is the handler’s own return', [[1, 2, 3, 'end']], []],
    ['one lost', [[1, 3]], ['4.4/chunks-not-lost']],
    ['out of order', [[2, 1, 3]], ['4.4/chunks-in-order']],
    ['one twice', [[1, 2, 2, 3]], ['4.4/chunks-not-duplicated']],
    ['another job’s', [['x']], ['4.4/chunks-not-invented']],
    ['one at a time', [[1], [2], [3], []], []],
    ['the end is missing', [[1, 2], []], ['4.4/chunks-not-lost']],
    [
      'the end is missing, and from the beginning again',
      [
        [1, 2],
        [1, 2],
      ],
      ['4.4/chunks-not-lost'],
    ],
  ] as const)('%s', (_, answers, ids) => {
    expect(failed(reads(...(answers as never as Json[][])).judged(1_000))).toEqual(ids);
  });
});

test('chunks in an answer that was too large for the history are unknown, and none of them is wrong', () => {
  const plan = [{ streamBytes: 1_048_641 }, { return: 'end' }];
  const trace = new TraceBuilder(null).submitted(0, 'a', plan);
  trace.seen(200, 'a', 'COMPLETED', { output: 'end' });
  trace.call(300, 'stream', 'a', 200, [{ '@runproof/large-value': 2_944 }]).call(500, 'stream', 'a', 200, []);
  const findings = trace.judged(7_000);
  expect(failed(findings)).toEqual([]);
  for (const id of ['2.5/chunk-has-output', '4.4/large-output-rejoins', '4.4/chunks-not-lost'])
    expect(verdictOf(findings, id)).not.toBe('pass');
});

test('chunks in a lost answer of /stream are not missed', () => {
  const trace = new TraceBuilder(1)
    .submitted(0, 'a', [{ stream: 1 }, { return: 'end' }])
    .seen(200, 'a', 'COMPLETED', { output: [1] })
    .call(300, 'stream', 'a', null, null, { receivedMs: 400 })
    .call(500, 'stream', 'a', 200, []);
  expect(failed(trace.judged(1_000))).toEqual([]);
});

test.each([
  ['just before the timer of the job: a worker a little late never produced it', 4_950, []],
  ['long before it', 4_000, ['4.4/chunks-not-lost']],
] as const)('a result that is not delivered was due %s', (_, afterMs, ids) => {
  const plan = [{ stream: 1 }, { sleepMs: afterMs }, { stream: 2 }, { hang: true }];
  const trace = new TraceBuilder(1)
    .submitted(0, 'a', plan, { executionTimeout: 5_000 })
    .seen(1, 'a', 'IN_PROGRESS')
    .seen(5_200, 'a', 'TIMED_OUT')
    .call(5_300, 'stream', 'a', 200, [{ output: 1 }])
    .call(5_400, 'stream', 'a', 200, []);
  expect(failed(trace.judged(20_000))).toEqual(ids);
});

test('a cancel that was never answered may have freed the worker', () => {
  const trace = new TraceBuilder(1)
    .submitted(0, 'a', hang)
    .seen(1, 'a', 'IN_PROGRESS')
    .submitted(2, 'b', hang)
    .seen(100, 'b', 'IN_QUEUE')
    .call(300, 'cancel', 'a', null, null, { receivedMs: 400 })
    .seen(900, 'b', 'IN_PROGRESS');
  expect(failed(trace.judged(1_000))).toEqual([]);
});

describe('waits of /runsync', () => {
  const waits = (code: number, reply: Json, receivedMs: number): TraceBuilder =>
    new TraceBuilder(1).call(0, 'runsync', null, code, reply, {
      query: { wait: '5000' },
      body: { input: { plan: [{ sleepMs: 9_000 }, { return: 1 }] } },
      receivedMs,
    });
  const running = { id: 'a', status: 'IN_PROGRESS', delayTime: 0, executionTime: 0 };

  test.each([
    ['the record as it stands', 200, running, 5_000, []],
    ['id and status alone, as 202', 202, { id: 'a', status: 'IN_PROGRESS' }, 5_050, []],
    ['an error', 408, { error: 'wait elapsed' }, 5_000, []],
    ['too soon', 200, running, 3_000, ['4.1/wait-not-early']],
    ['too late', 200, running, 8_000, ['4.1/wait-answers-when-elapsed']],
  ] as const)('%s', (_, code, reply, receivedMs, ids) => {
    expect(failed(waits(code, reply, receivedMs).judged(9_000))).toEqual(ids);
  });
});

describe('open questions', () => {
  const reading = (trace: TraceBuilder, id: string): readonly string[] =>
    trace.judged(100_000).openQuestions.find((one) => one.id === id)!.readings;

  test('a purged job’s later status', () => {
    const story = (status: string): TraceBuilder =>
      new TraceBuilder(0)
        .submitted(0, 'a', hang)
        .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
        .seen(400, 'a', status);
    expect(reading(story('GONE'), '4.7/purged-job-status')).toEqual(['not-found']);
    expect(reading(story('CANCELLED'), '4.7/purged-job-status')).toEqual(['CANCELLED']);
  });

  test('the code of success, and the shape of an id', () => {
    const trace = new TraceBuilder(0).submitted(0, 'not-a-uuid', hang);
    expect(reading(trace, '4/success-code-run')).toEqual(['200']);
    expect(reading(trace, '2.4/id-shape')).toEqual(['other']);
  });
});

describe('a /stream call that is refused', () => {
  const refusedAt = (receivedMs: number): readonly string[] => {
    const plan = [{ stream: 1 }, { sleepMs: 5_000 }, { fail: 'broken' }];
    const trace = new TraceBuilder(1).submitted(0, 'a', plan);
    trace.call(3_000, 'stream', 'a', 400, { error: 'no' }, { receivedMs });
    return failed(trace.seen(9_000, 'a', 'FAILED').judged(10_000));
  };

  test('while the job certainly runs withholds what it has produced', () => {
    expect(refusedAt(3_100)).toEqual(['4.4/chunks-while-running']);
  });

  test('may have been held until the job had failed', () => {
    expect(refusedAt(5_100)).toEqual([]);
  });
});

test('a deployed worker may not know of an earlier run and streams the same again', () => {
  const plan = [{ stream: 'old' }, { fail: 'once' }];
  const input = { plan, planOnRetry: [{ stream: 'new' }, { return: 1 }] };
  const history = (run: Partial<RunEvent>) =>
    new TraceBuilder(null, run)
      .call(0, 'run', null, 200, { id: 'a', status: 'IN_QUEUE' }, { body: { input } })
      .seen(500, 'a', 'FAILED')
      .call(1_000, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(1_500, 'a', 'IN_PROGRESS')
      .call(1_600, 'stream', 'a', 200, [{ output: 'old' }])
      .judged(5_000);
  const deployed = { clock: 'real', capabilities: ['scripted-worker'] } as const;
  expect(failed(history(deployed))).toEqual([]);
  expect(failed(history({}))).toContain('4.6/removes-stream');
});

test.each<readonly [readonly string[], string, string | undefined]>([
  [['new'], 'COMPLETED', undefined],
  [['old', 'new'], 'COMPLETED', '4.6/removes-stream'],
  [[], 'COMPLETED', '4.4/chunks-not-lost'],
  [['old'], 'FAILED', undefined],
])(
  'it streams %j of a run that only succeeds where it knows of the earlier one: %s',
  (outputs, end, wanted) => {
    const plan = [{ stream: 'old' }, { fail: 'once' }];
    const input = { plan, planOnRetry: [{ stream: 'new' }, { return: 1 }] };
    const trace = new TraceBuilder(null, { clock: 'real', capabilities: ['scripted-worker'] })
      .call(0, 'run', null, 200, { id: 'a', status: 'IN_QUEUE' }, { body: { input } })
      .seen(500, 'a', 'FAILED')
      .call(600, 'stream', 'a', 200, [{ output: 'old' }])
      .call(1_000, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(3_000, 'a', end, end === 'COMPLETED' ? { output: ['new'] } : {})
      .call(
        3_100,
        'stream',
        'a',
        200,
        outputs.map((output) => ({ output })),
      );
    expect(failed(trace.judged(5_000))).toEqual(wanted === undefined ? [] : [wanted]);
  },
);

test('an output that contains IN_PROGRESS does not show a running job', () => {
  const busy = (observed: string): string | undefined => {
    const trace = new TraceBuilder(1);
    trace.events[0] = { ...trace.events[0]!, secondEndpoint: 'n' } as HistoryEvent;
    trace.on('n').submitted(0, 'b', [{ return: { state: 'IN_PROGRESS' } }]);
    trace.seen(100, 'b', observed, { output: { state: 'IN_PROGRESS' } });
    trace.on('e').submitted(200, 'a', hang).seen(300, 'a', 'IN_PROGRESS');
    trace.on('n').seen(400, 'b', observed, { output: { state: 'IN_PROGRESS' } });
    return verdictOf(trace.judged(500), '1/endpoints-isolated-workers');
  };
  expect(busy('IN_PROGRESS')).toBe('pass');
  expect(busy('COMPLETED')).not.toBe('pass');
});
