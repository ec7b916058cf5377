/**
 * Counts that were wrong. A cancelled job that is still counted, say, explains one as well as a counter that is off does:
 * which of the two it was shows only beside the other counts of the run. So they are blamed at the end.
 */
import type { WrongCount } from '../ledger/unsettled.js';
import type { RequirementId } from '../../spec/index.js';
import type { Ledger } from '../ledger/ledger.js';

/** A counter that is off where nothing explains it is off elsewhere for the same reason. */
export function blameCounts(ledger: Ledger): void {
  const suspected = new Set(ledger.suspicions.map(({ id }) => id));
  const isBroken = (id: RequirementId): boolean =>
    (ledger.entries.get(id)?.failed ?? 0) > 0 || suspected.has(id);
  const wrong: WrongCount[] = [];
  for (const one of ledger.wrongCounts.values()) {
    const broken = one.restsOn.find(isBroken);
    if (broken === undefined) wrong.push(one);
    else doubt(ledger, one.count, broken);
  }
  const unexplained = wrong.filter(({ suspects }) => suspects.length === 0);
  const off = new Set<RequirementId>(unexplained.map(({ count }) => count));
  const alone = new Set(wrong.flatMap(({ suspects }) => (suspects.length === 1 ? suspects : [])));
  // Those first: each shows the counter's fault by itself.
  const blamed = [...unexplained, ...wrong.filter(({ suspects }) => suspects.length > 0)].map((one) => {
    const { count, suspects } = one;
    // Of several, one that explains another count by itself.
    const left = suspects.length === 1 ? suspects : suspects.filter((suspect) => alone.has(suspect));
    return { ...one, id: left.length === 1 && !off.has(count) ? left[0]! : count };
  });
  const culprits = new Set(blamed.map(({ id }) => id));
  for (const { id, count, restsOn, failures, times } of blamed) {
    const broken = id === count ? restsOn.find((one) => culprits.has(one)) : undefined;
    if (broken === undefined) ledger.failTimes(id, failures, times);
    else doubt(ledger, count, broken);
  }
}

function doubt(ledger: Ledger, count: RequirementId, broken: RequirementId): void {
  ledger.doubt(count, `jobs were not where they should be: ${broken} is broken`);
}
