import { availableParallelism } from 'node:os';
import { ThreadPool } from '../src/threads/pool.js';
import { startThread } from '../src/threads/thread.js';
import type { BatchSummary } from './trials/conformant-batch.js';
import type { Recorded } from './trials/corpus-trial.js';
import type { JudgedHistory } from './trials/findings-trial.js';
import type { PrecisionRun } from './precision/precision-trial.js';
import type { Judgement } from '../specs/variants/judge-variant.js';
import { PROVING, type ProofTask, type work } from './trials/worker.js';
import type { PassiveSummary } from './trials/passive-trial.js';
import type { TrafficAnswer } from './trials/traffic-trial.js';
import type { Failed } from './trials/trial.js';
import type { ReadingRow } from './trials/reading-trial.js';
import type { RealAnswer } from './trials/real-trial.js';

/** What a task of each kind answers. */
interface Answers {
  conformant: BatchSummary;
  passive: PassiveSummary;
  traffic: TrafficAnswer;
  reading: ReadingRow;
  real: RealAnswer;
  precision: PrecisionRun;
  corpus: Recorded;
  findings: JudgedHistory;
  variant: Judgement;
  telling: readonly string[];
  client: readonly string[];
  mutant: Failed;
  naive: Failed;
  several: readonly unknown[];
}

export type Answer<T extends ProofTask> = Answers[T['kind']];

/** Does all tasks, spread over the cores, and gives the answers in the tasks' order; `onAnswer` hears each as it comes. */
export async function workOff<T extends ProofTask>(
  tasks: readonly T[],
  threads: number | null,
  onAnswer: (task: T, answer: Answer<T>) => void,
  /** Tasks side by side in one thread: those that mostly wait. */
  atOnce = 1,
): Promise<readonly Answer<T>[]> {
  const pool = poolFor(tasks.length, threads, atOnce);
  try {
    return await Promise.all(
      tasks.map(async (task) => {
        const answer = (await pool.run('work', [task])) as Answer<T>;
        onAnswer(task, answer);
        return answer;
      }),
    );
  } finally {
    await pool.close();
  }
}

/** What has begun when no more time is left may end for so long. */
const ENDS_WITHIN_MS = 15_000;

/** Does tasks until the signal stops it. What was thrown is an answer, too; of what was broken off nothing is heard. */
export async function workUntil(
  tasks: readonly ProofTask[],
  {
    threads,
    atOnce,
    signal,
  }: { readonly threads: number | null; readonly atOnce: number; readonly signal: AbortSignal },
  onAnswer: (index: number, answer: unknown, thrown: Error | null) => void,
): Promise<void> {
  const pool = poolFor(tasks.length, threads, atOnce);
  let next = 0;
  let isOver = false;
  const lane = async (): Promise<void> => {
    while (next < tasks.length && !signal.aborted) {
      const index = next;
      next += 1;
      const [answer, thrown] = await pool.run('work', [tasks[index]!]).then(
        (value) => [value as unknown, null] as const,
        (error: unknown) => [null, error as Error] as const,
      );
      if (!isOver) onAnswer(index, answer, thrown);
    }
  };
  const all = Promise.all(Array.from({ length: pool.threads * atOnce }, lane));
  try {
    await Promise.race([all, stopped(signal)]);
  } finally {
    isOver = true;
    await pool.close();
  }
}

/** Some time after the signal. */
function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const later = (): void => void setTimeout(resolve, ENDS_WITHIN_MS).unref();
    if (signal.aborted) later();
    else signal.addEventListener('abort', later, { once: true });
  });
}

function poolFor(tasks: number, threads: number | null, atOnce: number): ThreadPool<{ work: typeof work }> {
  const count = Math.min(threads ?? availableParallelism(), Math.max(1, Math.ceil(tasks / atOnce)));
  return new ThreadPool(count, () => startThread(PROVING, null), atOnce);
}
