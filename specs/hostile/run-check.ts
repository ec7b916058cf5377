/** Runs `check` against a hostile server in a separate process, and measures it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RunCheckOptions {
  /** What node runs: `bin/runproof.js`, or the compiled sources. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
  /** Ctrl-C comes when this says so. */
  readonly interrupt: () => boolean;
  /** Killed after this many ms, since it will not end by itself. */
  readonly killAfterMs: number;
}

export interface CheckRun {
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

export async function runCheck({
  program,
  args,
  env,
  cwd,
  interrupt,
  killAfterMs,
}: RunCheckOptions): Promise<CheckRun> {
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
  // The server is slow where this process is held up.
  const held = new HeldUp([child.pid ?? 0, process.pid]);
  let over = false;
  let seenMb = 0;
  let interrupted: { readonly atMs: number; readonly heldUpMs: number } | null = null;
  const watch = (async () => {
    while (!over) {
      await sleep(LOOK_EVERY_MS);
      const heldUpMs = held.look();
      seenMb = Math.max(seenMb, residentMb(child.pid ?? 0));
      if (seenMb > MEMORY_MB_MAX || performance.now() - startMs - heldUpMs > killAfterMs)
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
 * How long processes were held up: ready to run while others had the processors. A first thread may wait for another
 * that was not let, so that of each stretch counts what any of its threads waited, as far as the first of the first
 * process did not run in it. 0 where the system does not tell.
 */
class HeldUp {
  readonly #pids: readonly number[];
  readonly #seen = new Map<string, { readonly ranMs: number; readonly waitedMs: number }>();
  #lookedMs = performance.now();
  ms = 0;

  constructor(pids: readonly number[]) {
    this.#pids = pids;
    for (const pid of pids) this.#since(pid);
  }

  look(): number {
    const nowMs = performance.now();
    const all = this.#pids.map((pid) => this.#since(pid));
    const waitedMs = all.reduce((sum, { waitedMs: one }) => sum + one, 0);
    this.ms += Math.max(0, Math.min(waitedMs, nowMs - this.#lookedMs - (all[0]?.ranMs ?? 0)));
    this.#lookedMs = nowMs;
    return this.ms;
  }

  /** Since it was asked for the last time: what the first thread ran, and what any waited. */
  #since(pid: number): { readonly ranMs: number; readonly waitedMs: number } {
    let ranMs = 0;
    let waitedMs = 0;
    for (const id of threadsOf(pid)) {
      const text = read(`/proc/${pid}/task/${id}/schedstat`);
      if (text === '') continue;
      const [ran = 0, waited = 0] = text.split(' ').map((count) => Number(count) / 1_000_000);
      const before = this.#seen.get(id) ?? { ranMs: 0, waitedMs: 0 };
      this.#seen.set(id, { ranMs: ran, waitedMs: waited });
      waitedMs = Math.max(waitedMs, waited - before.waitedMs);
      if (id === String(pid)) ranMs = ran - before.ranMs;
    }
    return { ranMs, waitedMs };
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
