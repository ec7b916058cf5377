/** One history of the corpus, recorded and kept. */
import { join } from 'node:path';
import type { HistoryEvent } from '../../src/history/events.js';
import { CORPUS } from '../corpus-histories.js';
import { HISTORY_ENDING, keepRun, keptHistory, seedOf } from '../history-files.js';

export interface CorpusTask {
  readonly kind: 'corpus';
  readonly name: string;
  readonly seed: number;
  readonly folder: string;
}

export interface Recorded {
  /** Calls in the history; 0 where this endpoint plays none of what was asked for: then there is no file. */
  readonly calls: number;
  /** It was there from before, with the same seed. */
  readonly kept: boolean;
}

export async function recordHistory({ name, seed, folder }: CorpusTask): Promise<Recorded> {
  const path = join(folder, `${name}${HISTORY_ENDING}`);
  const before = keptHistory(path);
  if (before !== null && seedOf(before) === seed) return { calls: callsIn(before), kept: true };
  const history = CORPUS.find((one) => one.name === name);
  if (history === undefined) throw new Error(`the corpus has no ${name}`);
  const [run, ...rest] = await history.record(seed);
  if (run?.kind !== 'run' || rest.length === 0) return { calls: 0, kept: false };
  // Where a world was drawn, its own seed stands there.
  const events = [{ ...run, seed }, ...rest];
  keepRun(path, { events, plan: null });
  return { calls: callsIn(events), kept: false };
}

function callsIn(events: readonly HistoryEvent[]): number {
  return events.filter(({ kind }) => kind === 'call').length;
}
