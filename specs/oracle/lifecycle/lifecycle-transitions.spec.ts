/**
 * Each move that the life-cycle demands or forbids: a history that keeps it, and one that breaks it and nothing else. Those that
 * are told in `life-stories.ts` are not told again. Which moves there are the table of the oracle says.
 */
import { describe, expect, it } from 'vitest';
import { transitions } from '../../../src/oracle/index.js';
import type { RequirementId } from '../../../src/spec/index.js';
import { DAY_MS } from '../../../src/spec/limits.js';
import { STORIES } from '../support/lifecycle-histories.js';
import { TraceBuilder } from '../support/trace-builder.js';

const hang = [{ hang: true }];
const work = [{ sleepMs: 1_000 }, { return: { ok: 1 } }];
const failing = [{ sleepMs: 1_000 }, { fail: 'x' }];
const done = { output: { ok: 1 }, executionTime: 1_000 };
const ended = { executionTime: 1_000 };
const gone = { error: 'no such job' };
const refusal = { error: 'not in this state' };

const cancel = (t: TraceBuilder, ms: number): TraceBuilder =>
  t.call(ms, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' });
const retry = (t: TraceBuilder, ms: number): TraceBuilder =>
  t.call(ms, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' });
const purge = (t: TraceBuilder, ms: number, removed: number): TraceBuilder =>
  t.call(ms, 'purge-queue', null, 200, { removed, status: 'completed' });

const running = (t: TraceBuilder): TraceBuilder => t.submitted(0, 'a', hang).seen(1, 'a', 'IN_PROGRESS');
const completed = (t: TraceBuilder): TraceBuilder =>
  t.submitted(0, 'a', work).seen(1_050, 'a', 'COMPLETED', done);
const failedOne = (t: TraceBuilder): TraceBuilder =>
  t.submitted(0, 'a', failing).seen(1_050, 'a', 'FAILED', ended);
const timedOut = (t: TraceBuilder): TraceBuilder =>
  t
    .submitted(0, 'a', hang, { executionTimeout: 5_000 })
    .seen(1, 'a', 'IN_PROGRESS')
    .seen(5_050, 'a', 'TIMED_OUT', { executionTime: 5_000 });
/** It waits behind another job, which is done after a second. */
const behind = (t: TraceBuilder): TraceBuilder =>
  t.submitted(0, 'b', work).seen(1, 'b', 'IN_PROGRESS').submitted(2, 'a', hang).seen(3, 'a', 'IN_QUEUE');
const expired = (t: TraceBuilder): TraceBuilder =>
  t.submitted(0, 'a', hang, { ttl: 10_000 }).seen(1, 'a', 'IN_QUEUE').seen(10_200, 'a', 'GONE');
/** Its result is over, and its ttl is not. */
const resultExpired = (t: TraceBuilder): TraceBuilder =>
  t
    .call(
      0,
      'runsync',
      null,
      200,
      { id: 'a', status: 'COMPLETED', delayTime: 0, ...done },
      { body: { input: { plan: work } }, receivedMs: 1_000 },
    )
    .seen(2_000, 'a', 'COMPLETED', done)
    .seen(95_000, 'a', 'GONE');

/** A `/runsync`, answered after a second. */
const waitedFor = (t: TraceBuilder, plan: object[], status: string): TraceBuilder =>
  t.call(
    0,
    'runsync',
    null,
    200,
    { id: 'a', status, delayTime: 0, executionTime: status === 'FAILED' ? 1_000 : 0 },
    { body: { input: { plan } } as never, receivedMs: 1_000, query: { wait: '1000' } },
  );
const retriedOne = (t: TraceBuilder): TraceBuilder =>
  retry(failedOne(t), 1_100).seen(1_150, 'a', 'IN_PROGRESS');
/** It waits again, behind another job. */
const retriedBehind = (t: TraceBuilder): TraceBuilder =>
  retry(failedOne(t).submitted(1_100, 'b', hang).seen(1_150, 'b', 'IN_PROGRESS'), 1_200).seen(
    1_300,
    'a',
    'IN_QUEUE',
  );

type Tell = (t: TraceBuilder) => TraceBuilder;

const MOVES: { readonly [Id in RequirementId]?: readonly [workers: number, kept: Tell, broken: Tell] } = {
  '3/cancel-queued': [
    0,
    (t) => cancel(t.submitted(0, 'a', hang), 10).seen(20, 'a', 'CANCELLED'),
    (t) => cancel(t.submitted(0, 'a', hang), 10).seen(20, 'a', 'IN_QUEUE'),
  ],
  '4.5/cancels-retried-job': [
    1,
    (t) => cancel(retriedOne(t), 1_200).seen(1_250, 'a', 'CANCELLED'),
    (t) => cancel(retriedOne(t), 1_200).seen(1_250, 'a', 'IN_PROGRESS'),
  ],
  '4.5/cancels-runsync-job': [
    1,
    (t) => cancel(waitedFor(t, hang, 'IN_PROGRESS'), 1_200).seen(1_250, 'a', 'CANCELLED'),
    (t) => cancel(waitedFor(t, hang, 'IN_PROGRESS'), 1_200).seen(1_250, 'a', 'IN_PROGRESS'),
  ],
  '4.6/retries-runsync-job': [
    1,
    (t) => retry(waitedFor(t, failing, 'FAILED'), 1_200).seen(1_250, 'a', 'IN_PROGRESS'),
    (t) => waitedFor(t, failing, 'FAILED').call(1_200, 'retry', 'a', 400, refusal),
  ],
  '4.7/removes-waiting-retried': [
    1,
    (t) => purge(retriedBehind(t), 1_400, 1).seen(1_450, 'a', 'GONE'),
    (t) => purge(retriedBehind(t), 1_400, 1).seen(1_450, 'a', 'IN_QUEUE'),
  ],
  '4.7/removes-waiting-low-priority': [
    0,
    (t) => purge(t.submitted(0, 'a', hang, { lowPriority: true }), 10, 1).seen(20, 'a', 'GONE'),
    (t) => purge(t.submitted(0, 'a', hang, { lowPriority: true }), 10, 1).seen(20, 'a', 'IN_QUEUE'),
  ],
  '4.7/removes-waiting-runsync': [
    0,
    (t) => purge(waitedFor(t, hang, 'IN_QUEUE'), 1_200, 1).seen(1_250, 'a', 'GONE'),
    (t) => purge(waitedFor(t, hang, 'IN_QUEUE'), 1_200, 1).seen(1_250, 'a', 'IN_QUEUE'),
  ],
  '3/cancelled-never-starts': [
    1,
    (t) =>
      cancel(behind(t), 10)
        .seen(20, 'a', 'CANCELLED')
        .seen(1_050, 'b', 'COMPLETED', done)
        .seen(1_300, 'a', 'CANCELLED'),
    (t) =>
      cancel(behind(t), 10)
        .seen(20, 'a', 'CANCELLED')
        .seen(1_050, 'b', 'COMPLETED', done)
        .seen(1_300, 'a', 'IN_PROGRESS'),
  ],
  '3/cancelled-stays': [
    1,
    (t) => cancel(completed(t), 1_100).seen(1_150, 'a', 'CANCELLED').seen(1_200, 'a', 'CANCELLED'),
    (t) => cancel(completed(t), 1_100).seen(1_150, 'a', 'CANCELLED').seen(1_200, 'a', 'COMPLETED', done),
  ],
  '3/no-return-to-queue': [
    1,
    (t) => running(t).seen(10, 'a', 'IN_PROGRESS'),
    (t) => running(t).seen(10, 'a', 'IN_QUEUE'),
  ],
  '3/failed-stays': [
    1,
    (t) => failedOne(t).seen(1_100, 'a', 'FAILED', ended),
    (t) => failedOne(t).seen(1_100, 'a', 'IN_QUEUE'),
  ],
  '3/timed-out-stays': [
    1,
    (t) => timedOut(t).seen(5_100, 'a', 'TIMED_OUT', { executionTime: 5_000 }),
    (t) => timedOut(t).seen(5_100, 'a', 'IN_QUEUE'),
  ],
  '3/retry-requeues-timed-out': [
    1,
    (t) => retry(timedOut(t), 5_100).seen(5_150, 'a', 'IN_PROGRESS'),
    (t) =>
      timedOut(t)
        .call(5_100, 'retry', 'a', 400, refusal)
        .seen(5_150, 'a', 'TIMED_OUT', { executionTime: 5_000 }),
  ],
  '4.3/shows-current-state': [
    1,
    (t) => running(t).seen(10, 'a', 'IN_PROGRESS').seen(20, 'a', 'IN_PROGRESS'),
    (t) => running(t).seen(10, 'a', 'GONE').seen(20, 'a', 'IN_PROGRESS'),
  ],
  '4.6/no-effect-in-progress': [
    1,
    (t) => running(t).call(10, 'retry', 'a', 400, refusal).seen(20, 'a', 'IN_PROGRESS'),
    (t) => retry(running(t), 10).seen(20, 'a', 'IN_QUEUE'),
  ],
  '4.6/no-effect-on-completed': [
    1,
    (t) => completed(t).call(1_100, 'retry', 'a', 400, refusal).seen(1_150, 'a', 'COMPLETED', done),
    (t) => retry(completed(t), 1_100).seen(1_150, 'a', 'IN_QUEUE'),
  ],
  '4.6/no-effect-on-cancelled': [
    0,
    (t) =>
      cancel(t.submitted(0, 'a', hang), 10)
        .seen(20, 'a', 'CANCELLED')
        .call(30, 'retry', 'a', 400, refusal)
        .seen(40, 'a', 'CANCELLED'),
    (t) =>
      retry(cancel(t.submitted(0, 'a', hang), 10).seen(20, 'a', 'CANCELLED'), 30).seen(40, 'a', 'IN_QUEUE'),
  ],
  '4.6/expired-by-ttl-not-retried': [
    0,
    (t) => expired(t).call(10_300, 'retry', 'a', 404, gone),
    (t) => retry(expired(t), 10_300).seen(10_400, 'a', 'IN_QUEUE'),
  ],
  '4.6/expired-result-not-retried': [
    1,
    (t) => resultExpired(t).call(95_100, 'retry', 'a', 404, gone),
    (t) => retry(resultExpired(t), 95_100).seen(95_200, 'a', 'IN_QUEUE'),
  ],
  '4.7/keeps-running': [
    1,
    (t) => purge(running(t), 10, 0).seen(20, 'a', 'IN_PROGRESS'),
    (t) => purge(running(t), 10, 0).seen(20, 'a', 'CANCELLED'),
  ],
  '4.7/purged-jobs-never-run': [
    1,
    (t) =>
      purge(behind(t), 10, 1)
        .seen(20, 'a', 'CANCELLED')
        .seen(1_050, 'b', 'COMPLETED', done)
        .seen(1_300, 'a', 'CANCELLED'),
    (t) =>
      purge(behind(t), 10, 1)
        .seen(20, 'a', 'CANCELLED')
        .seen(1_050, 'b', 'COMPLETED', done)
        .seen(1_300, 'a', 'IN_PROGRESS'),
  ],
  '2.2/ttl-stays-gone': [
    0,
    (t) => expired(t).seen(10_300, 'a', 'GONE'),
    (t) => expired(t).seen(10_300, 'a', 'IN_QUEUE'),
  ],
  '7/result-expired-status': [
    1,
    (t) => resultExpired(t).seen(95_100, 'a', 'GONE'),
    (t) => resultExpired(t).seen(95_100, 'a', 'COMPLETED', done),
  ],
  '7/ttl-expired-cancel': [
    0,
    (t) => expired(t).call(10_300, 'cancel', 'a', 404, gone).seen(10_400, 'a', 'GONE'),
    (t) => cancel(expired(t), 10_300).seen(10_400, 'a', 'GONE'),
  ],
  '7/result-expired-cancel': [
    1,
    (t) => resultExpired(t).call(95_100, 'cancel', 'a', 404, gone).seen(95_200, 'a', 'GONE'),
    (t) => cancel(resultExpired(t), 95_100).seen(95_200, 'a', 'GONE'),
  ],
};

const musts = (findings: ReturnType<TraceBuilder['judged']>): readonly string[] =>
  findings.requirements
    .filter(({ verdict, level }) => verdict === 'fail' && level === 'must')
    .map(({ id }) => id);

describe('a move of the life-cycle', () => {
  const trace = new Set<string>(STORIES.map(([id]) => id));
  const ids = [...new Set(transitions().flatMap(({ requires }) => requires))].filter((id) => !trace.has(id));

  it.each(ids)('%s is kept, and broken by nothing else', (id) => {
    const move = MOVES[id];
    expect(
      move,
      `a kept and a broken history for ${id} in specs/oracle/lifecycle/lifecycle-transitions.spec.ts`,
    ).toBeDefined();
    const [workers, kept, broken] = move!;
    const findings = kept(new TraceBuilder(workers)).judged(DAY_MS);
    expect(musts(findings)).toEqual([]);
    // It may range over cases of which this is one.
    expect(findings.requirements.find((one) => one.id === id)!.decided).toBeGreaterThan(0);
    expect(musts(broken(new TraceBuilder(workers)).judged(DAY_MS))).toEqual([id]);
  });
});
