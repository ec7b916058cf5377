import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { EmbeddedEndpoint, PlayerAnswer, PlayerTask } from './player-worker.js';
import type { Player } from './share-scripts.js';

/** With the thread that asks them: more are idle while the longest scripts end. */
const PLAYERS_MAX = 4;

/** One for each processor: a third of a thread's time is spent waiting. None where the code was not built. */
export function playerThreads(endpoint: EmbeddedEndpoint): readonly Player[] {
  const file = new URL('./player-worker.js', import.meta.url);
  if (!existsSync(fileURLToPath(file))) return [];
  const threads = Math.min(PLAYERS_MAX - 1, availableParallelism());
  return Array.from({ length: threads }, () => playerIn(new Worker(file, { workerData: endpoint })));
}

/** @internal */
export function playerIn(
  worker: Pick<Worker, 'once' | 'off' | 'postMessage' | 'terminate' | 'unref'>,
): Player {
  const post = (task: PlayerTask): void => worker.postMessage(task);
  const stop = (): void => post({ stop: true });
  worker.unref();
  return {
    play: (script, number, signal) =>
      new Promise((resolve, reject) => {
        const over = (): void => {
          worker.off('message', onAnswer).off('error', onError);
          signal?.removeEventListener('abort', stop);
        };
        const onAnswer = (answer: PlayerAnswer): void => {
          over();
          if ('error' in answer) reject(answer.error);
          else resolve(answer.played);
        };
        const onError = (error: unknown): void => {
          over();
          reject(error as Error);
        };
        worker.once('message', onAnswer).once('error', onError);
        signal?.addEventListener('abort', stop);
        post({ play: script, number });
      }),
    close: async () => void (await worker.terminate()),
  };
}
