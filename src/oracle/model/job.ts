/** One job's life, judged: is there any way in which everything observed of it can have come about? */
import type { CallEvent } from '../../history/events.js';
import type { Context } from './context.js';
import type { Hypothesis, Terms } from './hypothesis.js';
import { Contradicted, Explained, type KnownLife, Unknown } from './known.js';
import type { Life } from './life.js';
import { type Step, walk, type Walk } from './linearize.js';
import type { Operation } from './operations.js';
import { TracedZone, type Tracer } from './tracer.js';
import { LIFE, QUEUED, SUBMITTED, ZERO, Zone } from './zone.js';

export interface JobCase {
  readonly id: string;
  readonly submitted: CallEvent;
  readonly submittedFromMs: number;
  readonly submittedByMs: number;
  readonly terms: readonly Terms[];
  readonly life: Life;
  /** Sorted by their ends. */
  readonly operations: readonly Operation[];
}

/** What may be true of a job when it has just been submitted. */
export function beginnings(job: JobCase, tracer: Tracer | null = null): Hypothesis[] {
  return job.terms.map((terms) => {
    const zone = tracer === null ? Zone.unbounded() : TracedZone.begin(tracer);
    zone.restrict(SUBMITTED, ZERO, job.submittedByMs);
    zone.restrict(ZERO, SUBMITTED, -job.submittedFromMs);
    zone.equate(LIFE, SUBMITTED);
    zone.equate(QUEUED, SUBMITTED);
    return {
      place: 'queue',
      zone,
      terms,
      notBeforeMs: job.submittedFromMs,
      unit: null,
      runs: 0,
      retries: 0,
      spentMs: 0,
      goneBy: null,
      goneFrom: null,
      meddled: null,
      purgedBy: null,
      lastRetry: null,
      retriedFrom: null,
      evidence: {
        submitted: job.submitted,
        lastQueued: null,
        firstStarted: null,
        lastRunning: null,
        ended: null,
      },
    };
  });
}

const CHANGES: ReadonlySet<Operation['kind']> = new Set(['cancel', 'retry', 'purge']);

/**
 * The same job as if nobody knew what the operation told: a look that may have shown something untrue is as none, as are all
 * later ones that show the same, and a call that may have changed the job has done so or not.
 */
export function doubting(job: JobCase, doubted: Operation): JobCase {
  const { id, submitted, submittedFromMs, submittedByMs, terms, life } = job;
  const mayChange = CHANGES.has(doubted.kind) || doubted.ttlMs !== null;
  const operations = job.operations.flatMap((op) => {
    if (op !== doubted) return isRepetition(doubted, op) ? [] : [op];
    return mayChange ? [{ ...op, answer: 'unknown' as const, code: 0, shows: null }] : [];
  });
  return { id, submitted, submittedFromMs, submittedByMs, terms, life, operations };
}

/** Looks that show what the other look has shown, after it. */
const isRepetition = (look: Operation, { kind, answer, shows, code, ttlMs, endedTick }: Operation): boolean =>
  look.kind === 'status' &&
  kind === 'status' &&
  ttlMs === null &&
  answer === look.answer &&
  shows === look.shows &&
  code === look.code &&
  endedTick! > look.endedTick!;

/** What is known of one job's life. Why it cannot be is not asked. */
export function lifeOf(ctx: Context, job: JobCase, step?: Step): KnownLife {
  const result = walk(ctx, job.life, beginnings(job), job.operations, step);
  return result.kind === 'contradiction' ? new Contradicted() : known(result);
}

/** The same life once more, where it is known to be explained, by explanations that are found again when they are asked for. */
export function explainedAnew(ctx: Context, job: JobCase): Explained {
  return Explained.anew(() => {
    const result = walk(ctx, job.life, beginnings(job), job.operations);
    return result.kind === 'consistent' ? result.hypotheses : [];
  });
}

export function known(result: Exclude<Walk, { kind: 'contradiction' }>): Explained | Unknown {
  return result.kind === 'consistent' ? Explained.by(result.hypotheses) : new Unknown(result.reason);
}
