import fc from 'fast-check';
import type { Limits, Script } from '../scenario/script.js';
import { missingOf } from '../spec/capability-words.js';
import type { Capability } from '../spec/types.js';
import { createRandom, FAST_CHECK_SEED_MASK } from '../time/random.js';
import { scriptArbitrary } from './script-arbitrary.js';

/** Most scripts drawn for a limited target do not suit it. */
const DRAWN_PER_SCRIPT_MAX = 20;

export interface TargetDescription {
  readonly capabilities: readonly Capability[];
  readonly limits: Limits;
  readonly clock: 'virtual' | 'controlled' | 'real';
}

/**
 * Random scripts that suit a target, for a check in addition to the scenarios: `count` of them, or fewer
 * where the target allows very little. In real time none lasts longer than the longest wait. The same seed
 * gives the same scripts, and a smaller `count` gives the first of them.
 */
export function exploredScripts(target: TargetDescription, seed: number, count: number): readonly Script[] {
  const { capabilities, limits, clock } = target;
  const stream = createRandom(seed).fork('explored');
  const scripts: Script[] = [];
  for (let drawn = 0; drawn < DRAWN_PER_SCRIPT_MAX * count && scripts.length < count; drawn += 1) {
    const scriptSeed = stream.fork(String(drawn)).nextUint32() & FAST_CHECK_SEED_MASK;
    const arbitrary = scriptArbitrary({ limits, seed: scriptSeed });
    const script = fc.sample(arbitrary, { seed: scriptSeed, numRuns: 1 })[0]!;
    const inTime = clock !== 'real' || script.expectedMs <= limits.maxWaitMs;
    if (inTime && missingOf(script.needs, capabilities).length === 0) scripts.push(script);
  }
  return scripts;
}
