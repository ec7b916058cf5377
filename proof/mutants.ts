/** Every mutant, tried with the shipped suite; the kill table goes to the reports. */
import { MUTANTS } from '../src/mutants/index.js';
import { markdownOf, rowOf, scoreOf, tableOf, type KillRow } from './kill-table.js';
import type { Wish } from './main.js';
import type { MutantTask } from './mutant-trial.js';
import { chosen } from './chosen.js';
import { workOff } from './pool.js';

/** Faults that no caller can tell from a conformant endpoint, each with the reason. */
export const UNOBSERVABLE: { readonly [mutant: string]: string } = {
  'concurrency-runsync-unlimited': 'whether the column Concurrency limits anything is an open question',
  'stream-split-small': 'a result below 1 MB may be split as well: only the size of a chunk is limited',
  'timeout-above-max-taken': 'no job outlives its ttl, and that is 7 days at most',
};

export async function mutants({
  seed,
  runs,
  threads,
  only,
  http,
  brief,
  say,
  write,
}: Wish): Promise<boolean> {
  const over = http ? 'http' : 'simulator';
  const tried = MUTANTS.filter(({ id }) => chosen(id, only));
  const tasks = tried.map(({ id }): MutantTask => ({ kind: 'mutant', id, over, seed, runs, brief }));
  const answers = await workOff(tasks, threads, ({ id }, failed) => {
    const row = rowOf(
      tried.find((mutant) => mutant.id === id)!,
      failed,
    );
    if (row.fate !== 'own') say(lineOf(row));
  });
  const table = tableOf(
    tried.map((mutant, index) => rowOf(mutant, answers[index]!)),
    { over, seed, runs },
  );
  write(`kill-table-${over}.json`, `${JSON.stringify(table, null, 2)}\n`);
  write(`kill-table-${over}.md`, markdownOf(table));
  say(scoreOf(table));
  return table.rows.every(({ fate, mutant }) => fate === 'own' || mutant in UNOBSERVABLE);
}

function lineOf({ mutant, fate, breaks, others }: KillRow): string {
  const failed = others.map(({ requirement }) => requirement).join(' ');
  return `${fate.padEnd(8)} ${mutant}  breaks ${breaks.join(' ')}${failed === '' ? '' : `; failed ${failed}`}`;
}
