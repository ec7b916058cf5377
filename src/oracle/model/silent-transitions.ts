/**
 * What a job may do between two observations, by the table of its life-cycle. Each move narrows the zone by the bounds of the
 * timers that ran. A move that the document bars is taken only while its rule is assumed broken.
 */
import { seconds } from '../observed/recorded-call.js';
import type { RuleSet } from './rule-set.js';
import {
  fork,
  isFinished,
  DOCUMENT_STATES,
  type MutableHypothesis,
  type Hypothesis,
  type JobState,
  type EffectivePolicy,
} from './hypothesis.js';
import { CRASH_NOTICED_MS, type JobModel } from './job-model.js';
import { EXECUTION_TIMEOUT, HANDLER, TIMERS_RUNNING_IN } from './lifecycle.js';
import { requirementOf, type Timer } from './lifecycle-rows.js';
import { requirementForbidding } from './lifecycle-calls.js';
import { ENDED, TTL_START, QUEUED, STARTED, SUBMITTED, ZERO, type Instant, type Zone } from './zone.js';

/** All ways in which the job can be at `target` at some instant not after `byMs`. */
export function transitionsTo(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  target: JobState,
  byMs: number,
): MutableHypothesis[] {
  // Most looks find a job where it was at the last one.
  if (from.state === target && rules.isPlain && !mayBeRedispatched(model, from)) return [fork(from)];
  const found: MutableHypothesis[] = [];
  if (from.state === target) found.push(fork(from));
  if (from.state !== target || mayBeRedispatched(model, from))
    legalTransitions(rules, model, from, target, byMs, found);
  forbiddenTransitions(rules, model, from, target, byMs, found);
  return found;
}

function legalTransitions(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  target: JobState,
  byMs: number,
  found: MutableHypothesis[],
): void {
  const endedIllegally = from.state !== 'queued' && from.state !== 'running';
  if (endedIllegally && target !== 'deleted') return;
  const go = (next: MutableHypothesis | null): void => {
    if (next === null) return;
    if (next.state === target) found.push(next);
    if (next.state !== target || mayBeRedispatched(model, next))
      legalTransitions(rules, model, next, target, byMs, found);
  };
  if (from.state === 'queued') {
    if (target !== 'purged') go(start(rules, model, from, byMs));
  } else if (from.state === 'running') {
    for (const end of ['completed', 'failed', 'timed-out'] as const)
      if (target === end || target === 'deleted') go(finish(rules, model, from, end, byMs));
    if (target === 'cancelled' || target === 'deleted') go(cancelledByTimeout(rules, model, from, byMs));
    if (target !== 'purged') go(redispatch(rules, model, from, byMs));
  }
  if (target === 'deleted' && from.state !== 'deleted') found.push(...expire(rules, model, from, byMs));
}

/** All ways in which its executionTimeout ended the job, in the state CANCELLED, not after `byMs`. */
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

/** The worker may die and the job be given to another one, all between two looks: it is where it was, one run later. */
export function mayBeRedispatched(model: JobModel, { state, runs }: Hypothesis): boolean {
  return (state === 'queued' || state === 'running') && model.predicted(runs).outcome === 'crash';
}

/** A worker picks the job up. */
function start(rules: RuleSet, model: JobModel, from: Hypothesis, byMs: number): MutableHypothesis | null {
  const zone = from.zone.copy();
  zone.free(STARTED);
  return leaveState(rules, model, from, zone, QUEUED, STARTED, 'running', byMs);
}

/** The run ends: by its handler, by its worker's error, or by its executionTimeout. */
function finish(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  state: 'completed' | 'failed' | 'timed-out',
  byMs: number,
): MutableHypothesis | null {
  if (!isOutcomePossible(rules, model, from, state, byMs)) return null;
  return leaveState(rules, model, from, from.zone.copy(), STARTED, ENDED, state, byMs);
}

/** The state after an overrun is open. One that is CANCELLED before its time is over was cancelled by something else. */
function cancelledByTimeout(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  byMs: number,
): MutableHypothesis | null {
  const leastMs = EXECUTION_TIMEOUT.leastMs(from, model)!;
  if (from.zone.earliest(STARTED) + leastMs - rules.earlyToleranceMs(leastMs) > byMs) return null;
  const ended = finish(rules, model, from, 'timed-out', byMs);
  return ended === null ? null : { ...ended, state: 'cancelled', previousState: 'timed-out' };
}

/** At which a job leaves a state by itself. */
type Milestone = typeof STARTED | typeof ENDED;

/** The job leaves its state at an instant of its own, `to`, not after `byMs`: no timer that runs there strikes later, and the one that moves it no sooner. */
function leaveState(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  zone: Zone,
  since: Instant,
  to: Milestone,
  state: JobState,
  byMs: number,
): MutableHypothesis | null {
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
  return { ...from, state, zone };
}

/** The job moves on at `to`, and keeps this bound of the timer. */
function satisfiesBound(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  zone: Zone,
  timer: Timer,
  bound: 'tooLate' | 'tooEarly',
  to: Milestone,
): boolean {
  const { since } = timer;
  const isLate = bound === 'tooLate';
  const ms = isLate ? timer.mostMs(from, model, zone, null) : timer.leastMs(from, model);
  if (ms === null || ms === (isLate ? Infinity : -Infinity)) return true;
  let slackMs = 0;
  if (since !== ZERO)
    slackMs = isLate
      ? rules.graceOf(zone, to) + rules.sleepGraceMs(timer.sleeps?.(from, model) ?? 0)
      : rules.earlyToleranceMs(ms);
  const [left, right] = isLate ? [to, since] : [since, to];
  const boundMs = isLate ? ms + slackMs : slackMs - ms;
  if (rules.isPlain) return zone.constrain(left, right, boundMs);
  const rule = requirementOf(timer[bound], model, from);
  const say = (): readonly string[] => formatTransition(timer, zone, to, ms);
  return rules.bound(rule, zone, left, right, boundMs, say, since === ZERO ? null : slackMs);
}

function formatTransition({ since, wording }: Timer, zone: Zone, to: Instant, ms: number): readonly string[] {
  if (since === ZERO) return [`${wording.since} ${seconds(ms)}`];
  return [
    `${wording.since} between ${seconds(zone.earliest(since))} and ${seconds(zone.latest(since))}, ${wording.length} ${seconds(ms)}`,
    `${to === STARTED ? 'started' : 'ended'} between ${seconds(zone.earliest(to))} and ${seconds(zone.latest(to))}`,
  ];
}

/** The job was still there, at `at.place`, at some instant between `fromMs` and `byMs`: none of its timers had struck. Narrows the zone. */
export function satisfiesInvariants(
  rules: RuleSet,
  model: JobModel,
  at: Hypothesis,
  fromMs: number,
  byMs: number,
): boolean {
  const { zone, state } = at;
  if (state === 'deleted') return false;
  const entered = state === 'queued' ? QUEUED : state === 'running' ? STARTED : ENDED;
  if (!zone.constrain(entered, ZERO, byMs)) return false;
  for (const timer of TIMERS_RUNNING_IN.get(state)!)
    if (!hasNotFired(rules, model, at, timer, fromMs)) return false;
  return true;
}

function hasNotFired(rules: RuleSet, model: JobModel, at: Hypothesis, timer: Timer, seenMs: number): boolean {
  const { zone } = at;
  const { since, wording } = timer;
  const mostMs = timer.mostMs(at, model, zone, seenMs);
  if (mostMs === null || mostMs === Infinity) return true;
  if (since === ZERO)
    return (
      seenMs <= mostMs ||
      rules.exceeds(requirementOf(timer.tooLate, model, at), seenMs - mostMs, () => [
        `${wording.since} ${seconds(mostMs)}`,
      ])
    );
  const lateMs = rules.graceAt(seenMs) + rules.sleepGraceMs(timer.sleeps?.(at, model) ?? 0);
  const boundMs = mostMs + lateMs - seenMs;
  if (rules.isPlain) return zone.constrain(ZERO, since, boundMs);
  const rule = requirementOf(timer.tooLate, model, at);
  const say = (): readonly string[] => [
    `${wording.since} not after ${seconds(zone.latest(since))}, ${wording.length} ${seconds(mostMs)}, allowed lateness ${seconds(lateMs)}` +
      ` → ${wording.over} ${seconds(zone.latest(since) + mostMs + lateMs)}`,
    `but ${wording.still} at ${seconds(seenMs)}`,
  ];
  return rules.bound(rule, zone, ZERO, since, boundMs, say, lateMs);
}

/** The handler ends as the worker was told to. */
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
  // How the handler would have ended is no matter before it has.
  const isTooSoon =
    state === 'failed'
      ? outcome === 'never'
      : from.zone.earliest(STARTED) + durationMs! - rules.earlyToleranceMs(durationMs!) > byMs;
  return rules.permits(requirementOf(isTooSoon ? HANDLER.tooEarly : HANDLER.tooLate, model, from), () => [
    `the worker was told to end with: ${outcome}`,
  ]);
}

/** The worker died: whether the job fails or is given to another worker first is an open question. */
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
  // What the dead worker had of the time may count for the next one, too.
  const priorRunsMs = from.priorRunsMs + plan.durationMs + graceMs;
  return fork(from, { state: 'queued', zone, runs: from.runs + 1, priorRunsMs });
}

/** A timer of the record deletes the job, not after `byMs`. */
function expire(rules: RuleSet, model: JobModel, from: Hypothesis, byMs: number): MutableHypothesis[] {
  const found: MutableHypothesis[] = [];
  for (const timer of TIMERS_RUNNING_IN.get(from.state)!) {
    if (!timer.leadsTo.includes('deleted')) continue;
    const deletedBy = timer.since === TTL_START ? 'ttl' : 'retention';
    const zone = from.zone.copy();
    if (mayHaveExpired(rules, model, from, zone, timer, byMs))
      found.push({ ...from, state: 'deleted', zone, deletedBy, previousState: from.state });
  }
  return found;
}

function mayHaveExpired(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  zone: Zone,
  timer: Timer,
  byMs: number,
): boolean {
  const leastMs = timer.leastMs(from, model);
  if (leastMs === null) return true;
  const { since, wording } = timer;
  const earlyMs = rules.earlyToleranceMs(leastMs);
  const latestMs = byMs - leastMs + earlyMs;
  if (rules.isPlain) return zone.constrain(since, ZERO, latestMs);
  const say = (): readonly string[] => [
    `${wording.since} not before ${seconds(zone.earliest(since))}, ${wording.length} ${seconds(leastMs)} → not deleted before ${seconds(zone.earliest(since) + leastMs)}`,
    `but it was gone by ${seconds(byMs)}`,
  ];
  return rules.bound(requirementOf(timer.tooEarly, model, from), zone, since, ZERO, latestMs, say, earlyMs);
}

/** Moves that no row of section 3 lists. */
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
  if (rule === null || !rules.permits(rule, () => [`before, the job was ${DOCUMENT_STATES[from.state]}`]))
    return;
  if (isFinished(target)) found.push(ended(from, target, byMs));
  else if (target === 'queued') found.push(requeuedIllegally(from));
  else legalTransitions(rules, model, requeuedIllegally(from), target, byMs, found);
}

/** As if it had been put into the queue again by nobody's call, at an unknown instant. */
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

/** A job that came back from its deletion is not asked for its deadlines once more. */
function withoutDeadlines(from: Hypothesis): EffectivePolicy {
  return from.state === 'deleted' ? { ...from.policy, ttlMs: null, keptAtMostMs: Infinity } : from.policy;
}
