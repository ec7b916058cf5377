/**
 * `cli/` promises the command line: it alone reads arguments, prints, and sets exit codes.
 * It never judges and never talks to a target by itself.
 */
import { createProcessIo } from './io.js';
import { runCli } from './program.js';

// Does not wait for undici's sockets and half-open webhook calls, which may stay open for seconds.
function leave(code: number): void {
  process.exitCode = code;
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

leave(await runCli(process.argv.slice(2), createProcessIo()));
