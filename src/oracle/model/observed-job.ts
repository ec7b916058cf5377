/**
 * Checks one job: is there any behaviour that the document allows and that is consistent with all
 * observations?
 */
import type { CallEvent } from '../../history/events.js';
import type { RuleSet } from './rule-set.js';
import type { Hypothesis, EffectivePolicy } from './hypothesis.js';
import { Contradicted, Explained, type Explanations, Unknown } from './explanations.js';
import type { JobModel } from './job-model.js';
import { type OnStep, linearize, type Linearization } from './linearize.js';
import type { JobOperation } from './operations.js';
import { TracedZone, type Tracer } from './tracer.js';
import { Zone } from './zone.js';

export interface ObservedJob {
  readonly id: string;
  readonly submitted: CallEvent;
  readonly submittedFromMs: number;
  readonly submittedByMs: number;
  readonly policies: readonly EffectivePolicy[];
  readonly model: JobModel;
  /** Sorted by their ends. */
  readonly operations: readonly JobOperation[];
}

/** The hypotheses about a job that was just submitted: one for each possible policy. */
export function initialHypotheses(job: ObservedJob, tracer: Tracer | null = null): Hypothesis[] {
  return job.policies.map((policy) => {
    const zone = tracer === null ? Zone.unbounded() : TracedZone.begin(tracer);
    zone.submit(job.submittedFromMs, job.submittedByMs);
    // In the same order as in `withZone`, so that all hypotheses have one shape for the compiler.
    return {
      state: 'queued',
      zone,
      policy,
      notBeforeMs: job.submittedFromMs,
      unit: null,
      runs: 0,
      retries: 0,
      requeues: 0,
      priorRunsMs: 0,
      deletedBy: null,
      previousState: null,
      wronglyAccepted: null,
      lastRetry: null,
      retriedFrom: null,
      purgedBy: null,
      milestones: {
        submitted: job.submitted,
        lastQueued: null,
        firstStarted: null,
        lastRunning: null,
        ended: null,
      },
    };
  });
}

const CHANGES: ReadonlySet<JobOperation['kind']> = new Set(['cancel', 'retry', 'purge']);

/**
 * The same job without the information of one operation. A read that may have returned something untrue is
 * dropped, as are all later reads that returned the same; a call that may have changed the job may then
 * have taken effect or not.
 */
export function withoutObservation(job: ObservedJob, doubted: JobOperation): ObservedJob {
  const mayChange = CHANGES.has(doubted.kind) || doubted.ttlMs !== null;
  const operations = job.operations.flatMap((op) => {
    if (op !== doubted) return isRepetition(doubted, op) ? [] : [op];
    return mayChange ? [{ ...op, answer: 'unknown' as const, code: 0, observed: null }] : [];
  });
  return { ...job, operations };
}

/** Reads after this one that returned the same. */
const isRepetition = (
  read: JobOperation,
  { kind, answer, observed, code, ttlMs, endedTick }: JobOperation,
): boolean =>
  read.kind === 'status' &&
  kind === 'status' &&
  ttlMs === null &&
  answer === read.answer &&
  observed === read.observed &&
  code === read.code &&
  endedTick! > read.endedTick!;

/** Explains the job, without asking why it cannot be explained. */
export function explainJob(rules: RuleSet, job: ObservedJob, step?: OnStep): Explanations {
  const result = linearize(rules, job.model, initialHypotheses(job), job.operations, step);
  return result.kind === 'contradiction' ? new Contradicted() : explanationsIn(result);
}

export function explanationsIn(
  result: Exclude<Linearization, { kind: 'contradiction' }>,
): Explained | Unknown {
  return result.kind === 'consistent' ? Explained.of(result.hypotheses) : new Unknown(result.reason);
}
