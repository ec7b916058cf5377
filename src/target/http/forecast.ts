import type { Script } from '../../scenario/script.js';
import { RATES } from '../../spec/rates.js';
import type { Operation } from '../../spec/types.js';
import type { CreatePlayer } from '../port.js';
import { rehearse } from './rehearsal.js';
import { entryOf } from './timetable.js';

/** What playing scripts will probably come to. */
export interface Forecast {
  readonly calls: number;
  readonly callsByOperation: ReadonlyMap<Operation, number>;
  readonly longestScriptMs: number;
  /** Real time for all of them on one endpoint with so many workers. */
  readonly wallMs: number;
}

/** What scripts that share workers lose to each other's coming and going, as measured on a busy machine. */
const FRICTION = 1.3;
/** Operations that most scripts call, at the latest when their jobs are swept. */
const CALLED_BY_ALL: readonly Operation[] = ['status', 'cancel'];

/** Plays the scripts in virtual time. `workers`: of the endpoint that they share; null where each has its own. */
export function forecast(
  scripts: readonly Script[],
  workers: number | null,
  createPlayer: CreatePlayer,
): Forecast {
  const entries = scripts.map((script, number) => entryOf(script, number, createPlayer));
  const callsByOperation = new Map<Operation, number>();
  let workMs = 0;
  let saturatedMs = 0;
  for (const { script, rehearsal, driven } of entries) {
    for (const [op, count] of rehearsal.callsByOperation)
      callsByOperation.set(op, (callsByOperation.get(op) ?? 0) + count);
    workMs += rehearsal.worksMs * Math.min(script.workers, workers ?? script.workers);
    // Nobody else gets on well while the rate of what all of them call is used up.
    for (const op of CALLED_BY_ALL)
      if (driven.includes(op)) saturatedMs = Math.max(saturatedMs, rehearsal.usedUpUntilMs.get(op) ?? 0);
  }
  const longestScriptMs = Math.max(0, ...entries.map(({ rehearsal }) => rehearsal.lastsMs));
  const waitsMs = [longestScriptMs, workers === null ? 0 : (FRICTION * workMs) / Math.max(1, workers)];
  const queuesMs = workers === null ? [] : [...callsByOperation].map(([op, count]) => windowsMs(op, count));
  return {
    calls: entries.reduce((sum, { rehearsal }) => sum + rehearsal.calls, 0),
    callsByOperation,
    longestScriptMs,
    wallMs: Math.round(Math.max(saturatedMs + Math.max(...waitsMs), ...queuesMs)),
  };
}

/** How long so many calls take where each window holds only a few. */
function windowsMs(op: Operation, count: number): number {
  const rate = RATES[op];
  return rate === null ? 0 : Math.floor(Math.max(0, count - 1) / rate.requests) * rate.windowMs;
}

/** What a choice of scripts has to know of one. */
export function costOf(
  script: Script,
  createPlayer: CreatePlayer,
): { readonly lastsMs: number; readonly workMs: number } {
  const { lastsMs, worksMs } = rehearse(script, createPlayer);
  return { lastsMs, workMs: worksMs * script.workers };
}
