/** What is asked of a thread has its own answer, its own error and its own deadline. Here all is done in one thread. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { ThreadPool } from '../../src/threads/pool.js';
import { inThisThread, isBuilt, startThread, ThreadEnded } from '../../src/threads/thread.js';
import { COUNTING } from './counting.js';

type Counting = ReturnType<typeof counting>;

function counting(from = 0, onProgress: (count: number) => void = () => undefined) {
  const thread = inThisThread(COUNTING, from, { onProgress });
  onTestFinished(() => thread.end());
  return thread;
}

const deadline = () => {
  let come: (why: string) => void = () => undefined;
  let forgotten = 0;
  const over = new Promise<string>((resolve) => (come = resolve));
  return { over, come, forget: () => void (forgotten += 1), isForgotten: () => forgotten };
};

describe('a thread', () => {
  it('answers each question with its own answer, and tells in between', async () => {
    const told: number[] = [];
    const thread = counting(10, (count) => told.push(count));
    const [refused, first, second] = await Promise.allSettled([
      thread.ask('refuse', ['no']),
      thread.ask('add', [1]),
      thread.ask('add', [2]),
    ]);
    expect([first, second]).toMatchObject([{ value: 11 }, { value: 13 }]);
    expect(refused).toMatchObject({ reason: { name: 'RangeError', message: 'no' } });
    expect(told).toEqual([11, 13]);
  });

  it('is this one where the code was not built', async () => {
    expect(isBuilt(COUNTING)).toBe(false);
    const thread = startThread(COUNTING, 1);
    expect(await thread.ask('add', [1])).toBe(2);
    await thread.end();
  });

  it('that answers before the deadline goes on', async () => {
    const thread = counting();
    const limit = deadline();
    expect(await thread.askUntil(limit, () => 0, 'add', [5])).toEqual({ done: 5 });
    expect([limit.isForgotten(), thread.isEnded]).toEqual([1, false]);
  });

  it('is told at the deadline, and what it then answers counts', async () => {
    const thread = counting();
    const limit = deadline();
    const step = thread.askUntil(limit, () => 60_000, 'untilStopped', []);
    limit.come('time');
    expect(await step).toMatchObject({ cut: 'time', late: 'told' });
    expect(thread.isEnded).toBe(false);
    expect(await thread.ask('add', [1])).toBe(1);
  });

  it('is ended at the deadline where it gets no time, and answers nothing any more', async () => {
    const thread = counting();
    const limit = deadline();
    const step = thread.askUntil(limit, () => 0, 'untilStopped', []);
    const other = thread.ask('untilStopped', []);
    limit.come('signal');
    expect(await step).toMatchObject({ cut: 'signal', late: null });
    expect(limit.isForgotten()).toBe(1);
    await expect(other).rejects.toThrow(ThreadEnded);
    expect(thread.isEnded).toBe(true);
    await expect(thread.ask('add', [1])).rejects.toThrow('the thread was ended');
  });

  it('hands memory over instead of copying it', async () => {
    const thread = counting();
    const memory = new ArrayBuffer(8);
    await thread.ask('add', [1], [memory]);
    expect(memory.byteLength).toBe(0);
  });
});

describe('a pool', () => {
  const poolOf = (threads: number, atOnce?: number) => {
    const started: Counting[] = [];
    const start = (): Counting => {
      started.push(counting());
      return started.at(-1)!;
    };
    return { started, pool: new ThreadPool(threads, start, atOnce) };
  };

  it('gives each thread one task, and starts no more of them than there are tasks', async () => {
    const { pool, started } = poolOf(3);
    expect(await Promise.all([1, 1].map((by) => pool.run('add', [by])))).toEqual([1, 1]);
    expect(started).toHaveLength(2);
    expect(await Promise.all([1, 1, 1, 1, 1].map((by) => pool.run('add', [by])))).toHaveLength(5);
    expect(started).toHaveLength(3);
    await pool.close();
    expect(started.map(({ isEnded }) => isEnded)).toEqual([true, true, true]);
  });

  it('gives each several where they mostly wait', async () => {
    const { pool, started } = poolOf(1, 2);
    const waiting = [pool.run('untilStopped', []), pool.run('untilStopped', [])];
    started[0]!.stop();
    expect(await Promise.all(waiting)).toEqual(['told', 'told']);
    expect(started).toHaveLength(1);
  });

  it('ends the thread of a task that is aborted, and starts another for those that wait', async () => {
    const { pool, started } = poolOf(1);
    const stop = new AbortController();
    const running = pool.run('untilStopped', [], stop.signal);
    const behind = pool.run('add', [1], stop.signal);
    const other = pool.run('add', [2]);
    stop.abort();
    expect(await Promise.all([running, behind, other])).toEqual([null, null, 2]);
    expect(started.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  });

  it('tells what went wrong, and goes on', async () => {
    const { pool, started } = poolOf(1);
    await expect(pool.run('refuse', ['no'])).rejects.toThrow('no');
    expect(await pool.run('add', [1])).toBe(1);
    expect(started).toHaveLength(1);
  });
});
