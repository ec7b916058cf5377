import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../../src/server/store/data-folder.js';
import { loadSqlite } from '../../../src/server/store/database.js';
import { createTable } from '../../../src/server/store/job-table.js';
import { rowOf } from '../../../src/server/store/rows.js';
import { compileServer, type Compiled } from '../kill/compiled.js';
import { startChildServer } from '../kill/child-server.js';

let root: string;
let compiled: Compiled;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'runproof-data-'));
  compiled = await compileServer();
}, 120_000);
afterAll(() => {
  compiled.dispose();
  rmSync(root, { recursive: true, force: true });
});

const POSIX = process.platform !== 'win32';
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the data folder', () => {
  it.runIf(POSIX)('is made where it is missing, for its owner only', async () => {
    const folder = join(root, 'a/b.c');
    const store = await openDataFolder(folder, 'real');
    expect(modeOf(folder)).toBe('700');
    expect(readdirSync(folder)).toEqual(['jobs.db', 'jobs.db-wal']);
    for (const file of readdirSync(folder)) expect(modeOf(join(folder, file)), file).toBe('600');
    await store.close();
    expect(readdirSync(folder)).toEqual(['jobs.db']);
  });

  it.runIf(POSIX)('keeps its own mode where it is there; its files are the owner’s', async () => {
    const folder = join(root, 'open');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    await (await openDataFolder(folder, 'real')).close();
    expect(modeOf(folder)).toBe('755');
    expect(modeOf(join(folder, 'jobs.db'))).toBe('600');
  });

  it('has one server at a time, in this process', async () => {
    const folder = join(root, 'once');
    const store = await openDataFolder(folder, 'real');
    await expect(openDataFolder(folder, 'real')).rejects.toThrow(
      'is in use by another server: one at a time',
    );
    await store.close();
    await (await openDataFolder(folder, 'real')).close();
  });

  it(
    'has one server at a time, of all processes; one that was killed does not count',
    { timeout: 60_000 },
    async () => {
      const data = join(root, 'apart');
      const served = await startChildServer(compiled, { data });
      await expect(startChildServer(compiled, { data })).rejects.toThrow(
        /refused: the data folder .* is in use by another server: one at a time/,
      );
      await served.kill();
      const next = await startChildServer(compiled, { data });
      await next.kill();
      await (await openDataFolder(data, 'real')).close();
    },
  );

  it('refuses data of another version, and of another kind of clock', async () => {
    const folder = join(root, 'version');
    await (await openDataFolder(folder, 'real')).close();
    await expect(openDataFolder(folder, 'controlled')).rejects.toThrow(
      'was made with a real clock and cannot be continued with a controlled one',
    );
    const other = join(root, 'other-version');
    mkdirSync(other);
    const head = rowOf('head', '', { format: 7, clock: 'real' });
    createTable((await loadSqlite()).open, join(other, 'jobs.db'), [head]);
    await expect(openDataFolder(other, 'real')).rejects.toThrow(
      'holds data of format 7, and this version of Runproof reads format 4',
    );
  });

  it('refuses a table of an earlier version', async () => {
    const folder = join(root, 'format-3');
    mkdirSync(folder);
    const db = (await loadSqlite()).open(join(folder, 'jobs.db'));
    db.exec(`CREATE TABLE rows (seq INTEGER PRIMARY KEY, kind TEXT, name TEXT, text TEXT, sum INTEGER);
      INSERT INTO rows VALUES (1, 'head', '', '{"format":3,"clock":"real"}', 0)`);
    db.close();
    for (const salvages of [false, true])
      await expect(openDataFolder(folder, 'real', salvages)).rejects.toThrow(
        'holds data of format 3, and this version of Runproof reads format 4',
      );
  });

  it.runIf(process.platform === 'linux')('says at once where no folder can be made', async () => {
    await expect(openDataFolder('/proc/none', 'real')).rejects.toThrow(
      'the data folder /proc/none cannot be created: ENOENT',
    );
  });

  it.each(['jobs.log', 'jobs.mdb'])(
    'refuses %s, which an earlier version wrote, and says what to do',
    async (file) => {
      const folder = join(root, `earlier-${file}`);
      mkdirSync(folder);
      writeFileSync(join(folder, file), '');
      await expect(openDataFolder(folder, 'real')).rejects.toThrow(
        `the data folder ${folder} holds jobs of an earlier version (${file}), which this version does not read: ` +
          `choose another folder, delete ${file} to begin without these jobs, or serve them with the earlier version`,
      );
      expect(readdirSync(folder)).toEqual([file]);
      rmSync(join(folder, file));
      await (await openDataFolder(folder, 'real')).close();
    },
  );

  it('refuses what is not a folder, and files that are not data', async () => {
    const file = join(root, 'file');
    writeFileSync(file, 'text');
    await expect(openDataFolder(file, 'real')).rejects.toThrow(`the data folder ${file} cannot be created`);
    const folder = join(root, 'other');
    mkdirSync(folder);
    writeFileSync(join(folder, 'jobs.db'), 'text '.repeat(5_000));
    await expect(openDataFolder(folder, 'real')).rejects.toThrow(
      `the data folder ${folder} is damaged: jobs.db: file is not a database. 0 jobs can be read completely`,
    );
  });

  it.runIf(POSIX)(
    'a disk that is full: 500 and no job, what was accepted stays',
    { timeout: 60_000 },
    async () => {
      const data = join(root, 'full');
      // No file may grow beyond two megabytes; who tries gets an error.
      const limited = (command: readonly string[]): readonly string[] => [
        'bash',
        '-c',
        'trap "" XFSZ; ulimit -f 2000; exec "$@"',
        'bash',
        ...command,
      ];
      const served = await startChildServer(compiled, { data, workers: 0 }, limited);
      const accepted: string[] = [];
      let status = 200;
      for (let n = 0; n < 100 && status === 200; n++) {
        const response = await call(served.url, 'run', { input: { text: 'x'.repeat(100_000) } });
        ({ status } = response);
        if (status === 200) accepted.push(((await response.json()) as { id: string }).id);
      }
      expect(status).toBe(500);
      expect(accepted.length).toBeGreaterThan(3);
      expect(served.errors()).toContain('cannot be written');
      // It lives on, and the room that the file still has is enough for little ones.
      await expect.poll(async () => (await call(served.url, 'health')).status, { timeout: 10_000 }).toBe(200);
      for (const id of accepted) expect((await call(served.url, `status/${id}`)).status).toBe(200);
      const little = await call(served.url, 'run', { input: {} });
      expect(little.status).toBe(200);
      accepted.push(((await little.json()) as { id: string }).id);
      await served.kill();
      const next = await startChildServer(compiled, { data, workers: 0 });
      for (const id of accepted) expect((await call(next.url, `status/${id}`)).status).toBe(200);
      const health = (await (await call(next.url, 'health')).json()) as { jobs: { inQueue: number } };
      expect(health.jobs.inQueue).toBe(accepted.length);
      await next.kill();
    },
  );
});

function call(url: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${url}/v2/test/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: 'runproof-local', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
