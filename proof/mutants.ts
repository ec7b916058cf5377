/** Every mutant, tried with the shipped suite; the kill table goes to the reports. */
import { MUTANTS, type Mutant } from '../src/mutants/index.js';
import { isUnobservable } from './breaks/index.js';
import { markdownOf, rowOf, scoreOf, tableOf, type KillRow, type KillTable } from './kill-table.js';
import type { Wish } from './proof-options.js';
import type { MutantTask } from './trials/mutant-trial.js';
import { chosen } from './matches-selection.js';
import { workOff } from './pool.js';
import type { RealTask } from './trials/real-trial.js';

export async function mutants({
  seed,
  runs,
  threads,
  only,
  http,
  real,
  brief,
  say,
  write,
}: Wish): Promise<boolean> {
  const tried = MUTANTS.filter(({ id }) => chosen(id, only));
  if (real) return inRealTime(tried, { seed, threads, say, write });
  const over = http ? 'http' : 'simulator';
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
  tell(table, { say, write });
  return table.rows.every(({ fate, mutant }) => fate === 'own' || isUnobservable(mutant));
}

/** Servers side by side in one process: they mostly wait. */
const AT_ONCE = 12;

/** Those that no wait of the profile shows are named, and not held against it. */
async function inRealTime(
  tried: readonly Mutant[],
  { seed, threads, say, write }: Pick<Wish, 'seed' | 'threads' | 'say' | 'write'>,
): Promise<boolean> {
  const shares = Array.from({ length: threads ?? 2 }, (_, share) =>
    tried.filter((__, index) => index % (threads ?? 2) === share).map(({ id }) => id),
  ).filter((ids) => ids.length > 0);
  const tasks = shares.map((ids): RealTask => ({ kind: 'real', ids, atOnce: AT_ONCE, seed }));
  const answers = new Map((await workOff(tasks, threads, () => {})).flat());
  const rows = tried.flatMap((mutant) => {
    const failed = answers.get(mutant.id) ?? null;
    if (failed === null) say(`needs more time than the profile: ${mutant.id}`);
    return failed === null ? [] : [rowOf(mutant, failed)];
  });
  for (const row of rows) if (row.fate !== 'own') say(lineOf(row));
  const table = tableOf(rows, { over: 'real', seed, runs: 1 });
  tell(table, { say, write });
  say(`${tried.length - rows.length} more need longer waits, or more calls, than the profile allows`);
  return rows.every(({ fate, mutant }) => fate === 'own' || isUnobservable(mutant));
}

function tell(table: KillTable, { say, write }: Pick<Wish, 'say' | 'write'>): void {
  write(`kill-table-${table.over}.json`, `${JSON.stringify(table, null, 2)}\n`);
  write(`kill-table-${table.over}.md`, markdownOf(table));
  say(scoreOf(table));
}

function lineOf({ mutant, fate, breaks, others }: KillRow): string {
  const failed = others.map(({ requirement }) => requirement).join(' ');
  return `${fate.padEnd(8)} ${mutant}  breaks ${breaks.join(' ')}${failed === '' ? '' : `; failed ${failed}`}`;
}
