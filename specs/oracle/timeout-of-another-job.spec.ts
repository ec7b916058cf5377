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

const LIVE = { clock: 'real', graceMs: 1_000, earlyMs: 50, executionTimeoutDefaultMs: null } as const;

/** Where the default of the endpoint is not known: one job ran for 9 s, and a later one is timed out after `ranMs`. */
const byDefault = (ranMs: number, limitMs: number, first = 'COMPLETED'): string | undefined => {
  const trace = new TraceBuilder(null, { ...LIVE, capabilities: ['scripted-worker'] }, false);
  const plan = [{ sleepMs: RUNS_MS }, { return: 1 }];
  trace
    .submitted(0, 'before', plan)
    .submitted(50, 'short', [{ hang: true }], { executionTimeout: limitMs })
    .submitted(100, 'after', plan)
    .seen(200, 'before', 'IN_PROGRESS')
    .seen(250, 'after', 'IN_PROGRESS')
    .seen(100 + ranMs, 'after', 'TIMED_OUT')
    .seen(9_500, 'before', first, first === 'COMPLETED' ? { output: 1, executionTime: RUNS_MS } : {});
  return verdictOf(trace.judged(20_000), '2.2/execution-timeout-this-job-only');
};

test('a job without a timeout that is stopped by that of another, though one before it ran for longer', () => {
  expect(byDefault(5_200, LIMIT_MS)).toBe('fail');
});

test('it may be the default where none ran for longer, or where no timeout of another was over then', () => {
  expect(byDefault(5_200, LIMIT_MS, 'IN_PROGRESS')).not.toBe('fail');
  expect(byDefault(5_200, 8_000)).not.toBe('fail');
  // A default of 8.4 s, whose timer is late by 0.6 s for the first.
  expect(byDefault(8_400, 7_500)).not.toBe('fail');
});
