import type { Script } from '../../scenario/script.js';
import type { Operation } from '../../spec/types.js';
import type { CreateScriptRunner } from '../port.js';
import { simulateSchedule } from './dry-run.js';
import { NO_LATENCY, type Latency } from '../../schedule/latency.js';
import { dryRun } from './rehearsal.js';
import { scheduledScript } from './timetable.js';

/** What playing scripts will probably come to. */
export interface DurationEstimate {
  readonly calls: number;
  readonly callsByOperation: ReadonlyMap<Operation, number>;
  readonly longestScriptMs: number;
  /** Real time for all of them on one endpoint with so many workers. */
  readonly wallMs: number;
  /** Without it the others would be over sooner, or as soon. */
  readonly endsLast: Script | null;
}

/** What a script and a call cost beside all waits, as measured on a machine of two cores. */
const SCRIPT_MS = 5;
const CALL_MS = 0.2;

/** Plays the scripts in virtual time. `workers`: of the endpoint that they share; null where each has its own. */
export function estimateDuration(
  scripts: readonly Script[],
  workers: number | null,
  createPlayer: CreateScriptRunner,
  pace: Latency = NO_LATENCY,
): DurationEstimate {
  const entries = scripts.map((script, number) => scheduledScript(script, number, createPlayer, pace));
  const callsByOperation = new Map<Operation, number>();
  for (const { dryRun: rehearsal } of entries) {
    for (const [op, times] of rehearsal.timesByOperation)
      callsByOperation.set(op, (callsByOperation.get(op) ?? 0) + times.length);
  }
  const longestScriptMs = Math.max(0, ...entries.map(({ dryRun: rehearsal }) => rehearsal.lastsMs));
  const calls = entries.reduce((sum, { dryRun: rehearsal }) => sum + rehearsal.calls, 0);
  const longest =
    entries.find(({ dryRun: rehearsal }) => rehearsal.lastsMs === longestScriptMs)?.script ?? null;
  const { wallMs, endsLast } =
    workers === null
      ? { wallMs: longestScriptMs, endsLast: longest }
      : simulateSchedule(scripts, workers, createPlayer, pace);
  return {
    calls,
    callsByOperation,
    longestScriptMs,
    endsLast,
    wallMs: Math.round(wallMs + SCRIPT_MS * entries.length + CALL_MS * calls),
  };
}

/** What a choice of scripts has to know of one. */
export function scriptCost(
  script: Script,
  createPlayer: CreateScriptRunner,
  pace: Latency = NO_LATENCY,
): { readonly lastsMs: number; readonly workMs: number } {
  const { lastsMs, worksMs } = dryRun(script, createPlayer, pace);
  return { lastsMs, workMs: worksMs * script.workers };
}
