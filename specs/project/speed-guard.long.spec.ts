import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { slowerRows, wholeIds } from '../../bench/guard.js';
import { commitOf } from '../../bench/trees.js';

/** As rows name their programs: by a path in this checkout. */
const row = {
  what: 'calls',
  program: { file: process.execPath, args: [resolve('bench/programs/planted.cjs')], prints: true },
};
const names = ['at yesterday', 'at the best one'];

/** A checkout whose program needs so many ms for a call; null: it has none. */
function tree(name: string, ms: number | null): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'runproof-speed-')), name);
  mkdirSync(join(folder, 'bench/programs'), { recursive: true });
  if (ms !== null)
    writeFileSync(
      join(folder, 'bench/programs/planted.cjs'),
      `console.log(JSON.stringify({ units: 10, ms: ${10 * ms} }));`,
    );
  return folder;
}

const slower = (own: number, yesterday: number | null, best: number): readonly string[] => {
  const trees = [tree('own', own), tree('yesterday', yesterday), tree('best', best)] as const;
  return slowerRows([row], trees, names, () => undefined);
};

describe('what CI says of speed', () => {
  it('a row that has become slower than yesterday fails, with the profiles of both', () => {
    const [message = '', ...others] = slower(12, 10, 12);
    expect(others).toEqual([]);
    expect(message).toContain('calls: 0.83 × as fast as at yesterday, 1.00 × as fast as at the best one');
    expect(message).toMatch(/\| part \| this commit \| at yesterday \| at the best one \|/);
  });

  it('so does one that became slower little by little', () => {
    expect(slower(12, 11.5, 10)).toHaveLength(1);
  });

  it('a row that is as fast, or faster, does not', () => {
    expect(slower(10.5, 10, 10)).toEqual([]);
    expect(slower(5, 10, 10)).toEqual([]);
  });

  it('what the other commit does not have is not compared', () => {
    expect(slower(12, null, 12)).toEqual([]);
  });

  it('a program of this commit that is not there, or that says nothing, is an error', () => {
    const here = (own: number | null): readonly string[] =>
      slowerRows([row], [tree('own', own), tree('best', 10)], names, () => undefined);
    expect(() => here(null)).toThrow('cannot be run');
    expect(() => here(0)).toThrow('says that a unit takes 0 ms');
  });

  it.skipIf(commitOf('HEAD') === null)('a commit with two names is one', () => {
    const said: string[] = [];
    const head = commitOf('HEAD')!;
    expect(wholeIds([head, head.slice(0, 12), 'HEAD', 'no-such-commit'], (line) => said.push(line))).toEqual([
      head,
    ]);
    expect(said).toEqual(['not compared with no-such-commit: it is not in this clone']);
  });

  it('a name that git does not know is no commit', () => {
    expect(commitOf('no-such-commit')).toBeNull();
    expect(commitOf('--all')).toBeNull();
  });
});
