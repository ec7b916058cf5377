/**
 * The thread that judges and reports a run. Its answers depend only on its tasks and on when it is stopped.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Concluder, type Shrunk } from './concluder.js';

/** A step of the conclusion, with what it takes. */
export interface ConcludeTask {
  readonly step: keyof Concluder;
  readonly args: readonly unknown[];
}

/** Events of a run that goes on. They are not answered. */
export interface Heard {
  readonly heard: Parameters<Concluder['hear']>;
}

/** A message of the thread: a shrunk failure found so far, the answer to a task, or why there is none. */
export type ThreadMessage =
  | { readonly found: Shrunk }
  | { readonly answer: unknown }
  | { readonly error: Error };

if (parentPort !== null) {
  const port = parentPort;
  // The main thread sets it while this thread is busy.
  const flag = (workerData as { readonly stop: Int32Array }).stop;
  const stop = (): boolean => Atomics.load(flag, 0) !== 0;
  const send = (message: ThreadMessage): void => port.postMessage(message);
  const concluder = new Concluder();
  const answerTo = ({ step, args }: ConcludeTask): unknown =>
    step === 'shrink'
      ? concluder.shrink(stop, (found) => send({ found }), args[0] as readonly string[] | null)
      : (concluder[step] as (...given: readonly unknown[]) => unknown)(...args);
  const take = async (task: ConcludeTask): Promise<void> => {
    try {
      send({ answer: await answerTo(task) });
    } catch (error) {
      send({ error: error as Error });
    }
  };
  port.on('message', (task: ConcludeTask | Heard) => {
    if ('heard' in task) concluder.hear(...task.heard);
    else void take(task);
  });
}
