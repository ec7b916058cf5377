/** What one thread of an exploration does: whole batches, shrinking, proving. Its answers depend on the task alone. */
import {
  Exploration,
  runBatch,
  RUNS_PER_BATCH,
  shrinkViolation,
  type BatchResult,
  type BatchTask,
  type FoundViolation,
  type TestBed,
  type ShrunkViolation,
} from '../../explore/index.js';
import { MUTANTS } from '../../mutants/index.js';
import { createTestBed, type TestBedSettings } from './test-bed.js';

export type ExploreTask = { readonly settings: TestBedSettings } & (
  | { readonly kind: 'batch'; readonly task: BatchTask }
  | { readonly kind: 'shrink'; readonly found: FoundViolation }
  | { readonly kind: 'prove'; readonly seed: number; readonly runs: number }
);

/** Whether a fault was found, and by how small a script. */
export interface Proof {
  readonly mutant: string;
  /** Runs until the first violation that the fault explains, or all of them. */
  readonly runs: number;
  readonly found: FoundViolation | null;
  readonly shrunk: ShrunkViolation | null;
}

export interface ExploreAnswers {
  readonly batch: BatchResult;
  readonly shrink: ShrunkViolation;
  readonly prove: Proof;
}

export function work(task: ExploreTask): ExploreAnswers[ExploreTask['kind']] {
  const testBed = createTestBed(task.settings);
  switch (task.kind) {
    case 'batch':
      return runBatch(task.task, testBed);
    case 'shrink':
      return shrinkViolation(task.found, testBed, healthyTestBed(task.settings));
    case 'prove':
      return prove(task);
  }
}

/** Where a known fault stands in the endpoint, the endpoint without it. */
export function healthyTestBed(settings: TestBedSettings): { readonly healthy?: TestBed } {
  return settings.mutant === null ? {} : { healthy: createTestBed({ ...settings, mutant: null }) };
}

/**
 * A violation counts only where the endpoint without the fault does not show it as well. One of the requirements that
 * the fault is known to break tells the better story; another will do when none was found.
 */
function prove({ settings, seed, runs }: Extract<ExploreTask, { kind: 'prove' }>): Proof {
  const mutant = settings.mutant ?? '';
  const own: readonly string[] = MUTANTS.find(({ id }) => id === mutant)?.breaks ?? [];
  const testBed = createTestBed(settings);
  const unbroken = createTestBed({ ...settings, mutant: null });
  const isTheFault = ({ requirement, script, environment }: FoundViolation): boolean =>
    !unbroken
      .judge(unbroken.run([script], environment), environment)
      .violations.some((violation) => violation.requirement === requirement);
  const proofBy = (found: FoundViolation): Proof => {
    return {
      mutant,
      runs: found.run + 1,
      found,
      shrunk: shrinkViolation(found, testBed, healthyTestBed(settings)),
    };
  };
  let other: FoundViolation | null = null;
  const exploration = new Exploration({ seed, runs });
  for (let round = exploration.nextRound(); round.length > 0; round = exploration.nextRound()) {
    for (const batch of round) {
      const result = runBatch(batch, testBed);
      exploration.take(result);
      const violations = result.violations.filter(isTheFault);
      const found = violations.find(({ requirement }) => own.includes(requirement));
      if (found !== undefined) return proofBy(found);
      other ??= violations[0] ?? null;
      // Nearly all faults that show at all show as what they are soon after.
      if (other !== null && result.batch * RUNS_PER_BATCH - other.run > OWN_WITHIN_RUNS)
        return proofBy(other);
    }
  }
  return other === null ? { mutant, runs, found: null, shrunk: null } : proofBy(other);
}

const OWN_WITHIN_RUNS = 500;
