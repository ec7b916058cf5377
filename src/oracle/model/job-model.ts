/** The parameters by which a job is checked, apart from its observations. */
import type { Prediction } from '../observed/worker-prediction.js';
import type { Hypothesis } from './hypothesis.js';
import { EXECUTION_TIMEOUT_DEFAULT_MS } from '../../spec/limits.js';
import { QUEUED, type Zone } from './zone.js';

/** The interval in which the first run of a job must have begun, ms. */
export interface StartWindow {
  readonly notBeforeMs: number;
  readonly byMs: number;
  /** A worker was free from its submission on. */
  readonly isImmediate: boolean;
  /**
   * The latest start of the job if it was queued by this instant, ms. `stopped`: how many of its earlier runs may have
   * cost their worker, which takes some time to be back.
   */
  startsBy(queuedByMs: number, stopped?: number): number;
  /** The earliest start of the job if it was queued not before this instant, ms, by the call sent at this tick. */
  startsFrom(queuedFromMs: number, sentTick: number): number;
}

/** Nothing is known of the workers. */
export const ANY_TIME: StartWindow = {
  notBeforeMs: -Infinity,
  byMs: Infinity,
  isImmediate: false,
  startsBy: () => Infinity,
  startsFrom: () => -Infinity,
};

/** The parameters of one job. */
export interface JobModel {
  /** The predicted behaviour of the worker in the run after `runs` earlier ones. */
  predicted(runs: number): Prediction;
  readonly sync: boolean;
  /** Whether the submission gave these values, or the defaults hold. */
  readonly ttlGiven: boolean;
  readonly executionGiven: boolean;
  /** The numbers that it gave, whether they were accepted or not, ms; NaN where there is none. */
  readonly requestedMs: { readonly ttl: number; readonly executionTimeout: number };
  readonly waitGiven: boolean;
  /** When its first run must have begun, as far as the workers are known. */
  readonly startWindow: StartWindow;
  readonly lowPriority: boolean;
  /** Clients that the history does not show may have cancelled, purged or retried it at any time. */
  readonly others: boolean;
  /** Its worker is unknown and may crash, after which it may be dispatched again. */
  readonly mayCrash: boolean;
}

/**
 * A worker that crashed is noticed when its heartbeats stop. The document does not say how soon; by default no job may
 * run for longer than this (section 2.2).
 */
export const CRASH_NOTICED_MS = EXECUTION_TIMEOUT_DEFAULT_MS;
/**
 * A job that did not complete can be read for at least this time. The retention is open, but a `/retry`
 * that follows at once finds the job.
 */
export const UNSUCCESSFUL_KEPT_MS = 5_000;
/** The shortest retention in the document: that of a completed job of `/runsync`. */
export const SHORTEST_RETENTION_MS = 60_000;

/** The latest start of a job in the queue. After a crash it is unknown when the job was queued again. */
export function latestStartMs(
  model: JobModel,
  at: Hypothesis,
  zone: Zone,
  window: StartWindow = model.startWindow,
): number {
  if (at.runs === 0) return window.byMs;
  if (at.runs !== at.retries) return Infinity;
  // An error of its handler leaves the worker as it was.
  const isError = (_: unknown, run: number): boolean => model.predicted(run).outcome === 'error';
  const isWorkerKept = at.retriedFrom === 'failed' && Array.from({ length: at.retries }).every(isError);
  return window.startsBy(zone.latest(QUEUED), isWorkerKept ? 0 : at.retries);
}
