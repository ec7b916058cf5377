/** SQLite comes with Node, or is the optional package `libsql`; who has neither is told what to do. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { PACKAGE_ROOT } from '../../../src/package-files.js';
import { openDataFolder } from '../../../src/server/store/data-folder.js';
import { loadSqlite } from '../../../src/server/store/database.js';

const { getBuiltinModule } = process;
const NOTHING = { endpoints: new Map(), jobs: new Map(), deliveries: new Map(), purged: new Set<string>() };
const HAS_BUILTIN = getBuiltinModule('node:sqlite' as string) !== undefined;

afterEach(() => {
  process.getBuiltinModule = getBuiltinModule;
  vi.doUnmock('libsql');
  vi.restoreAllMocks();
});

const hideBuiltin = (): unknown => (process.getBuiltinModule = (() => undefined) as typeof getBuiltinModule);

function hideInstalled(): string {
  hideBuiltin();
  vi.doMock('libsql', () => {
    throw new Error('Cannot find package');
  });
  const folder = mkdtempSync(join(tmpdir(), 'runproof-here-'));
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  return folder;
}

it('without both it says which Node has it, and what to install', async () => {
  const folder = hideInstalled();
  await expect(openDataFolder('/never/made', 'real')).rejects.toThrow(
    `a data folder needs SQLite, which Node ${process.version} does not have. Use Node 22.13 or newer, or type this ` +
      `in ${folder} and start again:\n  npm install libsql`,
  );
  rmSync(folder, { recursive: true });
});

it('with libsql in the working folder alone, jobs are kept there', async () => {
  const folder = hideInstalled();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(PACKAGE_ROOT, 'node_modules/libsql'), join(folder, 'node_modules/libsql'));
  const counters = { latestMs: 1, attempts: 0, deliveries: 0, idsMade: 1 };
  const store = await openDataFolder(join(folder, 'jobs'), 'real');
  await store.write({ ...NOTHING, counters, ids: new Set(['id-1']) });
  await store.close();
  const again = await openDataFolder(join(folder, 'jobs'), 'real');
  expect(again.read()?.ids).toHaveLength(1);
  await again.close();
  rmSync(folder, { recursive: true });
});

it('where libsql cannot be loaded it says why', async () => {
  const folder = hideInstalled();
  mkdirSync(join(folder, 'node_modules/libsql'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/libsql/index.js'), "require('@libsql/no-such-platform');");
  await expect(openDataFolder('/never/made', 'real')).rejects.toThrow(
    "libsql is installed and cannot be loaded (Cannot find module '@libsql/no-such-platform'): use Node 22.13",
  );
  rmSync(folder, { recursive: true });
});

it('what it says to install is found in the folder where that was done', async () => {
  const folder = hideInstalled();
  mkdirSync(join(folder, 'node_modules/libsql'), { recursive: true });
  const text = 'module.exports = class { constructor(path) { this.path = path; } };';
  writeFileSync(join(folder, 'node_modules/libsql/index.js'), text);
  const { open } = await loadSqlite();
  expect(open('a.db')).toMatchObject({ path: 'a.db' });
  rmSync(folder, { recursive: true });
});

it('of the warnings of Node it leaves out just the one that SQLite is experimental', async () => {
  const warned: string[] = [];
  const { emitWarning } = process;
  process.emitWarning = ((warning: string) => void warned.push(warning)) as typeof emitWarning;
  try {
    process.getBuiltinModule = (() => {
      process.emitWarning(
        'SQLite is an experimental feature and might change at any time',
        'ExperimentalWarning',
      );
      process.emitWarning('something else');
      return { DatabaseSync: class {} };
    }) as unknown as typeof getBuiltinModule;
    await loadSqlite();
    process.emitWarning('SQLite is an experimental feature and might change at any time');
    expect(warned).toEqual([
      'something else',
      'SQLite is an experimental feature and might change at any time',
    ]);
  } finally {
    process.emitWarning = emitWarning;
  }
});

it.runIf(HAS_BUILTIN)('a folder written with one can be continued with the other', async () => {
  const root = mkdtempSync(join(tmpdir(), 'runproof-drivers-'));
  const folder = join(root, 'data');
  for (let n = 1; n <= 4; n++) {
    if (n % 2 === 0) hideBuiltin();
    else process.getBuiltinModule = getBuiltinModule;
    const store = await openDataFolder(folder, 'real');
    expect(store.read()?.ids ?? []).toHaveLength(n - 1);
    const counters = { latestMs: n, attempts: 0, deliveries: 0, idsMade: n };
    await store.write({ ...NOTHING, counters, ids: new Set([`id-${n}`]) });
    // After a kill the log is there as well.
    for (const file of ['jobs.db', 'jobs.db-wal']) copyFileSync(join(folder, file), join(root, file));
    await store.close();
    for (const file of ['jobs.db', 'jobs.db-wal']) copyFileSync(join(root, file), join(folder, file));
  }
  rmSync(root, { recursive: true });
});
