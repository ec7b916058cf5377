/** 2.2: the `executionTimeout` of one job has no effect on other jobs, those that come later included. */
import { expect, test } from 'vitest';
import { TraceBuilder, verdictOf } from './support/trace-builder.js';

const LIMIT_MS = 5_000;
const RUNS_MS = 9_000;

/** A job overruns its short limit; another one is submitted at this instant, with this policy, and runs for longer. */
const verdict = (atMs: number, policy?: { readonly executionTimeout: number }): string => {
  const trace = new TraceBuilder(3);
  const short = (): void =>
    void trace.submitted(1_000, 'short', [{ hang: true }], { executionTimeout: LIMIT_MS });
  const other = (): void =>
    void trace.submitted(atMs, 'other', [{ sleepMs: RUNS_MS }, { return: 1 }], policy);
  for (const submit of atMs < 1_000 ? [other, short] : [short, other]) submit();
  trace
    .seen(2_000, 'other', 'IN_PROGRESS', { executionTime: 1 })
    .seen(6_200, 'short', 'TIMED_OUT', { executionTime: LIMIT_MS })
    .seen(8_000, 'other', 'IN_PROGRESS', { executionTime: 1 })
    .seen(atMs + RUNS_MS + 90, 'other', 'COMPLETED', { output: 1, executionTime: RUNS_MS });
  return verdictOf(trace.judged(20_000), '2.2/execution-timeout-this-job-only')!;
};

test.each([
  ['one that comes later and has none of its own shows it', 1_500, undefined, 'pass'],
  [
    'with one of its own, it says nothing of what later jobs have',
    1_500,
    { executionTimeout: 60_000 },
    'not-exercised',
  ],
  ['nor does one that came before', 500, undefined, 'not-exercised'],
] as const)('%s', (_, atMs, policy, expected) => {
  expect(verdict(atMs, policy)).toBe(expected);
});
