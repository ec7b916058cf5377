/**
 * Builds the package into lib/: the program and the library. `--types` adds the types of the library; `--proofs` builds the
 * proofs and the benchmarks into dist/ instead.
 */
import { bundle, compileProofs, isPackage } from './bundle.mjs';

const LIBRARY = { index: 'src/index.ts', vitest: 'src/vitest.ts' };

if (process.argv.includes('--proofs')) await compileProofs();
else await bundle({ cli: 'src/shell/main.ts', ...LIBRARY }, 'lib');

if (process.argv.includes('--types')) {
  const { rollup } = await import('rollup');
  const { dts } = await import('rollup-plugin-dts');
  const types = await rollup({
    input: LIBRARY,
    external: (id) => isPackage.test(id) || id.startsWith('node:'),
    plugins: [dts()],
    // Some types that the library uses are internal; their names are not exported on purpose.
    onwarn: ({ message }) => message.includes('private shared type') || process.stderr.write(`${message}\n`),
  });
  await types.write({ dir: 'lib', format: 'es', chunkFileNames: 'types.d.ts' });
  await types.close();
}
