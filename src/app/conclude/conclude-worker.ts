/**
 * The thread that judges and reports a run. Its answers depend only on its tasks and on when it is stopped.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { HistoryEvent } from '../../history/events.js';
import type { FormatName, Report } from '../../report/index.js';
import { Concluder, type BuildInput, type Shrunk, type ConcludeInput } from './concluder.js';
import type { PlayedScript } from './missed-musts.js';
import type { KnownTarget } from '../explore/reproduce.js';
import type { Script } from '../../scenario/index.js';

export type ConcludeTask =
  | { readonly kind: 'judge'; readonly input: ConcludeInput }
  | { readonly kind: 'judge-more'; readonly events: readonly HistoryEvent[] }
  | { readonly kind: 'explain'; readonly played: readonly PlayedScript[] }
  | { readonly kind: 'shrink' }
  | { readonly kind: 'build'; readonly input: BuildInput }
  | { readonly kind: 'render'; readonly report: Report; readonly formats: readonly FormatName[] }
  | {
      readonly kind: 'reproduce';
      readonly script: Script;
      readonly requirement: string;
      readonly alike: readonly Script[];
      readonly around: KnownTarget;
    };

/** A message of the thread: a shrunk failure found so far, the answer to a task, or why there is none. */
export type ThreadMessage =
  { readonly found: Shrunk } | { readonly answer: unknown } | { readonly error: Error };

if (parentPort !== null) {
  const port = parentPort;
  // The main thread sets it while this thread is busy.
  const flag = (workerData as { readonly stop: Int32Array }).stop;
  const stop = (): boolean => Atomics.load(flag, 0) !== 0;
  let concluder: Concluder | null = null;
  const answerTo = (task: ConcludeTask): unknown => {
    switch (task.kind) {
      case 'judge':
        return (concluder = new Concluder(task.input)).judge();
      case 'judge-more':
        concluder!.add(task.events);
        return concluder!.judge();
      case 'explain':
        // Loads the simulator, as below.
        return import('./missed-musts.js').then(({ openMusts }) =>
          concluder!.explain(task.played, openMusts),
        );
      case 'shrink':
        return concluder!.shrink(stop, (found) => port.postMessage({ found } satisfies ThreadMessage));
      case 'build':
        return concluder!.build(task.input);
      case 'render':
        return concluder!.render(task.report, task.formats);
      case 'reproduce':
        // Loads the simulator and its faults, which few runs need.
        return import('../explore/reproduce.js').then(({ reproduce }) =>
          reproduce(task.script, task.requirement, task.alike, task.around),
        );
    }
  };
  const take = async (task: ConcludeTask): Promise<void> => {
    try {
      port.postMessage({ answer: await answerTo(task) } satisfies ThreadMessage);
    } catch (error) {
      port.postMessage({ error: error as Error } satisfies ThreadMessage);
    }
  };
  port.on('message', (task: ConcludeTask) => void take(task));
}
