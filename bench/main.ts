/**
 * `npm run bench [-- WORD…]`: speed beside peers, written into docs/performance.md; with words, only the rows that have
 * one of them; `-- network` takes minutes, so it is measured only then. `-- profiles`: only where the time goes; `-- latency`: only
 * what the proxy adds to a call. `-- memory`: only what a run holds in memory. `-- against COMMIT [WORD…]`: beside another commit,
 * in turn. `-- guard`: a quick run of the rows that CI guards; exit code 1 where one is far from its aim or
 * has become slower, 3 where the clone has no commit to compare with.
 */
import { resolve } from 'node:path';
import { speedsBeside } from './against.js';
import { guard, speedText } from './guard.js';
import { writeLatency } from './latency.js';
import { writeMemory } from './memory.js';
import { writeProfiles } from './profiles.js';
import { measureRatios, ratioText, writeRatios, type Ratio } from './ratios.js';
import { ROWS, type Row } from './rows.js';
import { commitOf, treeOf } from './trees.js';

/** How often each commit takes its turn. */
const AGAINST_TURNS = 3;

const words = process.argv.slice(2);
const tell = (ratio: Ratio): void => void process.stdout.write(`${ratioText(ratio)}\n`);
const isWanted = ({ what, slow }: Row): boolean =>
  words.length === 0
    ? slow !== true
    : words.some((word) => (slow === true ? what.startsWith(word) : what.includes(word)));

if (words[0] === 'guard') process.exit(await guard());

if (words[0] === 'against') {
  await compareWith(words[1] ?? 'HEAD', words.slice(2));
  process.exit();
}

if (words[0] === 'profiles') {
  writeProfiles();
  process.exit();
}

if (words[0] === 'memory') {
  writeMemory((line) => void process.stdout.write(`${line}\n`));
  process.exit();
}

if (words[0] === 'latency') {
  writeLatency();
  process.exit();
}

writeRatios(measureRatios(ROWS.filter(isWanted), tell), commitOf('HEAD')!.slice(0, 8));
if (words.length === 0) writeProfiles();
/** Each program of the wanted rows once, beside the same one of another commit. */
async function compareWith(name: string, wanted: readonly string[]): Promise<void> {
  const commit = commitOf(name);
  if (commit === null) throw new Error(`git knows no commit ${name} here`);
  const trees = [resolve('.'), await treeOf(commit)] as const;
  const seen = new Set<string>();
  for (const row of ROWS) {
    const key = JSON.stringify(row.program);
    if (row.slow === true || seen.has(key)) continue;
    if (wanted.length > 0 && !wanted.some((word) => row.what.includes(word))) continue;
    seen.add(key);
    const speeds = speedsBeside(row, trees, AGAINST_TURNS);
    process.stdout.write(`${speedText(row, speeds, [`at ${commit.slice(0, 8)}`])}\n`);
  }
}
