/** A job waits on an endpoint that nothing else uses, although nothing else can have a worker. */
import { describe, expect, test } from 'vitest';
import type { Json, RunEvent } from '../../../src/history/events.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const LIVE: Partial<RunEvent> = {
  clock: 'real',
  graceMs: 2_000,
  earlyMs: 50,
  capabilities: ['scripted-worker', 'webhook-reachable', 'dedicated'],
};
const hang = [{ hang: true }];

function count(trace: TraceBuilder, atMs: number, running: number, inProgress = 0): TraceBuilder {
  const jobs = { completed: 0, failed: 0, inProgress, inQueue: 0, retried: 0 };
  const record: Json = { jobs, workers: { idle: 0, running } };
  return trace.call(atMs, 'health', null, 200, record);
}

/** Two jobs have had the two workers, and were cancelled; a third one waits until then. */
function waits(
  untilMs: number,
  how: {
    readonly run?: Partial<RunEvent>;
    readonly before?: number;
    readonly workers?: number;
    readonly policy?: Json;
    readonly plan?: Json;
    readonly others?: (trace: TraceBuilder) => void;
    readonly everyMs?: number;
    readonly running?: number;
    readonly after?: (trace: TraceBuilder) => void;
  } = {},
): readonly string[] {
  const trace = count(new TraceBuilder(null, { ...LIVE, ...how.run }, false), 0, 0, how.before ?? 0);
  for (const id of ['a', 'b']) trace.submitted(100, id, hang).seen(300, id, 'IN_PROGRESS');
  for (const id of ['a', 'b']) trace.call(1_000, 'cancel', id, 200, { id, status: 'CANCELLED' });
  trace.submitted(2_000, 'c', how.plan ?? [{ return: 1 }], how.policy);
  how.others?.(trace);
  const { everyMs = 10_000 } = how;
  for (let atMs = everyMs; atMs <= untilMs; atMs += everyMs) {
    count(trace, atMs, how.workers ?? 2, how.running);
    trace.seen(atMs + 1_000, 'c', 'IN_QUEUE');
  }
  how.after?.(trace);
  return failed(trace.judged(untilMs + 10_000)).filter((id) => id.startsWith('1/') || id.startsWith('3/'));
}

const ID = '1/freed-worker-takes-waiting-job';

describe('a job that waits after all others were cancelled', () => {
  test('for longer than a worker needs to come back', () => {
    expect(waits(130_000)).toEqual([ID]);
  });

  test('while another one waits as well', () => {
    const others = (trace: TraceBuilder): void => void trace.submitted(3_000, 'd', hang);
    const after = (trace: TraceBuilder): void => void trace.seen(132_000, 'd', 'IN_QUEUE');
    expect(waits(130_000, { others, after, workers: 1 })).toEqual([ID]);
    expect(waits(130_000, { others, workers: 1 })).toEqual([]);
  });

  test('while fewer jobs than there are workers are unknown', () => {
    const unknown = (times: number) => (trace: TraceBuilder) => {
      for (let time = 0; time < times; time += 1)
        trace.call(3_000, 'run', null, null, null, { body: { input: {} } });
    };
    expect(waits(130_000, { others: unknown(1) })).toEqual([ID]);
    expect(waits(130_000, { others: unknown(2) })).toEqual([]);
    expect(waits(130_000, { others: unknown(1), workers: 1 })).toEqual([]);
  });

  test('while the service itself counts fewer running jobs than there are workers, all the time', () => {
    const others = (trace: TraceBuilder): void => {
      for (const id of ['d', 'e']) trace.submitted(3_000, id, hang).seen(4_000, id, 'IN_PROGRESS');
    };
    const everyMs = 5_000;
    expect(waits(130_000, { others, everyMs, running: 1 })).toEqual([ID]);
    expect(waits(130_000, { others, everyMs, running: 2 })).toEqual([]);
    expect(waits(130_000, { others, everyMs: 10_000, running: 1 })).toEqual([]);
  });

  test.each<readonly [string, readonly string[]]>([
    ['as long as a worker may need to come back', waits(110_000)],
    ['where there are no workers', waits(130_000, { workers: 0 })],
    ['where others may use the endpoint', waits(130_000, { run: { capabilities: ['scripted-worker'] } })],
    ['where jobs of others ran before', waits(130_000, { before: 1 })],
    ['with low priority', waits(130_000, { policy: { lowPriority: true } })],
    ['and whose worker may have died', waits(130_000, { plan: [{ crash: true }] })],
    [
      'while as many run as there are workers',
      waits(130_000, {
        others: (trace) => {
          for (const id of ['d', 'e']) trace.submitted(3_000, id, hang).seen(4_000, id, 'IN_PROGRESS');
        },
      }),
    ],
    [
      'while the target was lost',
      waits(130_000, { others: (trace) => void trace.lost(3_000, 'health', null, 'refused') }),
    ],
  ])('%s proves nothing', (_, ids) => {
    expect(ids).toEqual([]);
  });
});
