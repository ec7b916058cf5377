/**
 * A job without explanation was affected by something; which requirement that violates depends on its other
 * observations and on outside events. The first row of `attribution-table.ts` that applies names it.
 */
import type { Job } from '../jobs/observed-jobs.js';
import type { Attribution } from '../ledger/unsettled.js';
import type { Violation } from '../proof/violation.js';
import type { JudgingContext } from '../context/judging-context.js';
import { requirementNamedBy, mostSpecific, ownSuspect } from './attribution-row.js';
import { ATTRIBUTION_TABLE } from './attribution-table.js';
import { orFromStart } from './most-specific.js';
import { factsOf, mayHaveOverrun } from './facts.js';
import { outsideSuspects } from './outside-events.js';

export function attribute(context: JudgingContext, job: Job, violation: Violation): Attribution {
  const facts = factsOf(context, job, violation);
  for (const row of ATTRIBUTION_TABLE) {
    const name = requirementNamedBy(row, facts);
    if (name === null) continue;
    const { unless = [], or, outside } = row;
    const id = mostSpecific(facts, name);
    const alternatives = new Set(typeof unless === 'function' ? unless(facts) : unless);
    for (const one of orFromStart(facts, name, id)) alternatives.add(one);
    alternatives.delete(id);
    const suspects = [
      ...(or?.(facts) ?? []).map((one) => ownSuspect(one, false)),
      ...[...alternatives].map((one) => ownSuspect(one, true)),
    ];
    if (outside === undefined) return { id, isUnexplained: false, suspects };
    // Its own history does not explain that it is CANCELLED, unless one of its timers ended it and the state
    // is reported wrongly.
    const isUnexplained = facts.observed === 'CANCELLED' && !mayHaveOverrun(facts);
    return { id, isUnexplained, suspects: [...suspects, ...outsideSuspects(facts)] };
  }
  throw new Error('the last row explains everything');
}
