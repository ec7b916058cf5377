/** Runs `check` against a hostile server in a process of its own, and measures it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Wish {
  /** What node runs: `bin/runproof.js`, or the compiled sources. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
  /** Ctrl-C comes when this says so. */
  readonly interrupt: () => boolean;
  /** After so many ms it is killed: it will not end by itself. */
  readonly patienceMs: number;
}

export interface Ran {
  /** Null where a signal ended it. */
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Ms that it took, without those in which the machine had no processor for it. */
  readonly tookMs: number;
  /** From Ctrl-C to its end, likewise; null where it was over before, or there was none. */
  readonly stoppedWithinMs: number | null;
  /** Ms in which it could have run and was not let. */
  readonly heldUpMs: number;
  /** The most memory that it ever held, in MB. */
  readonly peakMb: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** It is killed beyond: the machine has others to serve. */
const MEMORY_MB_MAX = 1_500;
const LOOK_EVERY_MS = 100;
const OUTPUT_CHARACTERS_MAX = 20_000_000;

/** Tells by descriptor 3 how much it ever held; what Linux counts for a child begins with its parent's memory. */
const TELLS_ITS_PEAK = `data:text/javascript,${encodeURIComponent(`
import { readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => {
  let kb = process.resourceUsage().maxRSS;
  try { kb = Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]); } catch {}
  writeSync(3, String(kb));
});`)}`;

export async function runCheck({ program, args, env, cwd, interrupt, patienceMs }: Wish): Promise<Ran> {
  const startMs = performance.now();
  const child = spawn(process.execPath, ['--import', TELLS_ITS_PEAK, program, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const text = { 1: '', 2: '', 3: '' };
  for (const fd of [1, 2, 3] as const)
    child.stdio[fd]?.on('data', (chunk: Buffer) => {
      if (text[fd].length < OUTPUT_CHARACTERS_MAX) text[fd] += chunk.toString();
    });
  const held = new HeldUp(child.pid ?? 0);
  let over = false;
  let seenMb = 0;
  let interrupted: { readonly atMs: number; readonly heldUpMs: number } | null = null;
  const watch = (async () => {
    while (!over) {
      await sleep(LOOK_EVERY_MS);
      const heldUpMs = held.look();
      seenMb = Math.max(seenMb, residentMb(child.pid ?? 0));
      if (seenMb > MEMORY_MB_MAX || performance.now() - startMs - heldUpMs > patienceMs)
        child.kill('SIGKILL');
      if (interrupted === null && !over && interrupt()) {
        interrupted = { atMs: performance.now(), heldUpMs };
        child.kill('SIGINT');
      }
    }
  })();
  const [exit, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const endMs = performance.now();
  over = true;
  await watch;
  const stop = interrupted as { readonly atMs: number; readonly heldUpMs: number } | null;
  return {
    exit,
    signal,
    tookMs: Math.round(endMs - startMs - held.ms),
    stoppedWithinMs: stop === null ? null : Math.round(endMs - stop.atMs - (held.ms - stop.heldUpMs)),
    heldUpMs: Math.round(held.ms),
    peakMb: Math.round(Math.max(seenMb, Number(text[3]) / 1024)),
    stdout: text[1],
    stderr: text[2],
  };
}

/** 0 where the system does not tell. */
function residentMb(pid: number): number {
  return Number(/VmRSS:\s*(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/**
 * How long a process was ready to run while others had the processors: that of its first thread, and of the one
 * beside it that waited the longest, which the first may have waited for. 0 where the system does not tell.
 */
class HeldUp {
  readonly #pid: number;
  readonly #waitedMs = new Map<string, number>();

  constructor(pid: number) {
    this.#pid = pid;
  }

  get ms(): number {
    const first = this.#waitedMs.get(String(this.#pid)) ?? 0;
    const others = [...this.#waitedMs].filter(([id]) => id !== String(this.#pid)).map(([, ms]) => ms);
    return first + Math.max(0, ...others);
  }

  look(): number {
    for (const id of threadsOf(this.#pid)) {
      const waited = Number(read(`/proc/${this.#pid}/task/${id}/schedstat`).split(' ')[1] ?? 0) / 1_000_000;
      this.#waitedMs.set(id, Math.max(waited, this.#waitedMs.get(id) ?? 0));
    }
    return this.ms;
  }
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
