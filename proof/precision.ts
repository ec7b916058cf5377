/**
 * `npm run precision`: each single fault, checked as the owner of the endpoint would check it. Do the failures name what is
 * broken, and does nothing that is broken pass? What each fault breaks stands in `breaks/`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROFILE_WAIT_MS } from '../src/app/profiles.js';
import { brokenBy, staleWords, unlisted, whySilent } from './breaks/index.js';
import type { FaultyServer, PrecisionMode } from './faulty-server.js';
import { workOff } from './pool.js';
import {
  isPrecise,
  precisionMarkdown,
  precisionRow,
  precisionScore,
  totalsOf,
  type PrecisionRow,
  type PrecisionTable,
} from './precision-table.js';
import { taskOf, triedIn, type Tried } from './precision-tasks.js';
import { fileOf, type PrecisionRun, type PrecisionTask } from './precision-trial.js';
import type { Wish } from './proof-options.js';

/** Endpoints side by side in one thread, in real time. */
const AT_ONCE = 4;

export interface PrecisionWish {
  readonly mode: PrecisionMode;
  readonly profile: 'quick' | 'standard';
  /** `naive`, `mutant` or both. */
  readonly servers: readonly FaultyServer[];
  /** Which share of the faults, counted from 1. */
  readonly shard: { readonly nth: number; readonly of: number };
  /** Take results that are kept in the folder of reports, with the same seed. */
  readonly resume: boolean;
  /** Judge histories that are kept there anew. */
  readonly judgeAgain: boolean;
  /** Play bursts whatever the fault, as a live check does. */
  readonly bursts: boolean;
  /** Play only scenarios that exercise something that the fault breaks. */
  readonly focus: boolean;
  /** Endpoints side by side in each thread. */
  readonly atOnce: number | null;
}

export async function precision(wish: Wish): Promise<boolean> {
  const { seed, threads, say, write, out, precision: how } = wish;
  const stale = staleWords();
  if (stale.length > 0)
    throw new Error(`the lists of what faults break are out of date:\n${stale.join('\n')}`);
  const missing = unlisted();
  if (missing.length > 0) say(`no list in proof/breaks/ says what these break: ${missing.join(' ')}`);
  const kind = how.mode === 'real' ? `real-${how.profile}` : how.mode;
  const name = `precision-${kind}${how.focus ? '-focus' : ''}`;
  const folder = join(out, name);
  mkdirSync(folder, { recursive: true });
  const tried = triedIn(wish);
  const known = new Map(tried.map((one) => [one, how.resume ? keptRun(folder, one, seed) : null]));
  const tasks = tried.filter((one) => known.get(one) === null).map((one) => taskOf(one, wish, folder));
  say(`${tasks.length} endpoints to be checked, ${tried.length - tasks.length} kept from before`);
  const runs: PrecisionRun[] = [...known.values()].filter((run) => run !== null);
  await playFirst(tasks, wish);
  await workOff(
    // What was played is judged from what is kept of it.
    how.mode === 'real' ? tasks.map((task) => ({ ...task, again: true })) : tasks,
    threads,
    (task, run) => {
      runs.push(run);
      writeFileSync(join(folder, `${fileOf(task)}.json`), `${JSON.stringify(run, null, 2)}\n`);
      const line = lineOf(run, how);
      if (line !== null) say(line);
    },
    how.mode === 'real' ? 1 : (how.atOnce ?? 1),
  );
  const order = new Map(tried.map((one, index) => [fileOf(one), index]));
  runs.sort((left, right) => order.get(fileOf(left))! - order.get(fileOf(right))!);
  const table = tableOf(runs, wish);
  write(`${name}.json`, `${JSON.stringify(table, null, 2)}\n`);
  write(`${name}.md`, precisionMarkdown(table));
  say(precisionScore(table));
  return isPrecise(table);
}

/** In real time: many endpoints side by side, which mostly wait, and nothing else beside them. */
async function playFirst(
  tasks: readonly PrecisionTask[],
  { threads, say, precision: { mode, atOnce } }: Wish,
): Promise<void> {
  if (mode !== 'real') return;
  const playing = tasks.map((task): PrecisionTask => ({ ...task, playOnly: true }));
  let played = 0;
  const tell = (): void => {
    played += 1;
    if (played % 20 === 0) say(`${played} played`);
  };
  await workOff(playing, threads, tell, atOnce ?? AT_ONCE);
}

function keptRun(folder: string, one: Tried, seed: number): PrecisionRun | null {
  const path = join(folder, `${fileOf(one)}.json`);
  if (!existsSync(path)) return null;
  const run = JSON.parse(readFileSync(path, 'utf8')) as PrecisionRun;
  return run.seed === seed ? run : null;
}

function rowOf(run: PrecisionRun, { mode, profile }: PrecisionWish): PrecisionRow | null {
  if (run.fault === null) return null;
  const excuse = whySilent(run.fault, mode === 'real' ? PROFILE_WAIT_MS[profile] : null);
  return precisionRow(run, run.fault, brokenBy(run.fault), excuse);
}

function lineOf(run: PrecisionRun, how: PrecisionWish): string | null {
  const row = rowOf(run, how);
  if (row === null) {
    const failed = run.failed.map(({ id }) => id).join(' ');
    return failed === '' ? null : `${run.server} without a fault: FAILED ${failed}`;
  }
  const { naming, wrong, passedOver, silence, leftOpen } = row;
  if (naming === 'right' && wrong.length === 0 && passedOver.length === 0) return null;
  return [
    `${naming.padEnd(9)} ${run.server} ${run.fault}`,
    ...(silence === 'silent' || silence === 'stale' ? [silence] : []),
    ...(leftOpen === null || leftOpen.length === 0 ? [] : [`left open ${leftOpen.join(' ')}`]),
    ...(run.problem === null ? [] : [run.problem]),
    ...(wrong.length === 0 ? [] : [`wrong ${wrong.map(({ id, times }) => `${id} x${times}`).join(' ')}`]),
    ...(passedOver.length === 0 ? [] : [`passed over ${passedOver.map(({ id }) => id).join(' ')}`]),
  ].join('  ');
}

function tableOf(runs: readonly PrecisionRun[], { seed, precision: how }: Wish): PrecisionTable {
  const rows = runs.flatMap((run) => rowOf(run, how) ?? []);
  const withoutFault = runs
    .filter(({ fault }) => fault === null)
    .flatMap(({ failed }) => failed.filter(({ level }) => level === 'must').map(({ id }) => id));
  return {
    schema: 'runproof-precision/1',
    mode: how.mode,
    profile: how.mode === 'real' ? how.profile : null,
    seed,
    totals: totalsOf(rows),
    withoutFault,
    rows,
  };
}
