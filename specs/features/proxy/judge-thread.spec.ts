/** Whatever becomes of the judging thread, it is told, and nothing that was not judged is taken for right. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Known } from '../../../src/features/proxy/judge-worker.js';
import { JudgeThread, type JudgeThreadOptions } from '../../../src/features/proxy/judge-thread.js';
import { LiveJudge } from '../../../src/judging/live/live-judge.js';
import { AT, isBegin, run, seen, settings, type Seen } from './support.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Task {
  readonly batch: readonly Seen[];
  readonly missed: number;
  readonly gap: unknown;
}

/** A thread that answers when it is told to. */
function judgedBy(askClock?: JudgeThreadOptions['askClock']) {
  const troubles: (string | null)[] = [];
  const starts: {
    readonly tasks: Task[];
    /** It has taken the oldest batch that it has not. */
    readonly taken: () => Promise<void>;
    readonly tell: (known: Known) => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const start: JudgeThreadOptions['start'] = (_, { onProgress, onEnd }) => {
    const tasks: Task[] = [];
    const waiting: (() => void)[] = [];
    const taken = async (): Promise<void> => {
      waiting.shift()!();
      await Promise.resolve();
    };
    starts.push({ tasks, taken, tell: (known) => onProgress!(known), fail: (error) => onEnd!(error) });
    return {
      ask: (method, args) => {
        const [batch, missed, gap] = args as [readonly Seen[], number, unknown];
        if (method === 'take') tasks.push({ batch, missed, gap });
        return new Promise((resolve) => waiting.push(() => resolve(undefined as never)));
      },
      end: async () => undefined,
    };
  };
  const none = (): void => undefined;
  const thread = new JudgeThread({
    ...{ settings: settings(), onFailing: none, onAlert: none, onState: none, start },
    onTrouble: (reason) => void troubles.push(reason),
    ...(askClock && { askClock }),
  });
  return { thread, troubles, starts };
}

const state = new LiveJudge(settings()).state;

test('a thread that takes nothing is told after ten seconds, and again when it has caught up', async () => {
  const { thread, troubles, starts } = judgedBy();
  for (const one of seen(run(0, 'a'))) thread.take(one);
  vi.advanceTimersByTime(9_000);
  expect(troubles).toEqual([]);
  vi.advanceTimersByTime(3_000);
  expect(troubles).toEqual([expect.stringContaining('not judged yet')]);
  expect(thread.lag).toMatchObject({ waiting: 2, missed: 0 });
  expect(thread.lag.behindMs).toBeGreaterThan(10_000);
  await starts[0]!.taken();
  vi.advanceTimersByTime(1_000);
  expect(troubles.slice(1)).toEqual([null]);
  expect(thread.lag).toMatchObject({ waiting: 0, behindMs: 0 });
});

test('nothing is judged before it is known whose clock it is, again where the clock is moved', async () => {
  const answer = seen(run(0, 'clock'))[1];
  const answers: ((answer: Seen | null) => void)[] = [];
  const { thread, starts } = judgedBy(() => new Promise((resolve) => answers.push(resolve)));
  const { tasks } = starts[0]!;
  expect(answers).toHaveLength(0);
  for (const one of seen(run(0, 'a'))) thread.take(one);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([answers.length, tasks.length]).toEqual([1, 0]);
  answers[0]!(null);
  await vi.advanceTimersByTimeAsync(100);
  expect(tasks).toMatchObject([{ batch: { length: 2 } }]);
  for (const one of seen(run(2_000, 'b'))) thread.take(one);
  thread.askClock();
  for (const one of seen(run(3_000, 'c'))) thread.take(one);
  await vi.advanceTimersByTimeAsync(100);
  expect(tasks.slice(1)).toMatchObject([{ batch: { length: 2 } }]);
  answers[1]!(answer);
  await vi.advanceTimersByTimeAsync(100);
  expect(tasks[2]!.batch).toHaveLength(3);
  expect(tasks[2]!.batch[0]).toBe(answer);
});

test('calls that are not told are counted, and until they are over that is said', async () => {
  const { thread, starts } = judgedBy();
  const before = Array.from({ length: 10_001 }, (_, nth) => seen(run(nth, `job-${nth}`)));
  for (const one of before.flat()) thread.take(one);
  const [begin, end] = seen(run(20_000, 'missed'));
  thread.take(begin);
  vi.advanceTimersByTime(100);
  const { tasks, taken } = starts[0]!;
  const fromMs = AT + 20_000;
  expect(tasks).toMatchObject([{ missed: 1, gap: { fromMs, byMs: null } }]);
  await taken();
  for (const one of seen(run(21_000, 'told'))) thread.take(one);
  vi.advanceTimersByTime(100);
  expect(tasks[1]).toMatchObject({ batch: { length: 2 }, missed: 0, gap: { fromMs, byMs: null } });
  thread.take(end);
  vi.advanceTimersByTime(100);
  expect(tasks[2]).toMatchObject({ batch: [], missed: 0, gap: { fromMs, byMs: fromMs + 10 } });
  for (const one of seen(run(22_000, 'told again'))) thread.take(one);
  vi.advanceTimersByTime(100);
  expect(tasks[3]).toMatchObject({ batch: { length: 2 }, gap: null });
  expect(thread.lag.missed).toBe(1);
});

test('a thread that ends is told, and started again with what had failed and without what was under way', () => {
  const { thread, troubles, starts } = judgedBy();
  const finding = {
    requirement: '3/x',
    level: 'must',
    text: 't',
    state: 'new',
    firstMs: 0,
    lastMs: 0,
  } as const;
  const findings = [{ ...finding, times: 1, expected: 'e', actual: 'a', proof: [] }];
  const known: Known = { failing: [], alerts: [], state: { ...state, findings } };
  const [begin, end] = seen(run(0, 'under-way'));
  for (const one of seen(run(500, 'handed over'))) thread.take(one);
  thread.take(begin);
  vi.advanceTimersByTime(100);
  starts[0]!.tell(known);
  starts[0]!.fail(new Error('out of memory'));
  expect(troubles).toEqual([expect.stringContaining('out of memory')]);
  for (const one of seen(run(1_000, 'meanwhile'))) thread.take(one);
  vi.advanceTimersByTime(10_100);
  expect(starts.length).toBe(2);
  expect(troubles.slice(1)).toEqual([null]);
  expect(starts[1]!.tasks).toMatchObject([{ batch: [], missed: 3, gap: { fromMs: AT, byMs: null } }]);
  thread.take(end);
  vi.advanceTimersByTime(100);
  expect(starts[1]!.tasks[1]).toMatchObject({ batch: [], gap: { fromMs: AT, byMs: AT + 1_010 } });
});

test('an end that is not judged in time is told, and is not taken for no calls', async () => {
  const { thread, troubles } = judgedBy();
  for (const one of seen(run(0, 'a'))) thread.take(one);
  const finished = thread.finish();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await finished).toBeNull();
  expect(troubles).toEqual([expect.stringContaining('did not end within 60 s')]);
});

test('large bodies that wait hold up no other calls, and beyond 128 MB are told as not kept', async () => {
  const { thread, starts } = judgedBy();
  const large = (nth: number): void => {
    const [begin, end] = seen(run(nth, `job-${nth}`));
    thread.take(begin);
    thread.take({ ...end, request: { ...end.request, body: new Uint8Array(20 << 20) } });
  };
  const told = ({ batch }: Task): readonly (number | null)[] =>
    batch.flatMap((one) =>
      isBegin(one) ? [] : [one.request.body ? one.request.body.byteLength >> 20 : null],
    );
  for (let nth = 0; nth < 8; nth += 1) large(nth);
  for (const one of seen(run(100, 'small'))) thread.take(one);
  vi.advanceTimersByTime(100);
  const { tasks, taken } = starts[0]!;
  expect(told(tasks[0]!)).toEqual([20, 20, 20, 20, 20, 20, null, null, 0]);
  expect(thread.lag.missed).toBe(0);
  await taken();
  large(200);
  vi.advanceTimersByTime(100);
  expect(told(tasks[1]!)).toEqual([20]);
});
