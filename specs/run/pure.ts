/**
 * A set-up file of pure spec files: nothing that they call opens a socket, starts a process or a thread, or waits for real
 * time. What does so fails the file, although no test of it may have noticed.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import workerThreads from 'node:worker_threads';
import { afterAll } from 'vitest';

const PATCHED = Symbol.for('runproof.pure');
const shared = globalThis as unknown as { [PATCHED]?: { seen: Set<string> } };

/** What the file that runs now has done and may not: in a set of its own, so that timers of an earlier file are not its own. */
const done = new Set<string>();
const watched = (shared[PATCHED] ??= patched());
watched.seen = done;

afterAll(() => {
  if (done.size === 0) return;
  throw new Error(
    `a pure spec file ${[...done].join(', ')}: avoid it, or end the name of the file with .waits.spec.ts`,
  );
});

/** Patches what is there once for all files of a process. */
function patched(): { seen: Set<string> } {
  const now = { seen: new Set<string>() };
  watch(net.Server.prototype, 'listen', 'listens at a socket');
  watch(net.Socket.prototype, 'connect', 'connects a socket');
  watch(childProcess.ChildProcess.prototype as { spawn?: unknown }, 'spawn', 'starts a process');
  for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const)
    watch(childProcess, name, 'starts a process');
  const { Worker } = workerThreads;
  workerThreads.Worker = class extends Worker {
    constructor(...of: ConstructorParameters<typeof Worker>) {
      now.seen.add('starts a thread');
      super(...of);
    }
  };
  watchTimer(globalThis, 'setTimeout');
  watchTimer(globalThis, 'setInterval');
  watchTimer(timers, 'setTimeout');
  watchTimer(timers, 'setInterval');
  const { setTimeout: sleep } = timersPromises;
  timersPromises.setTimeout = ((ms, ...rest) => {
    if (isWait(ms)) now.seen.add(`waits ${ms} ms of real time`);
    return sleep(ms, ...rest);
  }) as typeof sleep;
  syncBuiltinESMExports();
  return now;

  function watch<K extends string>(owner: { [name in K]?: unknown }, name: K, what: string): void {
    const original = owner[name] as (this: unknown, ...of: unknown[]) => unknown;
    owner[name] = function (this: unknown, ...of: unknown[]) {
      now.seen.add(what);
      return original.apply(this, of);
    };
  }

  /** A timer that is cleared in time has made nobody wait. */
  function watchTimer(owner: object, name: 'setTimeout' | 'setInterval'): void {
    const timersOf = owner as { [name: string]: (does: Does, ms?: number, ...of: unknown[]) => unknown };
    const original = timersOf[name]!;
    timersOf[name] = Object.assign((does: Does, ms: number | undefined, ...of: unknown[]): unknown => {
      if (!isWait(ms)) return original(does, ms, ...of);
      const { seen } = now;
      const elapsed: Does = (...given) => {
        seen.add(`waits ${ms} ms of real time`);
        does(...given);
      };
      return original(elapsed, ms, ...of);
    }, original);
  }
}

type Does = (...of: unknown[]) => void;

/** From here on it is a limit of patience, which strikes where the machine stands still. */
const PATIENCE_MS = 1_000;

/** One millisecond is how Node says at once. */
function isWait(ms: number | undefined): boolean {
  return ms !== undefined && ms > 1 && ms < PATIENCE_MS;
}
