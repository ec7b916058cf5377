/**
 * What a job may do between two observations, by the table of its life-cycle. Each move narrows the zone by the bounds of the
 * timers that ran. A move that the document bars is taken only while its rule is assumed broken.
 */
import { seconds } from '../observed/reading.js';
import type { Context } from './context.js';
import {
  fork,
  isFinished,
  STATES,
  type Draft,
  type Hypothesis,
  type Place,
  type Terms,
} from './hypothesis.js';
import { CRASH_NOTICED_MS, type Life } from './life.js';
import { EXECUTION_TIMEOUT, HANDLER, RUNNING } from './lifecycle.js';
import { requirementOf, type Timer } from './rows.js';
import { barredBy } from './lifecycle-calls.js';
import { ENDED, LIFE, QUEUED, STARTED, SUBMITTED, ZERO, type Instant, type Zone } from './zone.js';

/** All ways in which the job can be at `target` at some instant not after `byMs`. */
export function reach(ctx: Context, life: Life, from: Hypothesis, target: Place, byMs: number): Draft[] {
  // Most looks find a job where it was at the last one.
  if (from.place === target && ctx.isPlain && !mayRunAgain(life, from)) return [fork(from)];
  const found: Draft[] = [];
  if (from.place === target) found.push(fork(from));
  if (from.place !== target || mayRunAgain(life, from)) listed(ctx, life, from, target, byMs, found);
  barred(ctx, life, from, target, byMs, found);
  return found;
}

function listed(
  ctx: Context,
  life: Life,
  from: Hypothesis,
  target: Place,
  byMs: number,
  found: Draft[],
): void {
  const ended = from.place !== 'queue' && from.place !== 'progress';
  if (ended && target !== 'gone') return;
  const go = (next: Draft | null): void => {
    if (next === null) return;
    if (next.place === target) found.push(next);
    if (next.place !== target || mayRunAgain(life, next)) listed(ctx, life, next, target, byMs, found);
  };
  if (from.place === 'queue') {
    if (target !== 'purged') go(start(ctx, life, from, byMs));
  } else if (from.place === 'progress') {
    for (const end of ['completed', 'failed', 'timed-out'] as const)
      if (target === end || target === 'gone') go(finish(ctx, life, from, end, byMs));
    if (target === 'cancelled' || target === 'gone') go(cancelledByTimeout(ctx, life, from, byMs));
    if (target !== 'purged') go(dispatchedAgain(ctx, life, from, byMs));
  }
  if (target === 'gone' && from.place !== 'gone') found.push(...vanish(ctx, life, from, byMs));
}

/** All ways in which its executionTimeout ended the job, in the state CANCELLED, not after `byMs`. */
export function overran(ctx: Context, life: Life, from: Hypothesis, byMs: number): Draft[] {
  const found: Draft[] = [];
  listed(ctx, life, from, 'cancelled', byMs, found);
  return found;
}

/** The worker may die and the job be given to another one, all between two looks: it is where it was, one run later. */
export function mayRunAgain(life: Life, { place, runs }: Hypothesis): boolean {
  return (place === 'queue' || place === 'progress') && life.foreseen(runs).outcome === 'crash';
}

/** A worker picks the job up. */
function start(ctx: Context, life: Life, from: Hypothesis, byMs: number): Draft | null {
  const zone = from.zone.copy();
  zone.forget(STARTED);
  return moved(ctx, life, from, zone, QUEUED, STARTED, 'progress', byMs);
}

/** The run ends: by its handler, by its worker's error, or by its executionTimeout. */
function finish(
  ctx: Context,
  life: Life,
  from: Hypothesis,
  place: 'completed' | 'failed' | 'timed-out',
  byMs: number,
): Draft | null {
  if (!outcomeFits(ctx, life, from, place, byMs)) return null;
  return moved(ctx, life, from, from.zone.copy(), STARTED, ENDED, place, byMs);
}

/** The state after an overrun is open. One that is CANCELLED before its time is over was cancelled by something else. */
function cancelledByTimeout(ctx: Context, life: Life, from: Hypothesis, byMs: number): Draft | null {
  const leastMs = EXECUTION_TIMEOUT.leastMs(from, life)!;
  if (from.zone.earliest(STARTED) + leastMs - ctx.earlyFor(leastMs) > byMs) return null;
  const ended = finish(ctx, life, from, 'timed-out', byMs);
  return ended === null ? null : { ...ended, place: 'cancelled', goneFrom: 'timed-out' };
}

/** At which a job leaves a state by itself. */
type Milestone = typeof STARTED | typeof ENDED;

/** The job leaves its state at an instant of its own, `to`, not after `byMs`: no timer that runs there strikes later, and the one that moves it no sooner. */
function moved(
  ctx: Context,
  life: Life,
  from: Hypothesis,
  zone: Zone,
  since: Instant,
  to: Milestone,
  place: Place,
  byMs: number,
): Draft | null {
  zone.forget(ENDED);
  const isInOrder =
    zone.restrict(since, to, 0) &&
    zone.restrict(ZERO, to, -from.notBeforeMs) &&
    zone.restrict(to, ZERO, byMs);
  if (!isInOrder) return null;
  for (const timer of RUNNING.get(from.place)!) {
    if (!keeps(ctx, life, from, zone, timer, 'tooLate', to)) return null;
    if (timer.leadsTo.includes(place) && !keeps(ctx, life, from, zone, timer, 'tooEarly', to)) return null;
  }
  return { ...from, place, zone };
}

/** The job moves on at `to`, and keeps this bound of the timer. */
function keeps(
  ctx: Context,
  life: Life,
  from: Hypothesis,
  zone: Zone,
  timer: Timer,
  bound: 'tooLate' | 'tooEarly',
  to: Milestone,
): boolean {
  const { since } = timer;
  const isLate = bound === 'tooLate';
  const ms = isLate ? timer.mostMs(from, life, zone, null) : timer.leastMs(from, life);
  if (ms === null || ms === (isLate ? Infinity : -Infinity)) return true;
  let slackMs = 0;
  if (since !== ZERO)
    slackMs = isLate ? ctx.graceOf(zone, to) + ctx.lateBy(timer.sleeps?.(from, life) ?? 0) : ctx.earlyFor(ms);
  const [left, right] = isLate ? [to, since] : [since, to];
  const boundMs = isLate ? ms + slackMs : slackMs - ms;
  if (ctx.isPlain) return zone.restrict(left, right, boundMs);
  const rule = requirementOf(timer[bound], life, from);
  const say = (): readonly string[] => toldOfMove(timer, zone, to, ms);
  return ctx.bound(rule, zone, left, right, boundMs, say, since === ZERO ? null : slackMs);
}

function toldOfMove({ since, words }: Timer, zone: Zone, to: Instant, ms: number): readonly string[] {
  if (since === ZERO) return [`${words.since} ${seconds(ms)}`];
  return [
    `${words.since} between ${seconds(zone.earliest(since))} and ${seconds(zone.latest(since))}, ${words.length} ${seconds(ms)}`,
    `${to === STARTED ? 'started' : 'ended'} between ${seconds(zone.earliest(to))} and ${seconds(zone.latest(to))}`,
  ];
}

/** The job was still there, at `at.place`, at some instant between `fromMs` and `byMs`: none of its timers had struck. Narrows the zone. */
export function alive(ctx: Context, life: Life, at: Hypothesis, fromMs: number, byMs: number): boolean {
  const { zone, place } = at;
  if (place === 'gone') return false;
  const entered = place === 'queue' ? QUEUED : place === 'progress' ? STARTED : ENDED;
  if (!zone.restrict(entered, ZERO, byMs)) return false;
  for (const timer of RUNNING.get(place)!) if (!hasNotStruck(ctx, life, at, timer, fromMs)) return false;
  return true;
}

function hasNotStruck(ctx: Context, life: Life, at: Hypothesis, timer: Timer, seenMs: number): boolean {
  const { zone } = at;
  const { since, words } = timer;
  const mostMs = timer.mostMs(at, life, zone, seenMs);
  if (mostMs === null || mostMs === Infinity) return true;
  if (since === ZERO)
    return (
      seenMs <= mostMs ||
      ctx.exceeds(requirementOf(timer.tooLate, life, at), seenMs - mostMs, () => [
        `${words.since} ${seconds(mostMs)}`,
      ])
    );
  const lateMs = ctx.graceAt(seenMs) + ctx.lateBy(timer.sleeps?.(at, life) ?? 0);
  const boundMs = mostMs + lateMs - seenMs;
  if (ctx.isPlain) return zone.restrict(ZERO, since, boundMs);
  const rule = requirementOf(timer.tooLate, life, at);
  const say = (): readonly string[] => [
    `${words.since} not after ${seconds(zone.latest(since))}, ${words.length} ${seconds(mostMs)}, allowed lateness ${seconds(lateMs)}` +
      ` → ${words.over} ${seconds(zone.latest(since) + mostMs + lateMs)}`,
    `but ${words.still} at ${seconds(seenMs)}`,
  ];
  return ctx.bound(rule, zone, ZERO, since, boundMs, say, lateMs);
}

/** The handler ends as the worker was told to. */
function outcomeFits(ctx: Context, life: Life, from: Hypothesis, place: Place, byMs: number): boolean {
  if (place === 'timed-out') return true;
  const { outcome, lastsMs } = life.foreseen(from.runs);
  const isError = outcome === 'error' || outcome === 'crash';
  if (outcome === 'unknown' || (place === 'failed' ? isError : outcome === 'success')) return true;
  // How the handler would have ended is no matter before it has.
  const isTooSoon =
    place === 'failed'
      ? outcome === 'never'
      : from.zone.earliest(STARTED) + lastsMs! - ctx.earlyFor(lastsMs!) > byMs;
  return ctx.permits(requirementOf(isTooSoon ? HANDLER.tooEarly : HANDLER.tooLate, life, from), () => [
    `the worker was told to end with: ${outcome}`,
  ]);
}

/** The worker died: whether the job fails or is given to another worker first is an open question. */
const RUNS_AFTER_CRASH_MAX = 3;

function dispatchedAgain(ctx: Context, life: Life, from: Hypothesis, byMs: number): Draft | null {
  const plan = life.foreseen(from.runs);
  if (plan.outcome !== 'crash' || plan.lastsMs === null || from.runs >= RUNS_AFTER_CRASH_MAX) return null;
  const zone = from.zone.copy();
  zone.forget(QUEUED);
  if (!zone.restrict(STARTED, QUEUED, -plan.lastsMs) || !zone.restrict(QUEUED, ZERO, byMs)) return null;
  const graceMs = ctx.graceOf(zone, QUEUED);
  if (!zone.restrict(QUEUED, STARTED, plan.lastsMs + CRASH_NOTICED_MS + graceMs)) return null;
  zone.forget(STARTED);
  // What the dead worker had of the time may count for the next one, too.
  const spentMs = from.spentMs + plan.lastsMs + graceMs;
  return fork(from, { place: 'queue', zone, runs: from.runs + 1, spentMs });
}

/** A timer of the record deletes the job, not after `byMs`. */
function vanish(ctx: Context, life: Life, from: Hypothesis, byMs: number): Draft[] {
  const found: Draft[] = [];
  for (const timer of RUNNING.get(from.place)!) {
    if (!timer.leadsTo.includes('gone')) continue;
    const goneBy = timer.since === LIFE ? 'ttl' : 'retention';
    const zone = from.zone.copy();
    if (mayHaveGone(ctx, life, from, zone, timer, byMs))
      found.push({ ...from, place: 'gone', zone, goneBy, goneFrom: from.place });
  }
  return found;
}

function mayHaveGone(
  ctx: Context,
  life: Life,
  from: Hypothesis,
  zone: Zone,
  timer: Timer,
  byMs: number,
): boolean {
  const leastMs = timer.leastMs(from, life);
  if (leastMs === null) return true;
  const { since, words } = timer;
  const earlyMs = ctx.earlyFor(leastMs);
  const latestMs = byMs - leastMs + earlyMs;
  if (ctx.isPlain) return zone.restrict(since, ZERO, latestMs);
  const say = (): readonly string[] => [
    `${words.since} not before ${seconds(zone.earliest(since))}, ${words.length} ${seconds(leastMs)} → not deleted before ${seconds(zone.earliest(since) + leastMs)}`,
    `but it was gone by ${seconds(byMs)}`,
  ];
  return ctx.bound(requirementOf(timer.tooEarly, life, from), zone, since, ZERO, latestMs, say, earlyMs);
}

/** Moves that no row of section 3 lists. */
function barred(
  ctx: Context,
  life: Life,
  from: Hypothesis,
  target: Place,
  byMs: number,
  found: Draft[],
): void {
  if (ctx.isPlain || from.place === target || target === 'gone' || target === 'purged') return;
  const rule = barredBy(life, from, target);
  if (rule === null || !ctx.permits(rule, () => [`before, the job was ${STATES[from.place]}`])) return;
  if (isFinished(target)) found.push(ended(from, target, byMs));
  else if (target === 'queue') found.push(requeued(from));
  else listed(ctx, life, requeued(from), target, byMs, found);
}

/** As if it had been put into the queue again by nobody's call, at an unknown instant. */
function requeued(from: Hypothesis): Draft {
  const zone = from.zone.copy();
  zone.forget(QUEUED);
  zone.forget(STARTED);
  zone.forget(ENDED);
  zone.restrict(SUBMITTED, QUEUED, 0);
  return fork(from, { place: 'queue', zone, runs: from.runs + 1, terms: undying(from) });
}

function ended(from: Hypothesis, place: Place, byMs: number): Draft {
  const zone = from.zone.copy();
  zone.forget(ENDED);
  zone.restrict(QUEUED, ENDED, 0);
  zone.restrict(ENDED, ZERO, byMs);
  return fork(from, { place, zone, terms: undying(from) });
}

/** A job that came back from its deletion is not asked for its deadlines once more. */
function undying(from: Hypothesis): Terms {
  return from.place === 'gone' ? { ...from.terms, ttlMs: null, keptAtMostMs: Infinity } : from.terms;
}
