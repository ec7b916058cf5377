import type { Json } from '../history/events.js';
import { scriptedWorker } from './scripted-worker.js';

/** The longest that a timer of the platform can be set to. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The plan made the worker itself die: replace it by a fresh one, and fail the job. */
export class WorkerCrash extends Error {
  override readonly name = 'WorkerCrash';
}

export interface ScriptedJob {
  readonly input: Json;
  /** As submitted; null or left out when there was none. */
  readonly s3Config?: Json | null;
  /** A worker has run this job before, and it was retried since: `planOnRetry` counts. Default false. */
  readonly ranBefore?: boolean;
}

export interface ScriptedRun {
  /** Stops the worker at its present step: the job was cancelled, deleted or timed out. */
  readonly signal: AbortSignal;
  /** Takes the incremental results, one stream chunk each, with the metrics that the plan sets; a long string has to be split. */
  readonly emit: (output: Json, metrics?: Json) => void;
}

/**
 * The scripted worker (contract `scripted-worker`, version 1) for implementations of one's own: it follows the
 * plan in the job's `input`, by the timers of the process. Resolves with the job's `output`.
 *
 * @throws {WorkerCrash} where the plan says `crash`
 * @throws {Error} a handler error: `fail`, or a plan that is wrong
 * @throws the signal's reason when it was aborted
 */
export async function runScriptedWorker(job: ScriptedJob, { signal, emit }: ScriptedRun): Promise<Json> {
  const { input, s3Config = null, ranBefore = false } = job;
  for (const { afterMs, report } of scriptedWorker({ input, s3Config, ranBefore })) {
    await sleep(afterMs, signal);
    switch (report.kind) {
      case 'stream':
        emit(report.output, report.metrics);
        break;
      case 'success':
        return report.output;
      case 'error':
        throw new Error(report.message);
      case 'crash':
        throw new WorkerCrash('the worker died');
    }
  }
  return hang(signal);
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0; left -= TIMER_MAX_MS) await sleepOnce(Math.min(left, TIMER_MAX_MS), signal);
  signal.throwIfAborted();
}

function sleepOnce(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
