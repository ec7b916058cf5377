/**
 * Silent transitions: what a job may do between two observations, according to the timers of its
 * life-cycle. They correspond to the unobservable steps of a timed automaton: each one constrains the zone
 * by the invariants of the state it leaves and by the guard of the timer that fires. A transition that the
 * document forbids is taken only while its rule is relaxed.
 */
import { firesFromMs, isTooEarly, mayHaveExpired, satisfiesBound, type Milestone } from '../timer-bounds.js';
import type { RuleSet } from '../rule-set.js';
import {
  fork,
  withZone,
  isFinished,
  DOCUMENT_STATES,
  type MutableHypothesis,
  type Hypothesis,
  type JobState,
  type EffectivePolicy,
} from '../hypothesis.js';
import { CRASH_NOTICED_MS, type JobModel } from '../job-model.js';
import { EXECUTION_TIMEOUT, HANDLER, TIMERS_RUNNING_IN } from './lifecycle.js';
import { requirementOf } from './lifecycle-rows.js';
import { requirementForbidding } from './lifecycle-calls.js';
import { mayBeRestarted, removals, removed, restarted } from './unseen-transitions.js';
import { ENDED, TTL_START, QUEUED, STARTED, SUBMITTED, ZERO, type Instant } from '../zone.js';

/** All ways in which the job can be in the state `target` at some instant up to `byMs`. */
export function transitionsTo(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  target: JobState,
  byMs: number,
): MutableHypothesis[] {
  // Most reads find a job where the last one found it.
  if (from.state === target && rules.isPlain && !mayRunAgain(model, from)) return [fork(from)];
  const found: MutableHypothesis[] = [];
  if (from.state === target) found.push(fork(from));
  if (from.state !== target || mayBeRedispatched(model, from))
    legalTransitions(rules, model, from, target, byMs, found);
  if (mayBeRestarted(model, from)) go(rules, model, restarted(model, from, byMs), target, byMs, found);
  forbiddenTransitions(rules, model, from, target, byMs, found);
  return found;
}

/** All ways in which the job can be in any state at some instant up to `byMs`, if no rule is relaxed. */
export function legalTransitionsTo(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  byMs: number,
): MutableHypothesis[] {
  const found = [fork(from)];
  legalTransitions(rules, model, from, ANY_STATE, byMs, found);
  if (mayBeRestarted(model, from)) go(rules, model, restarted(model, from, byMs), ANY_STATE, byMs, found);
  return found;
}

/** As a target: wherever the job can be. */
const ANY_STATE = 'any';

const ENDS_OF_RUNS = ['completed', 'failed', 'timed-out'] as const;

function legalTransitions(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  target: JobState | typeof ANY_STATE,
  byMs: number,
  found: MutableHypothesis[],
): void {
  const mayBeDeleted = target === 'deleted' || target === ANY_STATE;
  if (model.others)
    for (const state of removals(from))
      if (target === state || mayBeDeleted) go(rules, model, removed(from, state, byMs), target, byMs, found);
  if (from.state === 'queued') {
    if (target !== 'purged') go(rules, model, start(rules, model, from, byMs), target, byMs, found);
  } else if (from.state === 'running') {
    for (const end of ENDS_OF_RUNS)
      if (target === end || mayBeDeleted)
        go(rules, model, finish(rules, model, from, end, byMs), target, byMs, found);
    if (target === 'cancelled' || mayBeDeleted)
      go(rules, model, cancelledByTimeout(rules, model, from, byMs), target, byMs, found);
    if (target !== 'purged') go(rules, model, redispatch(rules, model, from, byMs), target, byMs, found);
  }
  if (mayBeDeleted && from.state !== 'deleted') expire(rules, model, from, byMs, found);
}

/** The job may be in the state `next`, and go on from there. */
function go(
  rules: RuleSet,
  model: JobModel,
  next: MutableHypothesis | null,
  target: JobState | typeof ANY_STATE,
  byMs: number,
  found: MutableHypothesis[],
): void {
  if (next === null) return;
  if (next.state === target || target === ANY_STATE) found.push(next);
  if (next.state !== target || mayBeRedispatched(model, next))
    legalTransitions(rules, model, next, target, byMs, found);
}

/** All ways in which `executionTimeout` made the job CANCELLED by `byMs`. */
export function timeoutsAsCancelled(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  byMs: number,
): MutableHypothesis[] {
  const found: MutableHypothesis[] = [];
  legalTransitions(rules, model, from, 'cancelled', byMs, found);
  return found;
}

/** Between two observations its worker may crash and the job be dispatched again: the same state, one run later. */
function mayBeRedispatched(model: JobModel, { state, runs }: Hypothesis): boolean {
  return (state === 'queued' || state === 'running') && model.predicted(runs).outcome === 'crash';
}

/** Between two observations it may have left its state and come back. */
export const mayRunAgain = (model: JobModel, at: Hypothesis): boolean =>
  mayBeRestarted(model, at) || mayBeRedispatched(model, at);

/** A worker picks the job up. */
function start(rules: RuleSet, model: JobModel, from: Hypothesis, byMs: number): MutableHypothesis | null {
  return leaveState(rules, model, from, QUEUED, STARTED, 'running', byMs);
}

/** The run ends: by its handler, by an error of its worker, or by its `executionTimeout`. */
function finish(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  state: 'completed' | 'failed' | 'timed-out',
  byMs: number,
): MutableHypothesis | null {
  if (!isOutcomePossible(rules, model, from, state, byMs)) return null;
  return leaveState(rules, model, from, STARTED, ENDED, state, byMs);
}

/**
 * The state after a timeout is open. A job that is CANCELLED before its timeout was cancelled by something
 * else.
 */
function cancelledByTimeout(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  byMs: number,
): MutableHypothesis | null {
  const leastMs = EXECUTION_TIMEOUT.leastMs(from, model)!;
  if (from.zone.earliest(STARTED) + leastMs - rules.earlyToleranceMs(leastMs) > byMs) return null;
  const ended = finish(rules, model, from, 'timed-out', byMs);
  if (ended === null) return null;
  ended.state = 'cancelled';
  ended.previousState = 'timed-out';
  return ended;
}

/**
 * The job leaves its state at the instant `to`, up to `byMs`: all timers that run there respect their upper
 * bounds, and the timer that fires its lower bound.
 */
function leaveState(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  since: Instant,
  to: Milestone,
  state: JobState,
  byMs: number,
): MutableHypothesis | null {
  // Found out before the zone is copied, unless a proof asks by how much it is too early.
  if (rules.isPlain && isTooEarly(rules, model, from, state, byMs)) return null;
  const zone = from.zone.copy();
  if (to === STARTED) zone.free(STARTED);
  zone.free(ENDED);
  const isInOrder =
    zone.constrain(since, to, 0) &&
    zone.constrain(ZERO, to, -from.notBeforeMs) &&
    zone.constrain(to, ZERO, byMs);
  if (!isInOrder) return null;
  for (const timer of TIMERS_RUNNING_IN.get(from.state)!) {
    if (!satisfiesBound(rules, model, from, zone, timer, 'tooLate', to)) return null;
    if (timer.leadsTo.includes(state) && !satisfiesBound(rules, model, from, zone, timer, 'tooEarly', to))
      return null;
  }
  const next = withZone(from, zone);
  next.state = state;
  return next;
}

/** The handler may end so, according to the worker's plan. */
function isOutcomePossible(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  state: JobState,
  byMs: number,
): boolean {
  if (state === 'timed-out') return true;
  const { outcome, durationMs } = model.predicted(from.runs);
  const isError = outcome === 'error' || outcome === 'crash';
  if (outcome === 'unknown' || (state === 'failed' ? isError : outcome === 'success')) return true;
  // How the handler would have ended does not matter before it has ended.
  const isTooSoon =
    state === 'failed'
      ? outcome === 'never'
      : from.zone.earliest(STARTED) + durationMs! - rules.earlyToleranceMs(durationMs!) > byMs;
  const { cases } = isTooSoon ? HANDLER.tooEarly : HANDLER.tooLate;
  return rules.permits(requirementOf(cases, model, from), () => [`the worker's plan ends with: ${outcome}`]);
}

/** Whether a job fails when its worker crashes, or is first dispatched again, is an open question. */
const RUNS_AFTER_CRASH_MAX = 3;

function redispatch(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  byMs: number,
): MutableHypothesis | null {
  const plan = model.predicted(from.runs);
  if (plan.outcome !== 'crash' || plan.durationMs === null || from.runs >= RUNS_AFTER_CRASH_MAX) return null;
  const zone = from.zone.copy();
  zone.free(QUEUED);
  if (!zone.constrain(STARTED, QUEUED, -plan.durationMs) || !zone.constrain(QUEUED, ZERO, byMs)) return null;
  const graceMs = rules.graceOf(zone, QUEUED);
  if (!zone.constrain(QUEUED, STARTED, plan.durationMs + CRASH_NOTICED_MS + graceMs)) return null;
  zone.free(STARTED);
  // The time that the crashed worker used may count for the next run, too.
  const priorRunsMs = from.priorRunsMs + plan.durationMs + graceMs;
  return fork(from, { state: 'queued', zone, runs: from.runs + 1, priorRunsMs });
}

/** A timer deletes the record by `byMs`. */
function expire(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  byMs: number,
  found: MutableHypothesis[],
): void {
  for (const timer of TIMERS_RUNNING_IN.get(from.state)!) {
    if (!timer.leadsTo.includes('deleted')) continue;
    if (rules.isPlain && byMs < firesFromMs(rules, model, from, timer)) continue;
    const deletedBy = timer.since === TTL_START ? 'ttl' : 'retention';
    const zone = from.zone.copy();
    if (!mayHaveExpired(rules, model, from, zone, timer, byMs)) continue;
    const next = withZone(from, zone);
    next.state = 'deleted';
    next.deletedBy = deletedBy;
    next.previousState = from.state;
    found.push(next);
  }
}

/** Transitions that section 3 does not list. */
function forbiddenTransitions(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  target: JobState,
  byMs: number,
  found: MutableHypothesis[],
): void {
  if (rules.isPlain || from.state === target || target === 'deleted' || target === 'purged') return;
  const rule = requirementForbidding(model, from, target);
  if (
    rule === null ||
    !rules.permits(rule, () => [`by earlier answers, the job was ${DOCUMENT_STATES[from.state]}`])
  )
    return;
  if (isFinished(target)) found.push(ended(from, target, byMs));
  else if (target === 'queued') found.push(requeuedIllegally(from));
  else legalTransitions(rules, model, requeuedIllegally(from), target, byMs, found);
}

/** As if something had requeued it, at an unknown instant. */
function requeuedIllegally(from: Hypothesis): MutableHypothesis {
  const zone = from.zone.copy();
  zone.free(QUEUED);
  zone.free(STARTED);
  zone.free(ENDED);
  zone.constrain(SUBMITTED, QUEUED, 0);
  return fork(from, { state: 'queued', zone, runs: from.runs + 1, policy: withoutDeadlines(from) });
}

function ended(from: Hypothesis, state: JobState, byMs: number): MutableHypothesis {
  const zone = from.zone.copy();
  zone.free(ENDED);
  zone.constrain(QUEUED, ENDED, 0);
  zone.constrain(ENDED, ZERO, byMs);
  return fork(from, { state, zone, policy: withoutDeadlines(from) });
}

/** A deleted job that exists again has no deadlines left to violate. */
function withoutDeadlines(from: Hypothesis): EffectivePolicy {
  if (from.state !== 'deleted') return from.policy;
  return { ...from.policy, ttlMs: null, keptAtMostMs: Infinity, variants: [] };
}
