/**
 * A damaged file and a full disk lose no job that they leave alone, and never end the process without a word.
 * `WHOLE=1` tries 100 damaged files and 20 full disks.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadSqlite } from '../../src/server/store/database.js';
import { createRandom } from '../../src/time/random.js';
import { canMount, mountSmallDisk } from './damage/full-disk.js';
import { corrupt, isSpared, pagesWith } from './damage/corrupt.js';
import { call, fillFolder, record, SERVED } from './damage/records.js';
import { compileServer, type Compiled } from './kill/compiled.js';
import { startChildServer } from './kill/child-server.js';
import { WHOLE } from '../support/whole.js';

const FILES = Number(process.env['FILES'] ?? (WHOLE ? 100 : 4));
const DISKS = Number(process.env['DISKS'] ?? (WHOLE ? 20 : 1));
const SEED = Number(process.env['DAMAGE_SEED'] ?? 1);
/** Damages of the first seed that the salvage was wrong about: of its last page the end is missing. */
const WRONG_ONCE = [36];
const FILE = 'jobs.db';

let root: string;
let compiled: Compiled;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'runproof-damage-'));
  compiled = await compileServer();
}, 120_000);
afterAll(() => {
  compiled.dispose();
  rmSync(root, { recursive: true, force: true });
});

/** A sound file, and what its jobs' records are. */
interface Sound {
  readonly whole: Buffer;
  /** By id: the record, and the pages of the job's row; none where it is too large for one page. */
  readonly jobs: ReadonlyMap<string, { readonly record: string; readonly pages: readonly number[] }>;
}

/** A row of that many characters is on one page. */
const ONE_PAGE_TEXT = 3_500;

async function soundFile(name: string, jobs: number): Promise<Sound> {
  const data = join(root, name);
  await fillFolder(data, createRandom(SEED), jobs);
  const whole = readFileSync(join(data, FILE));
  // SQLite reads it, not our own reader.
  const db = (await loadSqlite()).open(join(data, FILE));
  const rows = [...db.prepare("SELECT name, length(text) AS n FROM rows WHERE kind = 'job'").iterate()];
  db.close();
  // A restart changes jobs that were running: what they are then is what they are.
  const served = await startChildServer(compiled, { data: folderWith(`${name}-copy`, whole), ...SERVED });
  const found = new Map<string, { record: string; pages: number[] }>();
  for (const { name: id, n } of rows as { readonly name: string; readonly n: number }[]) {
    const pages = n < ONE_PAGE_TEXT ? pagesWith(whole, `{"id":"${id}"`) : [];
    found.set(id, { record: await record(served.url, id), pages });
  }
  await served.kill();
  return { whole, jobs: found };
}

function folderWith(name: string, bytes: Buffer): string {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, FILE), bytes);
  return folder;
}

it(
  `${FILES} damaged files: every job that the damage spares is there, and no other one is made up`,
  {
    timeout: 120_000 + FILES * 20_000,
  },
  async () => {
    const sound = await soundFile('sound', 120);
    const figures = {
      files: FILES,
      harmless: 0,
      refused: 0,
      spared: 0,
      sparedAndLost: 0,
      hit: 0,
      hitAndLost: 0,
    };
    expect(sound.jobs.size).toBeGreaterThan(60);
    for (const n of new Set([...Array.from({ length: FILES }, (_, each) => each), ...WRONG_ONCE])) {
      const random = createRandom(SEED * 1_000 + n);
      const done = corrupt(sound.whole, random);
      const what = `damage ${n}: ${done.what}`;
      const data = folderWith(String(n), done.bytes);
      let served = await startChildServer(compiled, { data, ...SERVED }).catch(
        (error: Error) => error.message,
      );
      const isHarmless = typeof served !== 'string';
      if (typeof served === 'string') {
        figures.refused++;
        expect(served, what).toMatch(/^refused: the data folder .* is damaged: [^]*add --salvage/);
        expect(served, what).toContain(data);
        expect(readdirSync(data), what).toEqual([FILE]);
        expect(readFileSync(join(data, FILE)).equals(done.bytes), what).toBe(true);
        served = await startChildServer(compiled, { data, salvage: true, ...SERVED });
        expect(readFileSync(join(data, `${FILE}.damaged-1`)).equals(done.bytes), what).toBe(true);
      } else figures.harmless++;
      const told = served.errors();
      for (const [id, job] of sound.jobs) {
        const now = await record(served.url, id);
        if (isHarmless || (job.pages.length > 0 && isSpared(done, sound.whole, job.pages))) {
          figures.spared++;
          if (now !== job.record) figures.sparedAndLost++;
          expect(now, `${what}: ${id} was spared; ${told}`).toBe(job.record);
          continue;
        }
        figures.hit++;
        if (now === job.record) continue;
        figures.hitAndLost++;
        expect(now, `${what}: ${id}; ${told}`).toMatch(/^404/);
        expect(told, `${what}: ${id}`).not.toContain('Lost: nothing');
        // Of several places, one may be the name.
        if (done.changed.length <= 1)
          expect(
            told.includes(id) || /more, which cannot be identified|and \d+ more/.test(told),
            `${what}: ${id}`,
          ).toBe(true);
      }
      const response = await call(served.url, '/v2/test/run', { input: {} });
      expect(response.status, what).toBe(200);
      const { id } = (await response.json()) as { id: string };
      expect(sound.jobs.has(id), `${what}: an id is given twice`).toBe(false);
      await served.kill();
      const next = await startChildServer(compiled, { data, ...SERVED });
      expect(await record(next.url, id), what).toMatch(/^200/);
      await next.kill();
      rmSync(data, { recursive: true });
    }
    if (WHOLE) console.log(figures);
    expect(figures.refused).toBeGreaterThan(FILES / 2);
    expect(figures.spared).toBeGreaterThan(FILES * 10);
  },
);

/** Submits from several clients at once until an answer other than 200 comes, and gives that answer. */
async function submitUntilRefused(url: string, accepted: string[], bodyBytes: () => number): Promise<number> {
  let other = 0;
  async function client(): Promise<void> {
    for (let n = 0; n < 200 && other === 0; n++) {
      const response = await call(url, '/v2/test/run', { input: { text: 'x'.repeat(bodyBytes()) } });
      const text = await response.text();
      if (response.status === 200) accepted.push((JSON.parse(text) as { id: string }).id);
      // The rate limit, while the disk has room for all.
      else if (response.status === 429) await pause(500);
      else other = response.status;
    }
  }
  await Promise.all([client(), client(), client(), client()]);
  return other;
}

async function statusAfterRoom(url: string): Promise<number> {
  for (let n = 0; ; n++) {
    const { status } = await call(url, '/v2/test/health');
    if (status === 200 || n === 60) return status;
    await pause(100);
  }
}

const MAY_MOUNT = canMount();
const inQueue = async (url: string): Promise<number> =>
  ((await (await call(url, '/v2/test/health')).json()) as { jobs: { inQueue: number } }).jobs.inQueue;

it.runIf(MAY_MOUNT)(
  `${DISKS} full disks: 500 and no job, what was accepted stays, and all goes on when there is room`,
  { timeout: 60_000 + DISKS * 30_000 },
  async () => {
    const figures = { disks: 0, refusals: 0, accepted: 0, lost: 0, killedWhileFull: 0 };
    for (let n = 0; n < DISKS; n++) {
      const random = createRandom(SEED * 2_000 + n);
      // Beside what is accepted, SQLite's log takes up to 4 MB.
      const disk = mountSmallDisk(join(root, `disk-${n}`), random.intBetween(12, 24) * 1_048_576)!;
      try {
        const data = join(disk.folder, 'data');
        const largest = random.pick([500, 20_000, 100_000, 400_000]);
        const bodyBytes = (): number => random.intBetween(0, largest);
        const accepted: string[] = [];
        let served = await startChildServer(compiled, { data, workers: 0 });
        for (let round = 0; round < 3; round++) {
          // The file itself has some room, and the disk some more.
          disk.fill(random.intBetween(0, 1_000_000));
          const status = await submitUntilRefused(served.url, accepted, bodyBytes);
          // Small bodies may all have found room.
          if (status !== 0) {
            expect(status, served.errors()).toBe(500);
            figures.refusals++;
            expect(served.errors()).toContain('cannot be written');
          }
          await pause(random.intBetween(0, 1_500));
          if (random.chance(300)) {
            figures.killedWhileFull++;
            await served.kill();
            disk.free();
            served = await startChildServer(compiled, { data, workers: 0 });
          }
          disk.free();
          expect(await statusAfterRoom(served.url), served.errors()).toBe(200);
        }
        await served.kill();
        served = await startChildServer(compiled, { data, workers: 0 });
        expect(await inQueue(served.url)).toBe(accepted.length);
        for (const id of accepted) {
          const told = await record(served.url, id);
          if (!told.startsWith('200')) figures.lost++;
          expect(told).toMatch(/^200/);
        }
        expect(await submitUntilRefused(served.url, [], () => 10), `disk ${n}: ${served.errors()}`).toBe(0);
        await served.kill();
        figures.accepted += accepted.length;
        figures.disks++;
      } finally {
        disk.unmount();
      }
    }
    if (WHOLE) console.log(figures);
    expect(figures.refusals).toBeGreaterThanOrEqual(DISKS);
    expect(figures.lost).toBe(0);
  },
);

it.runIf(MAY_MOUNT)('a folder that cannot be written is refused, and stays as it is', async () => {
  const disk = mountSmallDisk(join(root, 'read-only'), 4 * 1_048_576)!;
  try {
    const data = join(disk.folder, 'data');
    const served = await startChildServer(compiled, { data, workers: 0 });
    const { id } = (await (await call(served.url, '/v2/test/run', { input: {} })).json()) as { id: string };
    await served.kill();
    const other = join(disk.folder, 'other');
    mkdirSync(other);
    disk.setWritable(false);
    for (const folder of [data, other])
      await expect(startChildServer(compiled, { data: folder, workers: 0 })).rejects.toThrow(
        /refused: the data folder .* cannot be opened: .*read-only file system/,
      );
    disk.setWritable(true);
    const next = await startChildServer(compiled, { data, workers: 0 });
    expect(await record(next.url, id)).toMatch(/^200/);
    await next.kill();
  } finally {
    disk.unmount();
  }
});

it.runIf(!MAY_MOUNT)('full disks are not tested: this process may not mount a small one', ({ skip }) =>
  skip(),
);
