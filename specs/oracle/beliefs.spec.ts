/** What is believed of jobs in small histories, to be compared with the document by eye. Lateness of 100 ms is allowed. */
import { describe, expect, it } from 'vitest';
import { followJobs, type Belief, type FollowedJob, type RuledOut } from '../../src/oracle/index.js';
import { TraceBuilder } from './support/trace-builder.js';

const FIVE_SECONDS = [{ sleepMs: 5_000 }, { return: 1 }];
const HANG = [{ hang: true }];
const cancelled = { id: 'a', status: 'CANCELLED' };

const followed = (trace: TraceBuilder): FollowedJob => followJobs(trace.history(60_000), new Set([0]))[0]!;

/** `IN_PROGRESS 0-100`, then the timer and the call that brought it there. */
const told = ({ state, fromMs, byMs, by, call }: Belief): string =>
  [state, fromMs === byMs ? fromMs : `${fromMs}-${byMs}`, by, call === null ? null : `#${call}`]
    .filter((word) => word !== null)
    .join(' ');
const believed = (job: FollowedJob, atMs: number): readonly string[] => job.at(atMs).beliefs.map(told);
const reasons = (all: readonly RuledOut[]): { readonly [state: string]: string } =>
  Object.fromEntries(
    all.map(({ state, call, requirement, why }) => [
      state,
      [call === null ? '' : `#${call} `, requirement ?? 'uncaused', why === null ? '' : `: ${why}`].join(''),
    ]),
  );

describe('what is believed', () => {
  it('follows from time alone where nothing is read', () => {
    const job = followed(new TraceBuilder(1).submitted(0, 'a', FIVE_SECONDS, { ttl: 20_000 }).alive(50_000));
    expect(believed(job, -1)).toEqual(['NOT_YET 0']);
    expect(believed(job, 50)).toEqual(['IN_QUEUE 0', 'IN_PROGRESS 0-50']);
    // A worker was free, so it has started.
    expect(believed(job, 101)).toEqual(['IN_PROGRESS 0-100']);
    expect(believed(job, 5_050)).toEqual(['IN_PROGRESS 0-100', 'COMPLETED 5000-5050']);
    expect(believed(job, 6_000)).toEqual(['COMPLETED 5000-5200']);
    expect(believed(job, 20_050)).toEqual(['COMPLETED 5000-5200', 'GONE 20000-20050 ttl']);
    expect(believed(job, 21_000)).toEqual(['GONE 20000-20100 ttl']);
  });

  it('says why every other state is ruled out', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', FIVE_SECONDS, { ttl: 20_000 })
      .seen(0, 'a', 'IN_QUEUE')
      .seen(60, 'a', 'IN_PROGRESS');
    expect(reasons(followed(trace).at(1_000).ruledOut)).toEqual({
      IN_QUEUE: '#2 3/no-return-to-queue: by earlier answers, the job was IN_PROGRESS',
      COMPLETED: '3/not-completed-before-handler-ends: started between 0 s and 60 ms, the worker needs 5 s',
      FAILED: "3/success-completes-run: the worker's plan ends with: success",
      TIMED_OUT:
        '2.2/execution-timeout-default-not-early: started between 0 s and 60 ms, executionTimeout 10 min',
      CANCELLED: 'uncaused',
      PURGED: 'uncaused',
      GONE: '2.2/ttl-not-early-running: ttl set at 0 s or later, ttl 20 s → not deleted before 20 s',
    });
  });

  it('bounds a start between two reads', () => {
    const trace = new TraceBuilder(null)
      .submitted(0, 'a', FIVE_SECONDS)
      .seen(1_200, 'a', 'IN_QUEUE')
      .seen(1_400, 'a', 'IN_PROGRESS');
    const job = followed(trace);
    expect(believed(job, 1_300)).toEqual(['IN_QUEUE 0', 'IN_PROGRESS 1200-1300']);
    expect(believed(job, 1_400)).toEqual(['IN_PROGRESS 1200-1400']);
    expect(believed(job, 6_300)).toEqual(['IN_PROGRESS 1200-1400', 'COMPLETED 6200-6300']);
    const [, step] = job.steps;
    expect(step!.before.map(told)).toEqual(['IN_QUEUE 0', 'IN_PROGRESS 1200-1400']);
    expect(step!.after.map(told)).toEqual(['IN_PROGRESS 1200-1400']);
    expect(reasons(step!.ruledOut)).toEqual({ IN_QUEUE: '#2 uncaused' });
  });

  it('has two worlds after a cancellation without an answer, until a read tells', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', HANG)
      .seen(500, 'a', 'IN_PROGRESS')
      .lost(2_000, 'cancel', 'a', 'timeout', 3_000)
      .seen(9_000, 'a', 'IN_PROGRESS');
    const job = followed(trace);
    expect(believed(job, 1_999)).toEqual(['IN_PROGRESS 0-100']);
    expect(believed(job, 5_000)).toContain('CANCELLED 2000-5000');
    expect(believed(job, 5_000)).toContain('IN_PROGRESS 0-100');
    expect(job.at(5_000).pending).toEqual([2]);
    // It may still arrive.
    expect(believed(job, 9_000)).toContain('IN_PROGRESS 0-100');
    expect(believed(job, 9_000)).not.toContain('CANCELLED 2000-9000');
  });

  it('does not use what was answered later, at the same instant either', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', HANG)
      .seen(500, 'a', 'IN_PROGRESS')
      .call(2_000, 'cancel', 'a', 200, cancelled)
      .seen(2_000, 'a', 'CANCELLED');
    const job = followed(trace);
    const [, cancel] = job.steps;
    expect(believed(job, 1_000)).toEqual(['IN_PROGRESS 0-100']);
    expect(cancel!.before.map(told)).toEqual(['IN_PROGRESS 0-100']);
    expect(cancel!.after.map(told)).toEqual(['CANCELLED 2000']);
    expect(job.at(2_000, 3).beliefs.map(told)).toEqual(['IN_PROGRESS 0-100']);
    expect(job.at(2_000, 5).beliefs.map(told)).toContain('CANCELLED 2000');
  });

  it('counts the runs of a retried job from the retry', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', [{ fail: 'no' }])
      .seen(1_000, 'a', 'FAILED')
      .call(3_000, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' });
    const job = followed(trace);
    expect(believed(job, 3_050)).toEqual([
      'IN_QUEUE 3000 #2',
      'IN_PROGRESS 3000-3050 #2',
      'FAILED 3000-3050 #2',
    ]);
    expect(believed(job, 3_500)).toEqual(['FAILED 3000-3200 #2']);
  });

  it('tells a purged job that is not found any more from one that may be', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'b', HANG)
      .submitted(10, 'a', HANG)
      .seen(20, 'a', 'IN_QUEUE')
      .call(500, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
      .seen(900, 'a', 'GONE');
    const job = followJobs(trace.history(60_000), new Set([0])).find(({ id }) => id === 'a')!;
    expect(believed(job, 600)).toContain('PURGED 500 #3');
    expect(believed(job, 900)).toEqual(['GONE 500-900 #3']);
  });

  it('ends at an answer that nothing explains, and goes on without it', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', HANG, { ttl: 10_000 })
      .seen(1, 'a', 'IN_PROGRESS')
      .seen(11_000, 'a', 'IN_PROGRESS');
    const job = followed(trace);
    expect(believed(job, 10_999)).toEqual(['GONE 10000-10100 ttl']);
    const step = job.steps.at(-1)!;
    expect(step.before.map(told)).toEqual(['GONE 10000-10100 ttl']);
    expect(step.after).toEqual([]);
    expect(step.contradiction?.suspects.map(({ requirement }) => requirement)).toEqual([
      '2.2/ttl-removes-running',
    ]);
    expect(step.contradiction?.suspects[0]?.why.at(-1)).toBe('but it was still there at 11 s');
    const moment = job.at(11_000);
    expect(moment.contradictions).toEqual([step.contradiction]);
    expect(moment.beliefs.map(told)).toContain('IN_PROGRESS 0-1');
  });

  it('counts from the beginning of the script, also where others began before it', () => {
    const trace = new TraceBuilder(null, {}, false).submitted(0, 'b', HANG);
    trace.events.push({
      ...{ kind: 'script', script: 1, scenario: 'told', title: 'told', endpoint: 'e', fresh: false },
      ...{ workers: null, atMs: 40_000 },
    });
    trace.by(1).submitted(41_000, 'a', HANG).seen(42_000, 'a', 'IN_PROGRESS');
    const [job, ...others] = followJobs(trace.history(60_000), new Set([1]));
    expect(others).toEqual([]);
    expect(job!.wordsFromMs).toBe(-40_000);
    expect(believed(job!, 2_000)).toEqual(['IN_PROGRESS 1000-2000']);
  });

  it('believes nothing of two jobs with one id', () => {
    const trace = new TraceBuilder(2)
      .submitted(0, 'a', HANG)
      .submitted(5, 'a', HANG)
      .seen(9, 'a', 'IN_QUEUE');
    const moment = followed(trace).at(10);
    expect(moment.beliefs).toEqual([]);
    expect(moment.unknown).toBe('another job was given the same id');
  });
});
