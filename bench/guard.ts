/**
 * `npm run bench -- guard`, for CI: no watched row has become slower than at the commit from which this one goes on, or than at the
 * best one so far, and none is far from its aim.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inTree, speedsBeside, type Compared, type Trees } from './against.js';
import { profileLines } from './profiles.js';
import { isFarOff, measureRatios, ratioText, type Ratio } from './ratios.js';
import { ROWS } from './rows.js';
import { commitBefore, commitOf, treeOf } from './trees.js';

/** A row is slower if it has less than this share of the speed of another commit. */
const LEAST_SPEED = 0.9;
/** A first look, and a longer one at what is slower in it. */
const TURNS = [2, 5] as const;

/** The commits that rows are compared with: `before` where git does not know from which one this goes on. */
interface ComparedWith {
  readonly before: string;
  readonly best: string;
}

/** What is slower than at one of the others, looked at twice. @returns a message each, with the profiles */
export function slowerRows(
  rows: readonly Compared[],
  trees: Trees,
  names: readonly string[],
  tell: (line: string) => void,
): readonly string[] {
  const speedsOf = (row: Compared, turns: number): readonly (number | null)[] => {
    const speeds = speedsBeside(row, trees, turns);
    tell(speedText(row, speeds, names));
    return speeds;
  };
  const isSlow = (speed: number | null): boolean => speed !== null && speed < LEAST_SPEED;
  return rows.flatMap((row) => {
    if (!speedsOf(row, TURNS[0]).some(isSlow)) return [];
    const again = speedsOf(row, TURNS[1]);
    return again.some(isSlow)
      ? [[speedText(row, again, names), ...profilesOf(row, trees, names)].join('\n')]
      : [];
  });
}

/** `judge …: 0.97 × as fast as at 9a19c5e1`. */
export const speedText = (
  { what }: Compared,
  speeds: readonly (number | null)[],
  names: readonly string[],
): string =>
  `${what}: ${speeds
    .map((speed, index) =>
      speed === null
        ? `${names[index]} has no such program`
        : `${speed.toFixed(2)} × as fast as ${names[index]}`,
    )
    .join(', ')}`;

function profilesOf({ program }: Compared, trees: Trees, names: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-bench-'));
  try {
    return profileLines(
      new Map(
        trees.map((tree, index) => [
          index === 0 ? 'this commit' : names[index - 1]!,
          { args: inTree(program, tree, trees.at(-1)!, folder).args, cwd: tree },
        ]),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Exit codes: rows hold; one does not; there was nothing to compare with, as in a clone without history. */
type GuardCode = 0 | 1 | 3;

export async function guard(): Promise<GuardCode> {
  const tell = (line: string): void => void process.stdout.write(`${line}\n`);
  const isAlright = farFromAims(tell).length === 0;
  const { before, best } = JSON.parse(readFileSync('bench/compared-with.json', 'utf8')) as ComparedWith;
  const known = wholeIds([commitBefore() ?? before, best], tell);
  if (known.length === 0) return isAlright ? 3 : 1;
  const trees = await Promise.all(known.map(treeOf));
  const watched = ROWS.flatMap(({ what, watched: program }) =>
    program === undefined ? [] : [{ what, program }],
  );
  const names = known.map((commit) => `at ${commit.slice(0, 8)}`);
  const slower = slowerRows(watched, [resolve('.'), ...trees], names, tell);
  for (const message of slower) process.stderr.write(`slower than before: ${message}\n`);
  return isAlright && slower.length === 0 ? 0 : 1;
}

/** The whole id of each commit that is in this clone, once, by whatever names it is given. */
export function wholeIds(names: readonly string[], tell: (line: string) => void): readonly string[] {
  const ids = names.map((name) => [name, commitOf(name)] as const);
  for (const [name, id] of ids) if (id === null) tell(`not compared with ${name}: it is not in this clone`);
  return [...new Set(ids.flatMap(([, id]) => id ?? []))];
}

/** One that is far off is measured again: the machine may have been busy. */
function farFromAims(tell: (line: string) => void): readonly Ratio[] {
  const told = (ratio: Ratio): void => tell(ratioText(ratio));
  const guarded = ROWS.filter((row) => row.guarded);
  const far = measureRatios(guarded, told, 1).filter(isFarOff);
  const still = measureRatios(
    far.map(({ row }) => row),
    told,
  ).filter(isFarOff);
  for (const ratio of still) process.stderr.write(`far from its aim: ${ratioText(ratio)}\n`);
  return still;
}
