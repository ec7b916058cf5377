/**
 * Histories of correct endpoints in which many clients ask for one job at once. How many calls are under way says nothing
 * against the endpoint: where a life has too many explanations to follow, that is no proof of anything.
 */
import type { Json } from '../../../src/history/events.js';
import { TraceBuilder } from './trace-builder.js';

const WEBHOOK = 'http://here/1';

/** Calls that were all sent at one instant, each answered some ms after the one before: a status, or that there is nothing to cancel. */
function crowd(trace: TraceBuilder, atMs: number, everyMs: number, answers: readonly string[]): TraceBuilder {
  const firstTick = 1_000 * (1 + atMs);
  answers.forEach((answer, index) => {
    const how = {
      ticks: [firstTick + index, firstTick + answers.length + index],
      receivedMs: atMs + everyMs * (index + 1),
    } as const;
    const executionTime = answer === 'FAILED' ? 5_000 : 0;
    const reply: Json = { id: 'a', status: answer, delayTime: 0, executionTime };
    if (answer === 'not cancelled') trace.call(atMs, 'cancel', 'a', 400, { error: 'it has ended' }, how);
    else trace.call(atMs, 'status', 'a', 200, answer === 'COMPLETED' ? { ...reply, output: 1 } : reply, how);
  });
  return trace;
}

const twice = (answers: readonly string[]): readonly string[] => answers.flatMap((one) => [one, one]);
const eight = (end: string): readonly string[] => twice(['IN_QUEUE', 'IN_PROGRESS', end, 'not cancelled']);

export const CROWDED: readonly (readonly [string, TraceBuilder])[] = [
  [
    'its webhook fails, and its ttl removes it before the next attempt, after eight calls at once',
    crowd(
      new TraceBuilder(null).submitted(0, 'a', [{ return: 1 }], { ttl: 10_000 }, { webhook: WEBHOOK }),
      0,
      20,
      eight('COMPLETED'),
    )
      .webhook(200, WEBHOOK, 500)
      .seen(10_300, 'a', 'GONE'),
  ],
  [
    'its stream ends in the error of its timeout, after eight calls at once',
    crowd(
      new TraceBuilder(null).submitted(0, 'a', [{ stream: 1 }, { hang: true }], { executionTimeout: 5_000 }),
      0,
      1_100,
      eight('FAILED'),
    ).call(9_000, 'stream', 'a', 200, [{ output: 1 }, { output: 'job timed out' }]),
  ],
  [
    'it was seen running and failed by looks at once, and retried',
    crowd(new TraceBuilder(null).submitted(0, 'a', [{ fail: 'x' }]), 0, 10, ['IN_PROGRESS', 'FAILED'])
      .call(1_000, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(1_010, 'a', 'IN_PROGRESS')
      .seen(2_000, 'a', 'FAILED'),
  ],
  [
    'one of two reads of its stream got nothing, for a slower one had taken all',
    new TraceBuilder(null)
      .submitted(0, 'a', [{ stream: 1 }, { sleepMs: 5_000 }, { return: 1 }])
      .seen(10, 'a', 'IN_PROGRESS')
      .call(2_000, 'stream', 'a', 200, [], { receivedMs: 2_500, ticks: [11, 12] })
      .call(1_000, 'stream', 'a', 200, [{ output: 1 }], { receivedMs: 3_000, ticks: [10, 13] }),
  ],
  [
    'its stream was read before it completed, and answered after it was seen to have',
    new TraceBuilder(null)
      .submitted(0, 'a', [{ stream: 1 }, { sleepMs: 2_000 }, { stream: 2 }])
      .call(1_000, 'stream', 'a', 200, [{ output: 1 }])
      .call(
        2_200,
        'status',
        'a',
        200,
        { id: 'a', status: 'COMPLETED', delayTime: 0, executionTime: 2_000, output: [1, 2] },
        { ticks: [11, 12] },
      )
      .call(1_500, 'stream', 'a', 200, [], { receivedMs: 3_000, ticks: [10, 13] }),
  ],
];
