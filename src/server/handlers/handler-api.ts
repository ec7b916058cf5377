import type { Json } from '../../history/events.js';

/** What a handler is given to work on. */
export interface HandlerJob {
  readonly id: string;
  /** As submitted. */
  readonly input: Json;
  /** As submitted, or null (section 2.3: the service only passes it along). */
  readonly s3Config: Json | null;
  readonly endpointId: string;
  readonly workerId: string;
  /** A worker of this endpoint has run this job's id before, and it was retried since. */
  readonly ranBefore: boolean;
}

export interface HandlerContext {
  /** Aborts when the job is cancelled, deleted or timed out; the worker is free again from then on. */
  readonly signal: AbortSignal;
  /** Tells how far the job is; shown where the edition shows it. */
  progress(update: unknown): void;
  /**
   * Produces an incremental result, as a yield does, and says something about it (section 2.5). The list of yields, as
   * output of a generator that returns nothing, holds only what was yielded.
   * @param metrics numbers and strings by name; above 64 KiB of JSON they are left out
   */
  produce(output: unknown, metrics: { readonly [name: string]: number | string }): void;
  /**
   * Waits on the endpoint's own clock, which test control may move, and rejects when the signal aborts.
   * @param ms integer ≥ 0
   */
  sleep(ms: number): Promise<void>;
  /** The worker itself dies while running the job; whatever the handler does afterwards counts no more. */
  crash(): void;
}

/**
 * Works off one job. The value returned is the job's output; what is thrown fails the job. A generator's
 * yields become stream chunks; one that returns nothing has the list of its yields as output. (A dialect that
 * answers `4.4/final-output` otherwise has its way.)
 */
export type HandlerFunction = (job: HandlerJob, context: HandlerContext) => unknown;
