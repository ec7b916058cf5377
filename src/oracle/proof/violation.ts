/** Why a job cannot be explained: the requirement that is violated, and the proof. */
import { requirement, type RequirementId } from '../../spec/index.js';
import { initialHypotheses, explanationsIn, type ObservedJob } from '../model/observed-job.js';
import { FORBIDDEN_COST, type RuleSet } from '../model/rule-set.js';
import { type JobState, withoutSubsumed } from '../model/hypothesis.js';
import type { StartWindow } from '../model/job-model.js';
import type { Explained, Unknown } from '../model/explanations.js';
import { byEnd, type OnStep, linearize, type Linearization } from '../model/linearize.js';
import { requirementOf, type Rule } from '../model/lifecycle/lifecycle-rows.js';
import { type JobOperation, statesDuring } from '../model/operations.js';
import { statesIn } from '../model/state-set.js';
import { forbidsEarlyDeletion } from '../model/lifecycle/lifecycle.js';
import {
  isAboutCallEffect,
  forbidsResurrection,
  forbidsReturn,
  isAboutDeletedJob,
} from '../model/lifecycle/lifecycle-calls.js';
import { type UnsatisfiedBound, Tracer } from '../model/tracer.js';
import { getOrMake } from '../../util/maps.js';
import { describeCall } from '../observed/recorded-call.js';
import type { Contradiction, Later } from './contradiction.js';
import { between } from '../../util/duration.js';
import { arithmetic, describe, queuedAt } from './wording.js';
import { laterReads } from './later-reads.js';
import { contradictionOf } from './negative-cycle.js';

/** A contradiction in the observations of one job: the violated requirement, and the call that showed it. */
export interface Violation {
  readonly requirement: RequirementId;
  readonly op: JobOperation;
  /** No transition of the document leads to the observed state, at any time. */
  readonly isForbiddenTransition: boolean;
  /** All unsatisfied rules. Each one, or several together, may be what the target violated. */
  readonly suspectRules: readonly RequirementId[];
  /** Whether all observations up to this call are consistent if this rule alone is relaxed. */
  readonly explains: (rule: RequirementId) => boolean;
  /** The states that the job may have been in at this call, according to the earlier observations. */
  readonly states: ReadonlySet<JobState>;
  /** What a rule requires of the job as it was then, in this state. */
  readonly required: (rule: Pick<Rule, 'cases'>, state: JobState) => RequirementId;
  /** When its first run must have begun, as far as the other jobs show. */
  readonly startWindow: StartWindow;
  readonly calls: readonly number[];
  readonly actual: string;
  /** The proof, in terms of this rule if it is one of the unsatisfied ones. */
  readonly proofBy: (rule: RequirementId) => Proof;
}

interface Proof {
  readonly lines: readonly string[];
  /** What later reads of the job showed; null if the rule is none of lateness. */
  readonly later: Later | null;
  readonly contradiction: Contradiction | null;
}

export type JobVerdict =
  | Explained
  | Unknown
  | { readonly kind: 'violation'; readonly violation: Violation }
  /** An earlier violation continues. */
  | { readonly kind: 'same violation' };

/** Checks one job. `step` is called for each operation that could be explained; `before`: the violation already known. */
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

/** All reads of the job from the one operation to the other returned the same. */
function isSameViolation({ operations }: ObservedJob, from: JobOperation, to: JobOperation): boolean {
  const first = operations.findIndex((op) => byEnd(from, op) <= 0);
  return operations
    .slice(first, operations.indexOf(to) + 1)
    .every(
      ({ kind, observed, code }) => kind !== 'status' || (observed === from.observed && code === from.code),
    );
}

/**
 * Finds the single rule whose relaxation makes the observations consistent. Of the unsatisfied rules it is the one whose
 * relaxation explains most of the later operations as well; of equals, the one exceeded least.
 */
function explain(
  rules: RuleSet,
  job: ObservedJob,
  found: Extract<Linearization, { kind: 'contradiction' }>,
): Violation {
  const upTo = job.operations.indexOf(found.op) + 1;
  // A job that was observed now was not deleted earlier: the deletion is another reading of an earlier refusal.
  const isThere = found.op.kind === 'status' && found.op.observed !== null;
  // A run that nothing has shown is no run from which it can have returned to the queue.
  const seen = job.operations.slice(0, upTo);
  const hasRun = seen.some(({ observed }) => observed === 'IN_PROGRESS');
  const unsatisfiedBounds = boundsUnsatisfiedAt(rules, job, seen).filter(
    ({ rule, last }) =>
      (!isThere || last.op === found.op || !forbidsEarlyDeletion(rule)) && (hasRun || !forbidsReturn(rule)),
  );
  const alone = answersAlone(job, found.op)
    ? unsatisfiedBounds.find(({ rule }) => isAboutDeletedJob(rule))
    : undefined;
  if (alone !== undefined) return violation(rules, job, found, alone, unsatisfiedBounds);
  const reachedWithout = ({ rule }: UnsatisfiedBound): number =>
    operationsExplainedWithout(rules, job, [rule]);
  // A service that goes against advice alone breaks no must.
  const isAdviceAlone = (one: UnsatisfiedBound): boolean =>
    !isMust(one) && reachedWithout(one) === job.operations.length;
  let best = unsatisfiedBounds.find(isAdviceAlone) ?? null;
  let explained = upTo - 1;
  for (const unsatisfied of best === null ? unsatisfiedBounds : []) {
    const reached = reachedWithout(unsatisfied);
    if (reached > explained) [best, explained] = [unsatisfied, reached];
    if (reached === job.operations.length) break;
  }
  const nearest = best ?? nearestOf(rules, job, unsatisfiedBounds, seen);
  if (nearest === null || !forbidsResurrection(nearest.rule))
    return violation(rules, job, found, nearest, unsatisfiedBounds);
  return neverDeleted(rules, job, found) ?? violation(rules, job, found, nearest, unsatisfiedBounds);
}

/** One call is answered as if the job existed, while all reads around it, at least two, do not find the job. */
function answersAlone({ operations }: ObservedJob, op: JobOperation): boolean {
  if (op.kind !== 'cancel' && op.kind !== 'stream') return false;
  const others = operations.filter(({ answer, kind }) => answer !== 'unknown' && kind !== 'webhook');
  const at = others.indexOf(op);
  const later = others.slice(at + 1);
  if (others[at - 1]?.code !== 404 || later.some(({ code, kind }) => code !== 404 && kind !== op.kind))
    return false;
  const first = others.findLastIndex(({ code }, index) => index < at && code !== 404) + 1;
  return others.slice(first).filter(isNotFound).length > 1 || later.some(isNotFound);
}

/**
 * The job exists again after its deletion. But the deletion is only inferred: if the job was not found for a while, or if a
 * rule that was unsatisfied before explains it, the job existed all the time.
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
    ({ rule }) => operationsExplainedWithout(rules, job, [rule]) >= upTo.length,
  );
  return unsatisfied === undefined ? null : violation(rules, job, found, unsatisfied, unsatisfiedBounds);
}

const isNotFound = ({ kind, code }: JobOperation): boolean => kind === 'status' && code === 404;

/**
 * No single rule explains it: the one exceeded least is named. What is broken is a must, unless a service that goes against
 * advice alone may have done it.
 */
function nearestOf(
  rules: RuleSet,
  job: ObservedJob,
  unsatisfiedBounds: readonly UnsatisfiedBound[],
  seen: readonly JobOperation[],
): UnsatisfiedBound | null {
  const [first = null] = unsatisfiedBounds;
  const advice = unsatisfiedBounds.flatMap((one) => (isMust(one) ? [] : one.rule));
  if (advice.length === 0 || operationsExplainedWithout(rules, job, advice) >= seen.length) return first;
  const without = boundsUnsatisfiedAt(rules.without(advice), job, seen);
  return unsatisfiedBounds.find(isMust) ?? without.find(isMust) ?? first;
}

const isMust = ({ rule }: UnsatisfiedBound): boolean => requirement(rule).level === 'must';

/** How many operations, from the first on, are consistent if these rules are relaxed. */
function operationsExplainedWithout(
  rules: RuleSet,
  job: ObservedJob,
  without: readonly RequirementId[],
): number {
  const retold = linearize(rules.without(without), job.model, initialHypotheses(job), job.operations);
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
  const reached = new Map<RequirementId, number>();
  return {
    // Nothing is near: the document does not list the transition at all.
    requirement: nearest?.rule ?? '4.3/shows-current-state',
    op,
    suspectRules: unsatisfiedBounds.map(({ rule }) => rule),
    explains: (rule) =>
      getOrMake(reached, rule, () => operationsExplainedWithout(rules, job, [rule])) >
      job.operations.indexOf(op),
    isForbiddenTransition: nearest === null || nearest.overMs >= FORBIDDEN_COST,
    states: new Set(
      statesIn(found.before.reduce((all, at) => all | statesDuring(rules, job.model, at, op), 0)),
    ),
    required: ({ cases }, state) =>
      requirementOf(cases, job.model, { ...(seen ?? initialHypotheses(job)[0]!), state }),
    startWindow: job.model.startWindow,
    actual: describe(op),
    calls: calls.map(({ call }) => call),
    proofBy(rule) {
      const unsatisfied = unsatisfiedBounds.find((one) => one.rule === rule) ?? nearest;
      const contradiction = unsatisfied === null ? null : contradictionOf(rules, job, unsatisfied, calls);
      const lines = [
        `job ${job.id} submitted by call #${job.submitted.call} ${between(job.submittedFromMs, job.submittedByMs)}`,
        ...(milestones?.lastQueued ? [queuedAt(milestones.lastQueued)] : []),
        ...(milestones?.firstStarted
          ? [`first seen IN_PROGRESS: ${describeCall(milestones.firstStarted)}`]
          : []),
        ...(milestones?.ended ? [`the job had ended: ${describeCall(milestones.ended)}`] : []),
        ...arithmetic(unsatisfied, contradiction),
      ];
      return { lines, later: laterReads(job, op, contradiction), contradiction };
    },
  };
}

/** The rules unsatisfied at the last operation, or at an earlier call whose effect nothing has shown since: each once. */
function boundsUnsatisfiedAt(
  rules: RuleSet,
  job: ObservedJob,
  upTo: readonly JobOperation[],
): UnsatisfiedBound[] {
  // Until the next read a refusal shows only that the job was in a state that refuses: rules unsatisfied
  // there count.
  let atRefusal: UnsatisfiedBound[] = [];
  return boundsUnsatisfiedIn(rules, job, upTo, (op, all) => {
    if (isRefusal(op) || op.isAsBeforeRetry) atRefusal = all;
    else if (op.kind === 'status') atRefusal = [];
    return atRefusal;
  });
}

/**
 * The unsatisfied rules, the one exceeded least first, each once. `kept`: which of those at an operation
 * that was explained still count.
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
  // If both explain as much, a call without its required effect is more likely wrong than what would
  // justify its answer.
  return [...nearest.values()].sort(
    (left, right) => ofCallFirst(left) - ofCallFirst(right) || left.overMs - right.overMs,
  );
}

const isRefusal = ({ kind, answer }: JobOperation): boolean =>
  (kind === 'cancel' || kind === 'retry') && answer === 'refused';

const ofCallFirst = ({ rule }: UnsatisfiedBound): number => (isAboutCallEffect(rule) ? 0 : 1);
