/** Judges recorded traffic of conformant endpoints until so many calls were judged; every alarm is a false one. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { conforms } from './corpus-histories.js';
import { HISTORY_ENDING } from './history-files.js';
import type { PassiveSummary, PassiveTask } from './trials/passive-trial.js';
import type { Wish } from './proof-options.js';
import { workOff } from './pool.js';

/** Tasks handed out before what was done is counted. */
const ROUND = 64;

export async function passive({ seed, threads, calls, batch, say, findings }: Wish): Promise<boolean> {
  const { histories, every } = findings;
  const decided = new Set<string>();
  let done = 0;
  let parts = 0;
  let alarms = 0;
  const take = (task: PassiveTask, summary: PassiveSummary): void => {
    done += summary.calls;
    parts += summary.parts;
    for (const id of summary.decided) decided.add(id);
    const told = summary.alarms.filter(({ level }) => level === 'must');
    alarms += told.length;
    for (const { requirement, level, actual } of summary.alarms) {
      const which = task.path === null ? `--batch ${task.batch}` : basename(task.path);
      say(`${which} (${summary.what}): ${level} ${requirement}: ${actual.slice(0, 200)}`);
    }
  };
  const paths = histories.flatMap((folder) => keptIn(folder)).filter((_, index) => index % every === 0);
  let next = batch ?? 0;
  do {
    const round = Array.from({ length: batch === null ? ROUND : 1 }, (_, index): PassiveTask => ({
      ...{ kind: 'passive', seed, batch: next + index },
      path: histories.length === 0 ? null : (paths[next + index] ?? ''),
    })).filter(({ path }) => path !== '');
    if (round.length === 0) break;
    await workOff(round, threads, (task, summary) => take(task, summary));
    next += round.length;
    say(`${done} calls in ${next} batches, ${parts} parts, ${decided.size} musts decided, ${alarms} alarms`);
  } while (batch === null && done < calls);
  return alarms === 0;
}

const keptIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(HISTORY_ENDING) && conforms(name.slice(0, -HISTORY_ENDING.length)))
    .sort()
    .map((name) => join(folder, name));
