/** One job's life, judged: is there any way in which everything observed of it can have come about? */
import type { CallEvent } from '../../history/events.js';
import { beginnings } from './beginnings.js';
import type { Context } from './context.js';
import type { Terms } from './hypothesis.js';
import { Contradicted, Explained, Unknown, type KnownLife } from './known.js';
import type { Life } from './life.js';
import { walk, type Step, type Walk } from './linearize.js';
import type { Operation } from './operations.js';

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
