/** `npm run proofs -- findings`: what the oracle says of kept histories, and where that differs from what it said before. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { chosen } from './matches-selection.js';
import { conforms } from './corpus-histories.js';
import { compared, comparisonText } from './findings-diff.js';
import type { FindingsTask, JudgedHistory } from './trials/findings-trial.js';
import { HISTORY_ENDING } from './history-files.js';
import { workOff } from './pool.js';
import type { Wish } from './proof-options.js';

export interface FindingsWish {
  /** Folders of kept histories. */
  readonly histories: readonly string[];
  /** Every n-th history, in the order of their names. */
  readonly every: number;
  /** The file that an earlier run wrote, to compare with; null: none. */
  readonly against: string | null;
  /** Of each difference so many examples are told. */
  readonly examples: number;
}

export async function findings({ threads, only, out, say, findings: how }: Wish): Promise<boolean> {
  const { histories, every, against, examples } = how;
  if (!(Number.isInteger(every) && every >= 1)) throw new Error('--every wants a whole number from 1 on');
  const before = against === null ? null : readFindings(against);
  const paths = histories.flatMap((folder) => keptIn(folder, only)).filter((_, index) => index % every === 0);
  if (paths.length === 0) throw new Error('no history to judge: --histories names a folder that holds some');
  const tasks = paths.map((path): FindingsTask => ({ kind: 'findings', path }));
  const judged = await workOff(tasks, threads, (_, { history, thrown }) => {
    if (thrown !== null) say(`${history}: THROWN ${thrown}`);
  });
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, judged.map((one) => `${JSON.stringify(one)}\n`).join(''));
  say(`${judged.length} histories judged, ${out}`);
  const alarms = falseAlarms(judged);
  for (const alarm of alarms) say(`FALSE ALARM ${alarm}`);
  const good = alarms.length === 0 && judged.every((one) => one.thrown === null);
  if (before === null) return good;
  const comparison = compared(before, judged);
  say(comparisonText(comparison, examples));
  return good && comparison.compared > 0 && comparison.different === 0;
}

/** Musts that failed on endpoints that conform. */
export function falseAlarms(judged: readonly JudgedHistory[]): readonly string[] {
  return judged
    .filter(({ history }) => conforms(basename(history)))
    .flatMap(({ history, requirements }) =>
      Object.entries(requirements)
        .filter(([, { failed, level }]) => failed > 0 && level === 'must')
        .map(([id, { calls }]) => `${id} in ${history}, calls ${JSON.stringify(calls)}`),
    );
}

function keptIn(folder: string, only: readonly string[]): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(HISTORY_ENDING) && chosen(name.slice(0, -HISTORY_ENDING.length), only))
    .sort((left, right) => (left < right ? -1 : 1))
    .map((name) => join(folder, name));
}

function readFindings(path: string): readonly JudgedHistory[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as JudgedHistory);
}
