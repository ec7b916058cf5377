/** SQLite forgets what follows a damaged place of its log, which is there after a kill: the start does not. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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

/** Opens a copy whose log was changed: the ids that are there and what is told of damage, or why it is refused. */
async function opened(
  change: (log: Buffer) => Buffer,
  salvages = false,
): Promise<{ ids: number; told: string } | string> {
  const folder = mkdtempSync(join(root, 'copy-'));
  copyFileSync(join(killed, 'jobs.db'), join(folder, 'jobs.db'));
  const log = change(readFileSync(join(killed, 'jobs.db-wal')));
  writeFileSync(join(folder, 'jobs.db-wal'), log);
  try {
    const store = await openDataFolder(folder, 'real', salvages);
    const ids = store.read()?.ids ?? [];
    const told = store.salvaged ?? '';
    await store.close();
    for (let n = 1; n <= ids.length; n++) expect(`${ids.join()} ${told}`).toContain(`id-${n}`);
    if (told !== '') expect(log.equals(readFileSync(join(folder, 'jobs.db.damaged-1-wal')))).toBe(true);
    return { ids: ids.length, told };
  } catch (error) {
    expect(readdirSync(folder)).toEqual(['jobs.db', 'jobs.db-wal']);
    for (const [file, was] of [
      ['jobs.db', readFileSync(join(killed, 'jobs.db'))],
      ['jobs.db-wal', log],
    ] as const)
      expect(was.equals(readFileSync(join(folder, file))), file).toBe(true);
    return (error as Error).message;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const none = { told: '' };

it('all that was written is there after a kill', async () => {
  expect(await opened((log) => log)).toEqual({ ids: WRITES, ...none });
});

/** The refusal changes nothing, and what is salvaged is all that was written but for what is named. */
async function expectDamage(change: (log: Buffer) => Buffer, what: string): Promise<void> {
  const refusal = await opened(change);
  expect(refusal, what).toContain('is damaged: jobs.db-wal has invalid data at byte');
  const salvaged = await opened(change, true);
  if (typeof salvaged === 'string') throw new Error(`${what}: ${salvaged}`);
  for (let n = 1; n <= WRITES; n++)
    if (salvaged.ids < WRITES) expect(salvaged.told, what).toMatch(/Lost: (?!nothing)/);
  expect(salvaged.ids, `${what}: ${salvaged.told}`).toBeGreaterThanOrEqual(WRITES - 1);
}

it('a changed byte before other complete writes is damage; the writes behind it are read', async () => {
  const random = createRandom(1);
  for (let n = 0; n < 12; n++) {
    const at = n < 4 ? n * 8 : random.intBetween(32, lengths[WRITES - 3]! - 1);
    const change = (log: Buffer): Buffer => {
      log[at]! ^= random.intBetween(1, 255);
      return log;
    };
    await expectDamage(change, `byte ${at}`);
  }
});

it('so are bytes that were inserted or are missing', async () => {
  const random = createRandom(3);
  for (let n = 0; n < 6; n++) {
    const at = random.intBetween(32, lengths[WRITES - 4]! - 1);
    const count = random.pick([1, 100, 4_096, 4_120]);
    await expectDamage(
      (log) => Buffer.concat([log.subarray(0, at), Buffer.alloc(count, 7), log.subarray(at)]),
      `${count} bytes inserted at ${at}`,
    );
    await expectDamage(
      (log) => Buffer.concat([log.subarray(0, at), log.subarray(at + count)]),
      `${count} bytes missing at ${at}`,
    );
  }
});

it('a last write that was broken off is none', async () => {
  const random = createRandom(2);
  const [before, end] = [lengths.at(-2)!, lengths.at(-1)!];
  for (let n = 0; n < 20; n++) {
    const at = random.intBetween(before, end - 1);
    expect(await opened((log) => log.subarray(0, at)), `cut at ${at}`).toEqual({ ids: WRITES - 1, ...none });
    // A power cut may leave a hole.
    const holed = await opened((log) => log.fill(0, at, Math.min(at + 512, end)));
    expect(
      [WRITES - 1, WRITES].map((ids) => ({ ids, ...none })),
      `zeros from ${at}`,
    ).toContainEqual(holed);
  }
});

it('an empty log, or one of zeros only, is none', async () => {
  expect(await opened((log) => log.subarray(0, 0))).toEqual({ ids: 0, ...none });
  expect(await opened((log) => log.fill(0))).toEqual({ ids: 0, ...none });
});
