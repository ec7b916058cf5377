/**
 * Precision: each single fault, checked as the owner of the endpoint would check it. Do the failures name what is
 * broken, and does nothing that is broken pass? What each fault breaks stands in `breaks/`.
 */
import { PROFILE_WAIT_MS } from '../src/judging/profiles.js';
import { brokenBy, staleWords, unlisted, whySilent } from './breaks/index.js';
import type { FaultyServer, PrecisionMode } from './trials/faulty-server.js';
import { workOff } from './pool.js';
import {
  isPrecise,
  precisionMarkdown,
  precisionRow,
  precisionScore,
  totalsOf,
  type PrecisionRow,
  type PrecisionTable,
} from './precision/precision-table.js';
import { caseCode, faultHistory } from './ledger/repository.js';
import { taskOf, triedIn } from './precision/precision-tasks.js';
import type { PrecisionRun, PrecisionTask } from './precision/precision-trial.js';
import type { Wish } from './proof-options.js';

/** Endpoints side by side in one thread, in real time. */
const AT_ONCE = 4;

export interface PrecisionWish {
  readonly mode: PrecisionMode;
  readonly profile: 'quick' | 'standard';
  /** `naive`, `mutant` or both. */
  readonly servers: readonly FaultyServer[];
  /** Play bursts whatever the fault, as a live check does. */
  readonly bursts: boolean;
  /** Play only scenarios that exercise something that the fault breaks. */
  readonly focus: boolean;
  /** Endpoints side by side in each thread. */
  readonly atOnce: number | null;
}

export async function precision(wish: Wish): Promise<boolean> {
  const { seed, threads, only, say, write, precision: how } = wish;
  const stale = staleWords();
  if (stale.length > 0)
    throw new Error(`the lists of what faults break are out of date:\n${stale.join('\n')}`);
  const missing = unlisted();
  if (missing.length > 0) say(`no list in proof/breaks/ says what these break: ${missing.join(' ')}`);
  const code = caseCode();
  const tasks = triedIn(how, only).map((one) =>
    taskOf(one, wish, (task, scenarios) => faultHistory(task, code.faultPlay(task, scenarios))),
  );
  say(`${tasks.length} endpoints to be checked`);
  if (how.mode === 'real') await playFirst(tasks, wish);
  const atOnce = how.mode === 'real' ? 1 : (how.atOnce ?? 1);
  const runs = await workOff(
    tasks,
    threads,
    (_, run) => {
      const line = lineOf(run, how);
      if (line !== null) say(line);
    },
    atOnce,
  );
  const table = tableOf(runs, { seed, how });
  const name = `precision-${how.mode === 'real' ? `real-${how.profile}` : how.mode}${how.focus ? '-focus' : ''}`;
  write(`${name}.json`, `${JSON.stringify(table, null, 2)}\n`);
  write(`${name}.md`, precisionMarkdown(table));
  say(precisionScore(table));
  return isPrecise(table);
}

/** In real time: many endpoints side by side, which mostly wait, and nothing else beside them. */
async function playFirst(
  tasks: readonly PrecisionTask[],
  { threads, say, precision: { atOnce } }: Wish,
): Promise<void> {
  const playing = tasks.map((task): PrecisionTask => ({ ...task, playOnly: true }));
  let played = 0;
  const tell = (): void => {
    played += 1;
    if (played % 20 === 0) say(`${played} played`);
  };
  await workOff(playing, threads, tell, atOnce ?? AT_ONCE);
}

export function rowOf(
  run: PrecisionRun,
  { mode, profile }: Pick<PrecisionWish, 'mode' | 'profile'>,
): PrecisionRow | null {
  if (run.fault === null) return null;
  const excuse = whySilent(run.fault, mode === 'real' ? PROFILE_WAIT_MS[profile] : null);
  return precisionRow(run, run.fault, brokenBy(run.fault), excuse);
}

export function lineOf(run: PrecisionRun, how: Pick<PrecisionWish, 'mode' | 'profile'>): string | null {
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

function tableOf(
  runs: readonly PrecisionRun[],
  { seed, how }: { readonly seed: number; readonly how: PrecisionWish },
): PrecisionTable {
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
