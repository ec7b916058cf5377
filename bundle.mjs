/** Bundles the program, its library and its threads into files that share one instance of every module. */
import { readdirSync, readFileSync } from 'node:fs';
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
  /[\\/]src[\\/](util[\\/]|(make-folder|package-files)\.|checking[\\/](plan[\\/]seed|trials)\.|traffic[\\/]clock-skew|features[\\/]client[\\/]defaults|spec[\\/](local-key|capability-words)|explore[\\/]explored\.|scenario[\\/]second-endpoint|cli[\\/]report[\\/]open-page|report[\\/]terminal[\\/]terminal-colours|history[\\/](job-path|served-path|selection|exchange|events|earlier-words|body)\.|judging[\\/]profiles|report[\\/]formats[\\/]names|core[\\/]habits)/;
const CHUNKS = { groups: [{ name: 'util', test: SMALL }] };

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

/** Writes the proofs, the benchmarks and all that they import into dist/, module by module: some start others by name. */
export async function compileProofs() {
  const programs = ['proof', 'bench'].flatMap((folder) =>
    readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
  await build({
    cwd: import.meta.dirname,
    input: [...programs, ...Object.values(THREADS)],
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !/^[A-Za-z]:/.test(id),
    checks: { preferBuiltinFeature: false },
    plugins: [json],
    output: { dir: 'dist', preserveModules: true, preserveModulesRoot: import.meta.dirname, cleanDir: true },
  });
}
