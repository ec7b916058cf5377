/** Commands that the user wants to be run when something happens. */
import { spawn } from 'node:child_process';
import type { Io } from './io.js';

/** @param input what it may read from its standard input */
export function runCommand(
  option: string,
  command: string,
  input: string,
  more: { readonly [name: string]: string },
  io: Io,
): void {
  const env = { ...io.env, ...more };
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env, cwd: io.cwd });
  child.on('error', (error) => io.err(`--${option}: ${error.message}\n`));
  child.on('exit', (code) => {
    if (code !== 0) io.err(`--${option}: "${command}" ended with ${code ?? 'a signal'}\n`);
  });
  // It need not read it.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
}
