import type { WorkerReport } from '../../core/api.js';
import type { Json } from '../../history/events.js';
import type { HandlerContext, HandlerFunction, HandlerJob } from './handler-api.js';
import {
  stepOf,
  type CreateRunner,
  type HandlerRunner,
  type RunnerPorts,
  type StartEffect,
} from './handler-runner.js';

/**
 * After this many turns of the event loop without activity, handlers are taken to be waiting for the
 * endpoint's clock.
 */
const TURNS_TO_REST = 4;

/**
 * Runs a user's handler in this process. A handler that ignores its abort signal keeps running, but its
 * reports are ignored.
 */
export function createFunctionRunner(
  handler: HandlerFunction,
  onError: HandlerErrorListener = () => {},
): CreateRunner {
  return (ports) => new FunctionRunner(handler, onError, ports);
}

/** Called with what the handler has thrown while its run counted. */
type HandlerErrorListener = (error: unknown, job: HandlerJob) => void;

class FunctionRunner implements HandlerRunner {
  private readonly handler: HandlerFunction;
  private readonly onError: HandlerErrorListener;
  private readonly ports: RunnerPorts;
  private readonly running = new Map<number, AbortController>();
  private resting: Promise<void> | null = null;
  private turnsLeft = 0;

  constructor(handler: HandlerFunction, onError: HandlerErrorListener, ports: RunnerPorts) {
    this.handler = handler;
    this.onError = onError;
    this.ports = ports;
  }

  start(effect: StartEffect): void {
    const controller = new AbortController();
    this.running.set(effect.attempt, controller);
    this.noteActivity();
    // Started outside the current call: a handler that computes for long must not delay the answer.
    setImmediate(() => void this.run(effect, controller.signal));
  }

  stop(attempt: number): void {
    const controller = this.running.get(attempt);
    if (controller === undefined) return;
    this.running.delete(attempt);
    this.noteActivity();
    controller.abort(new DOMException('the job was cancelled, deleted or timed out', 'AbortError'));
  }

  settling(): Promise<void> | null {
    return this.resting;
  }

  close(): void {
    for (const attempt of this.running.keys()) this.stop(attempt);
  }

  private async run(effect: StartEffect, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.end(effect.attempt, await this.outcome(effect, signal));
  }

  private async outcome(effect: StartEffect, signal: AbortSignal): Promise<WorkerReport> {
    const { attempt, input, s3Config, ranBefore } = effect;
    const job: HandlerJob = {
      id: effect.job,
      input,
      s3Config,
      endpointId: effect.endpoint,
      workerId: effect.worker,
      ranBefore,
    };
    try {
      const { handler } = this;
      const started = handler(job, this.context(effect, signal));
      const output = isIterator(started) ? await this.drain(attempt, started) : await started;
      return { kind: 'success', output: toJson(output) };
    } catch (error) {
      if (this.running.has(attempt)) this.onError(error, job);
      return { kind: 'error', message: describe(error) };
    }
  }

  private context(effect: StartEffect, signal: AbortSignal): HandlerContext {
    const { attempt } = effect;
    return {
      signal,
      progress: (update) => this.report(attempt, { kind: 'progress', output: toJson(update) }),
      produce: (output, metrics) =>
        this.report(attempt, { kind: 'stream', output: toJson(output), metrics: toJson(metrics) }),
      sleep: (ms) => this.sleep(effect, ms, signal),
      crash: () => {
        const controller = this.running.get(attempt);
        this.end(attempt, { kind: 'crash' });
        controller?.abort(new DOMException('the worker has died', 'AbortError'));
      },
    };
  }

  private async drain(attempt: number, chunks: AnyIterator): Promise<unknown> {
    const yielded: unknown[] = [];
    for (;;) {
      const { done, value } = await chunks.next();
      if (!this.running.has(attempt)) {
        // Runs the generator's `finally`, without waiting for it.
        if (done !== true) Promise.resolve(chunks.return?.()).catch(() => undefined);
        return null;
      }
      if (done === true) return value === undefined ? yielded : value;
      const output = toJson(value);
      yielded.push(output);
      this.report(attempt, { kind: 'stream', output });
    }
  }

  private sleep(effect: StartEffect, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!Number.isSafeInteger(ms) || ms < 0)
        throw new RangeError(`sleep requires an integer from 0, not ${ms}`);
      signal.throwIfAborted();
      const onAbort = () => {
        timer.cancel();
        reject(signal.reason as Error);
      };
      const wake = (): void => {
        signal.removeEventListener('abort', onAbort);
        this.noteActivity();
        resolve();
      };
      const timer = this.ports.after(ms, wake, stepOf(effect, 'wake'));
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  private report(attempt: number, report: WorkerReport): void {
    if (!this.running.has(attempt)) return;
    this.noteActivity();
    this.ports.report(attempt, report);
  }

  private end(attempt: number, report: WorkerReport): void {
    if (this.running.delete(attempt)) this.ports.report(attempt, report);
  }

  /** Handlers may have work now: the instant stays open for a few turns of the event loop. */
  private noteActivity(): void {
    this.turnsLeft = TURNS_TO_REST;
    this.resting ??= this.rest();
  }

  private async rest(): Promise<void> {
    while (this.turnsLeft-- > 0) await new Promise((resolve) => setImmediate(resolve));
    this.resting = null;
  }
}

interface AnyIterator {
  next(): Promise<IteratorResult<unknown, unknown>> | IteratorResult<unknown, unknown>;
  return?(): unknown;
}

/** True for generators; a returned array or string is an output, although it is iterable. */
function isIterator(value: unknown): value is AnyIterator {
  return typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function';
}

/** A JSON copy of the value. Undefined becomes null; a cycle throws. */
function toJson(value: unknown): Json {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : (JSON.parse(text) as Json);
}

/** A text for anything that a handler throws, even a value that cannot be converted. */
function describe(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'the handler threw a value that cannot be shown as text';
  }
}
