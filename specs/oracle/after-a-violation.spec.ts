/** What is still judged of a job after its life has contradicted the document, and what no longer counts. */
import { describe, expect, test } from 'vitest';
import type { Findings } from '../../src/oracle/index.js';
import { failed, TraceBuilder, verdictOf } from './support/trace-builder.js';

const hang = [{ hang: true }];
const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };
const out = { output: { ok: 1 } };
const work = (ms: number) => [{ sleepMs: ms }, { return: { ok: 1 } }];
const reasonOf = (findings: Findings, id: string): string | null | undefined =>
  findings.requirements.find((one) => one.id === id)?.reason;
const decidedOf = (findings: Findings, id: string): number | undefined =>
  findings.requirements.find((one) => one.id === id)?.decided;

const shared = (): TraceBuilder =>
  new TraceBuilder(
    null,
    { capabilities: ['scripted-worker'], clock: 'real', graceMs: 1_000, earlyMs: 20 },
    false,
  );

describe('a time that is reported wrongly', () => {
  /** Retried although it had completed; `executionTime` tells nothing of a run of five seconds. */
  const mismeasured = (): TraceBuilder =>
    shared()
      .submitted(0, 'a', work(5_000), FAR)
      .seen(10, 'a', 'IN_PROGRESS')
      .seen(5_500, 'a', 'COMPLETED', { ...out, executionTime: 0 })
      .call(6_000, 'retry', 'a', 400, { error: 'no' })
      .seen(7_000, 'a', 'COMPLETED', { ...out, executionTime: 0 });

  test('says nothing about the rest of the job, which is judged', () => {
    const findings = mismeasured().judged(8_000);
    expect(failed(findings)).toEqual(['2.4/execution-time-measures-run']);
    expect(verdictOf(findings, '4.6/no-effect-on-completed')).toBe('pass');
    expect(verdictOf(findings, '3/success-completes-run')).toBe('pass');
  });

  test('does not hide other violations', () => {
    const findings = mismeasured().seen(8_000, 'a', 'IN_QUEUE').judged(9_000);
    expect(failed(findings)).toEqual(['2.4/execution-time-measures-run', '4.6/no-effect-on-completed']);
  });

  test('passes no requirement about times', () => {
    const findings = mismeasured().judged(8_000);
    for (const id of ['2.4/times-same-unit', '2.4/execution-time-excludes-waiting'])
      expect(verdictOf(findings, id)).not.toBe('pass');
  });
});

describe('a job without explanation', () => {
  test('decides nothing about the violated requirement, even if it was nearly decided before', () => {
    const trace = shared()
      .submitted(0, 'a', hang, { ...FAR, ttl: 20_000 })
      .seen(10, 'a', 'IN_PROGRESS');
    trace.seen(15_000, 'a', 'IN_PROGRESS').seen(16_000, 'a', 'GONE');
    const findings = trace.judged(17_000);
    expect(failed(findings)).toEqual(['2.2/ttl-not-early-running']);
    // Once, by its failure.
    expect(decidedOf(findings, '2.2/ttl-not-early-running')).toBe(1);
    expect(verdictOf(findings, '3/start-moves-to-in-progress')).toBe('pass');
  });

  test('is followed further without that observation: later violations hold in any case', () => {
    // Gone too early, and there again: nothing had deleted it. Then it completes, and runs again: both reads were untrue.
    const trace = shared().submitted(0, 'a', work(5_000), FAR).seen(1_000, 'a', 'GONE');
    trace.seen(5_500, 'a', 'COMPLETED', { ...out, executionTime: 5_000 }).seen(7_000, 'a', 'IN_PROGRESS');
    const findings = trace.judged(8_000);
    expect(failed(findings)).toEqual(['4.3/shows-current-state']);
    const shown = findings.requirements.find(({ id }) => id === '4.3/shows-current-state');
    // The read of its end was true: only what an unsatisfied rule is about decides nothing.
    expect(shown).toMatchObject({ failed: 2, decided: 3 });
  });

  test('causes no second failure that only follows from the first', () => {
    const trace = shared()
      .submitted(0, 'a', hang, { ...FAR, ttl: 60_000 })
      .seen(10, 'a', 'IN_PROGRESS');
    // Deleted too early by whatever it was: nothing that is asked of it later finds it.
    trace.seen(10_000, 'a', 'GONE').call(11_000, 'cancel', 'a', 404, { error: 'unknown' });
    trace.seen(12_000, 'a', 'GONE').call(13_000, 'retry', 'a', 404, { error: 'unknown' });
    expect(failed(trace.seen(70_000, 'a', 'GONE').judged(71_000))).toEqual(['2.2/ttl-not-early-running']);
  });

  test('causes one failure if a timer expires early and the state stays', () => {
    const trace = shared().submitted(0, 'a', hang, { ...FAR, executionTimeout: 20_000 });
    trace.seen(10, 'a', 'IN_PROGRESS').seen(8_000, 'a', 'TIMED_OUT', { executionTime: 7_000 });
    trace.seen(9_000, 'a', 'TIMED_OUT', { executionTime: 7_000 });
    trace.call(10_000, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' }).seen(10_100, 'a', 'IN_PROGRESS');
    const findings = trace.judged(11_000);
    expect(failed(findings)).toEqual(['2.2/execution-timeout-not-early']);
    expect(reasonOf(findings, '2.2/execution-timeout-stops-run')).toMatch(/judged only up to a violation$/);
  });

  test('is the reason for a situation that no other job reached', () => {
    const url = 'http://127.0.0.1:9/hook';
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', work(0), undefined, { webhook: url })
      .seen(200, 'a', 'FAILED');
    const reason = reasonOf(trace.judged(60_000), '6/called-on-completion-run');
    expect(reason).toMatch(/one job was judged only up to a violation$/);
  });
});
