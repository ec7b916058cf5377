/** A pass of a bound in time says how small a violation would have shown. */
import { describe, expect, it } from 'vitest';
import type { Findings } from '../../../src/oracle/index.js';
import type { Sharpness } from '../../../src/oracle/observed/tolerance.js';
import type { RequirementId } from '../../../src/spec/index.js';
import { formatSharpness } from '../../../src/report/formatting.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };
const hang = [{ hang: true }];
const work = [{ sleepMs: 1_000 }, { return: { ok: 1 } }];
const done = { output: { ok: 1 }, executionTime: 1_000 };
const END = 2_000_000;

const waiting = (t: TraceBuilder) => t.submitted(0, 'a', hang, { ttl: 10_000 });
const running = (t: TraceBuilder) =>
  t.submitted(0, 'a', hang, { ...FAR, executionTimeout: 9_000 }).seen(0, 'a', 'IN_PROGRESS');
const completed = (t: TraceBuilder) => t.submitted(0, 'a', work, FAR).seen(1_000, 'a', 'COMPLETED', done);

type Tell = (t: TraceBuilder) => TraceBuilder;

/** A test that passes, what it tells, and the smallest violation, which the same test shows. */
const TESTS: readonly (readonly [RequirementId, number, Tell, Sharpness, Tell])[] = [
  [
    '2.2/ttl-removes-queued',
    0,
    (t) => waiting(t).seen(10_230, 'a', 'GONE'),
    { bound: 'too late', ms: 230 },
    (t) => waiting(t).seen(10_230, 'a', 'IN_QUEUE'),
  ],
  [
    '2.2/ttl-not-early-queued',
    0,
    (t) => waiting(t).seen(9_600, 'a', 'IN_QUEUE'),
    { bound: 'too early', ms: 400 },
    (t) => waiting(t).seen(1, 'a', 'IN_QUEUE').seen(9_599, 'a', 'GONE'),
  ],
  [
    '2.2/execution-timeout-stops-run',
    1,
    (t) => running(t).seen(9_300, 'a', 'TIMED_OUT'),
    { bound: 'too late', ms: 300 },
    (t) => running(t).seen(9_300, 'a', 'IN_PROGRESS'),
  ],
  [
    '2.2/execution-timeout-not-early',
    1,
    (t) => running(t).seen(8_500, 'a', 'IN_PROGRESS'),
    { bound: 'too early', ms: 500 },
    (t) => running(t).seen(8_499, 'a', 'TIMED_OUT'),
  ],
  [
    '4.2/retention-gone',
    1,
    (t) => completed(t).seen(1_802_000, 'a', 'GONE'),
    { bound: 'too late', ms: 1000 },
    (t) => completed(t).seen(1_802_000, 'a', 'COMPLETED', done),
  ],
  [
    '4.2/retention-kept',
    1,
    (t) => completed(t).seen(1_800_800, 'a', 'COMPLETED', done),
    { bound: 'too early', ms: 200 },
    (t) => completed(t).seen(1_800_799, 'a', 'GONE'),
  ],
  [
    '1/waits-when-no-worker-free',
    1,
    (t) =>
      t
        .submitted(0, 'b', work)
        .seen(0, 'b', 'IN_PROGRESS')
        .submitted(1, 'a', work)
        .seen(700, 'a', 'IN_QUEUE'),
    { bound: 'too early', ms: 300 },
    (t) =>
      t
        .submitted(0, 'b', work)
        .seen(0, 'b', 'IN_PROGRESS')
        .submitted(1, 'a', work)
        .seen(699, 'a', 'IN_PROGRESS'),
  ],
];

const sharpestOf = ({ requirements }: Findings, id: RequirementId) =>
  requirements.find((one) => one.id === id)!.sharpest;

describe.each(TESTS)('%s', (id, workers, kept, told, broken) => {
  it(`passes: more than ${told.ms} ms ${told.bound} would have failed`, () => {
    expect(sharpestOf(kept(new TraceBuilder(workers)).judged(END), id)).toEqual(told);
    expect(failed(broken(new TraceBuilder(workers)).judged(END))).toContain(id);
  });
});

describe('the sharpest test', () => {
  const id = '2.2/ttl-removes-queued';

  it('counts, of several', () => {
    const trace = new TraceBuilder(0);
    for (const [job, ms] of [
      ['a', 400],
      ['b', 150],
      ['c', 900],
    ] as const)
      trace.submitted(0, job, hang, { ttl: 10_000 }).seen(10_000 + ms, job, 'GONE');
    expect(sharpestOf(trace.judged(END), id)).toEqual({ bound: 'too late', ms: 150 });
  });

  it('is none where the job could still have been there, or the requirement failed', () => {
    const within = new TraceBuilder(0).submitted(0, 'a', hang, { ttl: 10_000 }).seen(10_050, 'a', 'GONE');
    expect(sharpestOf(within.judged(END), id)).toBeUndefined();
    const broken = waiting(new TraceBuilder(0)).submitted(1, 'b', hang, { ttl: 10_000 });
    broken.seen(10_230, 'a', 'GONE').seen(10_300, 'b', 'IN_QUEUE');
    expect(sharpestOf(broken.judged(END), id)).toBeUndefined();
  });

  it('is none after the bound, where an early end can no longer be told', () => {
    const trace = running(new TraceBuilder(1)).seen(9_050, 'a', 'IN_PROGRESS').judged(END);
    expect(sharpestOf(trace, '2.2/execution-timeout-not-early')).toBeUndefined();
    expect(failed(running(new TraceBuilder(1)).seen(9_050, 'a', 'TIMED_OUT').judged(END))).toEqual([]);
  });

  it('of a timeout is the end of its handler, too', () => {
    const trace = new TraceBuilder(1).submitted(0, 'a', [{ sleepMs: 8_000 }, { return: { ok: 1 } }], {
      ...FAR,
      executionTimeout: 9_000,
    });
    trace.seen(8_000, 'a', 'COMPLETED', { output: { ok: 1 }, executionTime: 8_000 });
    const sharpest = sharpestOf(trace.judged(END), '2.2/execution-timeout-not-early');
    expect(sharpest?.bound).toBe('too early');
    expect(sharpest?.ms).toBeGreaterThanOrEqual(1_000);
    expect(sharpest?.ms).toBeLessThanOrEqual(1_200);
  });

  it('is said in words', () => {
    expect(formatSharpness({ bound: 'too late', ms: 2_050 })).toBe(
      'sharpest test: more than 2.05 s too late would have failed',
    );
  });
});
