/** Answers of `/runsync` that show no state, before the wait is over. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const runsync = (plan: Json, reply: Json, receivedMs: number, workers = 1): TraceBuilder =>
  new TraceBuilder(workers).call(0, 'runsync', null, 200, reply, {
    body: { input: { plan } },
    query: { wait: '60000' },
    receivedMs,
  });

describe('an answer of /runsync without a state before its wait has elapsed', () => {
  const quick = [{ sleepMs: 200 }, { return: { is: 'done' } }];

  test('for a job that may have ended is not a record, and the wait was not too short', () => {
    expect(failed(runsync(quick, { is: 'done' }, 200).judged(90_000))).toEqual([
      '2.4/id-in-runsync',
      '2.4/status-in-runsync',
    ]);
    expect(failed(runsync(quick, { id: 'a', output: { is: 'done' } }, 200).judged(90_000))).toEqual([
      '2.4/status-in-runsync',
    ]);
    const trace = runsync(quick, { id: 'a', status: 'DONE', output: { is: 'done' } }, 200);
    expect(failed(trace.judged(90_000))).toEqual(['2.4/status-known-runsync']);
  });

  test('for a job that cannot have ended was not held for its wait', () => {
    for (const plan of [[{ hang: true }], [{ sleepMs: 50_000 }]])
      expect(failed(runsync(plan, { message: 'still at it' }, 200).judged(90_000))).toEqual([
        '4.1/wait-not-early',
      ]);
    const waiting = runsync(quick, { id: 'a' }, 200, 0).seen(300, 'a', 'IN_QUEUE');
    expect(failed(waiting.judged(90_000))).toEqual(['4.1/wait-not-early']);
  });

  test('a reported state shows which of the two it is', () => {
    const trace = runsync(quick, { id: 'a', status: 'IN_QUEUE' }, 200);
    expect(failed(trace.judged(90_000))).toEqual(['4.1/wait-not-early']);
  });
});
