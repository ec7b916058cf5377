/** Writes the data folder's file as it is told through a port. */
import type { MessagePort } from 'node:worker_threads';
import { loadSqlite, resultCode } from './database.js';
import { openTable, type JobTable } from './job-table.js';
import type { ChangedRow, Row } from './rows.js';

export interface WriterSettings {
  readonly path: string;
  /** How much longer each sync takes than the disk needs, in ms: a slow disk, for specs. */
  readonly syncDelayMs: number;
}

/** `open` comes first, and `close` last. Each has one answer, in order. */
export type WriterTask =
  | { readonly do: 'open' | 'probe' | 'close' }
  | { readonly do: 'write'; readonly rows: readonly ChangedRow[] };

/** `errcode` is SQLite's. */
export type WriterAnswer =
  /** The rows of the file, after `open` and `probe`. */
  { readonly rows: readonly Row[] } | { readonly message: string; readonly errcode: number };

/** Serves one writer over a port. */
export function serveWriter(
  port: Pick<MessagePort, 'on' | 'postMessage'>,
  { path, syncDelayMs }: WriterSettings,
): void {
  let table: JobTable;
  const delay = (): void => {
    if (syncDelayMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, syncDelayMs);
  };

  async function carryOut(task: WriterTask): Promise<readonly Row[]> {
    switch (task.do) {
      case 'open':
        table = openTable((await loadSqlite()).open, path, delay);
        return table.rows();
      case 'write':
        table.write(task.rows);
        return [];
      case 'probe':
        table.probe();
        return table.rows();
      case 'close':
        table.close();
        return [];
    }
  }

  port.on('message', (task: WriterTask) => {
    carryOut(task).then(
      (rows) => port.postMessage({ rows } satisfies WriterAnswer),
      (error: Error) =>
        port.postMessage({ message: error.message, errcode: resultCode(error) } satisfies WriterAnswer),
    );
  });
}
