/** Has rows written by a thread of its own. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { ChangedRow, Row } from './rows.js';
import { serveWriter, type WriterAnswer, type WriterSettings, type WriterTask } from './serve-writer.js';

export interface Writer {
  /** Opens the file for this writer alone, and gives its rows. @throws where another has it, or it cannot be written */
  open(): Promise<readonly Row[]>;
  /** Resolves when all of the rows are synced to disk; after a rejection none is. */
  write(rows: readonly ChangedRow[]): Promise<void>;
  /** Resolves when the file can be written again, with its rows. */
  probe(): Promise<readonly Row[]>;
  /** Closes the file, and ends. */
  close(): Promise<void>;
  /** Ends without the file, which could not be opened. */
  end(): Promise<void>;
}

interface Waiting {
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: Error) => void;
}

export function createWriter(settings: WriterSettings): Writer {
  const waiting: Waiting[] = [];
  let ended: Error | null = null;
  const thread = startThread(settings, onAnswer, (error) => {
    ended = error;
    for (const { reject } of waiting.splice(0)) reject(error);
  });

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

  return {
    open: () => ask({ do: 'open' }),
    async write(rows) {
      await ask({ do: 'write', rows });
    },
    probe: () => ask({ do: 'probe' }),
    async close() {
      await ask({ do: 'close' });
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

/** Without the built code it writes in this thread: the answers are the same. */
function startThread(
  settings: WriterSettings,
  onAnswer: (answer: WriterAnswer) => void,
  onEnd: (error: Error) => void,
): Thread {
  const file = new URL('./writer-worker.js', import.meta.url);
  if (!existsSync(fileURLToPath(file))) {
    const { port1, port2 } = new MessageChannel();
    serveWriter(port2, settings);
    port2.unref();
    port1.on('message', onAnswer);
    return { port: port1, end: async () => port1.close() };
  }
  const worker = new Worker(file, { workerData: settings });
  worker.on('message', onAnswer);
  worker.on('error', onEnd);
  worker.on('exit', (code) => onEnd(new Error(`the thread that writes ended with ${code}`)));
  return { port: worker, end: () => worker.terminate() };
}
