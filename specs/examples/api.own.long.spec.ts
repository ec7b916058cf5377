import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { publicApi } from '../project/public-api.js';
import { ROOT } from '../project/sources.js';

/** The first example loads the whole package. */
const TIMEOUT_MS = 240_000;
const FOLDER = join(ROOT, 'reports/api-examples');

const examples = [...publicApi().values()]
  .flat()
  // `conformance` registers tests: examples/in-process/conformance.test.ts is its example that runs.
  .filter(({ file }) => file !== 'src/vitest.ts')
  .flatMap(({ name, examples }) => examples.map((code) => ({ name, code })));

/** Runs an example as a module of its own. */
async function run(name: string, code: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `${name}.ts`);
  writeFileSync(file, code);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await import(/* @vite-ignore */ file);
  log.mockRestore();
}

describe('examples of docstrings', () => {
  it.each(examples)(
    'that of $name runs',
    async ({ name, code }) => {
      await run(name, code);
      // The examples that check a target set it when the target does not conform.
      expect(process.exitCode, code).toBeUndefined();
    },
    TIMEOUT_MS,
  );

  it('that fail are noticed', async () => {
    await expect(run('failing', "import { judge } from 'runproof';\njudge([]);")).rejects.toThrow('history');
  });
});
