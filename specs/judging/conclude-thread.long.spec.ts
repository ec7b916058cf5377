/** What is concluded of a run is concluded beside the event loop, in bounded time, and at once when somebody has had enough. */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/history/events.js';
import { ConcludeThread } from '../../src/judging/conclude-thread.js';
import type { ConcludeInput } from '../../src/judging/concluder.js';
import { StepDeadlines, type MonotonicClock } from '../../src/judging/deadlines.js';
import { TraceBuilder } from '../oracle/support/trace-builder.js';
import { compileCommandLine, type Compiled } from '../server/kill/compiled.js';

const hang = [{ hang: true }];

/** Of many jobs each fails in its own way: what is to be made small takes long. */
function subjectOf(jobs: number): ConcludeInput {
  const told = new TraceBuilder(jobs);
  for (let job = 0; job < jobs; job += 1) told.submitted(0, `job ${job}`, hang, { ttl: 10_000 });
  for (let ms = 500; ms < 9_000; ms += 500)
    for (let job = 0; job < jobs; job += 1) told.seen(ms, `job ${job}`, 'IN_PROGRESS');
  for (let job = 0; job < jobs; job += 1) told.seen(50_000 + job, `job ${job}`, 'IN_PROGRESS');
  return {
    events: told.history(2_000_000),
    judgeOptions: {},
    secrets: [],
    reasons: new Map(),
    asked: {},
    exercises: new Map(),
  };
}

let compiled: Compiled;
beforeAll(async () => {
  compiled = await compileCommandLine();
}, 60_000);
afterAll(() => compiled.dispose());

/** Of a process that has all the processor time it wants. */
const clockOf = (monotonicMs: () => number): MonotonicClock => ({ monotonicMs, processorMs: monotonicMs });

const spawn = (_: URL, options: WorkerOptions): Worker =>
  new Worker(join(compiled.lib, 'conclude-worker.js'), options);

async function within(
  budgetEndsMs: number | null,
  work: (thread: ConcludeThread, stop: () => void) => Promise<void>,
  monotonicMs: () => number = () => performance.now(),
): Promise<void> {
  const enough = new AbortController();
  const deadlines = new StepDeadlines(clockOf(monotonicMs), enough.signal, budgetEndsMs);
  const thread = new ConcludeThread(deadlines, { spawn });
  try {
    await work(thread, () => enough.abort());
  } finally {
    await thread.end();
  }
}

describe('a run is concluded', { timeout: 180_000 }, () => {
  it('in a thread of its own, which tells what it has found when the user has had enough', async () => {
    await within(null, async (thread, stop) => {
      const judged = await thread.judge(subjectOf(150));
      expect(judged).toMatchObject({ done: { schema: 'runproof-findings/1' } });
      let turns = 0;
      const clock = setInterval(() => (turns += 1), 20);
      let stoppedMs = 0;
      setTimeout(() => {
        stoppedMs = performance.now();
        stop();
      }, 300);
      const shrinking = await thread.shrink();
      clearInterval(clock);
      expect(performance.now() - stoppedMs).toBeLessThan(1_000);
      expect(turns).toBeGreaterThan(10);
      expect(shrinking).toMatchObject({ cut: 'interrupted' });
      expect(shrinking.unshrunk).not.toBe(0);
    });
  });

  it('without its judgement where that takes longer than the user waits', async () => {
    await within(null, async (thread, stop) => {
      setTimeout(stop, 1_000);
      const begunMs = performance.now();
      const judged = await thread.judge(subjectOf(2_000));
      expect(judged).toMatchObject({ cut: 'interrupted' });
      expect(performance.now() - begunMs).toBeLessThan(14_000);
      const findings = thread.unjudged('nobody waited for it');
      expect(findings.requirements.some(({ verdict }) => verdict === 'pass' || verdict === 'fail')).toBe(
        false,
      );
      expect(findings.requirements).toContainEqual(
        expect.objectContaining({ verdict: 'inconclusive', reason: 'nobody waited for it' }),
      );
      expect(await thread.shrink()).toMatchObject({ found: [], cut: null });
    });
  });

  it('with its judgement where a signal ends the run, which was judged while it went on', async () => {
    const { events, judgeOptions, ...rest } = subjectOf(600);
    await within(null, async (thread, stop) => {
      for (const event of events) thread.hear(event, judgeOptions);
      stop();
      const judged = await thread.judge({ events, judgeOptions, ...rest });
      expect(judged).toHaveProperty('done.requirements');
    });
  });

  it('without the price of what is assumed where the user has had enough', async () => {
    const subject = subjectOf(3);
    const [run, ...rest] = subject.events;
    const capture = { others: true, complete: true };
    const events = [{ ...(run as RunEvent), capture }, ...rest];
    await within(null, async (thread, stop) => {
      expect(await thread.judge({ ...subject, events })).toHaveProperty('done');
      expect(await thread.weigh(true)).toMatchObject({
        assumptions: { costs: [{ assumed: ['others'] }, {}, {}] },
      });
      stop();
      expect(await thread.weigh(true)).toBeNull();
      expect(await thread.weigh(true)).toBeNull();
    });
  });

  it('in parts no further once the thread was ended with what they had shown', async () => {
    const subject = subjectOf(3);
    const [run, ...rest] = subject.events;
    const capture = { others: true, complete: true };
    const part = { ...subject, events: [{ ...(run as RunEvent), capture }, ...rest] };
    let nowMs = 0;
    const work = async (thread: ConcludeThread): Promise<void> => {
      expect(await thread.judgePart(part)).toHaveProperty('done');
      expect(await thread.judgePart(part)).toHaveProperty('done');
      nowMs = 20_000;
      expect(await thread.weigh(true)).toBeNull();
      expect(await thread.judgePart(part)).toMatchObject({ cut: 'budget' });
    };
    await within(10_000, work, () => nowMs);
  });

  it('with failures as they are where the budget is over', async () => {
    let nowMs = 0;
    const work = async (thread: ConcludeThread): Promise<void> => {
      expect(await thread.judge(subjectOf(3))).toHaveProperty('done');
      nowMs = 20_000;
      const shrinking = await thread.shrink();
      expect(shrinking).toMatchObject({ cut: 'budget' });
      expect(shrinking.unshrunk).not.toBe(0);
    };
    await within(10_000, work, () => nowMs);
  });
});

describe('the time of a step', () => {
  const step = { maxMs: 10_000, afterBudgetMs: 1_500, afterSignalMs: 900 };

  it.each<[string, number | null, boolean, number, string]>([
    ['by itself', null, false, 10_000, 'time'],
    ['with the budget', 3_000, false, 4_500, 'budget'],
    ['soon after a signal', 3_000, true, 900, 'interrupted'],
  ])('ends %s', (_, budgetEndsMs, interrupted, atMs, cut) => {
    const enough = new AbortController();
    const deadlines = new StepDeadlines(
      clockOf(() => 0),
      enough.signal,
      budgetEndsMs,
    );
    if (interrupted) enough.abort();
    expect(deadlines.end({ monotonicMs: 0, processorMs: 0 }, step)).toEqual({ atMs, cut });
  });

  it('is never shorter than the least that it takes', () => {
    const deadlines = new StepDeadlines(
      clockOf(() => 0),
      AbortSignal.abort(),
      0,
    );
    expect(deadlines.end({ monotonicMs: 2_000, processorMs: 2_000 }, { ...step, minMs: 500 }).atMs).toBe(
      2_500,
    );
  });

  it.each([
    ['is longer by as much as the step had no processor', 12_000, 3_000, 19_000],
    ['has an end on a machine that gives it none', 95_000, 0, 100_000],
    ['does not depend on the work of several processors at once', 5_000, 9_000, 10_000],
  ])('%s', (_, monotonicMs, processorMs, atMs) => {
    const clock = { monotonicMs: () => monotonicMs, processorMs: () => processorMs };
    const deadlines = new StepDeadlines(clock, new AbortController().signal, null);
    expect(deadlines.end({ monotonicMs: 0, processorMs: 0 }, step)).toEqual({ atMs, cut: 'time' });
  });
});
