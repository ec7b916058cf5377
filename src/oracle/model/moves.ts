/**
 * What a job may do between two observations: start, end, be deleted. Each move narrows the zone by what the
 * document says of its instant. A move that the document bars is taken only while its rule is assumed broken.
 */
import { vanish } from './vanish.js';
import { seconds } from '../observed/reading.js';
import type { Foreseen } from '../observed/plan.js';
import type { Context } from './context.js';
import { CRASH_NOTICED_MS, ANY_TIME, startsByMs, waitedInVain, type Life } from './life.js';
import { fork, isFinished, type Draft, type Hypothesis, type Place, type Terms } from './hypothesis.js';
import { barringRule, RULES } from './rules.js';
import { ENDED, LIFE, QUEUED, STARTED, SUBMITTED, ZERO, type Zone } from './zone.js';

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
  zone.forget(ENDED);
  const possible =
    zone.restrict(QUEUED, STARTED, 0) &&
    zone.restrict(ZERO, STARTED, -from.notBeforeMs) &&
    zone.restrict(STARTED, ZERO, byMs) &&
    outlives(ctx, life, from, zone, STARTED) &&
    withWorker(ctx, life, from, zone);
  return possible ? { ...from, place: 'progress', zone } : null;
}

/** A first run begins when a worker can be free, and no later than one certainly is. */
function withWorker(ctx: Context, life: Life, from: Hypothesis, zone: Zone): boolean {
  const { notBeforeMs } = life.startWindow;
  if (life.startWindow === ANY_TIME && ctx.isPlain) return true;
  const byMs = startsByMs(life, from, zone);
  if (from.runs > 0)
    return ctx.bound(RULES.freeWorkerTakes(life), zone, STARTED, ZERO, byMs, () => waitedInVain(byMs));
  const busy = (): readonly string[] => [
    notBeforeMs === Infinity
      ? 'all workers were busy with other jobs, or there was none'
      : `all workers were busy with other jobs until ${seconds(notBeforeMs)}`,
  ];
  return (
    ctx.bound(RULES.waitsForWorker, zone, ZERO, STARTED, -notBeforeMs, busy) &&
    ctx.bound(RULES.freeWorkerTakes(life), zone, STARTED, ZERO, byMs, () => waitedInVain(byMs))
  );
}

/** The state after an overrun is open. One that is CANCELLED before its time is over was cancelled by something else. */
function cancelledByTimeout(ctx: Context, life: Life, from: Hypothesis, byMs: number): Draft | null {
  const leastMs = Math.max(0, from.terms.executionLeastMs - from.spentMs);
  if (from.zone.earliest(STARTED) + leastMs - ctx.earlyFor(leastMs) > byMs) return null;
  const ended = finish(ctx, life, from, 'timed-out', byMs);
  return ended === null ? null : { ...ended, place: 'cancelled', goneFrom: 'timed-out' };
}

/** The run ends: by its handler, by its worker's error, or by its executionTimeout. */
function finish(
  ctx: Context,
  life: Life,
  from: Hypothesis,
  place: 'completed' | 'failed' | 'timed-out',
  byMs: number,
): Draft | null {
  const plan = life.foreseen(from.runs);
  if (!outcomeFits(ctx, life, from, plan, place, byMs)) return null;
  const zone = from.zone.copy();
  zone.forget(ENDED);
  const possible =
    zone.restrict(STARTED, ENDED, 0) &&
    zone.restrict(ZERO, ENDED, -from.notBeforeMs) &&
    zone.restrict(ENDED, ZERO, byMs) &&
    outlives(ctx, life, from, zone, ENDED) &&
    withinExecution(ctx, life, from, zone, place) &&
    asPlanned(ctx, life, from, plan, zone, place);
  return possible ? { ...from, place, zone } : null;
}

function outcomeFits(
  ctx: Context,
  life: Life,
  from: Hypothesis,
  plan: Foreseen,
  place: Place,
  byMs: number,
): boolean {
  if (place === 'completed') {
    if (plan.outcome === 'success' || plan.outcome === 'unknown') return true;
    // How the handler would have ended is no matter before it has.
    const isTooSoon = from.zone.earliest(STARTED) + plan.lastsMs! - ctx.earlyFor(plan.lastsMs!) > byMs;
    return ctx.permits(
      isTooSoon ? RULES.notBeforeHandlerEnds(from) : RULES.errorFails(life, from, plan.outcome),
      () => [`the worker was told to end with: ${plan.outcome}`],
    );
  }
  if (place === 'failed') {
    if (plan.outcome === 'error' || plan.outcome === 'crash' || plan.outcome === 'unknown') return true;
    return ctx.permits(
      plan.outcome === 'never' ? RULES.notBeforeHandlerEnds(from) : RULES.successCompletes(life, from),
      () => [`the worker was told to end with: ${plan.outcome}`],
    );
  }
  return true;
}

function withinExecution(ctx: Context, life: Life, from: Hypothesis, zone: Zone, place: Place): boolean {
  const { executionMs, executionLeastMs } = from.terms;
  const say = (): readonly string[] => [
    `started between ${seconds(zone.earliest(STARTED))} and ${seconds(zone.latest(STARTED))}, executionTimeout ${executionMs === null ? `not stated, ${seconds(executionLeastMs)} at the least` : seconds(executionMs)}`,
    `ended between ${seconds(zone.earliest(ENDED))} and ${seconds(zone.latest(ENDED))}`,
  ];
  const graceMs = ctx.graceOf(zone, ENDED);
  const rule = RULES.executionEnforced(life, from);
  if (executionMs !== null && !ctx.bound(rule, zone, ENDED, STARTED, executionMs + graceMs, say, graceMs))
    return false;
  if (place !== 'timed-out') return true;
  const leastMs = Math.max(0, executionLeastMs - from.spentMs);
  const earlyMs = ctx.earlyFor(leastMs);
  return ctx.bound(RULES.executionNotEarly(life), zone, STARTED, ENDED, earlyMs - leastMs, say, earlyMs);
}

function asPlanned(
  ctx: Context,
  life: Life,
  from: Hypothesis,
  plan: Foreseen,
  zone: Zone,
  place: Place,
): boolean {
  if (plan.lastsMs === null || plan.lastsMs === Infinity) return true;
  const lastsMs = plan.lastsMs;
  const noticedMs = plan.outcome === 'crash' ? CRASH_NOTICED_MS : 0;
  const say = (): readonly string[] => [
    `started between ${seconds(zone.earliest(STARTED))} and ${seconds(zone.latest(STARTED))}, the worker needs ${seconds(lastsMs)}`,
    `ended between ${seconds(zone.earliest(ENDED))} and ${seconds(zone.latest(ENDED))}`,
  ];
  const rule = RULES.endsWithHandler(life, from, plan.outcome);
  const lateMs = ctx.graceOf(zone, ENDED) + ctx.lateBy(plan.sleeps);
  if (!ctx.bound(rule, zone, ENDED, STARTED, lastsMs + noticedMs + lateMs, say, lateMs)) return false;
  if (place === 'timed-out') return true;
  const earlyMs = ctx.earlyFor(lastsMs);
  return ctx.bound(RULES.notBeforeHandlerEnds(from), zone, STARTED, ENDED, earlyMs - lastsMs, say, earlyMs);
}

/** The instant lies within the job's ttl. */
function outlives(
  ctx: Context,
  life: Life,
  from: Hypothesis,
  zone: Zone,
  instant: typeof STARTED | typeof ENDED,
): boolean {
  const ttl = from.terms.ttlMs;
  if (ttl === null) return true;
  const graceMs = ctx.graceOf(zone, instant);
  if (ctx.knows(zone, instant, LIFE, ttl + graceMs)) return true;
  const say = (): readonly string[] => [
    `submitted not after ${seconds(zone.latest(SUBMITTED))}, ttl ${seconds(ttl)}`,
  ];
  return ctx.bound(RULES.ttlRemoves(life, from.place), zone, instant, LIFE, ttl + graceMs, say, graceMs);
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
  const rule = barringRule(from, target);
  if (rule === null || !ctx.permits(rule, () => [`before, the job was: ${from.place}`])) return;
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
