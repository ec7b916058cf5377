/** An absence proves nothing after the last moment at which the target is known to have lived. */
import { describe, expect, it, test } from 'vitest';
import { hasStoppedAnswering } from '../../src/oracle/index.js';
import { failed, TraceBuilder, verdictOf } from './support/trace-builder.js';

const FIELD = { clock: 'real', graceMs: 2_000, earlyMs: 20 } as const;
const URL = 'http://h/1';
const RETRIED = '6/retries-after-error-status';

const field = (): TraceBuilder => new TraceBuilder(1, FIELD, false);

/** Its webhook was answered with 500, and is to be called again 10 s later. */
const notified = (trace = field(), atMs = 0, id = 'a', url = URL): TraceBuilder =>
  trace
    .submitted(atMs, id, [{ return: 1 }], undefined, { webhook: url })
    .seen(atMs + 100, id, 'COMPLETED', { output: 1 })
    .webhook(atMs + 300, url, 500);

describe('a webhook call that does not come', () => {
  it.each<[string, (trace: TraceBuilder) => TraceBuilder, boolean]>([
    ['and the target answers at the end', (trace) => trace.alive(40_000), true],
    ['and the target answered last before it was due', (trace) => trace.alive(10_000), false],
    ['and no other sign of life', (trace) => trace, false],
    ['and a webhook of another job as a sign of life', (trace) => elsewhere(trace), true],
    ['and the target refuses every connection', (trace) => refused(trace, 3_000, 40_000), false],
    ['and the target restarted', (trace) => refused(trace, 3_000, 4_000).alive(40_000), false],
    [
      'and the target restarted after it was due',
      (trace) => refused(trace.alive(26_000).alive(28_000), 30_000, 31_000).alive(40_000),
      true,
    ],
    [
      'and the target lost all calls at once, and came back a second later',
      (trace) =>
        trace
          .lost(2_000, 'health', null, 'reset', 3_000)
          .lost(2_500, 'runsync', null, 'reset', 3_000)
          .alive(4_000)
          .alive(40_000),
      false,
    ],
    [
      'and one connection was lost, but another call lasted',
      (trace) =>
        trace
          .lost(2_500, 'runsync', null, 'reset', 3_000)
          .call(
            2_000,
            'status',
            'a',
            200,
            { id: 'a', status: 'COMPLETED', output: 1, delayTime: 0, executionTime: 0 },
            { receivedMs: 4_000 },
          )
          .alive(40_000),
      true,
    ],
    [
      'and one connection was lost, but the next call was answered at once',
      (trace) => trace.lost(2_500, 'runsync', null, 'reset', 3_000).alive(3_004).alive(40_000),
      true,
    ],
    [
      'and nothing was answered for long',
      (trace) =>
        trace
          .lost(2_100, 'health', null, 'timeout', 32_000)
          .lost(12_000, 'health', null, 'timeout', 42_000)
          .alive(50_000),
      false,
    ],
    [
      'and one call alone was not answered in time',
      (trace) => trace.lost(2_000, 'cancel', 'b', 'timeout', 32_000).alive(20_000).alive(50_000),
      true,
    ],
  ])('is missing as long as the target is known to have lived: %s', (_, how, isMissing) => {
    const findings = how(notified().alive(2_000)).judged(60_000);
    expect(failed(findings)).toEqual(isMissing ? [RETRIED] : []);
  });

  test('is called undecided for the true reason', () => {
    const ended = refused(notified().alive(2_000), 3_000, 40_000);
    const restarted = refused(notified().alive(2_000), 3_000, 4_000).alive(40_000);
    const reasonOf = (trace: TraceBuilder): string | null | undefined =>
      trace.judged(60_000).requirements.find(({ id }) => id === RETRIED)?.reason;
    expect(reasonOf(ended)).toBe('the target stopped answering');
    expect(reasonOf(restarted)).toContain('the target was lost at that time');
    expect(hasStoppedAnswering(ended.history(60_000))).toBe(true);
    expect(hasStoppedAnswering(restarted.history(60_000))).toBe(false);
    expect(restarted.judged(60_000).warnings.join()).toContain('the target was lost once and came back');
  });
});

const elsewhere = (trace: TraceBuilder): TraceBuilder =>
  trace
    .submitted(1_000, 'b', [{ return: 1 }], undefined, { webhook: 'http://h/2' })
    .seen(2_000, 'b', 'COMPLETED', { output: 1 })
    .webhook(2_100, 'http://h/2', null)
    .webhook(12_100, 'http://h/2', null)
    .webhook(22_100, 'http://h/2', null);

/** Refused twice, and once more at the end of that time. */
const refused = (trace: TraceBuilder, fromMs: number, toMs: number): TraceBuilder =>
  trace
    .lost(fromMs, 'health', null, 'refused')
    .lost(fromMs + 50, 'health', null, 'refused')
    .lost(toMs, 'health', null, 'refused');

describe('a target that restarts and forgets its jobs', () => {
  const forgotten = (): TraceBuilder =>
    refused(
      notified()
        .submitted(500, 'b', [{ hang: true }])
        .alive(2_000),
      3_000,
      4_000,
    )
      .seen(5_000, 'b', 'GONE')
      .seen(5_000, 'a', 'GONE');

  it('is not accused', () => {
    expect(failed(forgotten().alive(40_000).judged(60_000))).toEqual([]);
  });

  it('is held to what it is given afterwards', () => {
    const trace = notified(forgotten(), 6_000, 'c', 'http://h/3').alive(40_000);
    expect(failed(trace.judged(60_000))).toEqual([RETRIED]);
  });

  it('may give out the same ids again', () => {
    const trace = forgotten()
      .submitted(6_000, 'b', [{ return: 2 }])
      .seen(7_000, 'b', 'COMPLETED', { output: 2 });
    expect(failed(trace.alive(40_000).judged(60_000))).toEqual([]);
  });

  it('is known by that, where only one connection was lost', () => {
    const lone = (after: string): TraceBuilder =>
      field()
        .submitted(0, 'a', [{ hang: true }])
        .submitted(10, 'b', [{ hang: true }])
        .lost(1_500, 'health', null, 'reset', 1_600)
        .alive(1_605)
        .seen(2_000, 'a', 'GONE')
        .seen(2_000, 'b', after);
    expect(failed(lone('GONE').judged(3_000))).toEqual([]);
    expect(failed(lone('IN_QUEUE').judged(3_000))).not.toEqual([]);
  });
});

describe('what a target answers that is shutting down', () => {
  const waiting = (): TraceBuilder =>
    field()
      .alive(0)
      .call(
        100,
        'runsync',
        null,
        200,
        { id: 'a', status: 'IN_PROGRESS' },
        {
          query: { wait: '60000' },
          body: { input: { plan: [{ hang: true }] } },
          receivedMs: 5_000,
        },
      );

  it.each<[string, TraceBuilder, readonly string[]]>([
    ['and lives on', waiting().alive(6_000), ['4.1/wait-not-early']],
    ['followed by refused connections', waiting().lost(5_400, 'health', null, 'refused'), []],
    ['followed by refused connections much later', waiting().lost(9_000, 'health', null, 'refused'), []],
  ])('proves nothing: an early answer to a call that waits, %s', (_, trace, expected) => {
    expect(failed(trace.judged(10_000))).toEqual(expected);
  });
});

test('a call that waits is late only where the target is known to have lived when it was due', () => {
  const waiting = (): TraceBuilder =>
    field().call(100, 'runsync', null, null, null, {
      query: { wait: '10000' },
      body: { input: { plan: [{ hang: true }] } },
      receivedMs: 40_100,
    });
  expect(failed(waiting().alive(39_000).judged(50_000))).toEqual(['4.1/wait-answers-when-elapsed']);
  expect(failed(waiting().alive(9_000).judged(50_000))).toEqual([]);
});

test('a must that the lost target left open is not called "not exercised"', () => {
  const findings = refused(notified().alive(2_000), 3_000, 4_000).alive(40_000).judged(60_000);
  expect(verdictOf(findings, RETRIED)).toBe('inconclusive');
});
