/** `cli/` promises what commands share: options and their values, this process as they see it, what they print. */

import { onUnread } from './unread.js';

/** The exit code after a second signal. */
const INTERRUPTED = 130;
/**
 * A second signal within this time is the same one: a package manager forwards the signal that the terminal
 * has already sent to the whole process group.
 */
const SAME_SIGNAL_MS = 300;

/** Everything of the process that a command uses, so that specs can replace it. */
export interface Io {
  /** Standard output: the report, and everything that a pipe may read. */
  out(text: string): void;
  /** Standard error: what goes wrong. */
  err(text: string): void;
  /** Standard error: plan, progress and advice, which `--quiet` leaves out. */
  note(text: string): void;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** What the user types after a question on standard error, trimmed; null: nothing, or there is no terminal to ask. */
  ask(question: string): Promise<string | null>;
  /** Columns of the terminal; 80 where there is none. */
  readonly columns: number;
  readonly env: { readonly [name: string]: string | undefined };
  /** Relative paths start here. */
  readonly cwd: string;
  /**
   * Calls back at the first Ctrl-C, SIGTERM or SIGHUP. A second one, at least 300 ms later, ends the process. Returns
   * a function that stops listening.
   *
   * @param orUnread also once the reader of standard output has ended, as in `runproof log | head`
   */
  onInterrupt(callback: () => void, orUnread?: boolean): () => void;
  /** This package, which the user's files import as `runproof`. Loaded when it is asked for. */
  library(): Promise<object>;
  /** Milliseconds that never go back. */
  monotonicMs(): number;
  /** The date, ISO 8601, for the report. */
  timestamp(): string;
}

/** @param library loads this package */
export function createProcessIo(library: Io['library']): Io {
  const unread = new AbortController();
  // A reader that stops reading (`runproof list | head`) is not an error, nor is a terminal that was closed.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
      if (stream === process.stdout) unread.abort();
    });
  }
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    note: (text) => void process.stderr.write(text),
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    ask: askTerminal,
    get columns() {
      return (process.stderr.isTTY ? process.stderr.columns : process.stdout.columns) || 80;
    },
    env: process.env,
    cwd: process.cwd(),
    onInterrupt(callback, orUnread = false) {
      // SIGHUP: the terminal was closed, or the connection to it was lost.
      const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
      let firstMs: number | null = null;
      const onFirst = (): void => {
        if (firstMs !== null) return;
        firstMs = performance.now();
        callback();
      };
      const onSignal = (): void => {
        if (firstMs !== null && performance.now() - firstMs >= SAME_SIGNAL_MS) process.exit(INTERRUPTED);
        onFirst();
      };
      for (const signal of signals) process.on(signal, onSignal);
      if (orUnread) unread.signal.addEventListener('abort', onFirst);
      const forget = orUnread ? onUnread(onFirst) : () => {};
      return () => {
        forget();
        unread.signal.removeEventListener('abort', onFirst);
        for (const signal of signals) process.off(signal, onSignal);
      };
    },
    library,
    monotonicMs: () => performance.now(),
    timestamp: () => new Date().toISOString(),
  };
}

/**
 * Colour only on a terminal, unless it is turned off (https://no-color.org) or on (https://force-color.org):
 * `FORCE_COLOR`, other than 0, gives colour in a CI log as well.
 */
export function wantsColour(io: Pick<Io, 'env' | 'outIsTerminal'>): boolean {
  if ((io.env['NO_COLOR'] ?? '') !== '') return false;
  const forced = io.env['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0';
  return io.outIsTerminal && io.env['TERM'] !== 'dumb';
}

async function askTerminal(question: string): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', () => process.exit(INTERRUPTED));
  const typed = await new Promise<string>((resolve) => {
    // Ctrl-D.
    lines.on('close', () => resolve(''));
    lines.question(question, resolve);
  });
  lines.close();
  return typed.trim() === '' ? null : typed.trim();
}
