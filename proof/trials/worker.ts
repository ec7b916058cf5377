/** What one thread does: one trial after the other. Its answers depend on the task alone. */
import { THREAD_LIMITS } from '../../src/test-bed/worker.js';
import { threadKind } from '../../src/threads/thread.js';
import { tryClient, type ClientTask } from '../clients/trial.js';
import { playBatch, type ConformantTask } from './conformant-batch.js';
import { recordHistory, type CorpusTask } from './corpus-trial.js';
import { judgeKept, type FindingsTask } from './findings-trial.js';
import { tryMutant, type MutantTask } from './mutant-trial.js';
import { tryNaive, type NaiveTask } from './naive-trial.js';
import { judgePassively, type PassiveTask } from './passive-trial.js';
import { tryPrecision, type PrecisionTask } from '../precision/precision-trial.js';
import { tryReading, type ReadingTask } from './reading-trial.js';
import { tryVariant, scenariosOf, type VariantTask } from './variant-trial.js';
import { tryTraffic, type TrafficTask } from './traffic-trial.js';
import { tryInRealTime, type RealTask } from './real-trial.js';

export type ProofTask =
  | MutantTask
  | NaiveTask
  | ReadingTask
  | RealTask
  | PrecisionTask
  | ConformantTask
  | PassiveTask
  | TrafficTask
  | CorpusTask
  | FindingsTask
  | VariantTask
  | TellingTask
  | ClientTask
  | SeveralTasks;

/** One after the other. */
export interface SeveralTasks {
  readonly kind: 'several';
  readonly tasks: readonly ProofTask[];
}

/** Which scenarios distinguish a variant. */
export interface TellingTask extends Omit<VariantTask, 'kind'> {
  readonly kind: 'telling';
}

export async function work(task: ProofTask): Promise<unknown> {
  switch (task.kind) {
    case 'mutant':
      return tryMutant(task);
    case 'naive':
      return tryNaive(task);
    case 'reading':
      return tryReading(task);
    case 'real':
      return tryInRealTime(task);
    case 'precision':
      return tryPrecision(task);
    case 'conformant':
      return playBatch(task);
    case 'passive':
      return judgePassively(task);
    case 'traffic':
      return tryTraffic(task);
    case 'corpus':
      return recordHistory(task);
    case 'findings':
      return judgeKept(task);
    case 'variant':
      return tryVariant(task);
    case 'telling':
      return scenariosOf({ ...task, kind: 'variant' }).map(({ name }) => name);
    case 'client':
      return tryClient(task);
    case 'several': {
      const answers: unknown[] = [];
      for (const one of task.tasks) answers.push(await work(one));
      return answers;
    }
  }
}

export const PROVING = threadKind({
  name: 'proof',
  file: new URL('./worker.js', import.meta.url),
  limits: THREAD_LIMITS,
  create: () => ({ work }),
});
