/** Whether what earlier runs took is deducted from the `executionTimeout` of the run after a retry, to the millisecond. */
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/history/events.js';
import { DAY_MS } from '../../../src/spec/limits.js';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const ID = '4.6/whole-execution-timeout';
const hang = [{ hang: true }];
const failing = [{ sleepMs: 6_000 }, { fail: 'once' }];
const UNKNOWN = { executionTimeoutDefaultMs: null };

/** It ends by 6.05 s, and runs again from 6.1 s. */
function retried(
  executionTimeout = 9_000,
  run: Partial<RunEvent> = {},
  plan = failing as object[],
): TraceBuilder {
  const input = { plan, planOnRetry: hang } as never;
  const body = { input, policy: { executionTimeout, ttl: 7 * DAY_MS } };
  const end = plan === hang ? 'TIMED_OUT' : 'FAILED';
  return new TraceBuilder(1, run)
    .call(0, 'run', null, 200, { id: 'a', status: 'IN_QUEUE' }, { body })
    .seen(0, 'a', 'IN_PROGRESS')
    .seen(6_050, 'a', end, { executionTime: 6_000 })
    .call(6_100, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
    .seen(6_100, 'a', 'IN_PROGRESS');
}
const stopped = (trace: TraceBuilder, afterMs: number): TraceBuilder =>
  trace.seen(6_100 + afterMs, 'a', 'TIMED_OUT', { executionTime: afterMs });

test.each([
  ['runs for what was left', retried().seen(9_200, 'a', 'IN_PROGRESS'), 'undecided'],
  ['runs for longer', retried().seen(9_201, 'a', 'IN_PROGRESS'), 'pass'],
  ['is stopped after what was left', stopped(retried(), 3_000), 'fail'],
  ['is stopped just before its time', stopped(retried(), 8_999), 'fail'],
  ['is stopped in time', stopped(retried(), 9_000), 'undecided'],
  ['runs almost until it is stopped', stopped(retried().seen(15_000, 'a', 'IN_PROGRESS'), 9_000), 'pass'],
  ['follows one that took all the time', stopped(retried(6_000, {}, hang), 1), 'fail'],
  ['is not found after that', retried(6_000, {}, hang).seen(6_201, 'a', 'GONE'), 'undecided'],
  ['is let run after that', retried(6_000, {}, hang).seen(6_201, 'a', 'IN_PROGRESS'), 'pass'],
  ['may have lost its policy', stopped(retried(605_000), 600_000), 'undecided'],
  ['has not even the default', stopped(retried(605_000), 599_999), 'fail'],
  ['may have a short default', stopped(retried(12_000, UNKNOWN), 6_000), 'undecided'],
  ['has not even the shortest', stopped(retried(9_000, UNKNOWN), 4_999), 'fail'],
  [
    'follows one that took no time',
    retried(9_000, {}, [{ fail: 'x' }]).seen(12_000, 'a', 'IN_PROGRESS'),
    'undecided',
  ],
] as const)('a run after a retry %s', (_, trace, verdict) => {
  const findings = trace.judged(1_000_000);
  expect(failed(findings)).toEqual(verdict === 'fail' ? [ID] : []);
  if (verdict === 'undecided') expect(['pass', 'fail']).not.toContain(verdictOf(findings, ID));
  else expect(verdictOf(findings, ID)).toBe(verdict);
});

test('of a run that was stopped no prediction is needed', () => {
  const live = { clock: 'real', capabilities: ['scripted-worker', 'dedicated'] } as const;
  const trace = stopped(retried(9_000, live), 9_000)
    .call(15_200, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
    .seen(15_200, 'a', 'IN_PROGRESS');
  expect(verdictOf(trace.judged(20_000), ID)).not.toBe('pass');
  expect(verdictOf(trace.seen(15_301, 'a', 'IN_PROGRESS').judged(20_000), ID)).toBe('pass');
});

test('a record that may be that of the first run says nothing', () => {
  const trace = new TraceBuilder(1)
    .submitted(0, 'a', hang, { executionTimeout: 6_000 })
    .seen(6_050, 'a', 'TIMED_OUT', { executionTime: 6_000 })
    .call(6_100, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
    .seen(6_150, 'a', 'TIMED_OUT', { executionTime: 6_000 });
  expect(failed(trace.judged(10_000))).toEqual([]);
});
