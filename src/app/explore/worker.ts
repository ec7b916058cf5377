/** What one thread of an exploration does: whole batches, shrinking, proving. Its answers depend on the task alone. */
import {
  Exploration,
  runBatch,
  RUNS_PER_BATCH,
  shrinkBreach,
  type BatchResult,
  type BatchTask,
  type FoundBreach,
  type Laboratory,
  type ShrunkBreach,
} from '../../explore/index.js';
import { MUTANTS } from '../../mutants/index.js';
import { createLaboratory, type LaboratorySettings } from './test-bed.js';

export type ExploreTask = { readonly settings: LaboratorySettings } & (
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
  const laboratory = createLaboratory(task.settings);
  switch (task.kind) {
    case 'batch':
      return runBatch(task.task, laboratory);
    case 'shrink':
      return shrinkBreach(task.found, laboratory, besideFor(task.settings));
    case 'prove':
      return prove(task);
  }
}

/** Where a known fault stands in the endpoint, the endpoint without it. */
export function besideFor(settings: LaboratorySettings): { readonly healthy?: Laboratory } {
  return settings.mutant === null ? {} : { healthy: createLaboratory({ ...settings, mutant: null }) };
}

/**
 * A breach counts only where the endpoint without the fault does not show it as well. One of the requirements that
 * the fault is known to break tells the better story; another will do when none was found.
 */
function prove({ settings, seed, runs }: Extract<ExploreTask, { kind: 'prove' }>): Proof {
  const mutant = settings.mutant ?? '';
  const own: readonly string[] = MUTANTS.find(({ id }) => id === mutant)?.breaks ?? [];
  const laboratory = createLaboratory(settings);
  const unbroken = createLaboratory({ ...settings, mutant: null });
  const isTheFault = ({ requirement, script, world }: FoundBreach): boolean =>
    !unbroken
      .judge(unbroken.play([script], world), world)
      .breaches.some((breach) => breach.requirement === requirement);
  const proofBy = (found: FoundBreach): Proof => {
    return {
      mutant,
      runs: found.run + 1,
      found,
      shrunk: shrinkBreach(found, laboratory, besideFor(settings)),
    };
  };
  let other: FoundBreach | null = null;
  const exploration = new Exploration({ seed, runs });
  for (let round = exploration.nextRound(); round.length > 0; round = exploration.nextRound()) {
    for (const batch of round) {
      const result = runBatch(batch, laboratory);
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
