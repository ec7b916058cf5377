/** Why a job's life cannot be: which requirement is broken, and what proves it. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { initialHypotheses, explanationsIn, type ObservedJob } from '../model/observed-job.js';
import { FORBIDDEN_COST, type RuleSet } from '../model/rule-set.js';
import { type JobState, withoutSubsumed } from '../model/hypothesis.js';
import type { Explained, Unknown } from '../model/explanations.js';
import { byEnd, type OnStep, linearize, type Linearization } from '../model/linearize.js';
import { type JobOperation, statesDuring } from '../model/operations.js';
import { forbidsEarlyDeletion } from '../model/lifecycle.js';
import { isAboutCallEffect, forbidsResurrection, isAboutDeletedJob } from '../model/lifecycle-calls.js';
import { type UnsatisfiedBound, Tracer } from '../model/tracer.js';
import { describeCall, seconds, statusIn } from '../observed/recorded-call.js';
import { formatContradiction, type Contradiction } from './contradiction.js';
import { contradictionOf } from './negative-cycle.js';

/** A job's life that cannot be: which requirement is broken, and by which call it showed. */
export interface Violation {
  readonly requirement: RequirementId;
  readonly op: JobOperation;
  /** No move of the document's leads there, whenever it was made. */
  readonly isForbiddenTransition: boolean;
  /** All rules that stood in the way: each by itself, or several together, may be what was broken. */
  readonly suspectRules: readonly RequirementId[];
  /** All that had been seen by then, and the call itself, makes sense where this rule alone is broken. */
  readonly explains: (rule: RequirementId) => boolean;
  /** Where the job may have been just then, had nobody looked. */
  readonly states: ReadonlySet<JobState>;
  readonly calls: readonly number[];
  readonly actual: string;
  /** Why it cannot be, told by that rule where it stood in the way, too. */
  readonly proofBy: (rule: RequirementId) => Proof;
}

interface Proof {
  readonly lines: readonly string[];
  readonly contradiction: Contradiction | null;
}

export type JobVerdict =
  | Explained
  | Unknown
  | { readonly kind: 'violation'; readonly violation: Violation }
  /** What broke it before goes on. */
  | { readonly kind: 'same violation' };

/** Judges one job. `step` is told of every operation that could be explained; `before`: the breach that is known of it. */
export function checkJob(
  rules: RuleSet,
  job: ObservedJob,
  step: OnStep,
  before: Violation | null = null,
): JobVerdict {
  const result = linearize(rules, job.model, initialHypotheses(job), job.operations, step);
  if (result.kind !== 'contradiction') return explanationsIn(result);
  if (before !== null && isSameViolation(job, before.op, result.op)) return { kind: 'same violation' };
  return { kind: 'violation', violation: explain(rules, job, result) };
}

/** All that was seen of the job from the one operation to the other shows the same. */
function isSameViolation({ operations }: ObservedJob, from: JobOperation, to: JobOperation): boolean {
  const first = operations.findIndex((op) => byEnd(from, op) <= 0);
  return operations
    .slice(first, operations.indexOf(to) + 1)
    .every(
      ({ kind, observed, code }) => kind !== 'status' || (observed === from.observed && code === from.code),
    );
}

/**
 * Which single rule, if the target did not keep it, would make sense of what was observed? Of the rules that
 * stood in the way, the one whose breach explains most of what came afterwards, too; of equals, the nearest.
 */
function explain(
  rules: RuleSet,
  job: ObservedJob,
  found: Extract<Linearization, { kind: 'contradiction' }>,
): Violation {
  const upTo = job.operations.indexOf(found.op) + 1;
  // A job that is there was deleted by nothing: that it was is another reading of a call that was refused before.
  const isThere = found.op.kind === 'status' && found.op.observed !== null;
  const unsatisfiedBounds = boundsUnsatisfiedAt(rules, job, job.operations.slice(0, upTo)).filter(
    ({ rule, last }) => !isThere || last.op === found.op || !forbidsEarlyDeletion(rule),
  );
  const alone = answersAlone(job, found.op)
    ? unsatisfiedBounds.find(({ rule }) => isAboutDeletedJob(rule))
    : undefined;
  if (alone !== undefined) return violation(rules, job, found, alone, unsatisfiedBounds);
  let best: UnsatisfiedBound | null = null;
  let explained = upTo - 1;
  for (const unsatisfied of unsatisfiedBounds) {
    const reached = operationsExplainedWithout(rules, job, unsatisfied.rule);
    if (reached <= explained) continue;
    [best, explained] = [unsatisfied, reached];
    if (reached === job.operations.length) break;
  }
  // No single rule explains it. The nearest one is named.
  const nearest = best ?? unsatisfiedBounds[0] ?? null;
  if (nearest === null || !forbidsResurrection(nearest.rule))
    return violation(rules, job, found, nearest, unsatisfiedBounds);
  return neverDeleted(rules, job, found) ?? violation(rules, job, found, nearest, unsatisfiedBounds);
}

/** One call is answered as if the job were there; all looks around it, at least two, do not find it. */
function answersAlone({ operations }: ObservedJob, op: JobOperation): boolean {
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
  rules: RuleSet,
  job: ObservedJob,
  found: Extract<Linearization, { kind: 'contradiction' }>,
): Violation | null {
  const upTo = job.operations.slice(0, job.operations.indexOf(found.op) + 1);
  const missing = upTo.find(isNotFound);
  if (missing !== undefined) {
    const there = job.operations.filter((op) => !upTo.includes(op) || !isNotFound(op));
    const retold = linearize(rules, job.model, initialHypotheses(job), there);
    if (retold.kind !== 'contradiction' || byEnd(found.op, retold.op) < 0)
      return violation(rules, job, { ...found, op: missing, before: [] }, null, []);
  }
  const stood: UnsatisfiedBound[] = [];
  const all = boundsUnsatisfiedIn(rules, job, upTo, (_, unsatisfiedBounds) => {
    stood.push(...unsatisfiedBounds);
    return stood;
  });
  const unsatisfiedBounds = all.filter(({ rule }) => !forbidsResurrection(rule));
  const unsatisfied = unsatisfiedBounds.find(
    ({ rule }) => operationsExplainedWithout(rules, job, rule) >= upTo.length,
  );
  return unsatisfied === undefined ? null : violation(rules, job, found, unsatisfied, unsatisfiedBounds);
}

const isNotFound = ({ kind, code }: JobOperation): boolean => kind === 'status' && code === 404;

/** How many operations, from the first on, can be explained without the rule. */
function operationsExplainedWithout(rules: RuleSet, job: ObservedJob, rule: RequirementId): number {
  const retold = linearize(rules.without([rule]), job.model, initialHypotheses(job), job.operations);
  return retold.kind === 'consistent' ? job.operations.length : job.operations.indexOf(retold.op);
}

function violation(
  rules: RuleSet,
  job: ObservedJob,
  found: Extract<Linearization, { kind: 'contradiction' }>,
  nearest: UnsatisfiedBound | null,
  unsatisfiedBounds: readonly UnsatisfiedBound[],
): Violation {
  const { op } = found;
  const seen = withoutSubsumed(found.before)[0];
  const milestones = seen?.milestones;
  const told = [
    job.submitted,
    milestones?.lastQueued,
    milestones?.firstStarted,
    milestones?.lastRunning,
    milestones?.ended,
    op.call,
  ];
  const calls = [...new Set(told.flatMap((call) => call ?? []))];
  return {
    // With nothing near, the move itself is unlisted.
    requirement: nearest?.rule ?? '4.3/shows-current-state',
    op,
    suspectRules: unsatisfiedBounds.map(({ rule }) => rule),
    explains: (rule) => operationsExplainedWithout(rules, job, rule) > job.operations.indexOf(op),
    isForbiddenTransition: nearest === null || nearest.overMs >= FORBIDDEN_COST,
    states: new Set(found.before.flatMap((at) => statesDuring(rules, job.model, at, op))),
    actual: describe(op),
    calls: calls.map(({ call }) => call),
    proofBy(rule) {
      const unsatisfied = unsatisfiedBounds.find((one) => one.rule === rule) ?? nearest;
      const contradiction = unsatisfied === null ? null : contradictionOf(rules, job, unsatisfied, calls);
      const lines = [
        `job ${job.id} submitted by call #${job.submitted.call} between ${seconds(job.submittedFromMs)} and ${seconds(job.submittedByMs)}`,
        ...(milestones?.lastQueued ? [queuedAt(milestones.lastQueued)] : []),
        ...(milestones?.firstStarted
          ? [`first seen IN_PROGRESS: ${describeCall(milestones.firstStarted)}`]
          : []),
        ...(milestones?.ended ? [`seen ended: ${describeCall(milestones.ended)}`] : []),
        ...(unsatisfied?.proof ?? []),
        ...(contradiction?.kind === 'time' ? formatContradiction(contradiction) : []),
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

function describe(op: JobOperation): string {
  return op.call === null
    ? `${op.kind} between ${seconds(op.fromMs)} and ${seconds(op.byMs)}`
    : describeCall(op.call);
}

/** The rules that stood in the way of the last operation, or of a call before it whose answer alone tells what it did: each once. */
function boundsUnsatisfiedAt(
  rules: RuleSet,
  job: ObservedJob,
  upTo: readonly JobOperation[],
): UnsatisfiedBound[] {
  // A refusal tells only that the job was where it may be refused, until somebody looks: what stood in the way there counts.
  let atRefusal: UnsatisfiedBound[] = [];
  return boundsUnsatisfiedIn(rules, job, upTo, (op, all) => {
    if (isRefusal(op) || op.isAsBeforeRetry) atRefusal = all;
    else if (op.kind === 'status') atRefusal = [];
    return atRefusal;
  });
}

/**
 * The rules that stood in the way, nearest first, each once. `kept`: which of those count on that stood in the way of an
 * operation that was explained all the same.
 */
function boundsUnsatisfiedIn(
  rules: RuleSet,
  job: ObservedJob,
  upTo: readonly JobOperation[],
  kept: (op: JobOperation, unsatisfiedBounds: UnsatisfiedBound[]) => readonly UnsatisfiedBound[],
): UnsatisfiedBound[] {
  const tracer = new Tracer();
  const all = tracer.unsatisfiedBounds;
  let before: readonly UnsatisfiedBound[] = [];
  linearize(rules.tracedBy(tracer), job.model, initialHypotheses(job, tracer), upTo, (op) => {
    before = kept(op, all.splice(0));
  });
  const nearest = new Map<RequirementId, UnsatisfiedBound>();
  for (const unsatisfied of [...before, ...all]) {
    const known = nearest.get(unsatisfied.rule);
    if (known === undefined || unsatisfied.overMs < known.overMs) nearest.set(unsatisfied.rule, unsatisfied);
  }
  // Where it explains as much, a call that did not do what it had to is wrong before anything that would justify its answer.
  return [...nearest.values()].sort(
    (left, right) => ofCallFirst(left) - ofCallFirst(right) || left.overMs - right.overMs,
  );
}

const isRefusal = ({ kind, answer }: JobOperation): boolean =>
  (kind === 'cancel' || kind === 'retry') && answer === 'refused';

const ofCallFirst = ({ rule }: UnsatisfiedBound): number => (isAboutCallEffect(rule) ? 0 : 1);
