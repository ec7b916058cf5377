import type { Operation } from '../spec/types.js';

/** From one instant to another, in ms since the script started. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * What a script is expected to do, as measured by running it on the simulator. All times are in ms since the script
 * started. This is the only place that says what a script does and how long it takes.
 */
export interface DryRun {
  readonly lastsMs: number;
  readonly calls: number;
  /** When each operation is called, in ascending order. */
  readonly timesByOperation: ReadonlyMap<Operation, readonly number[]>;
  /** When each operation is called for the first time. */
  readonly firstMs: ReadonlyMap<Operation, number>;
  /** Until when each operation's rate limit is used up; operations that are called less often are left out. */
  readonly usedUpUntilMs: ReadonlyMap<Operation, number>;
  /** The sum of `works`. */
  readonly worksMs: number;
  /** When jobs of the script may keep workers busy. */
  readonly works: readonly Span[];
  /** Until when more of its jobs are alive than it has workers, so that some are queued; null for never. */
  readonly queuesUntilMs: number | null;
  /** Basic situations, in words: each operation with the state that it shows, and reads of an ended job again. */
  readonly reaches: readonly string[];
  /** At least one submission is accepted. */
  readonly hasJobs: boolean;
  /** The script runs the same way where no worker ever takes a job. */
  readonly needsNoWorker: boolean;
  /** When it purges the queue for the last time; null for never. */
  readonly purgesUntilMs: number | null;
}

/** A script that needs no worker and lasts no longer than this does not disturb others. */
export const SHORT_MS = 5_000;
