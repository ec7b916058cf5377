/** Histories kept as files: a line of JSON for each event, compressed; before them the plan, where one is known. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { HistoryEvent } from '../src/history/events.js';
import type { Script } from '../src/scenario/index.js';

export const HISTORY_ENDING = '.ndjson.gz';

/** What a history does not say of the run, and what stays open cannot be judged without. */
export interface PlayedPlan {
  readonly scripts: readonly Script[];
  /** The longest wait that the scripts were drawn for; null: any. */
  readonly maxWaitMs: number | null;
}

export interface PlayedRun {
  readonly events: readonly HistoryEvent[];
  /** Null where nothing tells what was to be decided, as in real time. */
  readonly plan: PlayedPlan | null;
}

export function planOf(
  scripts: readonly Script[],
  { limits }: { readonly limits: { readonly maxWaitMs: number } },
): PlayedPlan {
  return { scripts, maxWaitMs: Number.isFinite(limits.maxWaitMs) ? limits.maxWaitMs : null };
}

type Line = HistoryEvent | ({ readonly kind: 'plan' } & PlayedPlan);

/** Quick rather than small: most histories are read more often than written. */
const LEVEL = 4;

/** Under another name until it is whole: what is broken off leaves nothing that looks like a history. */
export function keepRun(path: string, { events, plan }: PlayedRun): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.unfinished`;
  const lines: readonly Line[] = [...(plan === null ? [] : [{ kind: 'plan', ...plan } as const]), ...events];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(unfinished, gzipSync(text, { level: LEVEL }));
  renameSync(unfinished, path);
}

/** Null where there is none. */
export function keptRun(path: string): PlayedRun | null {
  if (!existsSync(path)) return null;
  const lines = gunzipSync(readFileSync(path)).toString().split('\n');
  const parsed = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line);
  const [first, ...rest] = parsed;
  if (first?.kind !== 'plan') return { events: parsed as HistoryEvent[], plan: null };
  const { scripts, maxWaitMs } = first;
  return { events: rest as HistoryEvent[], plan: { scripts, maxWaitMs } };
}

export const keptHistory = (path: string): readonly HistoryEvent[] | null => keptRun(path)?.events ?? null;

/** What its first line says of the seed. */
export function seedOf([first]: readonly HistoryEvent[]): number | null {
  return first?.kind === 'run' ? first.seed : null;
}
