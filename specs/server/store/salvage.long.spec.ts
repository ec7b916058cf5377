/** Of a damaged folder every job comes back as it was last, or is named; none runs that may have been cancelled. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SavedJob } from '../../../src/core/saved/saved.js';
import { openDataFolder, type DataFolder } from '../../../src/server/store/data-folder.js';
import { loadSqlite } from '../../../src/server/store/database.js';
import { framesOf } from '../../../src/server/store/log.js';
import { createRandom } from '../../../src/time/random.js';
import { createStateRecorder } from '../../core/persisted.js';
import { startUse } from '../../core/commands.js';

const JOBS = 190;
const FILES = ['jobs.db', 'jobs.db-wal'];

let root: string;
let killed: string;
/** What was written last, of jobs that were not deleted. */
let truth: Map<string, SavedJob>;
/** Of jobs that were deleted. */
const deleted: string[] = [];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'runproof-salvage-'));
  killed = join(root, 'killed');
  mkdirSync(killed);
  const store = await openDataFolder(join(root, 'served'), 'real');
  truth = await fill(store);
  for (const file of FILES) copyFileSync(join(root, 'served', file), join(killed, file));
  await store.close();
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Jobs that end in every way, each change in a write of its own. */
async function fill(store: DataFolder): Promise<Map<string, SavedJob>> {
  const plain = createStateRecorder();
  const written: Promise<void>[] = [];
  const use = startUse(
    {},
    {
      record(service) {
        const changes = service.takeChanges();
        if (changes === null) return;
        written.push(store.write(changes));
        for (const [id, job] of changes.jobs) if (job === null) deleted.push(id);
        plain.record({ ...service, takeChanges: () => changes });
      },
      state: () => plain.state(),
    },
  );
  const random = createRandom(5);
  for (let n = 0; n < JOBS; n++) {
    const policy = { ttl: random.chance(150) ? 10_000 : 3_600_000 };
    use.request('POST', `/v2/${random.pick(['a', 'b'])}/run`, {
      input: { n, text: 'x'.repeat(400) },
      policy,
    });
    const running = [...use.running];
    if (running.length > 0 && random.chance(400))
      use.report(random.pick(running), { kind: 'success', output: n });
    if (random.chance(400))
      for (const endpoint of ['a', 'b'])
        use.request('POST', `/v2/${endpoint}/cancel/${use.jobs[random.intBetween(0, use.jobs.length - 1)]}`);
    if (random.chance(100)) use.advance(1_000);
  }
  await Promise.all(written);
  return new Map(plain.state().jobs.map((job) => [job.id, job]));
}

interface Salvaged {
  readonly told: string;
  readonly jobs: ReadonlyMap<string, SavedJob>;
}

/** Null where the damage was not noticed. */
async function salvage(damaged: Readonly<Record<string, Buffer>>): Promise<Salvaged | null> {
  const folder = mkdtempSync(join(root, 'copy-'));
  try {
    for (const [file, bytes] of Object.entries(damaged)) writeFileSync(join(folder, file), bytes);
    const refused = await openDataFolder(folder, 'real').then(
      (store) => store.close().then(() => null),
      (error: Error) => error.message,
    );
    if (refused === null) return null;
    expect(readdirSync(folder)).toEqual(Object.keys(damaged));
    for (const [file, bytes] of Object.entries(damaged))
      expect(bytes.equals(readFileSync(join(folder, file))), `${file} is as it was`).toBe(true);
    const store = await openDataFolder(folder, 'real', true);
    const jobs = new Map(store.read()!.jobs.map((job) => [job.id, job]));
    await store.close();
    return { told: store.salvaged!, jobs };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is behind belongs to an earlier round, and is in the file. */
const endOf = (log: Buffer): number => framesOf(log).at(-1)!.at;

const original = (): Record<string, Buffer> =>
  Object.fromEntries(FILES.map((file) => [file, readFileSync(join(killed, file))]));

/** How many jobs are not as they were. */
function expectNothingUnsaid({ told, jobs }: Salvaged, what: string): number {
  const isNamed = (id: string): boolean => told.includes(id) || /and \d+ more/.test(told);
  let other = 0;
  for (const [id, job] of truth) {
    const now = jobs.get(id);
    if (JSON.stringify(now) === JSON.stringify(job)) continue;
    other++;
    expect(
      isNamed(id) || (now === undefined && told.includes('possibly more')),
      `${what}: ${id}; ${told}`,
    ).toBe(true);
    if (now !== undefined) expect(now.status, `${what}: ${id}`).not.toMatch(/IN_QUEUE|IN_PROGRESS/);
  }
  for (const id of deleted)
    if (jobs.has(id)) expect(jobs.get(id)!.status, `${what}: ${id} was deleted`).not.toMatch(/IN_/);
  return other;
}

describe('what is salvaged', () => {
  it('holds jobs of every kind, and the log many writes', () => {
    const statuses = [...truth.values()].map(({ status }) => status);
    for (const status of ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'])
      expect(statuses.filter((each) => each === status).length, status).toBeGreaterThan(1);
    expect(deleted.length).toBeGreaterThan(5);
    const frames = framesOf(original()['jobs.db-wal']!);
    expect(frames.filter(({ isCommit }) => isCommit).length).toBeGreaterThan(40);
  });

  it('of a log with one changed bit is all but what that bit was part of', async () => {
    const random = createRandom(7);
    let noticed = 0;
    let other = 0;
    for (let n = 0; n < 16; n++) {
      const files = original();
      const log = files['jobs.db-wal']!;
      const at = random.intBetween(0, endOf(log));
      log[at]! ^= 1 << random.intBetween(0, 7);
      const salvaged = await salvage(files);
      if (salvaged === null) continue;
      noticed++;
      other += expectNothingUnsaid(salvaged, `byte ${at}`);
    }
    expect(noticed).toBeGreaterThan(12);
    expect(other).toBeLessThan(noticed);
  });

  it('of a log with several damaged places is named where it is not the newest', async () => {
    const random = createRandom(8);
    for (let n = 0; n < 6; n++) {
      const files = original();
      const log = files['jobs.db-wal']!;
      for (let place = 0; place < 6; place++) {
        const at = random.intBetween(0, endOf(log));
        log.fill(random.intBetween(0, 255), at, at + random.pick([1, 512, 9_000]));
      }
      const salvaged = await salvage(files);
      if (salvaged !== null) expectNothingUnsaid(salvaged, `damage ${n}`);
    }
  });

  it('of a file with two pages in each other’s place is the newest of each job', async () => {
    const random = createRandom(9);
    for (let n = 0; n < 6; n++) {
      const files = original();
      const file = files['jobs.db']!;
      if (file.length < 3 * 4_096) throw new Error('nothing has been moved from the log to the file yet');
      const [one, two] = [0, 0].map(() => random.intBetween(1, file.length / 4_096 - 1) * 4_096) as [
        number,
        number,
      ];
      const kept = Buffer.from(file.subarray(one, one + 4_096));
      file.copyWithin(one, two, two + 4_096);
      kept.copy(file, two);
      const salvaged = await salvage(files);
      if (salvaged !== null) expectNothingUnsaid(salvaged, `pages at ${one} and ${two}`);
    }
  });

  it('where a write is missing, what may be older is held and named', async () => {
    const files = original();
    const folder = join(root, 'missing');
    mkdirSync(folder);
    for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder, file), bytes);
    const db = (await loadSqlite()).open(join(folder, 'jobs.db'));
    const read = <T>(sql: string): T[] => [...db.prepare(sql).iterate()] as T[];
    const [{ last }] = read('SELECT max("write") AS last FROM rows') as [{ last: number }];
    // Neither its own record nor that of the next write.
    const records = read<{ text: string }>(
      `SELECT text FROM rows WHERE kind = 'write' AND "write" IN (${last - 3}, ${last - 2})`,
    );
    const newest = `SELECT name FROM rows WHERE kind = 'job' AND "write" >= ${last - 3}`;
    const sure = new Set(read<{ name: string }>(newest).map(({ name }) => name));
    db.exec('PRAGMA journal_mode = DELETE');
    db.close();
    const log = files['jobs.db-wal']!;
    for (const { text } of records)
      for (let at = log.indexOf(text); at >= 0; at = log.indexOf(text, at)) log[at]! ^= 1;
    const salvaged = await salvage(files);
    expect(salvaged!.told).toMatch(/jobs that had not ended, now held as FAILED \(\d+\): [^]*possibly more/);
    const held = [...salvaged!.jobs.values()].filter(({ error }) => error?.includes('was damaged'));
    expect(held.length).toBeGreaterThan(10);
    for (const { id, status } of salvaged!.jobs.values())
      if (status === 'IN_QUEUE') expect(sure, id).toContain(id);
  });

  it('of an empty file is nothing, and that it is empty is said', async () => {
    const salvaged = await salvage({ 'jobs.db': Buffer.alloc(0) });
    expect(salvaged!.told).toContain('was damaged: jobs.db is empty. 0 jobs can be read completely.');
    expect(salvaged!.jobs.size).toBe(0);
  });
});
