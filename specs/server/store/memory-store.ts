import type { SavedCounters } from '../../../src/core/saved/saved.js';
import { rowsOf, stateOf, type ChangedRow, type Row } from '../../../src/server/store/rows.js';
import type { Store } from '../../../src/server/store/store.js';

/** A store without a disk: its rows outlive the service, and a write can be held up or fail. */
export interface MemoryStore extends Store {
  /** By kind and name, in order of creation. */
  readonly rows: Map<string, Row>;
  /** Number of writes begun. */
  readonly writes: number;
  /** What each write waits for before it ends; rejects to make it fail. */
  gate: () => Promise<void>;
}

export function createMemoryStore(): MemoryStore {
  const rows = new Map<string, Row>();
  let writes = 0;
  let closed = false;

  async function write(changed: readonly ChangedRow[]): Promise<void> {
    writes++;
    await store.gate();
    for (const row of changed) {
      const key = `${row.kind} ${row.name}`;
      if (row.text === null) rows.delete(key);
      else rows.set(key, row as Row);
    }
  }

  const store: MemoryStore = {
    folder: 'memory',
    rows,
    get writes() {
      return writes;
    },
    gate: async () => {},
    latestMs: () => (JSON.parse(rows.get('counters ')?.text ?? '{"latestMs":0}') as SavedCounters).latestMs,
    read: () => stateOf(rows.values()),
    write: (changes) => write(rowsOf(changes)),
    probe: () => write([]),
    isClosed: () => closed,
    close: async () => {
      closed = true;
    },
  };
  return store;
}
