/** Which rules stood in the way of what was observed of a job. */
import type { RequirementId } from '../../spec/index.js';
import { beginnings } from './beginnings.js';
import type { Context } from './context.js';
import type { JobCase } from './job.js';
import { walk } from './linearize.js';
import type { Operation } from './operations.js';
import { isOfCall } from './lifecycle-calls.js';
import { Tracer, type Miss } from './tracer.js';

/** The rules that stood in the way of the last operation, or of a call before it whose answer alone tells what it did: each once. */
export function missesAt(ctx: Context, job: JobCase, upTo: readonly Operation[]): Miss[] {
  // A refusal tells only that the job was where it may be refused, until somebody looks: what stood in the way there counts.
  let atRefusal: Miss[] = [];
  return missesIn(ctx, job, upTo, (op, all) => {
    if (isRefusal(op) || op.isAsBeforeRetry) atRefusal = all;
    else if (op.kind === 'status') atRefusal = [];
    return atRefusal;
  });
}

/**
 * The rules that stood in the way, nearest first, each once. `kept`: which of those count on that stood in the way of an
 * operation that was explained all the same.
 */
export function missesIn(
  ctx: Context,
  job: JobCase,
  upTo: readonly Operation[],
  kept: (op: Operation, misses: Miss[]) => readonly Miss[],
): Miss[] {
  const tracer = new Tracer();
  const all = tracer.misses;
  let before: readonly Miss[] = [];
  walk(ctx.heardBy(tracer), job.life, beginnings(job, tracer), upTo, (op) => {
    before = kept(op, all.splice(0));
  });
  const nearest = new Map<RequirementId, Miss>();
  for (const miss of [...before, ...all]) {
    const known = nearest.get(miss.rule);
    if (known === undefined || miss.overMs < known.overMs) nearest.set(miss.rule, miss);
  }
  // Where it explains as much, a call that did not do what it had to is wrong before anything that would justify its answer.
  return [...nearest.values()].sort(
    (left, right) => ofCallFirst(left) - ofCallFirst(right) || left.overMs - right.overMs,
  );
}

const isRefusal = ({ kind, answer }: Operation): boolean =>
  (kind === 'cancel' || kind === 'retry') && answer === 'refused';

const ofCallFirst = ({ rule }: Miss): number => (isOfCall(rule) ? 0 : 1);
