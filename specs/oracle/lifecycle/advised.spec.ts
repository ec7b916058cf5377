/** Requirements that only advise: small histories that keep them, that break them, and that say nothing of them. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { repeated } from '../../../src/history/long-text.js';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const hang = [{ hang: true }];
const fails = [{ fail: 'no' }];

describe('2.4/times-in-every-state', () => {
  const id = '2.4/times-in-every-state';
  const running = (): TraceBuilder => new TraceBuilder(1).submitted(0, 'a', hang);

  test.each([
    ['both times', { delayTime: 0, executionTime: 5 }, 'pass'],
    ['no executionTime', { delayTime: 0 }, 'fail'],
    ['no delayTime', { executionTime: 0 }, 'fail'],
    ['null', { delayTime: 0, executionTime: null }, 'fail'],
  ])('of a running job: %s', (_, times, verdict) => {
    const trace = running().call(5, 'status', 'a', 200, { id: 'a', status: 'IN_PROGRESS', ...times });
    expect(verdictOf(trace.judged(10), id)).toBe(verdict);
  });

  test('of a retried job, too', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', fails)
      .seen(5, 'a', 'FAILED')
      .staffed(10, 0)
      .call(20, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .call(30, 'status', 'a', 200, { id: 'a', status: 'IN_QUEUE' });
    expect(failed(trace.judged(40))).toEqual([id]);
  });

  test('is not asked in edition runpod', () => {
    const trace = new TraceBuilder(1, { edition: 'runpod' })
      .submitted(0, 'a', hang)
      .call(5, 'status', 'a', 200, { id: 'a', status: 'IN_PROGRESS' });
    expect(failed(trace.judged(10))).toEqual([]);
  });
});

describe('2.4/delay-time-in-failed of a cancelled job', () => {
  const id = '2.4/delay-time-in-failed';
  const cancelled = (before: readonly string[], plan: Json) => {
    const trace = new TraceBuilder(1, { edition: 'runpod' }).submitted(0, 'a', plan);
    before.forEach((state, i) => trace.call(1_000 * (i + 1), 'status', 'a', 200, { id: 'a', status: state }));
    trace.call(5_000, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' });
    trace.call(6_000, 'status', 'a', 200, { id: 'a', status: 'CANCELLED' });
    return verdictOf(trace.judged(7_000), id);
  };

  test('that ran', () => expect(cancelled(['IN_PROGRESS'], hang)).toBe('fail'));

  test('that waits again, or may wait again, since its worker crashed', () => {
    const crashes = [{ sleepMs: 1_500 }, { crash: true }];
    expect(cancelled(['IN_PROGRESS', 'IN_QUEUE'], crashes)).toBe('not-exercised');
    expect(cancelled(['IN_PROGRESS'], crashes)).toBe('not-exercised');
  });
});

describe('4.3/ttl-of-the-example', () => {
  const id = '4.3/ttl-of-the-example';
  const given = (code = 200): TraceBuilder => {
    const trace = new TraceBuilder(1).submitted(0, 'a', hang).seen(5, 'a', 'IN_PROGRESS');
    const record = { id: 'a', status: 'IN_PROGRESS', delayTime: 0, executionTime: 400 };
    return trace.call(400, 'status', 'a', code, code === 200 ? record : { error: 'ttl is too small' }, {
      query: { ttl: '6000' },
    });
  };

  test('the running job is deleted after 6 seconds, and so is one that waits', () => {
    const running = given().seen(7_000, 'a', 'GONE').call(7_100, 'cancel', 'a', 404, { error: 'not found' });
    const told = running.judged(20_000).requirements.find((one) => one.id === id)!;
    expect(told.reason).toBe('1 of 2 cases were decided; not: waiting');
    const record = { id: 'b', status: 'IN_QUEUE', delayTime: 400, executionTime: 0 };
    const both = given()
      .submitted(400, 'b', hang)
      .seen(410, 'b', 'IN_QUEUE')
      .call(420, 'status', 'b', 200, record, { query: { ttl: '6000' } })
      .seen(6_300, 'b', 'IN_QUEUE')
      .seen(7_000, 'a', 'GONE')
      .seen(7_010, 'b', 'GONE');
    expect(verdictOf(both.judged(20_000), id)).toBe('pass');
  });

  test('the job lives as long as with 10 seconds', () => {
    const trace = given().seen(7_000, 'a', 'IN_PROGRESS', { executionTime: 7_000 }).seen(11_000, 'a', 'GONE');
    expect(failed(trace.judged(20_000))).toEqual([id]);
  });

  test('the job lives on', () => {
    const trace = given().seen(30_000, 'a', 'IN_PROGRESS', { executionTime: 30_000 });
    expect(failed(trace.judged(40_000))).toEqual([id]);
  });

  test('it is refused', () => {
    expect(failed(given(400).judged(1_000))).toEqual([id]);
  });

  test('undecided without a read before 10 seconds have elapsed', () => {
    expect(verdictOf(given().seen(12_000, 'a', 'GONE').judged(20_000), id)).toBe('not-exercised');
  });

  test('a refused ttl far below does not concern it', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', hang)
      .seen(5, 'a', 'IN_PROGRESS')
      .call(400, 'status', 'a', 400, { error: 'ttl is too small' }, { query: { ttl: '50' } });
    expect(failed(trace.judged(1_000))).toEqual([]);
  });
});

describe('2.4/large-output-whole', () => {
  const id = '2.4/large-output-whole';
  const bytes = 3_000_000;
  // As a history keeps it.
  const data = repeated('x', bytes);
  const ended = (status: string, more: { readonly [key: string]: Json } = {}): TraceBuilder =>
    new TraceBuilder(1).submitted(0, 'a', [{ returnBytes: bytes }]).seen(100, 'a', status, more);

  test.each([
    ['whole', 'COMPLETED', { output: { data } }, 'pass'],
    ['dropped', 'COMPLETED', {}, 'fail'],
    ['null', 'COMPLETED', { output: null }, 'fail'],
    ['cut', 'COMPLETED', { output: { data: repeated('x', 1_000_000) } }, 'fail'],
    ['a failed job', 'FAILED', {}, 'fail'],
  ])('%s', (_, status, more, verdict) => {
    const findings = ended(status, more).judged(200);
    expect(verdictOf(findings, id)).toBe(verdict);
    expect(failed(findings)).toEqual(verdict === 'fail' ? [id] : []);
  });

  test('the same for a ttl of the submission', () => {
    const trace = (output: Json): TraceBuilder =>
      new TraceBuilder(1).submitted(0, 'a', [{ return: data }]).seen(100, 'a', 'COMPLETED', { output });
    expect(verdictOf(trace(data).judged(200), id)).toBe('pass');
    expect(failed(trace(null).judged(200))).toEqual([id]);
  });

  test('a purged job may be reported as FAILED', () => {
    const trace = new TraceBuilder(0)
      .submitted(0, 'a', [{ returnBytes: bytes }])
      .call(10, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
      .seen(100, 'a', 'FAILED');
    expect(failed(trace.judged(200))).toEqual([]);
  });

  test('is not asked in edition runpod', () => {
    const trace = new TraceBuilder(1, { edition: 'runpod' })
      .submitted(0, 'a', [{ returnBytes: bytes }])
      .seen(100, 'a', 'COMPLETED');
    expect(failed(trace.judged(200))).toEqual([]);
  });
});

describe('4.6/retries-at-once-requeue-once', () => {
  const id = '4.6/retries-at-once-requeue-once';
  const again = [{ stream: 'a chunk' }, { sleepMs: 1_000 }, { return: 'again' }];
  const queued = { id: 'a', status: 'IN_QUEUE' };
  const chunk = { output: 'a chunk' };
  /** Both at the same time; the second is answered with `code`. */
  const retried = (code = 200, ticks: readonly [number, number] = [5, 7]): TraceBuilder =>
    new TraceBuilder(1)
      .call(0, 'run', null, 200, queued, { body: { input: { plan: fails, planOnRetry: again } } })
      .seen(10, 'a', 'FAILED')
      .call(20, 'retry', 'a', 200, queued, { ticks: [4, 6] })
      .call(20, 'retry', 'a', code, code === 200 ? queued : { error: 'it waits' }, { ticks });
  const over = (trace: TraceBuilder): TraceBuilder =>
    trace
      .seen(1_100, 'a', 'COMPLETED', { executionTime: 1_000 })
      .seen(2_500, 'a', 'COMPLETED', { executionTime: 1_000 })
      .call(2_600, 'stream', 'a', 200, [chunk]);

  test.each([200, 400, 405, 409])('it ran once, and the second was answered %i', (code) => {
    const findings = over(retried(code)).judged(3_000);
    expect(verdictOf(findings, id)).toBe('pass');
    expect(failed(findings)).toEqual([]);
  });

  test('it runs again after its end', () => {
    const trace = retried()
      .seen(1_100, 'a', 'COMPLETED', { executionTime: 1_000 })
      .seen(1_500, 'a', 'IN_PROGRESS', { executionTime: 400 });
    expect(failed(trace.judged(2_000))).toEqual([id]);
  });

  test('two concurrent runs have streamed', () => {
    const trace = retried()
      .seen(1_100, 'a', 'COMPLETED', { executionTime: 1_000 })
      .call(1_200, 'stream', 'a', 200, [chunk, chunk]);
    expect(failed(trace.judged(2_000))).toEqual([id]);
  });

  test('two consecutive retries do not concern it', () => {
    expect(verdictOf(over(retried(400, [7, 8])).judged(3_000), id)).toBe('not-exercised');
  });
});

describe('4.6/returns-at-once', () => {
  const retry = (receivedMs: number): TraceBuilder =>
    new TraceBuilder(1)
      .submitted(0, 'a', fails)
      .seen(10, 'a', 'FAILED')
      .call(20, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' }, { receivedMs });

  test.each([
    [30, 'pass'],
    [9_000, 'fail'],
  ])('answered at %i ms', (receivedMs, verdict) => {
    expect(verdictOf(retry(receivedMs).judged(10_000), '4.6/returns-at-once')).toBe(verdict);
  });
});

describe('2.3/secret-not-shown', () => {
  const id = '2.3/secret-not-shown';
  const s3Config = {
    accessId: 'a',
    accessSecret: 'a long secret',
    bucketName: 'b',
    endpointUrl: 'https://c',
  };
  const submitted = (plan: Json = hang, more: { readonly [name: string]: Json } = {}): TraceBuilder =>
    new TraceBuilder(1).submitted(0, 'a', plan, undefined, { s3Config, ...more });

  test.each([
    [
      'the record',
      (trace: TraceBuilder) => trace.seen(10, 'a', 'IN_PROGRESS', { s3Config, executionTime: 10 }),
    ],
    [
      'a cancel',
      (trace: TraceBuilder) =>
        trace.call(10, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED', job: { s3Config } }),
    ],
    [
      'a refusal',
      (trace: TraceBuilder) =>
        trace.call(10, 'retry', 'a', 400, { error: `no retry: ${JSON.stringify({ s3Config })}` }),
    ],
  ])('%s shows it', (_, then) => {
    expect(verdictOf(then(submitted()).judged(20), id)).toBe('fail');
  });

  test('a webhook shows it', () => {
    const url = 'http://here/1';
    const trace = submitted([{ return: 1 }], { webhook: url }).seen(10, 'a', 'COMPLETED', { output: 1 });
    expect(failed(trace.webhook(10, url, 200, { id: 'a', s3Config }).judged(30_000))).toEqual([id]);
  });

  test('the worker may return it, or fail with it', () => {
    const trace = submitted([{ s3Config: true }])
      .seen(10, 'a', 'COMPLETED', { output: { s3Config } })
      .submitted(20, 'b', fails, undefined, { s3Config })
      .seen(30, 'b', 'FAILED', { error: s3Config.accessSecret });
    expect(verdictOf(trace.judged(40), id)).toBe('pass');
  });

  test('undecided for a short secret, or one that is also in the input', () => {
    const short = { ...s3Config, accessSecret: 'secret' };
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', hang, undefined, { s3Config: short })
      .seen(5, 'a', 'IN_PROGRESS', { s3Config: short, executionTime: 5 })
      .call(
        10,
        'run',
        null,
        200,
        { id: 'b', status: 'IN_QUEUE' },
        {
          body: { input: { plan: hang, note: s3Config.accessSecret }, s3Config },
        },
      )
      .seen(15, 'b', 'IN_QUEUE', { input: { note: s3Config.accessSecret } });
    expect(verdictOf(trace.judged(20), id)).toBe('not-exercised');
  });
});

test('a job without an explanation breaks a must, where advice alone does not explain it', () => {
  const trace = new TraceBuilder()
    .submitted(0, 'a', [{ sleepMs: 3_000 }, { fail: 'x' }], { executionTimeout: 600_000 })
    .seen(3_500, 'a', 'FAILED')
    .call(4_000, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
    .seen(1_790_000, 'a', 'IN_PROGRESS');
  const { requirements } = trace.judged(1_800_000);
  const musts = requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'fail');
  expect(musts.map(({ id }) => id)).toEqual(['4.6/retried-job-runs']);
});
