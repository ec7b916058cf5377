import type { Json } from '../history/events.js';
import { scriptedWorker } from './scripted-worker.js';

/** The longest delay of a platform timer. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The plan made the worker die: replace the worker, and fail the job. @public */
export class WorkerCrash extends Error {
  override readonly name = 'WorkerCrash';
}

/** The job that `runScriptedWorker` runs. @public */
export interface ScriptedJob {
  readonly input: Json;
  /** As submitted. Default null: none. */
  readonly s3Config?: Json | null;
  /** Whether a worker has run this job before: then `planOnRetry` is used. Default false. */
  readonly ranBefore?: boolean;
}

/** How `runScriptedWorker` is stopped, and where its stream chunks go. @public */
export interface ScriptedRun {
  /** Aborted when the job was cancelled, deleted or timed out: the worker stops at its present step. */
  readonly signal: AbortSignal;
  /**
   * Called with each incremental result, and the metrics that the plan sets. The service splits results that
   * are too large.
   */
  readonly emit: (output: Json, metrics?: Json) => void;
}

/**
 * The scripted worker (contract `scripted-worker`, version 1) for your own implementation of the API: follows
 * the plan in the job's `input`, with real timers, and resolves with the job's `output`. A plan that hangs
 * ends only by the signal.
 *
 * @throws {WorkerCrash} when the plan says `crash`
 * @throws {Error} a handler error: the plan says `fail`, or is invalid
 * @throws the reason of the signal when it is aborted
 *
 * @example
 *     import { runScriptedWorker } from 'runproof';
 *
 *     const chunks: unknown[] = [];
 *     const output = await runScriptedWorker(
 *       { input: { plan: [{ stream: 'one' }, { sleepMs: 10 }, { return: { done: true } }] } },
 *       { signal: new AbortController().signal, emit: (chunk) => chunks.push(chunk) },
 *     );
 *     console.log(chunks, output);
 *
 * @public
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
