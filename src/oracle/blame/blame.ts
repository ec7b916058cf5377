/**
 * A job's life that cannot be shows that something was done to the job; which promise that breaks depends on what else was
 * observed of it, and on what happened beside it. The first row of `explanations.ts` that applies names it.
 */
import type { Job } from '../cast/cases.js';
import type { Blame } from '../ledger/unsettled.js';
import type { Breach } from '../proof/breach.js';
import type { Scene } from '../scene/scene.js';
import { named, narrowest, ofItsOwn } from './explanation.js';
import { EXPLANATIONS } from './explanations.js';
import { factsOf, mayHaveOverrun } from './facts.js';
import { suspectsBeside } from './neighbours.js';

export function blame(scene: Scene, job: Job, breach: Breach): Blame {
  const facts = factsOf(scene, job, breach);
  for (const row of EXPLANATIONS) {
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
