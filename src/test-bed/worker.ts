/**
 * What one thread of an exploration does: batches, shrinking, and the search for known faults. Answers depend
 * only on the task.
 */
import type { BatchResult } from '../explore/batch.js';
import { tallyOf, withoutScripts } from '../explore/tally.js';
import {
  Exploration,
  firstRunOf,
  mergedTally,
  runBatch,
  shrinkViolation,
  type BatchTask,
  type FoundViolation,
  type TestBed,
  type ShrunkViolation,
  type TallyOf,
  type ViolationRef,
} from '../explore/index.js';
import { MUTANTS } from '../mutants/index.js';
import { threadKind } from '../threads/thread.js';
import { createTestBed, type TestBedSettings } from './test-bed.js';

export type ExploreTask = { readonly settings: TestBedSettings } & (
  | { readonly kind: 'batch'; readonly task: BatchTask }
  | { readonly kind: 'tally'; readonly tasks: readonly BatchTask[] }
  | { readonly kind: 'shrink'; readonly found: FoundViolation }
  | { readonly kind: 'prove'; readonly seed: number; readonly runs: number }
);

/** Whether a known fault was found, and with which script. */
export interface Proof {
  readonly mutant: string;
  /** Runs until the first violation that the fault explains, or all runs. */
  readonly runs: number;
  readonly found: FoundViolation | null;
  readonly shrunk: ShrunkViolation | null;
}

export interface ExploreAnswers {
  readonly batch: BatchResult;
  readonly tally: TallyOf<ViolationRef>;
  readonly shrink: ShrunkViolation;
  readonly prove: Proof;
}

export function work(task: ExploreTask): ExploreAnswers[ExploreTask['kind']] {
  const testBed = createTestBed(task.settings);
  switch (task.kind) {
    case 'batch':
      return runBatch(task.task, testBed);
    case 'tally':
      return withoutScripts(mergedTally(task.tasks.map((each) => tallyOf(runBatch(each, testBed)))));
    case 'shrink':
      return shrinkViolation(task.found, testBed, healthyTestBed(task.settings));
    case 'prove':
      return prove(task);
  }
}

/** If the endpoint has a known fault: the endpoint without it. */
export function healthyTestBed(settings: TestBedSettings): { readonly healthy?: TestBed } {
  return settings.mutant === null ? {} : { healthy: createTestBed({ ...settings, mutant: null }) };
}

/**
 * A violation counts only if the endpoint without the fault does not show it. A requirement that the fault is
 * known to break is preferred; another one is accepted if none was found.
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
      // Almost every fault that shows at all violates one of its own requirements soon after.
      if (other !== null && firstRunOf(result.batch) - other.run > OWN_WITHIN_RUNS) return proofBy(other);
    }
  }
  return other === null ? { mutant, runs, found: null, shrunk: null } : proofBy(other);
}

const OWN_WITHIN_RUNS = 500;

/**
 * Memory limits of a thread that simulates and judges. The data of one script is garbage when the next
 * begins: if it fits the young generation, little of it is copied, and judging long histories takes a third
 * less time.
 */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 96 };

export const EXPLORING = threadKind({
  name: 'explore',
  file: new URL('./worker.js', import.meta.url),
  limits: THREAD_LIMITS,
  create: () => ({ work }),
});
