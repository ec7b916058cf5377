/** `replaceFile`: the old content or the new one, also while several processes replace the file. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeFile, replaceFile } from '../../src/files/user-file.js';
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

it('changes a file after another process that does so, and after one that was killed as it did', () => {
  const { cwd } = createFakeIo();
  const path = join(cwd, 'kept.json');
  writeFileSync(path, 'a');
  expect(() => changeFile(path, () => expect.fail('no'))).toThrow('no');
  const held = changeFile(path, () => {
    expect(readdirSync(cwd)).toEqual(['kept.json', 'kept.json.lock']);
    // Nobody gives this one back.
    return changeFile(path, () => 'in spite of it');
  });
  expect([held, readdirSync(cwd)]).toEqual(['in spite of it', ['kept.json']]);
});
