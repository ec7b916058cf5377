/** Bundles the program, its library and its threads into files that share one instance of every module. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const { dependencies, peerDependencies } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);
/** Packages are installed beside the package, not bundled. */
export const isPackage = new RegExp(
  `^(${Object.keys({ ...dependencies, ...peerDependencies }).join('|')})(/|$)`,
);

/** Threads are started by the name of their file. */
const THREADS = {
  'judge-worker': 'src/features/proxy/judge-worker.ts',
  'conclude-worker': 'src/judging/conclude-worker.ts',
  'player-threads': 'src/checking/embedded/player-threads.ts',
  worker: 'src/test-bed/worker.ts',
  writer: 'src/server/store/writer.ts',
};

/** As one value: with an export for each key, rolldown writes exports of chunks that are not defined. */
const json = {
  name: 'json',
  transform: {
    filter: { id: /\.json$/ },
    handler: (code) => ({ code: `export default ${code}`, moduleType: 'js' }),
  },
};

/** What every command uses, in one file: each of these modules is a few lines. */
const SMALL =
  /[\\/]src[\\/](util[\\/]|(make-folder|package-files)\.|checking[\\/](plan[\\/]seed|trials)\.|traffic[\\/]clock-skew|features[\\/]client[\\/]defaults|spec[\\/](local-key|capability-words)|explore[\\/]explored\.|scenario[\\/](second-endpoint|exceeds-limits|family\.)|target[\\/]authorization|cli[\\/](progress-line|report[\\/]open-page)|history[\\/](job-path|served-path|selection|exchange|events|earlier-words|body)\.|judging[\\/]profiles|report[\\/](formats[\\/]names|terminal[\\/]terminal-colours)|core[\\/]habits)/;
/** What listens and what reads requests: the server, receivers and proxies need it together. */
const WIRE = /[\\/]src[\\/]wire[\\/]/;
const CHUNKS = {
  groups: [
    { name: 'util', test: SMALL },
    { name: 'wire', test: WIRE },
  ],
};

/** Writes these modules, by the names of their files, and the threads that they start into the folder. */
export async function bundle(modules, dir) {
  await build({
    cwd: import.meta.dirname,
    input: { ...modules, ...THREADS },
    platform: 'node',
    external: isPackage,
    checks: { preferBuiltinFeature: false },
    plugins: [json],
    output: { dir, cleanDir: true, chunkFileNames: '[name].js', codeSplitting: CHUNKS },
  });
}

/** What benchmarks start, or load from the tree of another commit. */
const LOADED_BY_NAME = ['src/oracle/index.ts', 'src/shell/main.ts'];

/** Writes the proofs, the benchmarks and all that they import into dist/, module by module: some start others by name. */
export const compileProofs = () =>
  compile(import.meta.dirname, [
    ...sourcesIn(import.meta.dirname, 'proof'),
    ...sourcesIn(import.meta.dirname, 'bench'),
    ...LOADED_BY_NAME,
    ...Object.values(THREADS),
  ]);

/** The same of another checkout, as far as benchmarks need it. What its pages run needs a browser. */
export const compileTree = (root) =>
  compile(root, [
    ...sourcesIn(root, 'bench'),
    ...sourcesIn(root, 'src').filter((path) => !path.startsWith('src/browser/')),
  ]);

const sourcesIn = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => `${folder}/${name}`);

const compile = (root, input) =>
  build({
    cwd: root,
    input,
    platform: 'node',
    // The compiler brings the helpers of @oxc-project.
    external: (id) => !/^(\.|\/|[A-Za-z]:|@oxc-project\/)/.test(id),
    checks: { preferBuiltinFeature: false },
    plugins: [json],
    output: {
      dir: join(root, 'dist'),
      preserveModules: true,
      preserveModulesRoot: root,
      cleanDir: true,
    },
  });
