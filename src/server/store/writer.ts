/** Has rows written by a thread of its own. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { ChangedRow, Row } from './rows.js';
import { serveWriter, type WriterAnswer, type WriterSettings, type WriterTask } from './serve-writer.js';

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

/** The thread has ended by itself: whether the rows of the write that was under way are on disk is not known. */
export class WriterEnded extends Error {}

interface Waiting {
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: Error) => void;
}

/** @param threadOf starts the thread; null: there is none, and it is written in this one */
export function createWriter(settings: WriterSettings, threadOf = builtThread): Writer {
  const waiting: Waiting[] = [];
  let ended: Error | null = null;
  let thread = start();

  function start(): Thread {
    ended = null;
    const own: Thread = startThread(settings, threadOf, onAnswer, (error) => {
      if (thread !== own) return;
      ended = error;
      for (const { reject } of waiting.splice(0)) reject(error);
    });
    return own;
  }

  function onAnswer(answer: WriterAnswer): void {
    const { resolve, reject } = waiting.shift()!;
    // It keeps the process alive only while something is written.
    if (waiting.length === 0) thread.port.unref();
    if ('rows' in answer) resolve(answer.rows);
    else reject(Object.assign(new Error(answer.message), { errcode: answer.errcode }));
  }

  function ask(task: WriterTask): Promise<readonly Row[]> {
    if (ended !== null) return Promise.reject(ended);
    thread.port.ref();
    thread.port.postMessage(task);
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  }

  /** Another thread in place of one that ended by itself. */
  async function openAgain(): Promise<void> {
    thread = start();
    try {
      await ask({ do: 'open' });
    } catch (error) {
      await thread.end();
      ended = error as Error;
      throw error;
    }
  }

  return {
    open: () => ask({ do: 'open' }),
    async write(rows) {
      await ask({ do: 'write', rows });
    },
    async probe() {
      if (ended !== null) await openAgain();
      return ask({ do: 'probe' });
    },
    async close() {
      // What it had answered is written.
      if (ended === null) await ask({ do: 'close' });
      await thread.end();
    },
    async end() {
      await thread.end();
    },
  };
}

interface Thread {
  readonly port: Pick<MessagePort, 'postMessage' | 'ref' | 'unref'>;
  end(): Promise<unknown>;
}

/** Null without the built code: then it is written in this thread, and the answers are the same. */
function builtThread(settings: WriterSettings): Worker | null {
  const file = new URL('./writer-worker.js', import.meta.url);
  return existsSync(fileURLToPath(file)) ? new Worker(file, { workerData: settings }) : null;
}

function startThread(
  settings: WriterSettings,
  threadOf: typeof builtThread,
  onAnswer: (answer: WriterAnswer) => void,
  onEnd: (error: Error) => void,
): Thread {
  const worker = threadOf(settings);
  if (worker === null) {
    const { port1, port2 } = new MessageChannel();
    serveWriter(port2, settings);
    port2.unref();
    port1.on('message', onAnswer);
    return { port: port1, end: async () => port1.close() };
  }
  worker.on('message', onAnswer);
  worker.on('error', ({ message }) => onEnd(new WriterEnded(`the thread that writes ended: ${message}`)));
  worker.on('exit', (code) => onEnd(new WriterEnded(`the thread that writes ended with ${code}`)));
  return { port: worker, end: () => worker.terminate() };
}
