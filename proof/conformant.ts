/** Plays conformant endpoints until so many calls were made; every alarm is a false one. */
import type { Alarm, BatchSummary, ConformantTask } from './trials/conformant-batch.js';
import type { Wish } from './proof-options.js';
import { workOff } from './pool.js';

/** Tasks handed out before what was done is counted. */
const ROUND = 64;

export async function conformant({ seed, threads, calls, batch, say, write }: Wish): Promise<boolean> {
  const alarms: Alarm[] = [];
  const doubts = new Map<string, number>();
  let done = 0;
  let next = batch ?? 0;
  const take = (summary: BatchSummary): void => {
    done += summary.calls;
    alarms.push(...summary.alarms);
    for (const id of summary.doubts) {
      doubts.set(id, (doubts.get(id) ?? 0) + 1);
      say(`--batch ${summary.batch}: doubt ${id}`);
    }
    for (const { requirement, level, variants, script } of summary.alarms)
      say(`--batch ${summary.batch}: ${level} ${requirement} (${script.scenario}; ${variants.join(' ')})`);
  };
  do {
    const round = Array.from({ length: batch === null ? ROUND : 1 }, (_, index): ConformantTask => ({
      kind: 'conformant',
      seed,
      batch: next + index,
    }));
    await workOff(round, threads, (_, summary) => take(summary));
    next += round.length;
    if (batch === null) say(`${done} calls in ${next} batches, ${alarms.length} alarms`);
  } while (batch === null && done < calls);
  // Readings that a long mixture of readings makes look like two: told, and no failure.
  if (doubts.size > 0) say(`doubts: ${[...doubts].map(([id, times]) => `${id} ${times}`).join(', ')}`);
  if (alarms.length > 0) write(`false-alarms-${seed}.json`, `${JSON.stringify(alarms, null, 2)}\n`);
  return alarms.length === 0;
}
