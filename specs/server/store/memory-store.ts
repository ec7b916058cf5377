import type { Key, Row } from '../../../src/server/store/rows.js';
import { COUNTERS, createRowMapper, latestMsIn } from '../../../src/server/store/rows.js';
import type { Store } from '../../../src/server/store/store.js';

/** A store without a disk: its rows outlive the service, and a write can be held up or fail. */
export interface MemoryStore extends Store {
  readonly rows: Map<string, string>;
  /** Number of writes begun. */
  readonly writes: number;
  /** What each write waits for before it ends; rejects to make it fail. */
  gate: () => Promise<void>;
}

export function createMemoryStore(): MemoryStore {
  const rows = new Map<string, string>();
  const rowMapper = createRowMapper();
  let writes = 0;
  let closed = false;

  async function write(changed: readonly Row[]): Promise<void> {
    writes++;
    await store.gate();
    for (const [key, text] of changed) {
      if (text === null) rows.delete(JSON.stringify(key));
      else rows.set(JSON.stringify(key), text);
    }
  }

  const store: MemoryStore = {
    folder: 'memory',
    rows,
    get writes() {
      return writes;
    },
    gate: async () => {},
    latestMs: () => latestMsIn(rows.get(JSON.stringify(COUNTERS))),
    read: () => rowMapper.read(inOrder(rows)),
    write: (changes) => write(rowMapper.rowsOf(changes)),
    probe: () => write([]),
    isClosed: () => closed,
    close: async () => {
      closed = true;
    },
  };
  return store;
}

/** As a sorted file has them: numbers in their order, a shorter key before a longer one. */
function inOrder(rows: Map<string, string>): [Key, string][] {
  const all = [...rows].map(([key, text]): [Key, string] => [JSON.parse(key) as Key, text]);
  return all.sort(([a], [b]) => {
    for (let at = 0; at < Math.min(a.length, b.length); at++) {
      if (a[at] === b[at]) continue;
      return a[at]! < b[at]! ? -1 : 1;
    }
    return a.length - b.length;
  });
}
