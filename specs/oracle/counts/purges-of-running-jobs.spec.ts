/** On a shared endpoint a purge also removes jobs that run: several purges, of each of which one job tells. */
import { expect, test } from 'vitest';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const LONG = { ttl: 604_800_000, executionTimeout: 604_800_000 };
const hang = [{ hang: true }];

const shared = (): TraceBuilder =>
  new TraceBuilder(
    null,
    {
      capabilities: ['scripted-worker', 'dedicated'],
      clock: 'real',
      graceMs: 1_000,
      earlyMs: 20,
    },
    false,
  );
const purged = (trace: TraceBuilder, ms: number): TraceBuilder =>
  trace.call(ms, 'purge-queue', null, 200, { removed: 1, status: 'completed' });

/** One that existed for longer, and then another script that purges, and whose running job is gone. */
function lost(trace: TraceBuilder, script: number, purges = true): TraceBuilder {
  const fromMs = script * 20_000;
  const id = `job-${script}`;
  trace
    .by(script)
    .submitted(fromMs, id, hang, LONG)
    .seen(fromMs + 100, id, 'IN_PROGRESS');
  if (purges) purged(trace, fromMs + 1_000);
  return trace.seen(fromMs + 1_100, id, 'GONE');
}
const begun = (): TraceBuilder =>
  shared()
    .submitted(0, 'stays', hang, LONG)
    .seen(100, 'stays', 'IN_PROGRESS')
    .seen(15_000, 'stays', 'IN_PROGRESS')
    .call(15_500, 'cancel', 'stays', 200, { id: 'stays', status: 'CANCELLED' });

test('each purge reached one job, and every job that is gone had been reached: purges remove running jobs', () => {
  const trace = [1, 2, 3].reduce((all, script) => lost(all, script), begun());
  expect(failed(trace.judged(90_000))).toEqual(['4.7/keeps-running']);
});

test('a job that is gone without a purge: jobs are deleted too early', () => {
  const trace = [1, 2, 3].reduce((all, script) => lost(all, script), begun());
  expect(failed(lost(trace, 4, false).judged(120_000))).toEqual(['2.2/ttl-not-early-running']);
});

test('one purge reached two jobs: so did another that reached one', () => {
  const trace = lost(begun(), 1);
  trace.by(2).submitted(40_000, 'a', hang, LONG).seen(40_100, 'a', 'IN_PROGRESS');
  trace.by(3).submitted(40_200, 'b', hang, LONG).seen(40_300, 'b', 'IN_PROGRESS');
  purged(trace.by(2), 41_000).seen(41_100, 'a', 'GONE');
  trace.by(3).seen(41_200, 'b', 'GONE');
  expect(failed(trace.judged(90_000))).toEqual(['4.7/keeps-running']);
});

test('a job that ran before the purge and was retried after it has not survived it', () => {
  const trace = begun();
  trace
    .by(5)
    .submitted(30_000, 'slow', hang, { ...LONG, executionTimeout: 5_000 })
    .seen(30_100, 'slow', 'IN_PROGRESS');
  trace.by(2).submitted(36_000, 'a', hang, LONG).seen(36_100, 'a', 'IN_PROGRESS');
  trace.by(3).submitted(36_200, 'b', hang, LONG).seen(36_300, 'b', 'IN_PROGRESS');
  purged(trace.by(2), 37_000).seen(37_100, 'a', 'GONE');
  trace.by(3).seen(37_200, 'b', 'GONE');
  trace
    .by(5)
    .seen(38_000, 'slow', 'TIMED_OUT', { executionTime: 5_000 })
    .call(38_100, 'retry', 'slow', 200, { id: 'slow', status: 'IN_QUEUE' })
    .seen(38_200, 'slow', 'IN_PROGRESS');
  expect(failed(trace.judged(41_000))).toEqual(['4.7/keeps-running']);
});
