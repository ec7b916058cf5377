/** Calls with many under way: refused within both limits, where what is too low shows elsewhere in the run, or accepted beyond them. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder } from '../support/trace-builder.js';

/** Two hundred waiting calls are let in, and no more. */
function crowd(answered = true): TraceBuilder {
  const trace = new TraceBuilder(0);
  const body = { input: { plan: [{ hang: true }] } };
  for (let nth = 0; nth < 200; nth += 1) {
    const record = answered ? { id: `j${nth}`, status: 'IN_QUEUE' } : null;
    const query = { wait: '1000' };
    trace.call(0, 'runsync', null, answered ? 200 : null, record, {
      body,
      query,
      receivedMs: 1_000,
      ticks: [nth, 1_000 + nth],
    });
  }
  return trace.call(0, 'runsync', null, 429, { error: 'too many' }, { body, ticks: [500, 501] });
}

const named = (trace: TraceBuilder): readonly string[] =>
  failed(trace.judged(60_000)).filter((id) => id.startsWith('8/'));

test('if nothing else is refused too early, the concurrency limit is too low', () => {
  expect(named(crowd())).toEqual(['8/concurrency-runsync-below']);
});

test('calls that are broken off before their answer take their places as well', () => {
  expect(named(crowd(false))).toEqual(['8/concurrency-runsync-below']);
});

test('if other operations are refused too early with no calls in flight, the rate is too low', () => {
  const trace = crowd()
    .call(20_000, 'purge-queue', null, 429, { error: 'too many' })
    .call(20_000, 'requests', null, 429, { error: 'too many' });
  expect(named(trace)).toEqual(['8/rate-runsync-below', '8/rate-purge-queue-below', '8/rate-requests-below']);
});

describe('201 concurrent calls of /run are too many, three of /requests are not', () => {
  /** Of so many calls, held back together, the last are refused. */
  const burst = (
    trace: TraceBuilder,
    atMs: number,
    op: 'run' | 'requests',
    calls: number,
    refused: number,
    shown: { togetherMs: number; arrived?: boolean },
  ): TraceBuilder => {
    const first = atMs;
    for (let nth = 0; nth < calls; nth += 1) {
      const isRefused = nth >= calls - refused;
      const [sent, until] = [first + nth, first + calls + nth];
      const overTick = isRefused ? first + calls - 1 : until;
      const held = { fromTick: sent, untilTick: until, overTick, untilMs: atMs, ...shown };
      const reply = isRefused
        ? { error: 'too many' }
        : op === 'run'
          ? { id: `j${nth}`, status: 'IN_QUEUE' }
          : [];
      const body = { input: { plan: [{ return: 1 }] } };
      trace.call(atMs, op, null, isRefused ? 429 : 200, reply, { body, held, ticks: [sent, until] });
    }
    return trace;
  };
  const story = (
    workers: number,
    shown: { togetherMs: number; arrived?: boolean } = { togetherMs: 2_000 },
  ): TraceBuilder =>
    burst(burst(new TraceBuilder(workers), 1_000, 'requests', 3, 0, shown), 20_000, 'run', 201, 1, shown);

  test('without workers one of the two is wrong', () => {
    expect(named(story(0))).toEqual(['8/concurrency-requests-above']);
  });

  test.each([
    ['for a short time, they may not have arrived', { togetherMs: 20 }, []],
    [
      'until test control shows them all',
      { togetherMs: 20, arrived: true },
      ['8/concurrency-requests-above'],
    ],
    // It counts them, and a loaded machine may be slow to read them.
    ['for long, though test control shows fewer', { togetherMs: 2_000, arrived: false }, []],
  ] as const)('held back %s', (_, shown, ids) => {
    expect(named(story(0, shown))).toEqual(ids);
  });

  test('idle workers may count as running, and each may allow three calls', () => {
    expect(named(story(1))).toEqual([]);
  });
});

describe('status calls that are held until the job ends', () => {
  const LOOKS = 401;
  const done = { id: 'a', status: 'COMPLETED', delayTime: 0, executionTime: 0, output: 1 };
  /** They are sent at once, the last beyond the number allowed; `probe`: one more is sent meanwhile, and is answered then. */
  const story = (clock: 'real' | 'controlled', probe: boolean, arrivedMs: number | null): TraceBuilder => {
    const trace = new TraceBuilder(0, { clock, graceMs: 2_000 });
    trace.call(
      0,
      'run',
      null,
      200,
      { id: 'a', status: 'IN_QUEUE' },
      { body: { input: { plan: [{ return: 1 }] } } },
    );
    trace.call(
      1,
      'run',
      null,
      200,
      { id: 'b', status: 'IN_QUEUE' },
      { body: { input: { plan: [{ return: 1 }] } } },
    );
    for (let nth = 0; nth < LOOKS; nth += 1) {
      const ticks = [100 + nth, 1_000 + nth] as const;
      trace.call(
        1_000,
        'status',
        'a',
        200,
        { ...done, status: 'IN_QUEUE', output: null },
        { receivedMs: 9_000, ticks },
      );
      Object.assign(trace.events.at(-1)!, { arrivedByMs: arrivedMs });
    }
    if (probe)
      trace.call(4_000, 'status', 'b', 200, { ...done, id: 'b', status: 'IN_QUEUE' }, { ticks: [800, 801] });
    return trace;
  };

  test.each([
    ['in real time', story('real', true, null), ['8/concurrency-enforced']],
    [
      'under a controlled clock that tells of their arrival',
      story('controlled', true, 1_000),
      ['8/concurrency-enforced'],
    ],
    ['under a clock that does not report it', story('controlled', true, null), []],
    ['by a slow server that handles calls one by one', story('real', false, null), []],
  ])('%s', (_, trace, ids) => {
    expect(named(trace)).toEqual(ids);
  });

  test('are refused if another operation is', () => {
    const trace = story('real', true, null);
    const body = { input: { plan: [{ return: 1 }] } };
    for (let nth = 0; nth < 201; nth += 1) {
      const [sent, until] = [20_000 + nth, 20_300 + nth];
      const held = {
        fromTick: sent,
        untilTick: until,
        overTick: nth < 200 ? until : 20_250,
        untilMs: 60_000,
        togetherMs: 3_000,
      };
      const reply = nth < 200 ? { id: `j${nth}`, status: 'IN_QUEUE' } : { error: 'too many' };
      trace.call(60_000, 'run', null, nth < 200 ? 200 : 429, reply, { body, held, ticks: [sent, until] });
    }
    expect(named(trace)).toEqual(['8/concurrency-status-above']);
  });
});
