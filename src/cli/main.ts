/**
 * `cli/` promises the command line: it alone reads arguments, writes files and sets exit codes.
 * It never judges and never talks to a target by itself.
 */
import { createProcessIo } from './io.js';
import { runCli } from './program.js';

// Undici's sockets and half-open webhook calls may outlive the run by seconds; nobody should wait for them.
function leave(code: number): void {
  process.exitCode = code;
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

leave(await runCli(process.argv.slice(2), createProcessIo()));
