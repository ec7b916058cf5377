import { availableParallelism } from 'node:os';
import { Tinypool } from 'tinypool';
import { THREAD_LIMITS } from '../src/app/explore/pool.js';
import type { BatchSummary, ConformantTask } from './conformant-batch.js';
import type { CorpusTask, Recorded } from './corpus-trial.js';
import type { FindingsTask, JudgedHistory } from './findings-trial.js';
import type { PrecisionRun, PrecisionTask } from './precision-trial.js';
import type { ProofTask } from './worker.js';
import type { PassiveSummary, PassiveTask } from './passive-trial.js';
import type { TrafficAnswer, TrafficTask } from './traffic-trial.js';
import type { Failed } from './trial.js';
import type { ReadingRow, ReadingTask } from './reading-trial.js';
import type { RealAnswer, RealTask } from './real-trial.js';

export type Answer<T extends ProofTask> = T extends ConformantTask
  ? BatchSummary
  : T extends PassiveTask
    ? PassiveSummary
    : T extends TrafficTask
      ? TrafficAnswer
      : T extends ReadingTask
        ? ReadingRow
        : T extends RealTask
          ? RealAnswer
          : T extends PrecisionTask
            ? PrecisionRun
            : T extends CorpusTask
              ? Recorded
              : T extends FindingsTask
                ? JudgedHistory
                : Failed;

/** Does all tasks, spread over the cores, and gives the answers in the tasks' order; `onAnswer` hears each as it comes. */
export async function workOff<T extends ProofTask>(
  tasks: readonly T[],
  threads: number | null,
  onAnswer: (task: T, answer: Answer<T>) => void,
  /** Tasks side by side in one thread: those that mostly wait. */
  atOnce = 1,
): Promise<readonly Answer<T>[]> {
  const count = Math.min(threads ?? availableParallelism(), Math.max(1, Math.ceil(tasks.length / atOnce)));
  const filename = new URL('./worker.js', import.meta.url).href;
  const pool = new Tinypool({
    filename,
    name: 'work',
    minThreads: count,
    maxThreads: count,
    concurrentTasksPerWorker: atOnce,
    resourceLimits: THREAD_LIMITS,
  });
  try {
    return await Promise.all(
      tasks.map(async (task) => {
        const answer = (await pool.run(task)) as Answer<T>;
        onAnswer(task, answer);
        return answer;
      }),
    );
  } finally {
    await pool.destroy();
  }
}
