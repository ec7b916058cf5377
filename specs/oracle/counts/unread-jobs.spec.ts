/** A job that nobody reads is over in the end, too: its plan, its executionTimeout and its ttl bound how long it holds a worker. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const WORKS = [{ sleepMs: 3_000 }, { return: 1 }];

/** One worker; the first job is never read; the second still waits at this instant. */
const waitsAt = (ms: number, plan: Json, policy?: Json): readonly string[] =>
  failed(
    new TraceBuilder(1)
      .submitted(0, 'unread', plan, policy)
      .submitted(2_000, 'b', [{ return: 1 }])
      .seen(ms, 'b', 'IN_QUEUE')
      .judged(ms + 1_000),
  );

describe('the second job need not wait for ever', () => {
  test.each<readonly [string, Json, Json, may: number, mayNot: number]>([
    ['its plan', WORKS, {}, 3_000, 5_000],
    ['an error of its handler', [{ sleepMs: 3_000 }, { fail: 'x' }], {}, 3_000, 5_000],
    // Its worker may take a minute to come back.
    ['its executionTimeout', [{ hang: true }], { executionTimeout: 5_000 }, 60_000, 80_000],
    ['its ttl', [{ hang: true }], { ttl: 10_000, executionTimeout: 600_000 }, 60_000, 90_000],
  ])('%s', (_, plan, policy, may, mayNot) => {
    expect(waitsAt(may, plan, policy)).toEqual([]);
    expect(waitsAt(mayNot, plan, policy)).toHaveLength(1);
  });

  test('a crash may have it run again', () => {
    expect(waitsAt(80_000, [{ sleepMs: 1_000 }, { crash: true }], { ttl: 600_000 })).toEqual([]);
  });
});
