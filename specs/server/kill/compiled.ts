import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../../bundle.mjs';

const ROOT = join(import.meta.dirname, '../../..');

/** A part of the program as plain JavaScript, for a process of its own that can be killed. `dispose` takes it away. */
export interface Compiled {
  readonly script: string;
  /** The folder of the script, with the threads that it starts. */
  readonly lib: string;
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

const SERVE_SLOWLY = `
import { createApp } from './src/server/index.js';
import { listenFor } from './src/server/http-server.js';
import { openDataFolder } from './src/server/store/data-folder.js';
const { data, ...options } = JSON.parse(process.argv[2]);
const app = createApp({ page: 'open', ...options }, { store: await openDataFolder(data, 'real', false, SYNC_MS) });
console.log((await listenFor(app, { host: '127.0.0.1', port: 0 })).url);
`;

/** A script that serves what its first argument says, as JSON, and prints its address. */
export const compileServer = (): Promise<Compiled> => compile(SERVE);

/** The same, on a disk each sync of which takes this much longer. */
export const compileSlowServer = (syncMs: number): Promise<Compiled> =>
  compile(SERVE_SLOWLY.replace('SYNC_MS', String(syncMs)));

/** The whole command line. */
export const compileCommandLine = (): Promise<Compiled> =>
  bundled({ served: 'src/shell/main.ts' }, folderInCache());

/** The library, as `index.js` and `vitest.js` of its folder. */
export const compileLibrary = (): Promise<Omit<Compiled, 'script'>> =>
  bundled({ index: 'src/index.ts', vitest: 'src/vitest.ts' }, folderInCache());

/** The script with all that it imports. */
function compile(text: string): Promise<Compiled> {
  const folder = folderInCache();
  const entry = join(folder, 'served.ts');
  writeFileSync(entry, text.replaceAll("'./src/", `'${ROOT}/src/`));
  return bundled({ served: entry }, folder);
}

/** Below the root, so that packages are found. */
function folderInCache(): string {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, 'runproof-served-'));
}

async function bundled(modules: { readonly [name: string]: string }, folder: string): Promise<Compiled> {
  const lib = join(folder, 'lib');
  await bundle(modules, lib);
  // What the program reads of its own package.
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  for (const read of ['docs', 'schemas']) symlinkSync(join(ROOT, read), join(folder, read));
  return {
    script: join(lib, 'served.js'),
    lib,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
