/**
 * Applies the bounds of the life-cycle's timers to a zone: upper bounds as invariants of a state, lower bounds as
 * guards of a transition. A bound that leaves the zone empty is unsatisfied, and its requirement may be violated.
 */
import { between, seconds } from '../../util/duration.js';
import type { Hypothesis, JobState } from './hypothesis.js';
import type { JobModel } from './job-model.js';
import { TIMERS_RUNNING_IN } from './lifecycle/lifecycle.js';
import { requirementOf, type Timer } from './lifecycle/lifecycle-rows.js';
import type { RuleSet } from './rule-set.js';
import { ENDED, QUEUED, STARTED, ZERO, type Instant, type Zone } from './zone.js';

/** The instant at which a job leaves a state by itself. */
export type Milestone = typeof STARTED | typeof ENDED;

/** Constrains the zone: the job leaves at `to` and respects this bound of the timer. */
export function satisfiesBound(
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
  const left = isLate ? to : since;
  const right = isLate ? since : to;
  const boundMs = isLate ? ms + slackMs : slackMs - ms;
  if (rules.isPlain) return zone.constrain(left, right, boundMs);
  const rule = requirementOf(timer[bound].cases, model, from);
  const say = (): readonly string[] => formatTransition(timer, zone, to, ms);
  return rules.bound(rule, zone, left, right, boundMs, say, since === ZERO ? null : slackMs);
}

function formatTransition(
  { since, quantity, wording }: Timer,
  zone: Zone,
  to: Instant,
  ms: number,
): readonly string[] {
  if (since === ZERO) return [`${wording.since} ${seconds(ms)}`];
  return [
    `${wording.since} ${between(zone.earliest(since), zone.latest(since))}, ${quantity} ${seconds(ms)}`,
    `${to === STARTED ? 'started' : 'ended'} ${between(zone.earliest(to), zone.latest(to))}`,
  ];
}

/**
 * The invariants of the job's state held at some instant between `fromMs` and `byMs`: it was observed
 * there, so that none of its timers had fired. Constrains the zone.
 */
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
  const { since, quantity, wording } = timer;
  const mostMs = timer.mostMs(at, model, zone, seenMs);
  if (mostMs === null || mostMs === Infinity) return true;
  if (since === ZERO)
    return (
      seenMs <= mostMs ||
      rules.exceeds(requirementOf(timer.tooLate.cases, model, at), seenMs - mostMs, () => [
        `${wording.since} ${seconds(mostMs)}`,
      ])
    );
  const lateMs = rules.graceAt(seenMs) + rules.sleepGraceMs(timer.sleeps?.(at, model) ?? 0);
  const boundMs = mostMs + lateMs - seenMs;
  if (rules.isPlain) return zone.constrain(ZERO, since, boundMs);
  const rule = requirementOf(timer.tooLate.cases, model, at);
  const say = (): readonly string[] => [
    `${wording.since} by ${seconds(zone.latest(since))}, ${quantity} ${seconds(mostMs)}, allowed lateness ${seconds(lateMs)}` +
      ` → ${wording.over} ${seconds(zone.latest(since) + mostMs + lateMs)}`,
    `but ${wording.still} at ${seconds(seenMs)}`,
  ];
  return rules.bound(rule, zone, ZERO, since, boundMs, say, lateMs);
}

/** The earliest instant at which the timer can take the job to another state. */
export function firesFromMs(rules: RuleSet, model: JobModel, from: Hypothesis, timer: Timer): number {
  const leastMs = timer.leastMs(from, model);
  if (leastMs === null) return -Infinity;
  if (timer.since === ZERO) return leastMs;
  return from.zone.earliest(timer.since) + leastMs - rules.earlyToleranceMs(leastMs);
}

/** No timer can have taken the job to this state yet. */
export function isTooEarly(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  state: JobState,
  byMs: number,
): boolean {
  if (from.notBeforeMs > byMs) return true;
  for (const timer of TIMERS_RUNNING_IN.get(from.state)!)
    if (timer.leadsTo.includes(state) && byMs < firesFromMs(rules, model, from, timer)) return true;
  return false;
}

/** The timer may have deleted the record by `byMs`. Constrains the zone by its lower bound. */
export function mayHaveExpired(
  rules: RuleSet,
  model: JobModel,
  from: Hypothesis,
  zone: Zone,
  timer: Timer,
  byMs: number,
): boolean {
  const leastMs = timer.leastMs(from, model);
  if (leastMs === null) return true;
  const { since, quantity, wording } = timer;
  const earlyMs = rules.earlyToleranceMs(leastMs);
  const latestMs = byMs - leastMs + earlyMs;
  if (rules.isPlain) return zone.constrain(since, ZERO, latestMs);
  const say = (): readonly string[] => [
    `${wording.since} at ${seconds(zone.earliest(since))} or later, ${quantity} ${seconds(leastMs)} → not deleted before ${seconds(zone.earliest(since) + leastMs)}`,
    `but it was deleted by ${seconds(byMs)}`,
  ];
  return rules.bound(
    requirementOf(timer.tooEarly.cases, model, from),
    zone,
    since,
    ZERO,
    latestMs,
    say,
    earlyMs,
  );
}
