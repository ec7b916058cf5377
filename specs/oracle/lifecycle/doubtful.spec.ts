/** What another breach has made doubtful is no ground for an accusation: one requirement is named that explains both. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const WEEK_MS = 604_800_000;
const FAR = { ttl: WEEK_MS, executionTimeout: WEEK_MS };
const hang = [{ hang: true }];
const sleeps = (ms: number) => [{ sleepMs: ms }, { return: 1 }];

describe('a job that is lost in the queue', () => {
  const busy = (): TraceBuilder =>
    new TraceBuilder().submitted(0, 'b', hang, FAR).seen(5, 'b', 'IN_PROGRESS');
  const WAITS = ['1/waits-when-no-worker-free'];

  test('did not wait for a worker, whatever its ttl', () => {
    for (const policy of [FAR, undefined]) {
      const trace = busy().submitted(10, 'a', hang, policy).seen(20, 'a', 'IN_QUEUE');
      expect(failed(trace.seen(1_000, 'a', 'GONE').judged(2_000))).toEqual(WAITS);
    }
  });

  test('nor one that nobody has seen, while others that came to a free worker exist', () => {
    const trace = busy()
      .submitted(10, 'a', hang, FAR)
      .submitted(10, 'c', hang, FAR)
      .submitted(10, 'd', hang, FAR);
    trace.seen(20, 'a', 'GONE').seen(20, 'c', 'IN_QUEUE').seen(20, 'd', 'IN_QUEUE');
    expect(failed(trace.judged(2_000))).toEqual(WAITS);
  });

  test('a purge that counts the others counts right', () => {
    const trace = busy().submitted(10, 'a', hang, FAR).submitted(10, 'c', hang, FAR).seen(20, 'a', 'GONE');
    trace.call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' });
    expect(failed(trace.judged(2_000))).toEqual(WAITS);
  });

  test('is deleted before its time where its ttl is not far', () => {
    const trace = busy()
      .submitted(10, 'a', hang, { ...FAR, ttl: 20_000 })
      .seen(20, 'a', 'IN_QUEUE');
    expect(failed(trace.seen(10_100, 'a', 'GONE').judged(12_000))).toEqual(['2.2/ttl-not-early-queued']);
  });
});

test('what becomes of an input that is no object says nothing about inputs', () => {
  const trace = new TraceBuilder()
    .call(0, 'run', null, 200, { id: 'c', status: 'IN_QUEUE' }, { body: { input: {} } })
    .seen(10, 'c', 'COMPLETED', { output: { echo: {} } })
    .call(
      20,
      'run',
      null,
      200,
      { id: 'a', status: 'IN_QUEUE' },
      { body: { input: [] }, illegal: 'input-array' },
    )
    .seen(30, 'a', 'COMPLETED', { output: { echo: {} } });
  expect(failed(trace.judged(2_000))).toEqual(['2.1/input-array-refused-run']);
});

test('a call is not late whose job a purge has left in the queue', () => {
  const trace = new TraceBuilder().submitted(0, 'b', sleeps(4_000), FAR).seen(5, 'b', 'IN_PROGRESS');
  trace
    .submitted(10, 'c', hang, FAR)
    .call(
      10,
      'runsync',
      null,
      200,
      { id: 'a', status: 'COMPLETED', output: 1, delayTime: 0, executionTime: 100 },
      {
        body: { input: { plan: sleeps(100) } },
        receivedMs: 4_110,
        ticks: [10, 21],
      },
    )
    .call(1_000, 'purge-queue', null, 200, { removed: 1, status: 'completed' }, { ticks: [12, 13] })
    .seen(5_000, 'c', 'IN_QUEUE');
  const found = failed(trace.judged(9_000));
  expect(found).toContain('4.7/removes-all-waiting');
  expect(found.filter((id) => id.startsWith('4.1/'))).toEqual([]);
});

describe('a job that waits although no other one runs', () => {
  const trace = (answered: number): TraceBuilder =>
    new TraceBuilder()
      .submitted(0, 'b', [{ return: 1 }], FAR, { webhook: 'http://here/b' })
      .seen(10, 'b', 'COMPLETED', { output: 1 })
      .webhook(15, 'http://here/b', answered)
      .submitted(1_000, 'a', [{ return: 1 }], FAR)
      .seen(4_000, 'a', 'IN_QUEUE');

  test('is held up by the calls of a webhook that fails, while these are made', () => {
    expect(failed(trace(500).webhook(10_015, 'http://here/b', 200).judged(12_000))).toEqual([
      '6/failing-webhook-leaves-others-alone',
    ]);
  });

  test('is not where no call fails', () => {
    expect(failed(trace(200).judged(12_000))).toEqual(['1/free-worker-takes-job']);
  });

  test('nor where none is to be made any more', () => {
    const later = new TraceBuilder()
      .submitted(0, 'b', [{ return: 1 }], FAR, { webhook: 'http://here/b' })
      .seen(10, 'b', 'COMPLETED', { output: 1 })
      .webhook(15, 'http://here/b', 500)
      .webhook(10_015, 'http://here/b', 200)
      .submitted(11_000, 'a', [{ return: 1 }], FAR)
      .seen(30_000, 'a', 'IN_QUEUE');
    expect(failed(later.judged(60_000))).toEqual(['1/free-worker-takes-job']);
  });
});
