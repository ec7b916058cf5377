/** The examples are the specs. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import '../../examples/client/run-job.test.js';
import '../../examples/client/run-job.weather.test.js';
import { compileCommandLine } from '../server/kill/compiled.js';
import { ROOT } from '../project/sources.js';
import { until } from '../support/until.js';

const HAS_PYTEST = spawnSync('python3', ['-c', 'import pytest']).status === 0;

it.skipIf(!HAS_PYTEST)('the one in Python (needs pytest)', { timeout: 120_000 }, async () => {
  const compiled = await compileCommandLine();
  const bin = mkdtempSync(join(tmpdir(), 'runproof-npx-'));
  // `npx runproof` runs this checkout; as with npm's, a signal to npx ends npx alone.
  const npx = `#!/bin/sh\nshift\n'${process.execPath}' '${compiled.script}' "$@"\n`;
  writeFileSync(join(bin, 'npx'), npx, { mode: 0o755 });
  const { status, stdout } = spawnSync(
    'python3',
    ['-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'examples/client'],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` } },
  );
  const isServing = (): boolean => spawnSync('pgrep', ['-f', compiled.script]).status === 0;
  await until(() => !isServing());
  const isLeftBehind = isServing();
  compiled.dispose();
  rmSync(bin, { recursive: true });
  expect(stdout).toContain('1 passed');
  expect(status).toBe(0);
  expect(isLeftBehind).toBe(false);
});
