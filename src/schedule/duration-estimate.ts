import type { Script } from '../scenario/script.js';
import type { Operation } from '../spec/types.js';
import type { ScheduledScript } from './scheduler.js';
import { simulateSchedule } from './simulate-schedule.js';

/** How many calls a run is expected to make, and how long it is expected to take. @internal */
export interface DurationEstimate {
  readonly calls: number;
  readonly callsByOperation: ReadonlyMap<Operation, number>;
  /** Real ms. */
  readonly longestScriptMs: number;
  /** Real time for all scripts together, in ms. */
  readonly wallMs: number;
  /** When each script ends, in this order, in real ms from the beginning. */
  readonly endsMs: readonly number[];
  /** The script that ends last: without it the run would take no longer, and perhaps less. Null without scripts. */
  readonly endsLast: Script | null;
}

/** Real ms per script and per call beside all waits, as measured on a machine with two cores. */
const SCRIPT_MS = 5;
const CALL_MS = 0.2;

/**
 * @param workers of the endpoint that the scripts share; null where each script has an endpoint of its own
 * @param speed how many times as fast as real time its clock runs
 * @param callsPerSecond at most, in real time
 */
export function durationOf(
  scripts: readonly ScheduledScript[],
  workers: number | null,
  speed = 1,
  callsPerSecond = Infinity,
): DurationEstimate {
  const callsByOperation = new Map<Operation, number>();
  for (const { dryRun } of scripts) {
    for (const [op, times] of dryRun.timesByOperation)
      callsByOperation.set(op, (callsByOperation.get(op) ?? 0) + times.length);
  }
  const longestScriptMs = Math.max(0, ...scripts.map(({ dryRun }) => dryRun.lastsMs));
  const calls = scripts.reduce((sum, { dryRun }) => sum + dryRun.calls, 0);
  const longest = scripts.find(({ dryRun }) => dryRun.lastsMs === longestScriptMs)?.script ?? null;
  const { wallMs, endsMs, endsLast } =
    workers === null
      ? {
          wallMs: longestScriptMs,
          endsMs: scripts.map(({ dryRun }) => dryRun.lastsMs).sort((a, b) => a - b),
          endsLast: longest,
        }
      : simulateSchedule(scripts, workers, speed);
  const allMs = Math.round(
    Math.max(wallMs / speed + SCRIPT_MS * scripts.length + CALL_MS * calls, (calls / callsPerSecond) * 1_000),
  );
  return {
    calls,
    callsByOperation,
    longestScriptMs: longestScriptMs / speed,
    endsMs: endsMs.map((ms) => (wallMs === 0 ? 0 : (ms * allMs) / wallMs)),
    endsLast,
    wallMs: allMs,
  };
}
