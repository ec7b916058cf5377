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

/**
 * What every command uses, in one file: each of these modules is a few lines. What they import comes with them, and every
 * command reads it, so none of them imports the requirements of the document.
 */
const SMALL = [
  ...['util/', 'make-folder.', 'package-files.', 'core/habits.', 'report/failure-file.'],
  ...['checking/plan/seed.', 'checking/trials.', 'judging/profiles.', 'explore/explored.'],
  ...['history/served-path.', 'history/selection.', 'history/exchange.', 'history/events.', 'history/body.'],
  ...['history/earlier-words.', 'history/job-path.', 'history/long-text.', 'traffic/clock-skew.'],
  ...['traffic/another-clock.', 'target/errors.', 'server/handlers/load-handler.', 'cli/proxies.'],
  ...[
    'spec/operations.',
    'report/escape.',
    'spec/local-key.',
    'spec/capability-words.',
    'scenario/exceeds-limits.',
    'scenario/family.',
  ],
  ...['scenario/second-endpoint.', 'scenario/step-effects.', 'target/authorization.', 'server/page/trust.'],
  ...['report/formats/names.', 'report/terminal/terminal-colours.', 'features/client/defaults.'],
  ...['cli/progress-line.', 'cli/options/address.', 'cli/report/open-page.', 'cli/run-command.'],
  ...['threads/compiler.', 'cli/report/client-code.', 'report/client/seen.'],
];
/** What listens and what reads requests: the server, receivers and proxies need it together. */
const WIRE = 'wire/';
const isIn = (id, name) => id.replaceAll('\\', '/').includes(`/src/${name}`);
const CHUNKS = {
  groups: [
    { name: 'util', test: (id) => SMALL.some((name) => isIn(id, name)) },
    { name: 'wire', test: (id) => isIn(id, WIRE) },
    { name: 'weather', test: (id) => isIn(id, 'client/weather/') },
    { name: 'calls', test: (id) => isIn(id, 'report/calls/') },
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
const LOADED_BY_NAME = ['oracle/index', 'explore/index', 'mutants/index', 'shell/main'].map(
  (name) => `src/${name}.ts`,
);

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
