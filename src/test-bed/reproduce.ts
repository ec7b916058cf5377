/** Looks for a target's failure on the simulator, where shrinking is fast and sends nothing. */
import { plainEnvironment, shrinkViolation, type ShrunkViolation } from '../explore/index.js';
import { MUTANTS } from '../mutants/index.js';
import type { Script } from '../scenario/index.js';
import type { Dialect } from '../spec/index.js';
import type { Capability, Edition } from '../spec/types.js';
import { createTestBed, type TestBedSettings } from './test-bed.js';
import { healthyTestBed } from './worker.js';

/** Maximum number of scripts tried on the simulator. */
const TRIALS_MAX = 600;

export interface Reproduced {
  readonly settings: TestBedSettings;
  readonly shrunk: ShrunkViolation;
}

export interface KnownTarget {
  readonly edition: Edition;
  /** The readings observed of the target. */
  readonly dialect: Dialect;
  /** Of the target; the simulator is given no more. */
  readonly capabilities: readonly Capability[];
  readonly executionTimeoutDefaultMs: number | null;
}

/**
 * Tries the observed readings alone, then each known fault, and takes the one with which most of the scripts
 * `alike` fail: those in which the same requirement failed. Null if the script fails in the same way with
 * none.
 *
 */
export function reproduce(
  script: Script,
  requirement: string,
  alike: readonly Script[],
  surroundings: KnownTarget,
): Reproduced | null {
  const settingsOf = (mutant: string | null): TestBedSettings => ({ ...surroundings, mutant });
  const failing = (settings: TestBedSettings, scripts: readonly Script[]): number =>
    scripts.filter((one) => failsThere(one, requirement, settings)).length;
  let best: { readonly settings: TestBedSettings; readonly shown: number } | null = null;
  for (const mutant of candidatesFor(requirement)) {
    const settings = settingsOf(mutant);
    // Other faults are tried only if none that is known to break this requirement shows it.
    if (best !== null && !breaks(mutant, requirement)) break;
    if (!failsThere(script, requirement, settings)) continue;
    const shown = failing(settings, alike);
    if (best === null || shown > best.shown) best = { settings, shown };
  }
  if (best === null) return null;
  const { settings } = best;
  const found = { requirement, script, environment: plainEnvironment(script.seed) };
  const options = { trialsMax: TRIALS_MAX, ...healthyTestBed(settings) };
  const shrunk = shrinkViolation(found, createTestBed(settings), options);
  // Part of a script that the target could run does not need more than that script.
  const needs = shrunk.script.needs.filter((need) => script.needs.includes(need));
  return { settings, shrunk: { ...shrunk, script: { ...shrunk.script, needs } } };
}

/** Whether the script decides the requirement on a correct endpoint of which as much is known. */
export function decidesThere(script: Script, requirement: string, surroundings: KnownTarget): boolean {
  const testBed = createTestBed({ ...surroundings, mutant: null });
  const environment = plainEnvironment(script.seed);
  return testBed.judge(testBed.run([script], environment), environment).decided.includes(requirement);
}

function candidatesFor(requirement: string): readonly (string | null)[] {
  const ids = MUTANTS.map(({ id }) => id);
  const own = ids.filter((id) => breaks(id, requirement));
  return [null, ...own, ...ids.filter((id) => !own.includes(id))];
}

function breaks(mutant: string | null, requirement: string): boolean {
  const known: readonly string[] = MUTANTS.find(({ id }) => id === mutant)?.breaks ?? [];
  return known.includes(requirement);
}

function failsThere(script: Script, requirement: string, settings: TestBedSettings): boolean {
  const testBed = createTestBed(settings);
  const environment = plainEnvironment(script.seed);
  const { violations } = testBed.judge(testBed.run([script], environment), environment);
  return violations.some((violation) => violation.requirement === requirement);
}
