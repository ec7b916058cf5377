import fc from 'fast-check';
import type { HistoryEvent } from '../history/events.js';
import type { Limits, Script } from '../scenario/script.js';
import { createRandom, FAST_CHECK_SEED_MASK } from '../time/random.js';
import { firstRunOf } from './batch-sizes.js';
import { coverageOf, steeringBy, type Coverage } from './coverage.js';
import { randomSourceOf } from './random-source.js';
import { goalsReached } from './goals.js';
import { scriptArbitrary } from './script-arbitrary.js';
import { tracesOf } from './trace.js';
import { drawEnvironment, type Environment } from './environment.js';

/** A violation of a requirement by a script. */
export interface Violation {
  readonly requirement: string;
  readonly level: 'must' | 'should' | 'may';
  /** Number of the script in its history. */
  readonly script: number;
  readonly expected: string;
  readonly actual: string;
  readonly proof: readonly string[];
}

export interface Judged {
  readonly violations: readonly Violation[];
  /** Ids of the requirements that were decided. */
  readonly decided: readonly string[];
  /** Ids of open questions that were answered in several ways although one was expected. */
  readonly doubts: readonly string[];
}

/** Where scripts are run and judged. The explorer knows neither the endpoint nor the oracle behind it. */
export interface TestBed {
  /** Names of the conformant variants of the endpoint that an environment may use. */
  readonly variants: readonly string[];
  limitsIn(environment: Environment): Limits;
  /** Runs the scripts on a fresh endpoint and gives the whole history. */
  run(scripts: readonly Script[], environment: Environment): readonly HistoryEvent[];
  /**
   * What counts as a violation may depend on the environment: a conformant variant need not follow
   * recommendations (`should`).
   */
  judge(events: readonly HistoryEvent[], environment: Environment): Judged;
}

/**
 * Scripts that are run one after the other in one environment and judged together. Plain JSON, so that it can
 * be sent to another thread.
 */
export interface BatchTask {
  readonly seed: number;
  /** Number of the batch, counted over all shards. */
  readonly batch: number;
  readonly runs: number;
  /** Coverage of earlier rounds; steers what is tried more often. */
  readonly coverage: Coverage;
}

/** The task of a batch, of which the last may have fewer runs. `runs`: of the whole exploration. */
export function batchTask(
  { seed, runs }: { readonly seed: number; readonly runs: number },
  batch: number,
  coverage: Coverage,
): BatchTask {
  const from = firstRunOf(batch);
  return { seed, batch, runs: Math.min(runs, firstRunOf(batch + 1)) - from, coverage };
}

export interface FoundViolation extends Omit<Violation, 'script'> {
  /** Number of the run, counted over all shards. */
  readonly run: number;
  readonly script: Script;
  readonly environment: Environment;
}

export interface BatchResult {
  readonly batch: number;
  readonly runs: number;
  readonly calls: number;
  readonly coverage: Coverage;
  readonly goals: readonly string[];
  readonly decided: readonly string[];
  readonly violations: readonly FoundViolation[];
}

/** Runs one batch. The result depends on the task and the test bed alone. */
export function runBatch(task: BatchTask, testBed: TestBed): BatchResult {
  const { seed, batch, runs } = task;
  const stream = createRandom(seed).fork('explore').fork(String(batch));
  const seedOf = (label: string): number => stream.fork(label).nextUint32() & FAST_CHECK_SEED_MASK;
  const environmentStream = stream.fork('world');
  const random = randomSourceOf((lo, hi) => environmentStream.intBetween(lo, hi));
  const environment = drawEnvironment(random, seedOf('simulator'), testBed.variants);
  const limits = testBed.limitsIn(environment);
  const steering = steeringBy(task.coverage);
  const scripts = Array.from({ length: runs }, (_, index) => {
    const scriptSeed = seedOf(`script ${index}`);
    const arbitrary = scriptArbitrary({ limits, steering, seed: scriptSeed });
    return fc.sample(arbitrary, { seed: scriptSeed, numRuns: 1 })[0]!;
  });
  const events = testBed.run(scripts, environment);
  const { violations, decided } = testBed.judge(events, environment);
  const traces = [...tracesOf(events).values()];
  return {
    batch,
    runs,
    calls: traces.reduce((sum, { calls }) => sum + calls.length, 0),
    coverage: coverageOf(traces),
    goals: goalsReached(traces),
    decided,
    violations: violations.map(({ script, ...violation }) => ({
      ...violation,
      run: firstRunOf(batch) + script,
      script: scripts[script]!,
      environment,
    })),
  };
}
