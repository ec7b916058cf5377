import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../../..');

/** A part of the program as plain JavaScript, for a process of its own that can be killed. `dispose` takes it away. */
export interface Compiled {
  readonly script: string;
  dispose(): void;
}

const SERVE = `
import { startServer, OptionsError } from './src/server/index.js';
try {
  const server = await startServer(JSON.parse(process.argv[2]));
  if (server.salvaged !== null) console.error(server.salvaged);
  console.log(server.url);
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  console.log('refused: ' + error.message);
  process.exit(2);
}
`;

const COMMAND_SERVE = `
import { createProcessIo } from './src/cli/io.js';
import { serve } from './src/cli/serve.js';
process.exit(await serve(JSON.parse(process.argv[2]), createProcessIo()));
`;

/** A script that serves what its first argument says, as JSON, and prints its address. */
export const compileServer = (): Compiled => compile(SERVE);

/** The command `serve`; its options are the first argument, as JSON. */
export const compileServeCommand = (): Compiled => compile(COMMAND_SERVE);

/** The whole command line. */
export const compileCommandLine = (): Compiled => compile("import './src/cli/main.js';\n");

/** Modules, and what worker threads run. */
const RELATIVE_IMPORT = /\b(?:from|import|new URL)\s*\(?\s*['"](\.[^'"]+\.js)['"]/g;
const COMPILER_OPTIONS = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };

/** Data becomes a module of its own: Node 20 warns of imported JSON. */
const IMPORTED_JSON = /\.json(['"]) with \{[^}]*\}/g;

function codeOf(path: string): string {
  if (path.endsWith('.json.js'))
    return `export default ${readFileSync(join(ROOT, path.replace(/\.js$/, '')), 'utf8')};\n`;
  const source = readFileSync(join(ROOT, path.replace(/\.js$/, '.ts')), 'utf8');
  const code = ts.transpileModule(source, { compilerOptions: COMPILER_OPTIONS }).outputText;
  return code.replace(IMPORTED_JSON, '.json.js$1');
}

/** The script with all that it imports. */
function compile(text: string): Compiled {
  // Below the root, so that packages are found.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'runproof-served-'));
  const wanted = new Set<string>();
  const importedBy = (path: string, code: string): void => {
    for (const [, imported] of code.matchAll(RELATIVE_IMPORT))
      wanted.add(resolve('/', dirname(path), imported!));
  };
  importedBy('/served.mjs', text);
  // Iterating over a set includes items added meanwhile.
  for (const path of wanted) {
    const code = codeOf(path);
    importedBy(path, code);
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
  const script = join(folder, 'served.mjs');
  writeFileSync(script, text);
  // What the program reads of its own package.
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'docs'), join(folder, 'docs'));
  return {
    script,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
