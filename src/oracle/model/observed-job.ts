/** One job's life, judged: is there any way in which everything observed of it can have come about? */
import type { CallEvent } from '../../history/events.js';
import type { RuleSet } from './rule-set.js';
import type { Hypothesis, EffectivePolicy } from './hypothesis.js';
import { Contradicted, Explained, type Explanations, Unknown } from './explanations.js';
import type { JobModel } from './job-model.js';
import { type OnStep, linearize, type Linearization } from './linearize.js';
import type { JobOperation } from './operations.js';
import { TracedZone, type Tracer } from './tracer.js';
import { TTL_START, QUEUED, SUBMITTED, ZERO, Zone } from './zone.js';

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

/** What may be true of a job when it has just been submitted. */
export function initialHypotheses(job: ObservedJob, tracer: Tracer | null = null): Hypothesis[] {
  return job.policies.map((policy) => {
    const zone = tracer === null ? Zone.unbounded() : TracedZone.begin(tracer);
    zone.constrain(SUBMITTED, ZERO, job.submittedByMs);
    zone.constrain(ZERO, SUBMITTED, -job.submittedFromMs);
    zone.assign(TTL_START, SUBMITTED);
    zone.assign(QUEUED, SUBMITTED);
    return {
      state: 'queued',
      zone,
      policy,
      notBeforeMs: job.submittedFromMs,
      unit: null,
      runs: 0,
      retries: 0,
      priorRunsMs: 0,
      deletedBy: null,
      previousState: null,
      wronglyAccepted: null,
      purgedBy: null,
      lastRetry: null,
      retriedFrom: null,
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
 * The same job as if nobody knew what the operation told: a look that may have shown something untrue is as none, as are all
 * later ones that show the same, and a call that may have changed the job has done so or not.
 */
export function withoutObservation(job: ObservedJob, doubted: JobOperation): ObservedJob {
  const { id, submitted, submittedFromMs, submittedByMs, policies, model } = job;
  const mayChange = CHANGES.has(doubted.kind) || doubted.ttlMs !== null;
  const operations = job.operations.flatMap((op) => {
    if (op !== doubted) return isRepetition(doubted, op) ? [] : [op];
    return mayChange ? [{ ...op, answer: 'unknown' as const, code: 0, observed: null }] : [];
  });
  return { id, submitted, submittedFromMs, submittedByMs, policies, model, operations };
}

/** Looks that show what the other look has shown, after it. */
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

/** What is known of one job's life. Why it cannot be is not asked. */
export function explainJob(rules: RuleSet, job: ObservedJob, step?: OnStep): Explanations {
  const result = linearize(rules, job.model, initialHypotheses(job), job.operations, step);
  return result.kind === 'contradiction' ? new Contradicted() : explanationsIn(result);
}

/** The same life once more, where it is known to be explained, by explanations that are found again when they are asked for. */
export function recomputedExplanations(rules: RuleSet, job: ObservedJob): Explained {
  return Explained.recomputed(() => {
    const result = linearize(rules, job.model, initialHypotheses(job), job.operations);
    return result.kind === 'consistent' ? result.hypotheses : [];
  });
}

export function explanationsIn(
  result: Exclude<Linearization, { kind: 'contradiction' }>,
): Explained | Unknown {
  return result.kind === 'consistent' ? Explained.of(result.hypotheses) : new Unknown(result.reason);
}
