/** `replaceFile`: the old content or the new one, also while several processes replace the file. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFile } from '../../src/files/user-file.js';
import { createFakeIo } from '../cli/fake-io.js';

it('replaces the file beside the half-written files of other processes', () => {
  const { cwd } = createFakeIo();
  const path = join(cwd, 'kept.json');
  // Another process has begun to write here.
  mkdirSync(`${path}.part`);
  writeFileSync(path, 'old');
  replaceFile(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(readdirSync(cwd).sort()).toEqual(['kept.json', 'kept.json.part']);
});

it('leaves nothing behind where it cannot write', () => {
  const { cwd } = createFakeIo();
  const folder = join(cwd, 'folder');
  mkdirSync(join(folder, 'full'), { recursive: true });
  expect(() => replaceFile(folder, 'new')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(cwd)).toEqual(['folder']);
});
