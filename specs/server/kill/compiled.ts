import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { filesBelow } from '../../cli/fake-io.js';

const ROOT = join(import.meta.dirname, '../../..');
/** All that the server is made of. */
const ROOMS = ['spec', 'time', 'history', 'core', 'worker', 'server'];

/** The server as plain JavaScript, for a process of its own that can be killed. `dispose` takes it away. */
export interface CompiledServer {
  /** A script that serves what its first argument says, as JSON, and prints its address. */
  readonly script: string;
  dispose(): void;
}

const SCRIPT = `
import { startServer, OptionsError } from './src/server/index.js';
try {
  const server = await startServer(JSON.parse(process.argv[2]));
  console.log(server.url);
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  console.log('refused: ' + error.message);
  process.exit(2);
}
`;

export function compileServer(): CompiledServer {
  // Below the root, so that packages are found.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'runproof-served-'));
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
  };
  for (const room of ROOMS)
    for (const [path, text] of filesBelow(join(ROOT, 'src', room))) {
      const target = join(folder, 'src', room, path).replace(/\.ts$/, '.js');
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, ts.transpileModule(text, { compilerOptions }).outputText);
    }
  const script = join(folder, 'served.mjs');
  writeFileSync(script, SCRIPT);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  return {
    script,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
