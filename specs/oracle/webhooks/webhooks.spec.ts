/** What a webhook call proves depends on when its answer left, and of which job it tells. */
import { describe, expect, it, test } from 'vitest';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const URL = 'http://here/1';
const FIELD = { clock: 'real', graceMs: 2_000, earlyMs: 20 } as const;
const AT_ONCE = [{ return: 1 }];
const REPEATED = '6/retries-after-error-status';
const record = (id: string, status: string) => ({ id, status });

const completed = (run: object = FIELD): TraceBuilder =>
  new TraceBuilder(1, run, false)
    .submitted(0, 'a', AT_ONCE, undefined, { webhook: URL })
    .seen(10, 'a', 'COMPLETED', { output: 1 });

describe('a call that is repeated after an answer of 200', () => {
  it.each<[string, (trace: TraceBuilder) => TraceBuilder, boolean]>([
    ['answered in time', (trace) => trace.webhook(300, URL, 200).webhook(10_300, URL, 200), true],
    [
      'noticed late by as much as nobody may wait for',
      (trace) => trace.webhook(9_900, URL, 200, {}, 300).webhook(20_000, URL, 200),
      false,
    ],
    [
      'answered while the harness was held up, and perhaps the target with it',
      (trace) => trace.webhook(300, URL, 200).heldUp(310, 9_000).webhook(20_300, URL, 200),
      false,
    ],
    [
      'answered long before the harness was held up',
      (trace) => trace.webhook(300, URL, 200).webhook(10_300, URL, 200).heldUp(40_000, 60_000),
      true,
    ],
  ])('is a breach where the answer left in time: %s', (_, calls, broken) => {
    const findings = calls(completed()).judged(90_000);
    expect(failed(findings)).toEqual(broken ? ['6/stops-after-200'] : []);
  });

  it('proves nothing for an address of several jobs either', () => {
    const trace = completed()
      .submitted(20, 'b', AT_ONCE, undefined, { webhook: URL })
      .seen(30, 'b', 'COMPLETED', { output: 1 })
      .webhook(300, URL, 200)
      .webhook(9_900, URL, 200, {}, 300)
      .webhook(20_000, URL, 200);
    expect(failed(trace.judged(90_000))).toEqual([]);
  });
});

describe('failed calls at an address of three jobs', () => {
  const JOBS = ['b', 'c'];
  const OF_ONE = [100, 110, 120, 10_130, 20_140];

  it.each<[string, readonly number[], number, number, string[]]>([
    ['are too few if each job was told once and one was told again', OF_ONE, 500, 90_000, [REPEATED]],
    ['may have been watched too briefly', OF_ONE, 500, 50_000, []],
    ['are enough if each was repeated once', [...OF_ONE, 10_150], 500, 90_000, []],
    ['need not be repeated where one was answered with 200', OF_ONE, 200, 90_000, []],
  ])('%s', (_, attempts, lastAnswer, untilMs, expected) => {
    const trace = completed();
    for (const job of JOBS)
      trace
        .submitted(20, job, AT_ONCE, undefined, { webhook: URL })
        .seen(30, job, 'COMPLETED', { output: 1 });
    for (const ms of attempts.slice(0, -1)) trace.webhook(ms, URL, 500);
    trace.webhook(attempts.at(-1)!, URL, lastAnswer).seen(untilMs - 10, 'a', 'COMPLETED', { output: 1 });
    expect(failed(trace.judged(untilMs))).toEqual(expected);
  });
});

test('the timing of an attempt too many is not judged as a pause', () => {
  const trace = completed();
  for (const ms of [300, 10_310, 20_320, 20_600]) trace.webhook(ms, URL, 500);
  expect(failed(trace.judged(90_000))).toEqual(['6/at-most-three-attempts']);
});

describe('the pause between two calls', () => {
  const twice = (firstMs: number, sinceMs: number | undefined, secondMs: number): TraceBuilder =>
    completed().webhook(firstMs, URL, 500, {}, sinceMs).webhook(secondMs, URL, 200);

  test.each<[string, TraceBuilder, string, string]>([
    ['as required', twice(300, undefined, 10_310), 'pass', 'pass'],
    ['too short', twice(300, undefined, 1_310), 'fail', 'pass'],
    ['too long', twice(300, undefined, 60_000), 'pass', 'fail'],
    ['too long, even with a delay of the receiver', twice(9_000, 300, 60_000), 'pass', 'fail'],
    ['in time, with a delay of the receiver', twice(9_000, 300, 20_000), 'pass', 'pass'],
    [
      'too long, even with the harness held up around the first',
      twice(300, undefined, 60_000).heldUp(300, 9_000),
      'pass',
      'fail',
    ],
    [
      'longer by what the harness was held up around the first',
      twice(300, undefined, 20_000).heldUp(300, 9_000),
      'pass',
      'pass',
    ],
  ])('%s', (_, trace, shorter, longer) => {
    const findings = trace.judged(120_000);
    expect(verdictOf(findings, '6/pause-not-shorter')).toBe(shorter);
    if (shorter !== 'fail') expect(verdictOf(findings, '6/pause-not-longer')).toBe(longer);
  });

  it('is not proven too short if a delay of the harness may have delayed the first call', () => {
    const trace = completed().webhook(9_000, URL, null).webhook(17_300, URL, 200).heldUp(500, 9_000);
    expect(verdictOf(trace.judged(120_000), '6/pause-not-shorter')).not.toBe('fail');
  });

  it('is too short, even if the harness was delayed at another time', () => {
    const trace = completed().webhook(300, URL, null).webhook(1_310, URL, 200).heldUp(50_000, 59_500);
    expect(verdictOf(trace.judged(120_000), '6/pause-not-shorter')).toBe('fail');
  });
});

describe('a call that was not observed', () => {
  const FIRST = '6/called-on-completion-run';
  const SECOND = '6/retries-after-dropped-connection';
  const none = (): TraceBuilder => completed();
  const dropped = (): TraceBuilder => completed().webhook(300, URL, null);

  it.each<[string, TraceBuilder, number, string[]]>([
    ['of the first', none(), 90_000, [FIRST]],
    ['of the first, held up when it was due', none().heldUp(100, 9_000), 90_000, [FIRST]],
    [
      'of the first, held up when it was due, and not listened for long',
      none().heldUp(100, 9_000),
      20_000,
      [],
    ],
    ['of the first, held up much later', none().heldUp(60_000, 69_000), 90_000, [FIRST]],
    ['of the second', dropped(), 90_000, [SECOND]],
    ['of the second, held up when it was due', dropped().heldUp(9_000, 19_000), 90_000, [SECOND]],
    [
      'of the second, held up when it was due, and not listened for long',
      dropped().heldUp(9_000, 19_000),
      27_000,
      [],
    ],
    ['of the second, held up much later', dropped().heldUp(70_000, 79_000), 90_000, [SECOND]],
  ])('is missing once it is later than a lag explains: %s', (_, trace, untilMs, expected) => {
    expect(failed(trace.alive(untilMs).judged(untilMs))).toEqual(expected);
  });

  it.each([
    ['which was held up for 1.7 s when it was due', 8_500],
    ['which was held up for 1.7 s around the first', 100],
  ])('is missing after 28 s for a harness %s', (_, fromMs) => {
    const trace = completed()
      .webhook(300, URL, 500)
      .heldUp(fromMs, fromMs + 1_700)
      .alive(28_300);
    expect(failed(trace.judged(28_300))).toEqual(['6/retries-after-error-status']);
  });

  it('is not missing while other webhooks are served, one after the other', () => {
    const served = (untilMs: number): TraceBuilder =>
      none()
        .submitted(20, 'b', AT_ONCE, undefined, { webhook: `${URL}-of-b` })
        .seen(30, 'b', 'COMPLETED', { output: 1 })
        .webhook(300, `${URL}-of-b`, 500)
        .webhook(10_310, `${URL}-of-b`, 500)
        .webhook(20_320, `${URL}-of-b`, 500)
        .seen(untilMs, 'a', 'COMPLETED', { output: 1 });
    expect(failed(served(49_000).judged(50_000))).toEqual([]);
    expect(failed(served(59_000).judged(60_000))).toEqual(['6/called-on-completion-run']);
  });

  it('is missing at an address of several jobs only if it would have been received', () => {
    const two = (untilMs: number): TraceBuilder =>
      completed()
        .submitted(20, 'b', AT_ONCE, undefined, { webhook: URL })
        .seen(30, 'b', 'COMPLETED', { output: 1 })
        .webhook(300, URL, 200)
        .alive(untilMs);
    expect(failed(two(90_000).judged(90_000))).toEqual([FIRST]);
    expect(failed(two(90_000).heldUp(100, 9_000).judged(90_000))).toEqual([FIRST]);
    expect(failed(two(20_000).heldUp(100, 9_000).judged(20_000))).toEqual([]);
  });
});

it('a call after a retry may report the end before it, if no earlier call did', () => {
  const trace = new TraceBuilder(1, FIELD, false)
    .call(
      0,
      'run',
      null,
      200,
      { id: 'a', status: 'IN_QUEUE' },
      {
        body: {
          input: { plan: [{ fail: 'once' }], planOnRetry: [{ sleepMs: 3_000 }, { return: 1 }] },
          webhook: URL,
        },
      },
    )
    .seen(200, 'a', 'FAILED')
    .call(300, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
    .webhook(1_500, URL, 200, record('a', 'FAILED'))
    .seen(1_600, 'a', 'IN_PROGRESS')
    .seen(4_500, 'a', 'COMPLETED', { output: 1 })
    .webhook(4_600, URL, 200, record('a', 'COMPLETED'));
  expect(failed(trace.judged(90_000))).toEqual([]);
});

describe('a job that completes after a retry', () => {
  const retried = (): TraceBuilder =>
    new TraceBuilder(1, FIELD, false)
      .call(
        0,
        'run',
        null,
        200,
        { id: 'a', status: 'IN_QUEUE' },
        {
          body: { input: { plan: [{ fail: 'once' }], planOnRetry: AT_ONCE }, webhook: URL },
        },
      )
      .seen(200, 'a', 'FAILED')
      .call(300, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(400, 'a', 'COMPLETED', { output: 1 });

  it.each<[string, TraceBuilder, readonly string[]]>([
    ['told of neither end', retried(), ['6/called-on-completion-run']],
    ['told of the first alone', retried().webhook(250, URL, 200, record('a', 'FAILED')), []],
    ['told of the second alone', retried().webhook(450, URL, 200, record('a', 'COMPLETED')), []],
    ['cancelled afterwards', retried().call(500, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' }), []],
  ])('%s', (_, trace, broken) => {
    expect(failed(trace.alive(90_000).judged(90_000))).toEqual(broken);
  });
});

describe('attempts to tell of a completion after a retry', () => {
  const REPEATED = '6/retries-after-error-status';
  const again = (...toldOfFailure: readonly number[]): TraceBuilder => {
    const trace = new TraceBuilder(1, FIELD, false)
      .call(
        0,
        'run',
        null,
        200,
        { id: 'a', status: 'IN_QUEUE' },
        {
          body: { input: { plan: [{ fail: 'once' }], planOnRetry: AT_ONCE }, webhook: URL },
        },
      )
      .seen(200, 'a', 'FAILED');
    for (const [index, answered] of toldOfFailure.entries())
      trace.webhook(250 + index * 10_000, URL, answered);
    return trace
      .call(40_000, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(40_100, 'a', 'COMPLETED', { output: 1 });
  };

  it.each([
    ['are repeated like all others', again(500, 200).webhook(40_150, URL, 500), [REPEATED]],
    ['where none was left of the end before', again(500, 500, 500).webhook(40_150, URL, 500), [REPEATED]],
    ['may be those of the end before, else', again(500).webhook(40_150, URL, 500), []],
    ['were repeated', again(500, 200).webhook(40_150, URL, 500).webhook(50_150, URL, 200), []],
    ['need not be made at all, for the job was told of', again(500, 200), []],
  ])('%s', (_, trace, broken) => {
    expect(failed(trace.alive(120_000).judged(120_000))).toEqual(broken);
  });
});

describe('a call that comes before the end', () => {
  const begun = (plan: readonly object[], body: object): TraceBuilder =>
    new TraceBuilder(1)
      .submitted(0, 'a', plan as never, undefined, { webhook: URL })
      .webhook(0, URL, 200, body as never);
  const TOO_SOON = '6/no-call-before-completion';

  it.each<[string, object]>([
    ['with any payload', {}],
    ['with the current record', record('a', 'IN_PROGRESS')],
  ])('breaks what it breaks, not what follows from taking it for the end: %s', (_, body) => {
    const running = begun([{ sleepMs: 300 }, { return: 1 }], body).seen(100, 'a', 'IN_PROGRESS');
    expect(failed(running.judged(60_000))).toContain(TOO_SOON);
    const removed = begun([{ hang: true }], body)
      .seen(100, 'a', 'IN_PROGRESS')
      .judged(5_000);
    expect(failed(removed)).toEqual([TOO_SOON]);
    const mayHaveEnded = begun(AT_ONCE, body).seen(100, 'a', 'IN_PROGRESS').judged(5_000);
    expect(failed(mayHaveEnded)).toEqual([TOO_SOON]);
  });

  it('is not an attempt to report the end if it says that the job still runs', () => {
    const trace = begun(AT_ONCE, record('a', 'IN_PROGRESS'))
      .webhook(0, URL, 200, record('a', 'COMPLETED'))
      .seen(50, 'a', 'COMPLETED', { output: 1 });
    expect(failed(trace.judged(60_000))).toEqual([]);
  });

  it('proves nothing if every call says that the job still runs', () => {
    const trace = begun(AT_ONCE, record('a', 'IN_PROGRESS'))
      .webhook(10_000, URL, 200, record('a', 'IN_PROGRESS'))
      .seen(10_050, 'a', 'COMPLETED', { output: 1 });
    expect(failed(trace.judged(60_000))).toEqual(['6/stops-after-200']);
  });
});

test('a call that names another job neither reports the end of the job at this address, nor is an attempt to', () => {
  const trace = new TraceBuilder(2)
    .submitted(0, 'a', AT_ONCE, undefined, { webhook: URL })
    .submitted(5, 'b', AT_ONCE, undefined, { webhook: 'http://here/2' })
    .webhook(10, 'http://here/2', 200, record('b', 'COMPLETED'))
    .webhook(20, URL, 200, record('b', 'COMPLETED'))
    .seen(30, 'a', 'IN_PROGRESS')
    .seen(40, 'a', 'COMPLETED', { output: 1 })
    .webhook(45, URL, 200, record('a', 'COMPLETED'))
    .seen(50, 'b', 'COMPLETED', { output: 1 });
  expect(failed(trace.judged(60_000))).toEqual(['6/each-job-its-own-url']);
});
