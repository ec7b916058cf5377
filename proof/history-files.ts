/** Histories kept as files: a line of JSON for each event, compressed. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { HistoryEvent } from '../src/history/events.js';

export const HISTORY_ENDING = '.ndjson.gz';

/** Under another name until it is whole: what is broken off leaves nothing that looks like a history. */
export function keepHistory(path: string, events: readonly HistoryEvent[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.unfinished`;
  writeFileSync(unfinished, gzipSync(events.map((event) => `${JSON.stringify(event)}\n`).join('')));
  renameSync(unfinished, path);
}

/** Null where there is none. */
export function keptHistory(path: string): readonly HistoryEvent[] | null {
  if (!existsSync(path)) return null;
  const lines = gunzipSync(readFileSync(path)).toString().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as HistoryEvent);
}

/** What its first line says of the seed. */
export function seedOf([first]: readonly HistoryEvent[]): number | null {
  return first?.kind === 'run' ? first.seed : null;
}
