import type { Script } from '../../scenario/script.js';
import type { Operation } from '../../spec/types.js';
import type { CreatePlayer } from '../port.js';
import { dryRun } from './dry-run.js';
import { PROMPT, type Pace } from '../../schedule/latency.js';
import { rehearse } from './rehearsal.js';
import { entryOf } from './timetable.js';

/** What playing scripts will probably come to. */
export interface Forecast {
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
export function forecast(
  scripts: readonly Script[],
  workers: number | null,
  createPlayer: CreatePlayer,
  pace: Pace = PROMPT,
): Forecast {
  const entries = scripts.map((script, number) => entryOf(script, number, createPlayer, pace));
  const callsByOperation = new Map<Operation, number>();
  for (const { rehearsal } of entries) {
    for (const [op, times] of rehearsal.timesByOperation)
      callsByOperation.set(op, (callsByOperation.get(op) ?? 0) + times.length);
  }
  const longestScriptMs = Math.max(0, ...entries.map(({ rehearsal }) => rehearsal.lastsMs));
  const calls = entries.reduce((sum, { rehearsal }) => sum + rehearsal.calls, 0);
  const longest = entries.find(({ rehearsal }) => rehearsal.lastsMs === longestScriptMs)?.script ?? null;
  const { wallMs, endsLast } =
    workers === null
      ? { wallMs: longestScriptMs, endsLast: longest }
      : dryRun(scripts, workers, createPlayer, pace);
  return {
    calls,
    callsByOperation,
    longestScriptMs,
    endsLast,
    wallMs: Math.round(wallMs + SCRIPT_MS * entries.length + CALL_MS * calls),
  };
}

/** What a choice of scripts has to know of one. */
export function costOf(
  script: Script,
  createPlayer: CreatePlayer,
  pace: Pace = PROMPT,
): { readonly lastsMs: number; readonly workMs: number } {
  const { lastsMs, worksMs } = rehearse(script, createPlayer, pace);
  return { lastsMs, workMs: worksMs * script.workers };
}
