/**
 * Counts that were wrong. A cancelled job that is still counted, say, explains one as well as a counter that is off does:
 * which of the two it was shows only beside the other counts of the run. So they are blamed at the end.
 */
import type { RequirementId } from '../../spec/index.js';
import type { Ledger, WrongCount } from '../ledger.js';

/** A counter that is off where nothing explains it is off elsewhere for the same reason. */
export function blameCounts(ledger: Ledger): void {
  const isBroken = (id: RequirementId): boolean => (ledger.entries.get(id)?.failed ?? 0) > 0;
  const wrong: WrongCount[] = [];
  for (const one of ledger.wrongCounts.values()) {
    const broken = one.restsOn.find(isBroken);
    if (broken === undefined) wrong.push(one);
    else ledger.doubt(one.count, `jobs were not where they should be: ${broken} is broken`);
  }
  const unexplained = wrong.filter(({ suspects }) => suspects.length === 0);
  const off = new Set<RequirementId>(unexplained.map(({ count }) => count));
  const alone = new Set(wrong.flatMap(({ suspects }) => (suspects.length === 1 ? suspects : [])));
  // Those first: each shows the counter's fault by itself.
  for (const one of [...unexplained, ...wrong.filter(({ suspects }) => suspects.length > 0)]) {
    const { count, suspects, failures, times } = one;
    // Of several, one that explains another count by itself.
    const left = suspects.length === 1 ? suspects : suspects.filter((suspect) => alone.has(suspect));
    const id = left.length === 1 && !off.has(count) ? left[0]! : count;
    ledger.failTimes(id, failures, times);
  }
}
