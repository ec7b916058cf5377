/**
 * Each bound of the life-cycle, to the millisecond: the last instant at which it is kept, and the one after it. The table of
 * the oracle says which bounds there are; every one of its timers has its line here.
 */
import { describe, expect, it } from 'vitest';
import { transitions } from '../../../src/oracle/index.js';
import { requirement, type RequirementId } from '../../../src/spec/index.js';
import { DAY_MS, MINUTE_MS } from '../../../src/spec/limits.js';
import { TraceBuilder } from '../support/trace-builder.js';

/** The grace of these histories. */
const GRACE = 100;
const FAR = { ttl: 7 * DAY_MS, executionTimeout: 7 * DAY_MS };
const hang = [{ hang: true }];
const work = [{ sleepMs: 1_000 }, { return: { ok: 1 } }];
const failing = [{ sleepMs: 1_000 }, { fail: 'x' }];
const done = { output: { ok: 1 }, executionTime: 1_000 };

/** A `/runsync` that is answered after a second, when its job runs or has completed. */
function runsync(
  t: TraceBuilder,
  plan: object[],
  wait: string | null,
  reply: object,
  policy: object = FAR,
): TraceBuilder {
  return t.call(
    0,
    'runsync',
    null,
    200,
    { id: 'a', ...reply },
    {
      body: { input: { plan }, policy } as never,
      receivedMs: 1_000,
      query: wait === null ? {} : { wait },
    },
  );
}

/** Its lifespan is set, soon after its submission. */
const lifespan = (t: TraceBuilder, ttl: number): TraceBuilder =>
  t.call(10, 'status', 'a', 200, { id: 'a', status: 'IN_QUEUE' }, { query: { ttl: `${ttl}` } });
/** It fails, is retried and completes. */
const again = (t: TraceBuilder, op: 'run' | 'runsync', policy: object): TraceBuilder =>
  t
    .call(
      0,
      op,
      null,
      200,
      { id: 'a', status: op === 'run' ? 'IN_QUEUE' : 'FAILED', delayTime: 0, executionTime: 1_000 },
      {
        body: { input: { plan: failing, planOnRetry: work }, policy } as never,
        receivedMs: op === 'run' ? 0 : 1_000,
      },
    )
    .seen(1_500, 'a', 'FAILED', { executionTime: 1_000 })
    .call(2_000, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
    .seen(2_001, 'a', 'IN_PROGRESS')
    .seen(3_050, 'a', 'COMPLETED', done);

/** `pastMs`: so far beyond the last instant at which the bound is kept. */
type Boundary = readonly [workers: number, tell: (t: TraceBuilder, pastMs: number) => TraceBuilder];

const BOUNDARIES: { readonly [Id in RequirementId]?: Boundary } = {
  '2.2/ttl-removes-queued': [
    0,
    (t, past) => t.submitted(0, 'a', hang, { ttl: 10_000 }).seen(10_000 + GRACE + past, 'a', 'IN_QUEUE'),
  ],
  '2.2/ttl-removes-running': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', hang, { ...FAR, ttl: 10_000 })
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(10_000 + GRACE + past, 'a', 'IN_PROGRESS'),
  ],
  '2.2/ttl-removes-completed': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', work, { ttl: 10_000 })
        .seen(1_050, 'a', 'COMPLETED', done)
        .seen(10_000 + GRACE + past, 'a', 'COMPLETED', done),
  ],
  '2.2/ttl-removes-failed': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', failing, { ttl: 10_000 })
        .seen(1_050, 'a', 'FAILED', { executionTime: 1_000 })
        .seen(10_000 + GRACE + past, 'a', 'FAILED', { executionTime: 1_000 }),
  ],
  '2.2/ttl-removes-retried': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', failing, { ttl: 10_000 })
        .seen(1_050, 'a', 'FAILED', { executionTime: 1_000 })
        .call(5_000, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
        .seen(6_050, 'a', 'FAILED', { executionTime: 1_000 })
        .seen(10_000 + GRACE + past, 'a', 'FAILED', { executionTime: 1_000 }),
  ],
  '2.2/ttl-removes-timed-out': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', hang, { executionTimeout: 5_000, ttl: 10_000 })
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(5_050, 'a', 'TIMED_OUT', { executionTime: 5_000 })
        .seen(10_000 + GRACE + past, 'a', 'TIMED_OUT', { executionTime: 5_000 }),
  ],
  '2.2/ttl-removes-cancelled': [
    0,
    (t, past) =>
      t
        .submitted(0, 'a', hang, { ttl: 10_000 })
        .call(10, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' })
        .seen(10_000 + GRACE + past, 'a', 'CANCELLED'),
  ],
  '2.2/ttl-default-removes': [
    0,
    (t, past) => t.submitted(0, 'a', hang).seen(DAY_MS + GRACE + past, 'a', 'IN_QUEUE'),
  ],
  '2.2/ttl-not-early-queued': [
    0,
    (t, past) =>
      t
        .submitted(0, 'a', hang, { ttl: 10_000 })
        .seen(1, 'a', 'IN_QUEUE')
        .seen(10_000 - past, 'a', 'GONE'),
  ],
  '2.2/ttl-not-early-running': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', hang, { ...FAR, ttl: 10_000 })
        .seen(9_000, 'a', 'IN_PROGRESS')
        .seen(10_000 - past, 'a', 'GONE'),
  ],
  '2.2/ttl-not-early-completed': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', work, { ttl: 10_000 })
        .seen(1_050, 'a', 'COMPLETED', done)
        .seen(10_000 - past, 'a', 'GONE'),
  ],
  '2.2/ttl-default-not-early': [
    0,
    (t, past) =>
      t
        .submitted(0, 'a', hang)
        .seen(1, 'a', 'IN_QUEUE')
        .seen(DAY_MS - past, 'a', 'GONE'),
  ],
  '2.2/execution-timeout-stops-run': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', hang, { executionTimeout: 5_000 })
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(5_001 + GRACE + past, 'a', 'IN_PROGRESS'),
  ],
  '2.2/execution-timeout-stops-runsync': [
    1,
    (t, past) =>
      runsync(t, hang, '1000', { status: 'IN_PROGRESS' }, { executionTimeout: 5_000 }).seen(
        // It had begun when a worker that was free had certainly taken it.
        GRACE + 5_000 + GRACE + past,
        'a',
        'IN_PROGRESS',
      ),
  ],
  '2.2/execution-timeout-default-enforced': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', hang)
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(10 * MINUTE_MS + 1 + GRACE + past, 'a', 'IN_PROGRESS'),
  ],
  '2.2/execution-timeout-not-early': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', hang, { executionTimeout: 9_000 })
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(9_000 - past, 'a', 'TIMED_OUT', { executionTime: 9_000 - past }),
  ],
  '2.2/execution-timeout-default-not-early': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', hang)
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(10 * MINUTE_MS - past, 'a', 'TIMED_OUT', { executionTime: 10 * MINUTE_MS - past }),
  ],
  '3/success-completes-run': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', work)
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(1_001 + GRACE + past, 'a', 'IN_PROGRESS'),
  ],
  '3/handler-error-fails-run': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', failing)
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(1_001 + GRACE + past, 'a', 'IN_PROGRESS'),
  ],
  '3/success-completes-runsync': [
    1,
    (t, past) =>
      runsync(t, [{ sleepMs: 5_000 }, { return: 1 }], '1000', { status: 'IN_PROGRESS' }).seen(
        GRACE + 5_000 + GRACE + past,
        'a',
        'IN_PROGRESS',
      ),
  ],
  '3/handler-error-fails-runsync': [
    1,
    (t, past) =>
      runsync(t, [{ sleepMs: 5_000 }, { fail: 'x' }], '1000', { status: 'IN_PROGRESS' }).seen(
        GRACE + 5_000 + GRACE + past,
        'a',
        'IN_PROGRESS',
      ),
  ],
  '3/not-completed-before-handler-ends': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', work)
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(1_000 - past, 'a', 'COMPLETED', { output: { ok: 1 }, executionTime: 1_000 - past }),
  ],
  '4.6/retried-job-runs': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', failing)
        .seen(1_050, 'a', 'FAILED', { executionTime: 1_000 })
        .call(1_200, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
        .seen(1_201, 'a', 'IN_PROGRESS')
        .seen(2_201 + GRACE + past, 'a', 'IN_PROGRESS'),
  ],
  '1/free-worker-takes-job': [1, (t, past) => t.submitted(0, 'a', hang).seen(GRACE + past, 'a', 'IN_QUEUE')],
  '2.2/low-priority-job-runs': [
    1,
    (t, past) => t.submitted(0, 'a', hang, { lowPriority: true }).seen(GRACE + past, 'a', 'IN_QUEUE'),
  ],
  '1/freed-worker-takes-waiting-job': [
    1,
    (t, past) =>
      t
        .submitted(0, 'b', work)
        .seen(1, 'b', 'IN_PROGRESS')
        .submitted(2, 'a', hang)
        .seen(3, 'a', 'IN_QUEUE')
        .seen(1_050, 'b', 'COMPLETED', done)
        .seen(1_051 + GRACE + past, 'a', 'IN_QUEUE'),
  ],
  '1/waits-when-no-worker-free': [
    1,
    (t, past) =>
      t
        .submitted(0, 'b', work)
        .seen(1, 'b', 'IN_PROGRESS')
        .submitted(2, 'a', hang)
        .seen(1_000 - past, 'a', 'IN_PROGRESS')
        .seen(1_050, 'b', 'COMPLETED', done),
  ],
  '4.2/retention-gone': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', work, FAR)
        .seen(1_050, 'a', 'COMPLETED', done)
        .seen(1_050 + 30 * MINUTE_MS + GRACE + past, 'a', 'COMPLETED', done),
  ],
  '4.1/retention-gone': [
    1,
    (t, past) =>
      runsync(t, work, null, { status: 'COMPLETED', delayTime: 0, ...done }).seen(
        1_000 + 90_000 + GRACE + past,
        'a',
        'COMPLETED',
        done,
      ),
  ],
  '4.1/retention-with-wait-gone': [
    1,
    (t, past) =>
      runsync(t, work, '5000', { status: 'COMPLETED', delayTime: 0, ...done }).seen(
        1_000 + 5 * MINUTE_MS + GRACE + past,
        'a',
        'COMPLETED',
        done,
      ),
  ],
  '4.2/retention-kept': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', work, FAR)
        .seen(1_050, 'a', 'COMPLETED', done)
        .seen(1_000 + 30 * MINUTE_MS - past, 'a', 'GONE'),
  ],
  '4.1/retention-kept': [
    1,
    (t, past) =>
      runsync(t, work, null, { status: 'COMPLETED', delayTime: 0, ...done }).seen(
        1_000 + MINUTE_MS - past,
        'a',
        'GONE',
      ),
  ],
  '3/failed-stays': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', failing, FAR)
        .seen(1_050, 'a', 'FAILED', { executionTime: 1_000 })
        .seen(6_000 - past, 'a', 'GONE'),
  ],
  '3/timed-out-stays': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', hang, { executionTimeout: 5_000 })
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(5_050, 'a', 'TIMED_OUT', { executionTime: 5_000 })
        .seen(10_000 - past, 'a', 'GONE'),
  ],
  '4.3/ttl-shortens-life': [
    0,
    (t, past) =>
      lifespan(t.submitted(0, 'a', hang, FAR), 10_000).seen(10_010 + GRACE + past, 'a', 'IN_QUEUE'),
  ],
  '4.3/ttl-not-at-once': [
    0,
    (t, past) => lifespan(t.submitted(0, 'a', hang, FAR), 10_000).seen(10_000 - past, 'a', 'GONE'),
  ],
  '4.3/ttl-lengthens-life': [
    0,
    (t, past) =>
      lifespan(t.submitted(0, 'a', hang, { ttl: 10_000 }), 60_000).seen(60_000 - past, 'a', 'GONE'),
  ],
  '2.2/ttl-min-enforced': [
    0,
    (t, past) =>
      t
        .submitted(0, 'a', hang, { ttl: 1_000 })
        .seen(1, 'a', 'IN_QUEUE')
        .seen(10_000 - past, 'a', 'GONE'),
  ],
  '2.2/ttl-max-enforced': [
    0,
    (t, past) =>
      t.submitted(0, 'a', hang, { ttl: 9 * DAY_MS }).seen(7 * DAY_MS + GRACE + past, 'a', 'IN_QUEUE'),
  ],
  '2.2/ttl-removes-runsync': [
    0,
    (t, past) =>
      runsync(t, hang, '1000', { status: 'IN_QUEUE' }, { ttl: 10_000 }).seen(
        10_000 + GRACE + past,
        'a',
        'IN_QUEUE',
      ),
  ],
  '2.2/execution-timeout-min-enforced': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', hang, { executionTimeout: 1_000 })
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(5_000 - past, 'a', 'TIMED_OUT', { executionTime: 5_000 - past }),
  ],
  '2.2/execution-timeout-max-enforced': [
    1,
    (t, past) =>
      t
        .submitted(0, 'a', hang, { ...FAR, executionTimeout: 9 * DAY_MS })
        .seen(1, 'a', 'IN_PROGRESS')
        .call(
          DAY_MS,
          'status',
          'a',
          200,
          { id: 'a', status: 'IN_PROGRESS' },
          { query: { ttl: `${7 * DAY_MS}` } },
        )
        .seen(7 * DAY_MS + 1 + GRACE + past, 'a', 'IN_PROGRESS'),
  ],
  '4.1/retention-after-retry': [
    1,
    (t, past) => again(t, 'runsync', FAR).seen(3_000 + MINUTE_MS - past, 'a', 'GONE'),
  ],
  '4.2/retention-after-retry': [
    1,
    (t, past) => again(t, 'run', FAR).seen(3_000 + 30 * MINUTE_MS - past, 'a', 'GONE'),
  ],
  '4.1/wait-does-not-shorten-retention': [
    1,
    (t, past) =>
      runsync(t, work, '5000', { status: 'COMPLETED', delayTime: 0, ...done }).seen(
        1_000 + MINUTE_MS - past,
        'a',
        'GONE',
      ),
  ],
};

/** Bounds without an instant of their own, each with the reason. */
const WITHOUT: { readonly [Id in RequirementId]?: string } = {
  '3/worker-crash-fails':
    'a job may be given to another worker when one dies: an hour bounds it, whatever the runs were',
};

const musts = (t: TraceBuilder, id: RequirementId): readonly string[] =>
  t
    .judged(8 * DAY_MS)
    .requirements.filter(({ verdict, level }) => verdict === 'fail' && level === 'must')
    .map((one) => one.id)
    .toSorted((left) => (left === id ? -1 : 1));

describe('a bound of the life-cycle', () => {
  const bounds = transitions().flatMap((one) => [...one.notEarlier, ...one.notLater]);
  const ids = [...new Set(bounds)].filter((id) => requirement(id).level === 'must');

  it.each(ids.filter((id) => WITHOUT[id] === undefined))('%s is kept to its last millisecond', (id) => {
    const [workers, tell] = BOUNDARIES[id] ?? [];
    expect(tell, `a history for ${id} in specs/oracle/lifecycle/lifecycle-boundaries.spec.ts`).toBeDefined();
    expect(musts(tell!(new TraceBuilder(workers), 0), id)).toEqual([]);
    expect(musts(tell!(new TraceBuilder(workers), 1), id)).toEqual([id]);
  });

  it('has its history, or a reason why it has none', () => {
    const named = [...Object.keys(BOUNDARIES), ...Object.keys(WITHOUT)];
    expect(named.filter((id) => !ids.includes(id as RequirementId))).toEqual([]);
  });
});
