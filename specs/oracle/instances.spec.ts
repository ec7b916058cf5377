/** A requirement whose sentence ranges over several cases passes once each was decided, and says before which were not. */
import { describe, expect, test } from 'vitest';
import { RATE_PAIRS, rateBefore } from '../../src/oracle/observed/instances.js';
import type { RequirementFinding } from '../../src/oracle/index.js';
import { TraceBuilder } from './trace-builder.js';

const found = (trace: TraceBuilder, id: string): RequirementFinding =>
  trace.judged(60_000).requirements.find((one) => one.id === id)!;
const refusal = { error: 'no such key' };

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
    const trace = new TraceBuilder(0)
      .submitted(0, 'a', [{ hang: true }], { ttl: 10_000 })
      .seen(5_000, 'a', 'IN_QUEUE');
    if (reads.length > 1) trace.call(6_000, 'stream', 'a', 200, []);
    trace.call(13_000, 'status', 'a', 404, { error: 'gone' });
    expect(found(trace, '2.2/ttl-not-restarted-by-reading').reason).toBe(left);
  });
});
