/** Section 4.1: each row of the two tables of waits, kept and broken. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { failed, TraceBuilder, verdictOf, type CallOptions } from '../support/trace-builder.js';

const GRACE_MS = 100;
const trace = (workers = 1): TraceBuilder =>
  new TraceBuilder(workers, { clock: 'controlled', graceMs: GRACE_MS });

const brokenIn = (one: TraceBuilder): readonly string[] =>
  failed(one.judged(700_000)).filter((id) => id.startsWith('4.1/wait'));

describe('a call is held for exactly its wait', () => {
  const held = (wait: string | null, heldMs: number): readonly string[] => {
    const how: CallOptions = {
      body: { input: { plan: [{ hang: true }] } },
      receivedMs: heldMs,
      ...(wait === null ? {} : { query: { wait } }),
      ...(wait === '999' ? { illegal: 'wait-below-min' } : {}),
      ...(wait === '300001' ? { illegal: 'wait-above-max' } : {}),
    };
    return brokenIn(trace().call(0, 'runsync', null, 200, { id: 'a', status: 'IN_PROGRESS' }, how));
  };

  test.each([
    ['none', null, 90_000, 90_000, '4.1/wait-default-not-early', '4.1/wait-default-answers'],
    ['below its range', '999', 1_000, 90_000, '4.1/wait-min-enforced', '4.1/wait-answers-when-elapsed'],
    ['within it', '5000', 5_000, 5_000, '4.1/wait-not-early', '4.1/wait-answers-when-elapsed'],
    ['the longest', '300000', 300_000, 300_000, '4.1/wait-max-honoured', '4.1/wait-max-honoured'],
    ['above it', '300001', 90_000, 300_000, '4.1/wait-not-early', '4.1/wait-max-enforced'],
  ])('%s', (_, wait, leastMs, mostMs, early, late) => {
    expect(held(wait, leastMs - 1)).toEqual([early]);
    expect(held(wait, leastMs)).toEqual([]);
    expect(held(wait, mostMs + GRACE_MS)).toEqual([]);
    expect(held(wait, mostMs + GRACE_MS + 1)).toEqual([late]);
  });
});

test.each([
  ['may have ended the call', false, []],
  ['has not where its job runs on', true, ['4.1/wait-default-not-early']],
])('a purge while a call waits %s', (_, isSeen, broken) => {
  const body = { input: { plan: [{ hang: true }] } };
  const one = trace()
    .call(
      0,
      'runsync',
      null,
      200,
      { id: 'a', status: 'IN_PROGRESS' },
      { body, receivedMs: 60_000, ticks: [10, 20] },
    )
    .call(20_000, 'purge-queue', null, 200, { removed: 0, status: 'completed' }, { ticks: [12, 13] });
  expect(brokenIn(isSeen ? one.seen(61_000, 'a', 'IN_PROGRESS') : one)).toEqual(broken);
});

describe('an event that ends the wait early is answered at once', () => {
  const WAIT_MS = 60_000;

  /** `also`: what was called while it waited. */
  const ended = (
    plan: Json,
    code: number,
    reply: Json,
    receivedMs: number,
    { workers = 1, policy = {}, also = (one: TraceBuilder) => one } = {},
  ): TraceBuilder => {
    const body = { input: { plan }, policy };
    const how = { body, query: { wait: `${WAIT_MS}` }, receivedMs, ticks: [0, 9] } as const;
    return also(trace(workers)).call(0, 'runsync', null, code, reply, how);
  };
  const record = (status: string): Json => ({
    id: 'a',
    status,
    output: 1,
    delayTime: 0,
    executionTime: 5_000,
  });
  const cancel = (one: TraceBuilder): TraceBuilder =>
    one.call(5_000, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' }, { ticks: [1, 2] });
  const purge = (one: TraceBuilder): TraceBuilder =>
    one.call(5_000, 'purge-queue', null, 200, { removed: 1, status: 'completed' }, { ticks: [1, 2] });

  /** That a call is answered at once tells nothing where none is served. */
  const served = (one: TraceBuilder): TraceBuilder => {
    const how = {
      body: { input: { plan: [] } },
      query: { wait: '1000' },
      receivedMs: 1_001,
      ticks: [1, 2],
    } as const;
    return one.call(1, 'runsync', null, 200, { id: 'b', status: 'IN_QUEUE' }, how);
  };

  test.each<[string, string, (receivedMs: number) => TraceBuilder]>([
    [
      'a completion',
      '4.1/wait-answers-on-completion',
      (ms) => ended([{ sleepMs: 5_000 }, { return: 1 }], 200, record('COMPLETED'), ms),
    ],
    [
      'a failure',
      '4.1/wait-answers-on-failure',
      (ms) => ended([{ sleepMs: 5_000 }, { fail: 'x' }], 200, record('FAILED'), ms),
    ],
    [
      'a timeout',
      '4.1/wait-answers-on-timeout',
      (ms) => ended([{ hang: true }], 200, record('TIMED_OUT'), ms, { policy: { executionTimeout: 5_000 } }),
    ],
    [
      'a cancel',
      '4.1/wait-answers-on-cancel',
      (ms) => ended([{ hang: true }], 200, record('CANCELLED'), ms, { also: cancel }),
    ],
    [
      'its ttl',
      '4.1/wait-answers-on-ttl',
      (ms) =>
        ended([{ hang: true }], 404, { error: 'gone' }, ms + 5_000, {
          workers: 0,
          policy: { ttl: 10_000 },
          also: served,
        }),
    ],
  ])('%s', (_, id, answeredAt) => {
    const soon = answeredAt(5_000 + GRACE_MS);
    expect(brokenIn(soon)).toEqual([]);
    expect(verdictOf(soon.judged(700_000), id)).toBe('pass');
    expect(brokenIn(answeredAt(30_000))).toEqual([id]);
  });

  test('a purge, if no answer names the job', () => {
    const soon = ended([], 404, { error: 'gone' }, 5_000 + GRACE_MS, { workers: 0, also: purge });
    expect(brokenIn(soon)).toEqual([]);
    expect(verdictOf(soon.judged(700_000), '4.1/wait-answers-on-purge')).toBe('pass');
  });

  test('a purge at the end of the wait proves nothing about it', () => {
    const late = ended([{ sleepMs: 5_000 }, { return: 1 }], 200, record('COMPLETED'), WAIT_MS - 1);
    expect(brokenIn(late)).toEqual(['4.1/wait-answers-on-completion']);
    const atItsEnd = ended(
      [{ sleepMs: WAIT_MS - 10 }, { return: 1 }],
      200,
      record('COMPLETED'),
      WAIT_MS,
    ).judged(700_000);
    expect(verdictOf(atItsEnd, '4.1/wait-answers-on-completion')).toBe('not-exercised');
  });
});
