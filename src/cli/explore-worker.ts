/** What one thread of an exploration does: whole batches, shrinking, proving. Its answers depend on the task alone. */
import {
  Exploration,
  runBatch,
  shrinkBreach,
  type BatchResult,
  type BatchTask,
  type FoundBreach,
  type ShrunkBreach,
} from '../explore/index.js';
import { createLaboratory, type LaboratorySettings } from './explore-laboratory.js';

export type ExploreTask = { readonly settings: LaboratorySettings } & (
  | { readonly kind: 'batch'; readonly task: BatchTask }
  | { readonly kind: 'shrink'; readonly found: FoundBreach }
  | { readonly kind: 'prove'; readonly seed: number; readonly runs: number }
);

/** Whether a fault was found, and by how small a script. */
export interface Proof {
  readonly mutant: string;
  /** Runs until the first breach of a `must`, or all of them. */
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
      return shrinkBreach(task.found, laboratory);
    case 'prove':
      return prove(task);
  }
}

/** A breach counts only where the endpoint without the fault does not show it as well. */
function prove({ settings, seed, runs }: Extract<ExploreTask, { kind: 'prove' }>): Proof {
  const mutant = settings.mutant ?? '';
  const laboratory = createLaboratory(settings);
  const unbroken = createLaboratory({ ...settings, mutant: null });
  const isTheFault = ({ requirement, level, script, world }: FoundBreach): boolean =>
    level === 'must' &&
    !unbroken
      .judge(unbroken.play([script], world), world)
      .breaches.some((breach) => breach.requirement === requirement);
  const exploration = new Exploration({ seed, runs });
  for (let round = exploration.nextRound(); round.length > 0; round = exploration.nextRound()) {
    for (const batch of round) {
      const result = runBatch(batch, laboratory);
      exploration.take(result);
      const found = result.breaches.find(isTheFault);
      if (found === undefined) continue;
      return { mutant, runs: found.run + 1, found, shrunk: shrinkBreach(found, laboratory) };
    }
  }
  return { mutant, runs, found: null, shrunk: null };
}
