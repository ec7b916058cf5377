/** The exit code of whoever was interrupted and did not wait for the end. */
const INTERRUPTED = 130;
/**
 * A signal that comes so soon after the first is the same one: a package manager passes on what the terminal has sent
 * to its whole group already.
 */
const SAME_SIGNAL_MS = 300;

/** What a command may touch of the world around it, so that specs can hand in another. */
export interface Io {
  /** The report and whatever else a pipe wants to read. */
  out(text: string): void;
  /** Plan, progress, complaints. */
  err(text: string): void;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly env: { readonly [name: string]: string | undefined };
  /** Relative paths start here. */
  readonly cwd: string;
  /**
   * Calls back at Ctrl-C and SIGTERM, once; a second one ends the program at once, unless it comes within 300 ms: then
   * it is the same one, sent twice. Returns the way to stop listening.
   */
  onInterrupt(callback: () => void): () => void;
  /** Milliseconds that only ever grow. */
  monotonicMs(): number;
  /** The date, ISO 8601, for the report. */
  timestamp(): string;
}

export function createProcessIo(): Io {
  // A reader that has seen enough (`runproof list | head`) is no error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    env: process.env,
    cwd: process.cwd(),
    onInterrupt(callback) {
      const signals = ['SIGINT', 'SIGTERM'] as const;
      let firstMs: number | null = null;
      const onSignal = (): void => {
        if (firstMs !== null) {
          if (performance.now() - firstMs >= SAME_SIGNAL_MS) process.exit(INTERRUPTED);
          return;
        }
        firstMs = performance.now();
        callback();
      };
      for (const signal of signals) process.on(signal, onSignal);
      return () => {
        for (const signal of signals) process.off(signal, onSignal);
      };
    },
    monotonicMs: () => performance.now(),
    timestamp: () => new Date().toISOString(),
  };
}

/** Colour only where somebody looks at it and nobody said no (https://no-color.org). */
export function wantsColour(io: Io, noColor: boolean): boolean {
  if (noColor || (io.env['NO_COLOR'] ?? '') !== '') return false;
  return io.outIsTerminal && io.env['TERM'] !== 'dumb';
}
