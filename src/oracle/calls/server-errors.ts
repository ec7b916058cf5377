/**
 * A server error leaves the effect of a call unknown, but not its answer. Where the document demands a certain
 * answer, a single 5xx may be a fault that passes; one that comes again and again, while the demanded answer
 * never comes in the whole run, is the target's answer, and a wrong one.
 */
import type { RequirementId } from '../../spec/index.js';
import { getOrMake } from '../../util/maps.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ServerErrors } from '../ledger/unsettled.js';

/** Fewer may be coincidence. */
const TIMES_MIN = 3;
/** Behind a network a gateway may fail for a while: then the errors must not all be of one script. */
const SCRIPTS_MIN = 2;

/** A loss of just the calls that a certain answer is due to, with at most this probability, is the target's. */
const CHANCE_MAX = 1e-6;

/** Called at the end of the run. */
export function settleServerErrors(ledger: Ledger): void {
  const found = new Map<RequirementId, ServerErrors[]>();
  for (const errors of ledger.serverErrors.values()) {
    // Where the demanded answer came as well, or the cause has been reported, nothing is open.
    const id = errors.demandedBy.find((one) => (ledger.entries.get(one)?.decided ?? 0) === 0);
    if (id !== undefined && ledger.isProven(errors.needed)) getOrMake(found, id, () => []).push(errors);
  }
  for (const [id, alike] of found) {
    const failures = alike.flatMap((one) => one.failures);
    const times = alike.reduce((sum, one) => sum + one.times, 0);
    const lost = alike.reduce((sum, one) => sum + one.lost, 0);
    const byChance = alike.reduce((product, one) => product * lossRate(ledger, one) ** one.lost, 1);
    const scripts = new Set(alike.flatMap((one) => [...one.scripts])).size;
    const isSpread = scripts >= SCRIPTS_MIN || alike.every(({ isBehindNetwork }) => !isBehindNetwork);
    if ((times - lost >= TIMES_MIN || (times >= TIMES_MIN && byChance <= CHANCE_MAX)) && isSpread)
      ledger.failTimes(id, { failures, times });
    else ledger.inconclusive(id, `it may have been a passing fault: ${failures[0]!.actual}`);
  }
}

/** The share of all calls of the operation that lost their connection. */
function lossRate(ledger: Ledger, { operation }: ServerErrors): number {
  const { answered = 0, lost = new Map<string, number>() } = ledger.outcomes.get(operation) ?? {};
  const all = [...lost.values()].reduce((sum, count) => sum + count, 0);
  return all === 0 ? 0 : all / (all + answered);
}
