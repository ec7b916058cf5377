import { availableParallelism } from 'node:os';
import { ThreadPool } from '../threads/pool.js';
import { inThisThread, isBuilt, startThread } from '../threads/thread.js';
import { compileLess } from '../threads/compiler.js';
import { EXPLORING, type ExploreAnswers, type ExploreTask } from '../test-bed/worker.js';

export interface ExplorePool {
  readonly threads: number;
  /** Null if it was aborted. */
  run<K extends ExploreTask['kind']>(
    task: Extract<ExploreTask, { kind: K }>,
    signal: AbortSignal,
  ): Promise<ExploreAnswers[K] | null>;
  close(): Promise<void>;
}

/** With one thread, or if the code was not built, tasks run in the calling thread. The results are the same. */
export const openPool = (threads: number = availableParallelism()): ExplorePool =>
  threads === 1 ? poolOf(1, inThisThread) : openThreads(threads);

/** As `openPool`, but the calling thread stays free with one thread, too. */
export const openThreads = (threads: number): ExplorePool =>
  poolOf(isBuilt(EXPLORING) ? threads : 1, startThread);

function poolOf(threads: number, start: typeof startThread): ExplorePool {
  compileLess();
  const pool = new ThreadPool(threads, () => start(EXPLORING, null));
  return {
    threads,
    run: async <K extends ExploreTask['kind']>(
      task: Extract<ExploreTask, { kind: K }>,
      signal: AbortSignal,
    ) => (await pool.run('work', [task], signal)) as ExploreAnswers[K] | null,
    close: () => pool.close(),
  };
}
