/** Webhook calls and results as of two runs of a job: what they violate, and that a second run explains them as well. */
import { expect, test } from 'vitest';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const URL = 'http://receiver/hook';
const SECOND_RUN = '1/job-processed-once';

const begun = (
  plan: readonly object[] = [{ sleepMs: 100 }, { return: 1 }],
  more: object = {},
): TraceBuilder =>
  new TraceBuilder()
    .call(
      0,
      'run',
      null,
      200,
      { id: 'a', status: 'IN_QUEUE' },
      { body: { input: { plan, ...more } as never, webhook: URL } },
    )
    .seen(50, 'a', 'IN_PROGRESS');
const called = (...calls: readonly (readonly [atMs: number, answered: number])[]): TraceBuilder => {
  const trace = begun();
  for (const [atMs, answered] of calls) trace.webhook(atMs, URL, answered, { id: 'a', status: 'COMPLETED' });
  return trace;
};
const explanations = (trace: TraceBuilder): readonly (readonly [string, string | undefined])[] =>
  trace
    .judged(60_000)
    .requirements.filter(({ verdict, level }) => verdict === 'fail' && level === 'must')
    .map(({ id, failures }) => [id, failures[0]?.or?.join()] as const);

test('two series of three calls', () => {
  const trace = called([100, 500], [130, 500], [10_100, 500], [10_130, 500], [20_100, 500], [20_130, 500]);
  expect(explanations(trace)).toEqual([
    ['6/at-most-three-attempts', SECOND_RUN],
    ['6/pause-not-shorter', SECOND_RUN],
  ]);
});

test('two series, of which one succeeded at once', () => {
  const trace = called([100, 500], [130, 200], [10_100, 200]);
  expect(explanations(trace)).toEqual([
    ['6/stops-after-200', SECOND_RUN],
    ['6/pause-not-shorter', SECOND_RUN],
  ]);
});

test('one series with too short a pause', () => {
  expect(explanations(called([100, 500], [5_100, 500], [10_100, 500]))).toEqual([
    ['6/pause-not-shorter', undefined],
  ]);
});

test('one call too many', () => {
  const trace = called([100, 500], [10_100, 500], [20_100, 500], [30_100, 500]);
  expect(explanations(trace)).toEqual([['6/at-most-three-attempts', undefined]]);
});

test('after a retry it may have run again', () => {
  const trace = called([100, 200]).call(5_000, 'retry', 'a', 409, {});
  expect(explanations(trace.webhook(6_000, URL, 200, { id: 'a', status: 'COMPLETED' }))).toEqual([
    ['6/stops-after-200', undefined],
  ]);
});

test('the results of a job, out of step with those of its second run', () => {
  const streams = ['a', 'b', 'c', 'd'].map((stream) => ({ stream }));
  const both = ['a', 'b', 'a', 'c', 'b', 'd', 'c', 'd'].map((output) => ({ output }));
  const trace = begun([...streams, { hang: true }]).call(1_000, 'stream', 'a', 200, both);
  expect(explanations(trace)).toEqual([['4.4/chunks-not-duplicated', SECOND_RUN]]);
});

test('what a refused retry seems to have done is a second run, where other jobs ran twice', () => {
  const trace = called([100, 200], [130, 200]);
  const input = { plan: [{ return: 'once' }], planOnRetry: [{ return: 'ran twice' }] };
  trace
    .call(1_000, 'run', null, 200, { id: 'b', status: 'IN_QUEUE' }, { body: { input } })
    .seen(1_100, 'b', 'COMPLETED', { output: 'once' })
    .call(1_200, 'retry', 'b', 400, {})
    .seen(1_300, 'b', 'COMPLETED', { output: 'ran twice' });
  expect(failed(trace.judged(60_000))).not.toContain('4.6/no-effect-on-completed');
});
