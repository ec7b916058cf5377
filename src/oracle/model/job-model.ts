/** What a job's life is judged by, besides what was observed of it. */
import type { Prediction } from '../observed/worker-prediction.js';
import type { Hypothesis } from './hypothesis.js';
import { QUEUED, type Zone } from './zone.js';

/** When the first run of a job must have begun, ms. */
export interface StartWindow {
  readonly notBeforeMs: number;
  readonly byMs: number;
  /** A worker was free from its submission on. */
  readonly isImmediate: boolean;
  /** By when a job queued by this instant must have started. */
  startsBy(queuedByMs: number): number;
}

/** Nothing is known of the workers. */
export const ANY_TIME: StartWindow = {
  notBeforeMs: -Infinity,
  byMs: Infinity,
  isImmediate: false,
  startsBy: () => Infinity,
};

/** What the judge knows of a job besides its observations. */
export interface JobModel {
  /** What the worker does in the run after `runs` earlier ones. */
  predicted(runs: number): Prediction;
  readonly sync: boolean;
  /** Whether the submission named them, or the defaults hold. */
  readonly ttlGiven: boolean;
  readonly executionGiven: boolean;
  readonly waitGiven: boolean;
  /** When its first run must have begun, as far as the workers are known. */
  readonly startWindow: StartWindow;
  readonly lowPriority: boolean;
}

/** A crashed worker is noticed by its silence; nothing says how soon. */
export const CRASH_NOTICED_MS = 60_000;
/** So long a job that did not complete can be read at least: how long is open, but a /retry that follows at once finds it. */
export const UNSUCCESSFUL_KEPT_MS = 5_000;
/** The shortest retention that the document names: that of a completed job of /runsync. */
export const SHORTEST_RETENTION_MS = 60_000;

/** By when a job in this queue must start; after a crash the queue it went through was never seen. */
export function latestStartMs(model: JobModel, at: Hypothesis, zone: Zone): number {
  if (at.runs === 0) return model.startWindow.byMs;
  return at.runs === at.retries ? model.startWindow.startsBy(zone.latest(QUEUED)) : Infinity;
}
