import type { Json } from '../../history/events.js';

/** The job that a handler works on. @public */
export interface HandlerJob {
  readonly id: string;
  /** As submitted. */
  readonly input: Json;
  /** As submitted, or null (section 2.3: the service only passes it along). */
  readonly s3Config: Json | null;
  readonly endpointId: string;
  readonly workerId: string;
  /** A worker of this endpoint has run this job before, and it was retried since. */
  readonly ranBefore: boolean;
}

/** What a handler may use while it runs a job. @public */
export interface HandlerContext {
  /** Aborts when the job is cancelled, deleted or timed out; the worker is free again from then on. */
  readonly signal: AbortSignal;
  /** Reports progress; shown where the edition shows it. */
  progress(update: unknown): void;
  /**
   * Produces an incremental result, like a yield, together with its metrics (section 2.5). Such results are
   * not part of the list of yields that is the output of a generator that returns nothing.
   * @param metrics numbers and strings by name; omitted above 64 KiB of JSON
   */
  produce(output: unknown, metrics: { readonly [name: string]: number | string }): void;
  /**
   * Waits on the endpoint's clock, which test control may move. Rejects when the signal aborts.
   * @param ms integer ≥ 0
   */
  sleep(ms: number): Promise<void>;
  /** Simulates a crash of the worker; whatever the handler does afterwards is ignored. */
  crash(): void;
}

/**
 * Runs one job. The value returned is the job's output; a thrown error fails the job. A generator's yields
 * become stream chunks; if it returns nothing, the list of its yields is the output. (A dialect may answer
 * `4.4/final-output` differently.)
 *
 * @public
 */
export type HandlerFunction = (job: HandlerJob, context: HandlerContext) => unknown;
