/** SQLite forgets what follows a damaged place of its log, which is there after a kill: the start does not. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDataFolder } from '../../../src/server/store/data-folder.js';
import { createRandom } from '../../../src/time/random.js';

const WRITES = 12;

let root: string;
let killed: string;
/** The length of the log after each write. */
const lengths: number[] = [];
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'runproof-log-'));
  killed = join(root, 'killed');
  mkdirSync(killed);
  const folder = join(root, 'served');
  const store = await openDataFolder(folder, 'real');
  const nothing = { endpoints: new Map(), jobs: new Map(), deliveries: new Map(), purged: new Set<string>() };
  for (let n = 1; n <= WRITES; n++) {
    const counters = { latestMs: n, attempts: 0, deliveries: 0, idsMade: n };
    await store.write({ ...nothing, counters, ids: new Set([`id-${n}`]) });
    lengths.push(statSync(join(folder, 'jobs.db-wal')).size);
  }
  // What a kill leaves.
  for (const file of ['jobs.db', 'jobs.db-wal']) copyFileSync(join(folder, file), join(killed, file));
  await store.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Opens a copy whose log was changed: the number of writes that are there, or why it is refused. */
async function opened(change: (log: Buffer) => Buffer, salvages = false): Promise<number | string> {
  const folder = mkdtempSync(join(root, 'copy-'));
  copyFileSync(join(killed, 'jobs.db'), join(folder, 'jobs.db'));
  const log = change(readFileSync(join(killed, 'jobs.db-wal')));
  writeFileSync(join(folder, 'jobs.db-wal'), log);
  try {
    const store = await openDataFolder(folder, 'real', salvages);
    const ids = store.read()?.ids ?? [];
    await store.close();
    // Nothing between is missing.
    expect(ids).toEqual(ids.map((_, at) => `id-${at + 1}`));
    if (store.salvaged !== null)
      expect(log.equals(readFileSync(join(folder, 'jobs.db.damaged-1-wal')))).toBe(true);
    return ids.length;
  } catch (error) {
    expect(log.equals(readFileSync(join(folder, 'jobs.db-wal')))).toBe(true);
    return (error as Error).message;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('all that was written is there after a kill', async () => {
  expect(await opened((log) => log)).toBe(WRITES);
});

it('a changed byte before other complete writes is damage; what was written before it is salvaged', async () => {
  const random = createRandom(1);
  for (let n = 0; n < 60; n++) {
    const at = n < 4 ? n * 8 : random.intBetween(32, lengths[WRITES - 3]! - 1);
    const change = (log: Buffer): Buffer => {
      log[at]! ^= random.intBetween(1, 255);
      return log;
    };
    const refusal = await opened(change);
    expect(refusal, `byte ${at}`).toContain('is damaged: jobs.db-wal has invalid data at byte');
    expect(refusal, `byte ${at}`).toContain('Lost: possibly more');
    const whole = lengths.filter((length) => length <= at).length;
    expect(await opened(change, true), `byte ${at}`).toBe(whole);
  }
});

it('a last write that was broken off is none', async () => {
  const random = createRandom(2);
  const [before, end] = [lengths.at(-2)!, lengths.at(-1)!];
  for (let n = 0; n < 20; n++) {
    const at = random.intBetween(before, end - 1);
    expect(await opened((log) => log.subarray(0, at)), `cut at ${at}`).toBe(WRITES - 1);
    // A power cut may leave a hole.
    expect(
      await opened((log) => log.fill(0, at, Math.min(at + 512, end))),
      `zeros from ${at}`,
    ).toBeGreaterThanOrEqual(WRITES - 1);
  }
});

it('an empty log, or one of zeros only, is none', async () => {
  expect(await opened((log) => log.subarray(0, 0))).toBe(0);
  expect(await opened((log) => log.fill(0))).toBe(0);
});
