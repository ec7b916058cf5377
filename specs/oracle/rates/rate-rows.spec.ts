/** Each row of section 8's table, on either side of what it allows: one call more or less, one millisecond more or less. */
import { describe, expect, test } from 'vitest';
import { RATE_TABLE, type RateRow } from '../../../src/oracle/rates/rate-table.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const GRACE_MS = 100;

/** There are no workers, so that nothing raises the limit. */
class Calls {
  private readonly trace = new TraceBuilder(0, { graceMs: GRACE_MS });
  private readonly row: RateRow;

  constructor(row: RateRow) {
    this.row = row;
  }

  make(times: number, ms: number, code: number): this {
    const { op } = this.row;
    const onJob = op === 'status' || op === 'stream' || op === 'cancel';
    for (let time = 0; time < times; time += 1) this.trace.call(ms, op, onJob ? 'none' : null, code, {});
    return this;
  }

  /** What of section 8 they break. */
  get broken(): readonly string[] {
    return failed(this.trace.judged(60_000)).filter((id) => id.startsWith('8/'));
  }
}

/** Thousands of calls tell nothing more. */
const FEW = RATE_TABLE.filter(({ requests }) => requests <= 100);

describe.each(FEW.map((row) => [row.op, row] as const))('/%s', (_, row) => {
  const { requests, windowMs, below, above, recovers } = row;
  const used = (times = requests): Calls => new Calls(row).make(times, 0, 200);

  test('satisfies its limit if exactly as many calls are accepted as allowed', () => {
    expect(used().make(1, 0, 429).broken).toEqual([]);
  });

  test('is refused too early by one call less', () => {
    expect(used(requests - 1).make(1, 0, 429).broken).toEqual([below]);
  });

  test('is accepted too often by one call more', () => {
    expect(used(requests + 1).broken).toEqual([above]);
  });

  test('may be refused until the window and the tolerance have elapsed, and not a millisecond longer', () => {
    expect(used().make(1, windowMs + GRACE_MS, 429).broken).toEqual([]);
    expect(used().make(1, windowMs + GRACE_MS + 1, 429).broken).toEqual([below]);
  });

  test('is accepted again after a window without calls', () => {
    const refused = used().make(1, 0, 429);
    expect(refused.make(1, 2 * windowMs, 429).broken).toEqual([recovers ?? below]);
  });
});
