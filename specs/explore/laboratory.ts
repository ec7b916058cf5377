import fc from 'fast-check';
import { createLaboratory } from '../../src/app/explore/test-bed.js';
import {
  Exploration,
  plainWorld,
  runBatch,
  scriptArbitrary,
  type Laboratory,
} from '../../src/explore/index.js';
import type { Script } from '../../src/scenario/index.js';

export const WORLD = plainWorld(1);
export const laboratory = (mutant: string | null = null): Laboratory =>
  createLaboratory({ edition: 'document', mutant });

/** The same laboratory with a judge that has nothing to say: much faster, where only what is tried counts. */
export function unjudged(): Laboratory {
  return { ...laboratory(), judge: () => ({ breaches: [], decided: [], doubts: [] }) };
}

export function drawScripts(count: number, seed = 1): readonly Script[] {
  const limits = laboratory().limitsIn(WORLD);
  return fc.sample(scriptArbitrary({ limits }), { seed, numRuns: count });
}

/** Explores in this thread until nothing is left to do, or `until` says so after a batch. */
export function explored(
  lab: Laboratory,
  options: { readonly seed: number; readonly runs: number },
  until: (exploration: Exploration) => boolean = () => false,
): Exploration {
  const exploration = new Exploration(options);
  for (let round = exploration.nextRound(); round.length > 0; round = exploration.nextRound()) {
    for (const task of round) {
      exploration.take(runBatch(task, lab));
      if (until(exploration)) return exploration;
    }
  }
  return exploration;
}
