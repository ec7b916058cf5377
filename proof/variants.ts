/** The shipped suite on every correct endpoint that we know to make: no must may fail, and no advice may be given. */
import { conformers, type Conformer } from '../specs/variants/correct-endpoints.js';
import type { Alarm, Judgement } from '../specs/variants/judge-variant.js';
import { canBeJudged, type Clock } from '../specs/variants/play-variant.js';
import { chosen } from './matches-selection.js';
import { workOff } from './pool.js';
import type { Wish } from './proof-options.js';
import type { VariantTask } from './trials/variant-trial.js';

/** Combinations of readings for each edition, unless it is said otherwise. */
export const COMBINED = 100;
/** Where a correct endpoint is as good a witness as anywhere; null: in real time alone. */
export function clockFor(one: Conformer): 'simulator' | 'controlled' | null {
  const clock = one.simulated === null ? 'controlled' : 'simulator';
  return canBeJudged(one, clock) ? clock : null;
}

export interface VariantsWish {
  readonly clock: Clock;
  /** Only scenarios that distinguish an endpoint, and so many others; null: all. */
  readonly others: number | null;
  readonly combined: number;
  /** Endpoints side by side in each thread; null: as many as the clock lets wait. */
  readonly atOnce: number | null;
}

const AT_ONCE = { simulator: 1, controlled: 1, real: 6 } as const;
/** Without a terminal, a line from time to time. */
const TOLD_EVERY = 20;

export async function variants({ seed, runs, threads, only, say, variants: how }: Wish): Promise<boolean> {
  const { clock, others, combined, atOnce } = how;
  const tasks = conformers(seed, combined)
    .filter((each) => canBeJudged(each, clock) && chosen(each.name, only))
    .map(({ name }): VariantTask => ({
      ...{ kind: 'variant', name, clock, seed, combined, runs, scenarios: { others }, history: null },
    }));
  say(`${tasks.length} endpoints, clock ${clock}, ${runs} run(s) of each scenario`);
  const alarms: Alarm[] = [];
  const unstable = new Map<string, string[]>();
  let done = 0;
  const take = ({ name }: VariantTask, judgement: Judgement): void => {
    alarms.push(...judgement.alarms);
    for (const question of judgement.unstable)
      unstable.set(question, [...(unstable.get(question) ?? []), name]);
    for (const line of judgement.alarms.flatMap(alarmLines)) say(line);
    done += 1;
    if (done % TOLD_EVERY === 0) say(`${done} of ${tasks.length}`);
  };
  await workOff(await selected(tasks, threads), threads, take, atOnce ?? AT_ONCE[clock]);
  for (const level of ['must', 'should', 'may', 'warning'] as const)
    say(`${level}: ${alarms.filter((alarm) => alarm.level === level).length || 'none'}`);
  for (const [question, names] of unstable)
    say(`answered in several ways: ${question}: ${names.length}: ${names.slice(0, 3).join(', ')}`);
  return !alarms.some(isSevere);
}

/** While endpoints run in real time, nothing else may take it: what distinguishes them is found out beforehand. */
async function selected(
  tasks: readonly VariantTask[],
  threads: number | null,
): Promise<readonly VariantTask[]> {
  if (tasks[0]?.clock !== 'real') return tasks;
  const selecting = tasks.map((task) => ({ ...task, kind: 'telling' }) as const);
  const names = await workOff(selecting, threads, () => undefined);
  return tasks.map((task, index) => ({ ...task, scenarios: { names: names[index]! } }));
}

export const isSevere = ({ level }: Alarm): boolean => level === 'must' || level === 'should';

export function alarmLines(alarm: Alarm): readonly string[] {
  const { conformer, level, requirement, failed, scenario, lines } = alarm;
  return [
    `${level.toUpperCase().padEnd(7)} ${conformer}: ${requirement} (${failed} times, first in ${scenario})`,
    ...lines.map((line) => `          ${line}`),
  ];
}
