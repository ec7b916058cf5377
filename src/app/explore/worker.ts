/** What one thread of an exploration does: whole batches, shrinking, proving. Its answers depend on the task alone. */
import {
  Exploration,
  runBatch,
  RUNS_PER_BATCH,
  shrinkBreach,
  type BatchResult,
  type BatchTask,
  type FoundBreach,
  type TestBed,
  type ShrunkBreach,
} from '../../explore/index.js';
import { MUTANTS } from '../../mutants/index.js';
import { createTestBed, type TestBedSettings } from './test-bed.js';

export type ExploreTask = { readonly settings: TestBedSettings } & (
  | { readonly kind: 'batch'; readonly task: BatchTask }
  | { readonly kind: 'shrink'; readonly found: FoundBreach }
  | { readonly kind: 'prove'; readonly seed: number; readonly runs: number }
);

/** Whether a fault was found, and by how small a script. */
export interface Proof {
  readonly mutant: string;
  /** Runs until the first breach that the fault explains, or all of them. */
  readonly runs: number;
  readonly found: FoundBreach | null;
  readonly shrunk: ShrunkBreach | null;
}

export interface ExploreAnswers {
  readonly batch: BatchResult;
  readonly shrink: ShrunkBreach;
  readonly prove: Proof;
}

export function work(task: ExploreTask): ExploreAnswers[ExploreTask['kind']] {
  const testBed = createTestBed(task.settings);
  switch (task.kind) {
    case 'batch':
      return runBatch(task.task, testBed);
    case 'shrink':
      return shrinkBreach(task.found, testBed, besideFor(task.settings));
    case 'prove':
      return prove(task);
  }
}

/** Where a known fault stands in the endpoint, the endpoint without it. */
export function besideFor(settings: TestBedSettings): { readonly healthy?: TestBed } {
  return settings.mutant === null ? {} : { healthy: createTestBed({ ...settings, mutant: null }) };
}

/**
 * A breach counts only where the endpoint without the fault does not show it as well. One of the requirements that
 * the fault is known to break tells the better story; another will do when none was found.
 */
function prove({ settings, seed, runs }: Extract<ExploreTask, { kind: 'prove' }>): Proof {
  const mutant = settings.mutant ?? '';
  const own: readonly string[] = MUTANTS.find(({ id }) => id === mutant)?.breaks ?? [];
  const testBed = createTestBed(settings);
  const unbroken = createTestBed({ ...settings, mutant: null });
  const isTheFault = ({ requirement, script, environment }: FoundBreach): boolean =>
    !unbroken
      .judge(unbroken.run([script], environment), environment)
      .breaches.some((breach) => breach.requirement === requirement);
  const proofBy = (found: FoundBreach): Proof => {
    return {
      mutant,
      runs: found.run + 1,
      found,
      shrunk: shrinkBreach(found, testBed, besideFor(settings)),
    };
  };
  let other: FoundBreach | null = null;
  const exploration = new Exploration({ seed, runs });
  for (let round = exploration.nextRound(); round.length > 0; round = exploration.nextRound()) {
    for (const batch of round) {
      const result = runBatch(batch, testBed);
      exploration.take(result);
      const breaches = result.breaches.filter(isTheFault);
      const found = breaches.find(({ requirement }) => own.includes(requirement));
      if (found !== undefined) return proofBy(found);
      other ??= breaches[0] ?? null;
      // Nearly all faults that show at all show as what they are soon after.
      if (other !== null && result.batch * RUNS_PER_BATCH - other.run > OWN_WITHIN_RUNS)
        return proofBy(other);
    }
  }
  return other === null ? { mutant, runs, found: null, shrunk: null } : proofBy(other);
}

const OWN_WITHIN_RUNS = 500;
