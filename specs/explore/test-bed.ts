import fc from 'fast-check';
import { createTestBed } from '../../src/test-bed/test-bed.js';
import { scriptArbitrary } from '../../src/explore/script-arbitrary.js';
import { Exploration, plainEnvironment, runBatch, type TestBed } from '../../src/explore/index.js';
import type { Script } from '../../src/scenario/index.js';

export const ENVIRONMENT = plainEnvironment(1);
export const simulatorTestBed = (mutant: string | null = null): TestBed =>
  createTestBed({ edition: 'document', mutant });

/** The same laboratory with a judge that has nothing to say: much faster, where only what is tried counts. */
export function unjudged(): TestBed {
  return { ...simulatorTestBed(), judge: () => ({ violations: [], decided: [], doubts: [] }) };
}

export function drawScripts(count: number, seed = 1): readonly Script[] {
  const limits = simulatorTestBed().limitsIn(ENVIRONMENT);
  return fc.sample(scriptArbitrary({ limits }), { seed, numRuns: count });
}

/** Explores in this thread until nothing is left to do, or `until` says so after a batch. */
export function explored(
  testBed: TestBed,
  options: { readonly seed: number; readonly runs: number },
  until: (exploration: Exploration) => boolean = () => false,
): Exploration {
  const exploration = new Exploration(options);
  for (let round = exploration.nextRound(); round.length > 0; round = exploration.nextRound()) {
    for (const task of round) {
      exploration.take(runBatch(task, testBed));
      if (until(exploration)) return exploration;
    }
  }
  return exploration;
}
