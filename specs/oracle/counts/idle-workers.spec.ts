/** A job that waits beside idle workers, where their number is not known but nothing else is there. */
import { describe, expect, test } from 'vitest';
import { RUN_ITSELF, type CallEvent, type RunEvent } from '../../../src/history/events.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const LIVE: Partial<RunEvent> = {
  clock: 'real',
  graceMs: 2_000,
  earlyMs: 50,
  capabilities: ['scripted-worker', 'webhook-reachable', 'dedicated'],
};

const counted = (trace: TraceBuilder, atMs: number, idle: number, inQueue = 1): TraceBuilder =>
  trace.call(atMs, 'health', null, 200, {
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue, retried: 0 },
    workers: { idle, running: 0 },
  });

const begun = (run: Partial<RunEvent> = {}, othersBefore = 0): TraceBuilder =>
  counted(new TraceBuilder(null, { ...LIVE, ...run }, false), 0, 1, othersBefore).submitted(
    100,
    'lost',
    [{ return: 1 }],
    { ttl: 604_800_000 },
  );

/** Looked at every 5 s from `fromMs` to `untilMs`. */
function waits(trace: TraceBuilder, fromMs: number, untilMs: number, idle = 1): TraceBuilder {
  for (let ms = fromMs; ms <= untilMs; ms += 5_000)
    counted(trace, ms, idle).seen(ms + 100, 'lost', 'IN_QUEUE');
  return trace;
}

const FREE = '1/free-worker-takes-job';
const isFailed = (trace: TraceBuilder): boolean => failed(trace.judged(400_000)).includes(FREE);

describe('a job in the queue beside idle workers', () => {
  test('is failed after a minute, and what counts may lag behind', () => {
    expect(isFailed(waits(begun(), 1_000, 76_000))).toBe(true);
    expect(isFailed(waits(begun(), 1_000, 66_000))).toBe(false);
  });

  test('by looks of the run itself, too', () => {
    const trace = waits(begun(), 1_000, 76_000);
    for (const [at, event] of trace.events.entries())
      if (event.kind === 'call' && event.sentMs > 1_000)
        trace.events[at] = { ...event, script: RUN_ITSELF } satisfies CallEvent;
    expect(isFailed(trace)).toBe(true);
  });

  test.each<readonly [string, () => TraceBuilder]>([
    ['no worker is idle', () => waits(begun(), 1_000, 76_000, 0)],
    [
      'no worker is idle meanwhile',
      () => waits(waits(begun(), 1_000, 36_000), 41_000, 41_000, 0).seen(42_000, 'lost', 'IN_QUEUE'),
    ],
    [
      'it is taken later',
      () => waits(begun(), 1_000, 61_000).seen(77_000, 'lost', 'COMPLETED', { output: 1 }),
    ],
    ['jobs of others were there', () => waits(begun({}, 1), 1_000, 76_000)],
    ['others use the endpoint', () => waits(begun({ capabilities: ['scripted-worker'] }), 1_000, 76_000)],
    ['stopped workers count as idle', () => waits(begun({ edition: 'runpod' }), 1_000, 76_000)],
    [
      'another job may be there',
      () =>
        waits(
          begun().submitted(200, 'other', [{ hang: true }], { executionTimeout: 604_800_000 }),
          1_000,
          76_000,
        ),
    ],
    [
      'a retry may have requeued it',
      () => waits(begun().call(500, 'retry', 'lost', null, null), 1_000, 76_000),
    ],
  ])('is not where %s', (_, trace) => {
    expect(isFailed(trace())).toBe(false);
  });

  test.each(['runsync', 'openai'] as const)('is failed beside a job of /%s whose id is not known', (op) => {
    const gone = (code: number): boolean =>
      isFailed(
        waits(begun().call(500, op, null, code, { error: 'x' }, { body: { input: {} } }), 1_000, 76_000),
      );
    expect(gone(404)).toBe(true);
    if (op === 'runsync') expect(gone(500)).toBe(false);
  });

  test('is failed beside others that have ended', () => {
    const trace = begun()
      .submitted(200, 'other', [{ return: 1 }])
      .seen(900, 'other', 'COMPLETED', { output: 1 });
    expect(isFailed(waits(trace, 1_000, 76_000))).toBe(true);
  });
});
