/**
 * Builds the package into lib/: the program and the library as a few files that share one instance of every
 * module. `--types` adds the types of the library.
 */
import { readFileSync } from 'node:fs';

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
/** Packages are installed beside the package, not bundled. */
const isPackage = new RegExp(`^(${Object.keys({ ...dependencies, ...peerDependencies }).join('|')})(/|$)`);

const LIBRARY = { index: 'src/index.ts', vitest: 'src/vitest.ts' };

const { build } = await import('rolldown');
await build({
  input: {
    cli: 'src/cli/main.ts',
    ...LIBRARY,
    // Threads are started by the name of their file.
    'conclude-worker': 'src/app/conclude/conclude-worker.ts',
    'player-worker': 'src/app/embedded/player-worker.ts',
    worker: 'src/app/explore/worker.ts',
  },
  platform: 'node',
  external: isPackage,
  checks: { preferBuiltinFeature: false },
  // As one value: with an export for each key, rolldown writes exports of chunks that are not defined.
  plugins: [
    {
      name: 'json',
      transform: {
        filter: { id: /\.json$/ },
        handler: (code) => ({ code: `export default ${code}`, moduleType: 'js' }),
      },
    },
  ],
  output: { dir: 'lib', cleanDir: true, chunkFileNames: '[name].js' },
});

if (process.argv.includes('--types')) {
  const { rollup } = await import('rollup');
  const { dts } = await import('rollup-plugin-dts');
  const bundle = await rollup({
    input: LIBRARY,
    external: (id) => isPackage.test(id) || id.startsWith('node:'),
    plugins: [dts()],
    // Some types that the library uses are internal; their names are not exported on purpose.
    onwarn: ({ message }) => message.includes('private shared type') || process.stderr.write(`${message}\n`),
  });
  await bundle.write({ dir: 'lib', format: 'es', chunkFileNames: 'types.d.ts' });
  await bundle.close();
}
