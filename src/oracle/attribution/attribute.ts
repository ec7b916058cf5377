/**
 * A job's life that cannot be shows that something was done to the job; which promise that breaks depends on what else was
 * observed of it, and on what happened beside it. The first row of `explanations.ts` that applies names it.
 */
import type { Job } from '../jobs/observed-jobs.js';
import type { Attribution } from '../ledger/unsettled.js';
import type { Breach } from '../proof/breach.js';
import type { JudgingContext } from '../context/judging-context.js';
import { named, narrowest, ofItsOwn } from './attribution-row.js';
import { ATTRIBUTION_TABLE } from './attribution-table.js';
import { factsOf, mayHaveOverrun } from './facts.js';
import { suspectsBeside } from './outside-events.js';

export function attribute(context: JudgingContext, job: Job, breach: Breach): Attribution {
  const facts = factsOf(context, job, breach);
  for (const row of ATTRIBUTION_TABLE) {
    const name = named(row, facts);
    if (name === null) continue;
    const { unless = [], or, beside } = row;
    const id = narrowest(job, name);
    const instead = new Set(typeof unless === 'function' ? unless(facts) : unless);
    instead.delete(id);
    const suspects = [
      ...(or?.(facts) ?? []).map((one) => ofItsOwn(one, false)),
      ...[...instead].map((one) => ofItsOwn(one, true)),
    ];
    if (beside === undefined) return { id, isUnexplained: false, suspects };
    // Nothing in its own history explains that it is CANCELLED, save a timer of its own whose end is told wrongly.
    const isUnexplained = facts.shows === 'CANCELLED' && !mayHaveOverrun(facts);
    return { id, isUnexplained, suspects: [...suspects, ...suspectsBeside(facts)] };
  }
  throw new Error('the last row explains everything');
}
