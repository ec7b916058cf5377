import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { PREFIX, setup } from './temporary-files.js';

afterEach(() => void vi.unstubAllEnvs());

test('this run has a folder of its own for temporary files', () => {
  expect(basename(tmpdir())).toMatch(new RegExp(`^${PREFIX}`));
});

test('the folder of a run goes with all that is in it, and a run inside of it makes none', () => {
  const system = mkdtempSync(join(tmpdir(), 'system-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, system);
  const end = setup();
  const folder = tmpdir();
  expect(dirname(folder)).toBe(system);
  const endInside = setup();
  expect(tmpdir()).toBe(folder);
  writeFileSync(join(folder, 'left'), 'behind');
  endInside();
  expect(existsSync(folder)).toBe(true);
  end();
  expect(existsSync(folder)).toBe(false);
});
