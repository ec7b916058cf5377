/**
 * `shell/` promises the command line: it finds the command, reads its arguments and the configuration, and sets the exit
 * code. What a command does is in its feature.
 */
import { createProcessIo } from '../cli/io.js';
import { compileLess } from '../threads/compiler.js';
import { runCli } from './program.js';

/** Commands that answer requests for hours by a few functions. */
const SERVING = ['serve', 'proxy'];

// Does not wait for undici's sockets and half-open webhook calls, which may stay open for seconds.
function leave(code: number): void {
  process.exitCode = code;
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

const args = process.argv.slice(2);
if (!SERVING.includes(args[0] ?? '')) compileLess();
leave(
  await runCli(
    args,
    createProcessIo(() => import('../index.js')),
  ),
);
