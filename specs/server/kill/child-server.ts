import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ServerOptions } from '../../../src/server/index.js';
import type { Compiled } from './compiled.js';

/** A server in a process of its own. */
export interface ChildServer {
  readonly url: string;
  /** Kills it like the out-of-memory killer; resolves when it has exited. */
  kill(): Promise<void>;
  /** What it has written to stderr. */
  errors(): string;
}

/** @throws when it does not start, with its message */
export async function startChildServer(
  { script }: Compiled,
  options: ServerOptions,
  wrap: (command: readonly string[]) => readonly string[] = (command) => command,
): Promise<ChildServer> {
  const [file = '', ...args] = wrap([process.execPath, script, JSON.stringify(options)]);
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const ended = once(child, 'exit');
  const said = await firstLine(child);
  if (!said.startsWith('http')) {
    await ended;
    throw new Error(said || errors);
  }
  return {
    url: said,
    errors: () => errors,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  return '';
}

/** Kills it while it may still be starting. */
export async function killWhileStarting(
  { script }: Compiled,
  options: ServerOptions,
  afterMs: number,
): Promise<void> {
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  setTimeout(() => child.kill('SIGKILL'), afterMs);
  await ended;
}
