// Bundles the naive server with the bundler that comes with vite, and starts it: prints one line of JSON with
// its url, controlUrl, apiKey and endpointId.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const entry = fileURLToPath(new URL('./main.ts', import.meta.url));

async function bundle() {
  try {
    const { build } = await import('esbuild');
    const options = { entryPoints: [entry], bundle: true, write: false, format: 'esm', platform: 'node' };
    return (await build({ ...options, target: 'node20' })).outputFiles[0].text;
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  }
  const { build } = await import('rolldown');
  const options = { input: entry, platform: 'node', write: false, logLevel: 'silent' };
  const { output } = await build({ ...options, output: { codeSplitting: false } });
  return output[0].code;
}

const folder = await mkdtemp(join(tmpdir(), 'naive-'));
try {
  const file = join(folder, 'main.mjs');
  await writeFile(file, await bundle());
  const { main } = await import(pathToFileURL(file).href);
  await main(process.argv.slice(2));
} finally {
  await rm(folder, { recursive: true });
}
