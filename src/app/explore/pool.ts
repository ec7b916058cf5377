import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Tinypool } from 'tinypool';
import { work, type ExploreAnswers, type ExploreTask } from './worker.js';

export interface ExplorePool {
  readonly threads: number;
  /** Null when it was stopped before it was done. */
  run<K extends ExploreTask['kind']>(
    task: Extract<ExploreTask, { kind: K }>,
    signal: AbortSignal,
  ): Promise<ExploreAnswers[K] | null>;
  close(): Promise<void>;
}

/**
 * Of a thread that simulates and judges. What belongs to one script is garbage with the next: where the young generation
 * has room for a script, little of it is copied first, and judging long histories takes a third less.
 */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 96 };

/** With one thread, or where the code was not built, everything happens in this one: the results are the same. */
export function openPool(threads: number = availableParallelism()): ExplorePool {
  const file = new URL('./worker.js', import.meta.url);
  if (threads === 1 || !existsSync(fileURLToPath(file))) return inThisThread();
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
  return {
    threads: 1,
    async run<K extends ExploreTask['kind']>(task: Extract<ExploreTask, { kind: K }>, signal: AbortSignal) {
      // Between two tasks a signal may come in and a progress display may draw.
      await new Promise((resolve) => setImmediate(resolve));
      return signal.aborted ? null : (work(task) as ExploreAnswers[K]);
    },
    close: async () => {},
  };
}
