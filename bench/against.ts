/**
 * This commit beside others: the same programs with the same arguments, in turn, each of its own commit. What is judged is the
 * same history for all, made by the oldest one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { costOf, type Program } from './costs.js';

const MUCH = { maxBuffer: 1 << 30 };

/** The folders of two or more commits: the first one is judged, the last one is the oldest. */
export type Trees = readonly [own: string, ...others: readonly string[]];

/** Something to compare. */
export interface Compared {
  readonly what: string;
  readonly program: Program;
}

/**
 * How many times as fast the first one is as each of the others; null where that one lacks the program. The least
 * cost of several turns counts: whatever else the machine does makes a program slower, and nothing makes it faster.
 *
 * @throws {Error} if the program of the first one cannot be run
 */
export function speedsBeside({ program }: Compared, trees: Trees, turns: number): readonly (number | null)[] {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-bench-'));
  try {
    const programs = trees.map((tree) => inTree(program, tree, trees.at(-1)!, folder));
    const least = programs.map((): number | null => Infinity);
    for (let turn = 0; turn < turns; turn++)
      for (const [index, each] of programs.entries()) {
        const cost = least[index] === null ? null : costOf(each, undefined, trees[index]);
        least[index] = cost === null ? null : Math.min(least[index]!, cost);
      }
    const [own = null, ...others] = least;
    if (own === null) throw new Error(`${program.args.join(' ')} cannot be run`);
    return others.map((other) => (other === null ? null : other / own));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The program of another commit. Paths within the tree are relative to it, or begin with the folder of this one. */
export function inTree(program: Program, tree: string, oldest: string, folder: string): Program {
  const moved = (arg: string): string =>
    arg.startsWith(resolve('.')) ? arg.replace(resolve('.'), tree) : arg;
  const [file = '', ...args] = program.args;
  if (basename(file) !== 'judge.js') return { ...program, args: [moved(file), ...args] };
  const history = join(folder, `${args.join('-')}.json`);
  const write = resolve('dist/bench/programs/history.js');
  if (!existsSync(history)) {
    const made = execFileSync(process.execPath, [write, join(oldest, 'dist/bench'), ...args], MUCH);
    writeFileSync(history, made);
  }
  // The program of today reads a file, and takes the oracle of the tree.
  return { ...program, args: [file, history, join(tree, 'dist/src')] };
}
