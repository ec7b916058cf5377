/** Why a job's life cannot be: which requirement is broken, and what proves it. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { beginnings, known, type JobCase } from '../model/job.js';
import { BARRED, type Context } from '../model/context.js';
import { type Place, thin } from '../model/hypothesis.js';
import type { Explained, Unknown } from '../model/known.js';
import { byEnd, type Step, walk, type Walk } from '../model/linearize.js';
import { type Operation, placesDuring } from '../model/operations.js';
import { isOfEarlyDeletion } from '../model/lifecycle.js';
import { isOfCall, isOfDeletion, isOfGone } from '../model/lifecycle-calls.js';
import { type Miss, Tracer } from '../model/tracer.js';
import { describeCall, seconds, statusIn } from '../observed/reading.js';
import { contradictionInWords, type Contradiction } from './contradiction.js';
import { contradictionOf } from './from-life.js';

/** A job's life that cannot be: which requirement is broken, and by which call it showed. */
export interface Violation {
  readonly requirement: RequirementId;
  readonly op: Operation;
  /** No move of the document's leads there, whenever it was made. */
  readonly barred: boolean;
  /** All rules that stood in the way: each by itself, or several together, may be what was broken. */
  readonly rules: readonly RequirementId[];
  /** All that had been seen by then, and the call itself, makes sense where this rule alone is broken. */
  readonly explains: (rule: RequirementId) => boolean;
  /** Where the job may have been just then, had nobody looked. */
  readonly places: ReadonlySet<Place>;
  readonly calls: readonly number[];
  readonly actual: string;
  /** Why it cannot be, told by that rule where it stood in the way, too. */
  readonly proofBy: (rule: RequirementId) => Proof;
}

export interface Proof {
  readonly lines: readonly string[];
  readonly contradiction: Contradiction | null;
}

export type LifeVerdict =
  | Explained
  | Unknown
  | { readonly kind: 'violation'; readonly violation: Violation }
  /** What broke it before goes on. */
  | { readonly kind: 'same violation' };

/** Judges one job. `step` is told of every operation that could be explained; `before`: the breach that is known of it. */
export function judgeLife(
  ctx: Context,
  job: JobCase,
  step: Step,
  before: Violation | null = null,
): LifeVerdict {
  const result = walk(ctx, job.life, beginnings(job), job.operations, step);
  if (result.kind !== 'contradiction') return known(result);
  if (before !== null && goesOn(job, before.op, result.op)) return { kind: 'same violation' };
  return { kind: 'violation', violation: explain(ctx, job, result) };
}

/** All that was seen of the job from the one operation to the other shows the same. */
function goesOn({ operations }: JobCase, from: Operation, to: Operation): boolean {
  const first = operations.findIndex((op) => byEnd(from, op) <= 0);
  return operations
    .slice(first, operations.indexOf(to) + 1)
    .every(({ kind, shows, code }) => kind !== 'status' || (shows === from.shows && code === from.code));
}

/**
 * Which single rule, if the target did not keep it, would make sense of what was observed? Of the rules that
 * stood in the way, the one whose breach explains most of what came afterwards, too; of equals, the nearest.
 */
function explain(ctx: Context, job: JobCase, found: Extract<Walk, { kind: 'contradiction' }>): Violation {
  const upTo = job.operations.indexOf(found.op) + 1;
  // A job that is there was deleted by nothing: that it was is another reading of a call that was refused before.
  const isThere = found.op.kind === 'status' && found.op.shows !== null;
  const misses = missesAt(ctx, job, job.operations.slice(0, upTo)).filter(
    ({ rule, last }) => !isThere || last.op === found.op || !isOfEarlyDeletion(rule),
  );
  const alone = answersAlone(job, found.op) ? misses.find(({ rule }) => isOfGone(rule)) : undefined;
  if (alone !== undefined) return violation(ctx, job, found, alone, misses);
  let best: Miss | null = null;
  let explained = upTo - 1;
  for (const miss of misses) {
    const reached = reachedWithout(ctx, job, miss.rule);
    if (reached <= explained) continue;
    [best, explained] = [miss, reached];
    if (reached === job.operations.length) break;
  }
  // No single rule explains it. The nearest one is named.
  const nearest = best ?? misses[0] ?? null;
  if (nearest === null || !isOfDeletion(nearest.rule)) return violation(ctx, job, found, nearest, misses);
  return neverDeleted(ctx, job, found) ?? violation(ctx, job, found, nearest, misses);
}

/** One call is answered as if the job were there; all looks around it, at least two, do not find it. */
function answersAlone({ operations }: JobCase, op: Operation): boolean {
  if (op.kind !== 'cancel' && op.kind !== 'stream') return false;
  const others = operations.filter(({ code, kind }) => code > 0 && kind !== 'webhook');
  const at = others.indexOf(op);
  const later = others.slice(at + 1);
  if (others[at - 1]?.code !== 404 || later.some(({ code, kind }) => code !== 404 && kind !== op.kind))
    return false;
  const first = others.findLastIndex(({ code }, index) => index < at && code !== 404) + 1;
  return others.slice(first).filter(isNotFound).length > 1 || later.some(isNotFound);
}

/**
 * It came back, though it had been deleted. But that it was deleted is only inferred: where it was not found for a while, or
 * where a rule that was broken before explains it, it was there all the time.
 */
function neverDeleted(
  ctx: Context,
  job: JobCase,
  found: Extract<Walk, { kind: 'contradiction' }>,
): Violation | null {
  const upTo = job.operations.slice(0, job.operations.indexOf(found.op) + 1);
  const missing = upTo.find(isNotFound);
  if (missing !== undefined) {
    const there = job.operations.filter((op) => !upTo.includes(op) || !isNotFound(op));
    const retold = walk(ctx, job.life, beginnings(job), there);
    if (retold.kind !== 'contradiction' || byEnd(found.op, retold.op) < 0)
      return violation(ctx, job, { ...found, op: missing, before: [] }, null, []);
  }
  const stood: Miss[] = [];
  const all = missesIn(ctx, job, upTo, (_, misses) => {
    stood.push(...misses);
    return stood;
  });
  const misses = all.filter(({ rule }) => !isOfDeletion(rule));
  const miss = misses.find(({ rule }) => reachedWithout(ctx, job, rule) >= upTo.length);
  return miss === undefined ? null : violation(ctx, job, found, miss, misses);
}

const isNotFound = ({ kind, code }: Operation): boolean => kind === 'status' && code === 404;

/** How many operations, from the first on, can be explained without the rule. */
function reachedWithout(ctx: Context, job: JobCase, rule: RequirementId): number {
  const retold = walk(ctx.without([rule]), job.life, beginnings(job), job.operations);
  return retold.kind === 'consistent' ? job.operations.length : job.operations.indexOf(retold.op);
}

function violation(
  ctx: Context,
  job: JobCase,
  found: Extract<Walk, { kind: 'contradiction' }>,
  nearest: Miss | null,
  misses: readonly Miss[],
): Violation {
  const { op } = found;
  const seen = thin(found.before)[0];
  const evidence = seen?.evidence;
  const told = [
    job.submitted,
    evidence?.lastQueued,
    evidence?.firstStarted,
    evidence?.lastRunning,
    evidence?.ended,
    op.call,
  ];
  const calls = [...new Set(told.flatMap((call) => call ?? []))];
  return {
    // With nothing near, the move itself is unlisted.
    requirement: nearest?.rule ?? '4.3/shows-current-state',
    op,
    rules: misses.map(({ rule }) => rule),
    explains: (rule) => reachedWithout(ctx, job, rule) > job.operations.indexOf(op),
    barred: nearest === null || nearest.overMs >= BARRED,
    places: new Set(found.before.flatMap((at) => placesDuring(ctx, job.life, at, op))),
    actual: describe(op),
    calls: calls.map(({ call }) => call),
    proofBy(rule) {
      const miss = misses.find((one) => one.rule === rule) ?? nearest;
      const contradiction = miss === null ? null : contradictionOf(ctx, job, miss, calls);
      const lines = [
        `job ${job.id} submitted by call #${job.submitted.call} between ${seconds(job.submittedFromMs)} and ${seconds(job.submittedByMs)}`,
        ...(evidence?.lastQueued ? [queuedAt(evidence.lastQueued)] : []),
        ...(evidence?.firstStarted ? [`first seen IN_PROGRESS: ${describeCall(evidence.firstStarted)}`] : []),
        ...(evidence?.ended ? [`seen ended: ${describeCall(evidence.ended)}`] : []),
        ...(miss?.proof ?? []),
        ...(contradiction?.kind === 'time' ? contradictionInWords(contradiction) : []),
      ];
      return { lines, contradiction };
    },
  };
}

/** Not every call that fits a waiting job says that it waits. */
function queuedAt(call: CallEvent): string {
  const how =
    statusIn(call) !== 'IN_QUEUE'
      ? 'still waiting at'
      : call.op === 'retry'
        ? 'requeued by'
        : 'last seen IN_QUEUE:';
  return `${how} ${describeCall(call)}`;
}

function describe(op: Operation): string {
  return op.call === null
    ? `${op.kind} between ${seconds(op.fromMs)} and ${seconds(op.byMs)}`
    : describeCall(op.call);
}

/** The rules that stood in the way of the last operation, or of a call before it whose answer alone tells what it did: each once. */
function missesAt(ctx: Context, job: JobCase, upTo: readonly Operation[]): Miss[] {
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
function missesIn(
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
