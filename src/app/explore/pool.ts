import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Tinypool } from 'tinypool';
import { compileLess } from './compiler.js';
import { work, type ExploreAnswers, type ExploreTask } from './worker.js';

export interface ExplorePool {
  readonly threads: number;
  /** Null if it was aborted. */
  run<K extends ExploreTask['kind']>(
    task: Extract<ExploreTask, { kind: K }>,
    signal: AbortSignal,
  ): Promise<ExploreAnswers[K] | null>;
  close(): Promise<void>;
}

/**
 * Memory limits of a thread that simulates and judges. The data of one script is garbage when the next
 * begins: if it fits the young generation, little of it is copied, and judging long histories takes a third
 * less time.
 */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 96 };

/**
 * With one thread, or if the code was not built, tasks run in the calling thread. The results are the same.
 */
export function openPool(threads: number = availableParallelism()): ExplorePool {
  return threads === 1 ? inThisThread() : openThreads(threads);
}

/** As `openPool`, but the calling thread stays free with one thread, too. */
export function openThreads(threads: number): ExplorePool {
  const file = new URL('./worker.js', import.meta.url);
  if (!existsSync(fileURLToPath(file))) return inThisThread();
  compileLess();
  const pool = new Tinypool({
    filename: file.href,
    name: 'work',
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: THREAD_LIMITS,
  });
  return {
    threads,
    async run(task, signal) {
      if (signal.aborted) return null;
      try {
        return await pool.run(task, { signal });
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      }
    },
    close: () => pool.destroy(),
  };
}

function inThisThread(): ExplorePool {
  compileLess();
  return {
    threads: 1,
    async run<K extends ExploreTask['kind']>(task: Extract<ExploreTask, { kind: K }>, signal: AbortSignal) {
      // Lets signals and the progress display run between two tasks.
      await new Promise((resolve) => setImmediate(resolve));
      return signal.aborted ? null : (work(task) as ExploreAnswers[K]);
    },
    close: async () => {},
  };
}
