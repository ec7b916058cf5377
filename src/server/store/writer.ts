/** Has rows written by a thread of its own, so that a call that writes nothing never waits for the disk. */
import { startThread, ThreadEnded, threadKind, type ThreadOptions } from '../../threads/thread.js';
import { loadSqlite, resultCode } from './database.js';
import { openTable, type JobTable } from './job-table.js';
import type { ChangedRow, Row } from './rows.js';
import { WriterEnded } from './store.js';

export interface Writer {
  /** Opens the file for this writer alone, and gives its rows. @throws where another has it, or it cannot be written */
  open(): Promise<readonly Row[]>;
  /** Resolves when all of the rows are synced to disk; after a rejection none is, unless it is by `WriterEnded`. */
  write(rows: readonly ChangedRow[]): Promise<void>;
  /** Resolves when the file can be written again, with its rows: by another thread, if the thread has ended by itself. */
  probe(): Promise<readonly Row[]>;
  /** Closes the file, and ends. */
  close(): Promise<void>;
  /** Ends without the file, which could not be opened. */
  end(): Promise<void>;
}

export interface WriterSettings {
  readonly path: string;
  /** How much longer each sync takes than the disk needs, in ms: a slow disk, for specs. */
  readonly syncDelayMs: number;
}

/** What the thread is asked: `open` comes first, and `close` last. */
interface Writing {
  open(): Promise<Written>;
  write(rows: readonly ChangedRow[]): Promise<Written>;
  probe(): Promise<Written>;
  close(): Promise<Written>;
}

/** The rows of the file, after `open` and `probe`; or what went wrong. `errcode` is SQLite's. */
type Written = { readonly rows: readonly Row[] } | { readonly message: string; readonly errcode: number };

const WRITING = threadKind({
  name: 'writer',
  file: new URL('./writer.js', import.meta.url),
  create: writing,
});

function writing({ path, syncDelayMs }: WriterSettings): Writing {
  let table: JobTable;
  const delay = (): void => {
    if (syncDelayMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, syncDelayMs);
  };
  return {
    open: () =>
      written(async () => {
        table = openTable((await loadSqlite()).open, path, delay);
        return table.rows();
      }),
    write: (rows) => written(() => table.write(rows)),
    probe: () =>
      written(() => {
        table.probe();
        return table.rows();
      }),
    close: () => written(() => table.close()),
  };
}

/** Errors lose their `errcode` on the way to another thread. */
async function written(carryOut: () => readonly Row[] | void | Promise<readonly Row[]>): Promise<Written> {
  try {
    return { rows: (await carryOut()) ?? [] };
  } catch (error) {
    return { message: (error as Error).message, errcode: resultCode(error) };
  }
}

/** @param options for specs */
export function createWriter(settings: WriterSettings, options: ThreadOptions<never> = {}): Writer {
  let thread = startThread(WRITING, settings, options);
  /** Why another thread in place of one that had ended by itself was ended, too. */
  let unopened: Error | null = null;

  async function rowsOf(asked: Promise<Written>): Promise<readonly Row[]> {
    if (unopened !== null) throw unopened;
    const answer = await asked.catch((error: Error) => {
      const how =
        error instanceof ThreadEnded ? error.message.replace(/^the thread/, '') : ` ended: ${error.message}`;
      throw new WriterEnded(`the thread that writes${how}`);
    });
    if ('rows' in answer) return answer.rows;
    throw Object.assign(new Error(answer.message), { errcode: answer.errcode });
  }

  async function openAgain(): Promise<void> {
    unopened = null;
    thread = startThread(WRITING, settings, options);
    try {
      await rowsOf(thread.ask('open', []));
    } catch (error) {
      await thread.end();
      unopened = error as Error;
      throw error;
    }
  }

  return {
    open: () => rowsOf(thread.ask('open', [])),
    async write(rows) {
      await rowsOf(thread.ask('write', [rows]));
    },
    async probe() {
      if (thread.isEnded) await openAgain();
      return rowsOf(thread.ask('probe', []));
    },
    async close() {
      // What it had answered is written.
      if (!thread.isEnded) await rowsOf(thread.ask('close', []));
      await thread.end();
    },
    end: () => thread.end(),
  };
}
