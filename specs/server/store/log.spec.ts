/** The log gives back what was written; of one that is damaged, what the damage has spared, and nothing else. */
import fc from 'fast-check';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLog } from '../../../src/server/store/log-check.js';
import { createLog } from '../../../src/server/store/replacement-log.js';
import { openLog, rowsIn, type LogFile } from '../../../src/server/store/log-file.js';
import type { Row } from '../../../src/server/store/rows.js';
import { createRandom } from '../../../src/time/random.js';
import { change, cut, corrupt, isIntact, rangesIn, type Corruption } from '../damage/corrupt.js';

let root: string;
let path: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'runproof-log-'));
  path = join(root, 'jobs.log');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const isOwner = (): boolean => true;

async function newLog(compactAfterBytes?: number): Promise<LogFile> {
  await createLog(path, [[['format'], '{}']]);
  return openLog(path, {
    isLockHeld: isOwner,
    ...(compactAfterBytes !== undefined && { compactAfterBytes }),
  });
}

/** The zeros at the end are not text. */
const textEnd = (bytes: Buffer): number => bytes.findLastIndex((byte) => byte !== 0) + 1;

type Texts = Map<string, string>;

/** The rows that result from a sequence of writes. */
function after(before: Texts, rows: readonly Row[]): Texts {
  const texts = new Map(before);
  for (const [key, text] of rows) {
    if (text === null) texts.delete(JSON.stringify(key));
    else texts.set(JSON.stringify(key), text);
  }
  return texts;
}

const inOrder = (texts: Iterable<readonly [string, string]>): [string, string][] =>
  [...texts].map(([key, text]): [string, string] => [key, text]).sort(([a], [b]) => (a < b ? -1 : 1));
const read = (log: LogFile): [string, string][] =>
  inOrder([...log.rows()].map(([key, text]) => [JSON.stringify(key), text]));

const PARTS = ['submission', 'output', 'x'];
/** Writes as a service makes them: of each job some parts, and `rest` as the last. When it goes, all of them go. */
const jobRows = fc
  .record({
    job: fc.integer({ min: 1, max: 6 }),
    parts: fc.subarray(PARTS),
    text: fc.string(),
    gone: fc.boolean(),
  })
  .map(({ job, parts, text, gone }) =>
    [...(gone ? PARTS : parts), 'rest'].map((part): Row => [
      ['job', job, part],
      gone ? null : JSON.stringify([part, text]),
    ]),
  );
const writes = fc.array(
  fc.uniqueArray(jobRows, { minLength: 1, maxLength: 3, selector: (rows) => rows[0]![0][1] }),
  { minLength: 1, maxLength: 12 },
);

it('rows read equal rows written, also after compaction', async () => {
  await fc.assert(
    fc.asyncProperty(writes, fc.boolean(), async (many, anew) => {
      let log = await newLog(anew ? 0 : undefined);
      let texts: Texts = new Map([['["format"]', '{}']]);
      for (const each of many) {
        const rows: Row[] = [...each.flat(), [['n'], JSON.stringify(texts.size)]];
        texts = after(texts, rows);
        await log.write(rows);
        expect(read(log)).toEqual(inOrder(texts));
      }
      await log.close();
      log = await openLog(path, { isLockHeld: isOwner });
      expect(read(log)).toEqual(inOrder(texts));
      await log.close();
    }),
    { numRuns: 60 },
  );
});

it('a file that holds mostly old rows is compacted while writes continue', { timeout: 60_000 }, async () => {
  const log = await newLog(100_000);
  const text = JSON.stringify('x'.repeat(10_000));
  const written: Promise<void>[] = [];
  for (let n = 0; n < 400; n++) {
    written.push(
      log.write([
        [['job', n % 7, 'rest'], text],
        [['n'], String(n)],
      ]),
    );
    if (n % 20 === 0) await Promise.all(written);
  }
  await Promise.all(written);
  expect(log.get(['n'])).toBe('399');
  expect(read(log)).toHaveLength(9);
  await log.close();
  expect(statSync(path).size).toBeLessThan(1_500_000);
  const again = await openLog(path, { isLockHeld: isOwner });
  expect(again.get(['n'])).toBe('399');
  expect(read(again)).toHaveLength(9);
  await again.close();
});

it('a file that holds mostly current rows is not compacted', async () => {
  const log = await newLog(10_000);
  const { ino } = statSync(path);
  const text = JSON.stringify('x'.repeat(1_000));
  for (let n = 1; n <= 50; n++) await log.write([[['job', n, 'rest'], text]], n * text.length);
  expect(statSync(path).ino).toBe(ino);
  // All but one of them are gone.
  await log.write(
    Array.from({ length: 49 }, (_, n): Row => [['job', n + 1, 'rest'], null]),
    text.length,
  );
  await expect.poll(() => statSync(path).ino).not.toBe(ino);
  expect(read(log).map(([key]) => key)).toEqual(['["format"]', '["job",50,"rest"]']);
  await log.close();
});

it('where no new file can be created, the old one stays in use', async () => {
  const log = await newLog(0);
  mkdirSync(`${path}.new`);
  for (let n = 0; n < 50; n++) await log.write([[['n'], String(n)]]);
  await log.close();
  rmdirSync(`${path}.new`);
  // One that was begun when the process was killed.
  writeFileSync(`${path}.new`, 'half');
  const again = await openLog(path, { isLockHeld: isOwner, compactAfterBytes: 0 });
  expect(again.get(['n'])).toBe('49');
  for (let n = 50; n < 100; n++) await again.write([[['n'], String(n)]]);
  await again.close();
  const last = await openLog(path, { isLockHeld: isOwner });
  expect(last.get(['n'])).toBe('99');
  await last.close();
});

it(
  'a write that was broken off anywhere has not happened, and the next one is whole',
  { timeout: 60_000 },
  async () => {
    const log = await newLog();
    await log.write([[['a'], '"kept"']]);
    const before = textEnd(readFileSync(path));
    await log.write([
      [['b'], JSON.stringify('y'.repeat(2_000))],
      [['a'], '"lost"'],
    ]);
    await log.close();
    const whole = readFileSync(path);
    const end = textEnd(whole);
    // The last byte alone may be missing: the line before it is complete without it.
    for (let at = before; at < end - 1; at += at < before + 40 || at > end - 200 ? 1 : 97) {
      const bytes = Buffer.from(whole);
      bytes.fill(0, at);
      writeFileSync(path, bytes);
      const torn = await openLog(path, { isLockHeld: isOwner });
      expect(torn.get(['a']), `at ${at}`).toBe('"kept"');
      expect(torn.get(['b'])).toBeUndefined();
      await torn.write([[['c'], '1']]);
      await torn.close();
      const next = await openLog(path, { isLockHeld: isOwner });
      expect(read(next)).toEqual(
        inOrder([
          ['["format"]', '{}'],
          ['["a"]', '"kept"'],
          ['["c"]', '1'],
        ]),
      );
      await next.close();
    }
    // A power cut leaves a sector that was never written, with others behind it that were.
    const bytes = Buffer.from(whole);
    bytes.fill(0, Math.ceil(before / 512) * 512, Math.ceil(before / 512) * 512 + 512);
    writeFileSync(path, bytes);
    const torn = await openLog(path, { isLockHeld: isOwner });
    expect(torn.get(['a'])).toBe('"kept"');
    await torn.close();
    // Its line end alone.
    bytes.set(whole);
    bytes[end - 1] = 0;
    writeFileSync(path, bytes);
    const unended = await openLog(path, { isLockHeld: isOwner });
    expect(unended.get(['a'])).toBe('"lost"');
    await unended.write([[['c'], '1']]);
    await unended.close();
    const next = await openLog(path, { isLockHeld: isOwner });
    expect([next.get(['a']), next.get(['c'])]).toEqual(['"lost"', '1']);
    await next.close();
  },
);

it('a process that has lost the lock writes nothing more', async () => {
  await createLog(path, [[['format'], '{}']]);
  let owner = true;
  const log = await openLog(path, { isLockHeld: () => owner });
  await log.write([[['a'], '1']]);
  owner = false;
  const before = readFileSync(path);
  await expect(log.write([[['a'], '2']])).rejects.toThrow('another process');
  await log.close();
  expect(readFileSync(path)).toEqual(before);
});

describe('of a damaged file', () => {
  /** A file, and all that each of its rows has ever said. */
  async function fileOf(
    many: readonly (readonly Row[][])[],
    anew: boolean,
  ): Promise<{ whole: Buffer; said: Map<string, Set<string>>; texts: Texts }> {
    const log = await newLog(anew ? 0 : undefined);
    const said = new Map<string, Set<string>>();
    let texts: Texts = new Map([['["format"]', '{}']]);
    for (const each of many) {
      const rows = each.flat();
      await log.write(rows);
      texts = after(texts, rows);
      for (const [key, text] of texts) said.set(key, (said.get(key) ?? new Set()).add(text));
    }
    await log.close();
    return { whole: readFileSync(path), said, texts };
  }

  function judge(
    { bytes, what, changed, cutAt }: Corruption,
    file: Awaited<ReturnType<typeof fileOf>>,
  ): void {
    writeFileSync(path, bytes);
    const fd = openSync(path, 'r');
    const checked = checkLog(fd);
    const found = new Map([...rowsIn(fd, checked)].map(([key, text]) => [JSON.stringify(key), text]));
    closeSync(fd);
    const { damage } = checked;
    expect(damage, what).not.toBeNull();
    const stretches = rangesIn(file.whole);
    const restOf = (key: string): string => key.replace(/^(\["job",\d+,).*/, '$1"rest"]');
    for (const [key, text] of file.texts) {
      const itsLines = [stretches.get(key)!, stretches.get(restOf(key)) ?? stretches.get(key)!];
      const hurtHere = { bytes, what, changed, cutAt };
      if (isIntact(hurtHere, itsLines)) {
        expect(found.get(key), `${what}: ${key}`).toBe(text);
        expect(damage!.lost.has(key), `${what}: ${key} is given up`).toBe(false);
      }
    }
    // No row is invented; and outdated rows are known to be outdated, unless that is impossible.
    for (const [key, text] of found) {
      expect(file.said.get(key)?.has(text) ?? key === '["format"]', `${what}: ${key}`).toBe(true);
      if (damage!.shortBytes === 0 && damage!.unknown === 0 && !damage!.lost.has(key))
        expect(text, `${what}: ${key}`).toBe(file.texts.get(key));
    }
  }

  it('all intact rows are read, and no wrong ones', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(writes, fc.boolean(), fc.nat(), async (many, anew, seed) => {
        const file = await fileOf(many, anew);
        const random = createRandom(seed);
        for (let n = 0; n < 12; n++) judge(corrupt(file.whole, textEnd(file.whole), random), file);
      }),
      // A smaller file would be damaged elsewhere.
      { numRuns: 60, endOnFailure: true },
    );
  });

  it('wherever one byte is changed, and wherever it is cut', { timeout: 120_000 }, async () => {
    const random = createRandom(7);
    const rows = (job: number, text: string): Row[] =>
      ['submission', 'output', 'rest'].map((part) => [['job', job, part], JSON.stringify(part + text)]);
    const file = await fileOf([[rows(1, 'a')], [rows(2, 'b'), rows(3, 'c')], [rows(2, 'd')]], false);
    const end = textEnd(file.whole);
    for (let at = 0; at < end; at++) {
      judge(change(file.whole, [at], random), file);
      judge(cut(file.whole, at), file);
    }
  });
});
