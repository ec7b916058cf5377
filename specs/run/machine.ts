/** What else this machine had to do: a time limit says something of a quiet machine only. */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const TICK_S = 1 / 100;

/** Seconds: the time, and the processor time of all processes, and of this one with its children that have ended. */
interface Used {
  readonly atS: number;
  readonly allS: number;
  readonly oursS: number;
}

/** Null where the system does not tell. */
export function used(): Used | null {
  if (!existsSync('/proc/stat')) return null;
  const all = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.trim().split(/ +/).slice(1).map(Number);
  const [user, nice, system, , , irq, softirq] = all as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const own = readFileSync('/proc/self/stat', 'utf8')
    .split(') ')
    .at(-1)!
    .split(' ')
    .slice(11, 15)
    .map(Number);
  return {
    atS: performance.now() / 1e3,
    allS: (user + nice + system + irq + softirq) * TICK_S,
    oursS: own.reduce((sum, ticks) => sum + ticks, 0) * TICK_S,
  };
}

/** The share of the processors that others used meanwhile, 0 to 1; null where that is not known. */
export function shareOfOthers(before: Used | null, after: Used | null): number | null {
  if (before === null || after === null) return null;
  const capacityS = (after.atS - before.atS) * availableParallelism();
  const othersS = after.allS - before.allS - (after.oursS - before.oursS);
  return Math.max(0, othersS / capacityS);
}
