/** Runs the client's command for one weather, and leaves no process behind. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientOutput } from '../../client/report.js';
import { Family, MARK } from './family.js';

export interface CommandProgram {
  readonly kind: 'command';
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** What it reads from its standard input; null: nothing. */
  readonly input: Buffer | null;
}

export type ProcessEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  /** It was stopped. */
  | { readonly kind: 'stopped' }
  /** It did not start; why, in words. */
  | { readonly kind: 'unstartable'; readonly why: string };

export interface ClientProcess {
  /** Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Ends it and what it started; `ended` resolves. */
  stop(): void;
  output(): ClientOutput;
  /** Once nothing of it is left. */
  readonly gone: Promise<void>;
}

const TERMINATES_MS = 1_000;
/** Output that is still on its way when the process has ended. */
const OUTPUT_MS = 100;

/** Leaders of the groups that run: a second Ctrl-C ends this process at once, and them with it. */
const running = new Map<number, Family>();

function remember(pid: number | undefined, family: Family): void {
  if (pid === undefined) return;
  if (running.size === 0) {
    process.once('exit', killAll);
    process.on('SIGQUIT', quit);
  }
  running.set(pid, family);
}

function forget(pid: number | undefined): void {
  if (pid === undefined || !running.delete(pid) || running.size > 0) return;
  process.off('exit', killAll);
  process.off('SIGQUIT', quit);
}

function killAll(): void {
  for (const [pid, family] of running) {
    killGroup(pid, 'SIGKILL');
    family.end();
  }
}

/** As a shell tells of a process that a signal ended. */
const QUIT_CODE = 131;

function quit(): void {
  process.exit(QUIT_CODE);
}

export function startProcess(
  { command, cwd, env, input }: CommandProgram,
  environment: { readonly [name: string]: string },
): ClientProcess {
  const [file = '', ...words] = command;
  const mark = randomUUID();
  const stdout = new Tail();
  const stderr = new Tail();
  // Its own group, so that it can be ended with what it started.
  const child = spawn(file, words, {
    cwd,
    env: { ...env, ...environment, [MARK]: mark },
    detached: process.platform !== 'win32',
    stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const family = new Family(child.pid, mark);
  remember(child.pid, family);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  child.stdout?.on('data', (piece: Buffer) => stdout.add(piece));
  child.stderr?.on('data', (piece: Buffer) => stderr.add(piece));
  let isStopped = false;
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ kind: 'unstartable', why: whyUnstartable(file, cwd, error) }),
    );
    child.once('exit', (code, signal) => {
      if (isStopped) resolve({ kind: 'stopped' });
      else if (signal !== null) resolve({ kind: 'signal', signal });
      else resolve({ kind: 'exit', code: code ?? 0 });
    });
  });
  const gone = ended.then(async (end) => {
    if (end.kind === 'unstartable') return;
    await sleep(OUTPUT_MS);
    killGroup(child.pid, 'SIGKILL');
    family.end();
    forget(child.pid);
    child.stdout?.destroy();
    child.stderr?.destroy();
  });
  return {
    ended,
    gone,
    stop() {
      if (isStopped || child.exitCode !== null || child.signalCode !== null) return;
      isStopped = true;
      killGroup(child.pid, 'SIGTERM');
      const timer = setTimeout(() => killGroup(child.pid, 'SIGKILL'), TERMINATES_MS);
      void ended.then(() => clearTimeout(timer));
    },
    output: () => ({
      ...{ stdout: stdout.text, stderr: stderr.text },
      leftOutBytes: stdout.leftOut + stderr.leftOut,
    }),
  };
}

function whyUnstartable(file: string, cwd: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return `no command ${JSON.stringify(file)} was found, searched from ${cwd}`;
  if (code === 'EACCES') return `${JSON.stringify(file)} must not be executed: check its permissions`;
  return message;
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It has ended.
  }
}

const HEAD_BYTES = 8_000;
const TAIL_BYTES = 16_000;

/** The beginning and the end of what was written, however much it is. */
class Tail {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  leftOut = 0;

  add(piece: Buffer): void {
    const room = HEAD_BYTES - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, piece.subarray(0, room)]);
    const rest = room > 0 ? piece.subarray(room) : piece;
    if (rest.length === 0) return;
    const joined = Buffer.concat([this.#tail, rest]);
    const over = Math.max(0, joined.length - TAIL_BYTES);
    this.leftOut += over;
    this.#tail = Buffer.from(joined.subarray(over));
  }

  get text(): string {
    const cut = this.leftOut > 0 ? `\n… ${this.leftOut} bytes left out …\n` : '';
    return `${this.#head.toString()}${cut}${this.#tail.toString()}`;
  }
}
