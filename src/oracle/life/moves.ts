/**
 * What a job may do between two observations: start, end, be deleted. Each move narrows the zone by what the
 * document says of its instant. A move that the document bars is taken only while its rule is assumed broken.
 */
import { seconds } from '../reading.js';
import type { Foreseen } from '../plan.js';
import type { Context } from './context.js';
import type { RequirementId } from '../../spec/index.js';
import { ANY_TIME, type StartWindow } from './occupancy.js';
import { fork, isFinished, type Draft, type Hypothesis, type Place, type Terms } from './hypothesis.js';
import { RULES } from './rules.js';
import { ENDED, LIFE, QUEUED, STARTED, SUBMITTED, ZERO, type Zone } from './zone.js';

/** What the judge knows of a job besides its observations. */
export interface Life {
  /** What the worker does in the run after `runs` earlier ones. */
  foreseen(runs: number): Foreseen;
  readonly sync: boolean;
  /** Whether the submission named them, or the defaults hold. */
  readonly ttlGiven: boolean;
  readonly executionGiven: boolean;
  readonly waitGiven: boolean;
  /** When its first run must have begun, as far as the workers are known. */
  readonly startWindow: StartWindow;
  readonly lowPriority: boolean;
}

/** A crashed worker is noticed by its silence; nothing says how soon. */
const CRASH_NOTICED_MS = 60_000;
/** The shortest retention that the document names: a failed job can be read and retried at least so long. */
export const SHORTEST_RETENTION_MS = 60_000;

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
    if (target !== 'purged') go(dispatchedAgain(ctx, life, from, byMs));
  }
  if (target === 'gone' && from.place !== 'gone') found.push(...vanish(ctx, life, from, byMs));
}

/** The worker may die and the job be given to another one, all between two looks: it is where it was, one run later. */
function mayRunAgain(life: Life, { place, runs }: Hypothesis): boolean {
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

/** By when a job in this queue must start; after a crash the queue it went through was never seen. */
function startsByMs(life: Life, at: Hypothesis, zone: Zone): number {
  if (at.runs === 0) return life.startWindow.byMs;
  return at.runs === at.retries ? life.startWindow.startsBy(zone.latest(QUEUED)) : Infinity;
}

function waitedInVain(byMs: number): readonly string[] {
  return [`a worker was certainly free, so that it had to start by ${seconds(byMs)}`];
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
  if (!outcomeFits(ctx, life, from, plan, place)) return null;
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

function outcomeFits(ctx: Context, life: Life, from: Hypothesis, plan: Foreseen, place: Place): boolean {
  if (place === 'completed') {
    if (plan.outcome === 'success' || plan.outcome === 'unknown') return true;
    return ctx.permits(
      plan.outcome === 'never'
        ? RULES.notBeforeHandlerEnds(from)
        : RULES.errorFails(life, from, plan.outcome),
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
  const limit = from.terms.executionMs;
  if (limit === null) return true;
  const say = (): readonly string[] => [
    `started between ${seconds(zone.earliest(STARTED))} and ${seconds(zone.latest(STARTED))}, executionTimeout ${seconds(limit)}`,
    `ended between ${seconds(zone.earliest(ENDED))} and ${seconds(zone.latest(ENDED))}`,
  ];
  const inTime = ctx.bound(
    RULES.executionEnforced(life, from),
    zone,
    ENDED,
    STARTED,
    limit + ctx.graceMs,
    say,
  );
  if (place !== 'timed-out') return inTime;
  const leastMs = Math.max(0, limit - from.spentMs);
  const earlyMs = ctx.earlyFor(leastMs);
  return (
    inTime && ctx.bound(RULES.executionNotEarly(life), zone, STARTED, ENDED, earlyMs - leastMs, say, earlyMs)
  );
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
  const rule =
    plan.outcome === 'success'
      ? RULES.successCompletes(life, from)
      : RULES.errorFails(life, from, plan.outcome);
  if (!ctx.bound(rule, zone, ENDED, STARTED, lastsMs + noticedMs + ctx.graceMs, say)) return false;
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
  if (ttl === null || ctx.knows(zone, instant, LIFE, ttl + ctx.graceMs)) return true;
  return ctx.bound(RULES.ttlRemoves(life, from.place), zone, instant, LIFE, ttl + ctx.graceMs, () => [
    `submitted not after ${seconds(zone.latest(SUBMITTED))}, ttl ${seconds(ttl)}`,
  ]);
}

/** The worker died: whether the job fails or is given to another worker first is an open question. */
const RUNS_AFTER_CRASH_MAX = 3;

function dispatchedAgain(ctx: Context, life: Life, from: Hypothesis, byMs: number): Draft | null {
  const plan = life.foreseen(from.runs);
  if (plan.outcome !== 'crash' || plan.lastsMs === null || from.runs >= RUNS_AFTER_CRASH_MAX) return null;
  const zone = from.zone.copy();
  zone.forget(QUEUED);
  const possible =
    zone.restrict(STARTED, QUEUED, -plan.lastsMs) &&
    zone.restrict(QUEUED, ZERO, byMs) &&
    zone.restrict(QUEUED, STARTED, plan.lastsMs + CRASH_NOTICED_MS + ctx.graceMs);
  if (!possible) return null;
  zone.forget(STARTED);
  // What the dead worker had of the time may count for the next one, too.
  const spentMs = from.spentMs + plan.lastsMs + ctx.graceMs;
  return fork(from, { place: 'queue', zone, runs: from.runs + 1, spentMs });
}

/** The job is deleted: by its ttl, or because its result's time is over. */
export function vanish(ctx: Context, life: Life, from: Hypothesis, byMs: number): Draft[] {
  const found: Draft[] = [];
  const gone = (goneBy: 'ttl' | 'retention', zone: Zone): void => {
    found.push({ ...from, place: 'gone', zone, goneBy, goneFrom: from.place });
  };
  const { ttlMs } = from.terms;
  const earlyMs = ttlMs === null ? 0 : ctx.earlyFor(ttlMs);
  const expiredByMs = ttlMs === null ? Infinity : byMs - ttlMs + earlyMs;
  const byTtl = from.zone.copy();
  if (ttlMs === null) gone('ttl', byTtl);
  else if (!ctx.isPlain || byTtl.allows(LIFE, ZERO, expiredByMs)) {
    const say = (): readonly string[] => [
      `submitted not before ${seconds(byTtl.earliest(LIFE))}, ttl ${seconds(ttlMs)} → not deleted before ${seconds(byTtl.earliest(LIFE) + ttlMs)}`,
      `but it was gone by ${seconds(byMs)}`,
    ];
    const rule = RULES.ttlNotEarly(life, from.place);
    if (ctx.bound(rule, byTtl, LIFE, ZERO, expiredByMs, say, earlyMs)) gone('ttl', byTtl);
  }
  if (from.place === 'cancelled' || from.place === 'purged') {
    gone('retention', from.zone.copy());
  } else if (isFinished(from.place)) {
    const keptMs = from.place === 'completed' ? from.terms.keptAtLeastMs : SHORTEST_RETENTION_MS;
    const zone = from.zone.copy();
    const rule = from.place === 'completed' ? RULES.retentionNotEarly(life) : RULES.failedKept(from.place);
    const say = (): readonly string[] => [
      `ended not before ${seconds(zone.earliest(ENDED))}, kept for ${seconds(keptMs)} → not deleted before ${seconds(zone.earliest(ENDED) + keptMs)}`,
      `but it was gone by ${seconds(byMs)}`,
    ];
    const keptEarlyMs = ctx.earlyFor(keptMs);
    if (ctx.bound(rule, zone, ENDED, ZERO, byMs - keptMs + keptEarlyMs, say, keptEarlyMs))
      gone('retention', zone);
  }
  return found;
}

/** The job was still there, at `from.place`, at some instant between `fromMs` and `byMs`. Narrows the zone. */
export function alive(ctx: Context, life: Life, at: Hypothesis, fromMs: number, byMs: number): boolean {
  const { zone, place, terms } = at;
  if (place === 'gone') return false;
  const entered = place === 'queue' ? QUEUED : place === 'progress' ? STARTED : ENDED;
  if (!zone.restrict(entered, ZERO, byMs)) return false;
  if (terms.ttlMs !== null && !stillLives(ctx, life, at, fromMs, terms.ttlMs)) return false;
  if (place === 'queue') {
    if (at.runs > at.retries && !stillDying(ctx, life, at, fromMs)) return false;
    const byMs = startsByMs(life, at, zone);
    return (
      fromMs <= byMs || ctx.exceeds(RULES.freeWorkerTakes(life), fromMs - byMs, () => waitedInVain(byMs))
    );
  }
  if (place === 'progress') return stillRuns(ctx, life, at, fromMs);
  if (place === 'completed') return stillKept(ctx, life, at, fromMs);
  return true;
}

function stillLives(ctx: Context, life: Life, at: Hypothesis, fromMs: number, ttlMs: number): boolean {
  const { zone } = at;
  const boundMs = -(fromMs - ttlMs - ctx.graceMs);
  if (ctx.knows(zone, ZERO, LIFE, boundMs)) return true;
  return ctx.bound(RULES.ttlRemoves(life, at.place), zone, ZERO, LIFE, boundMs, () => [
    `submitted not after ${seconds(zone.latest(LIFE))}, ttl ${seconds(ttlMs)}, allowed lateness ${seconds(ctx.graceMs)}` +
      ` → gone by ${seconds(zone.latest(LIFE) + ttlMs + ctx.graceMs)}`,
    `but it was still there at ${seconds(fromMs)}`,
  ]);
}

function stillRuns(ctx: Context, life: Life, at: Hypothesis, fromMs: number): boolean {
  const { zone, terms } = at;
  const plan = life.foreseen(at.runs);
  const say = (what: string, ms: number) => (): readonly string[] => [
    `started not after ${seconds(zone.latest(STARTED))}, ${what} ${seconds(ms)}, allowed lateness ${seconds(ctx.graceMs)}` +
      ` → not running after ${seconds(zone.latest(STARTED) + ms + ctx.graceMs)}`,
    `but it was IN_PROGRESS at ${seconds(fromMs)}`,
  ];
  const { executionMs } = terms;
  if (executionMs !== null) {
    const latest = fromMs - executionMs - ctx.graceMs;
    const text = say('executionTimeout', executionMs);
    if (!ctx.bound(RULES.executionEnforced(life, at), zone, ZERO, STARTED, -latest, text)) return false;
  }
  if (plan.outcome === 'crash' && at.runs > 0 && !stillDying(ctx, life, at, fromMs)) return false;
  if (plan.lastsMs === null || plan.lastsMs === Infinity) return true;
  const lastsMs = plan.lastsMs + (plan.outcome === 'crash' ? CRASH_NOTICED_MS : 0);
  const rule =
    plan.outcome === 'success' ? RULES.successCompletes(life, at) : RULES.errorFails(life, at, plan.outcome);
  const latest = fromMs - lastsMs - ctx.graceMs;
  return ctx.bound(rule, zone, ZERO, STARTED, -latest, say('the worker needs', lastsMs));
}

/** However often it is given to another worker: a job whose workers all die fails in the end, their work aside. */
const DYING_MAX_MS = 3_600_000;

function stillDying(ctx: Context, life: Life, at: Hypothesis, fromMs: number): boolean {
  // Seen running or not: where a worker was certainly free, one took it.
  const first = at.evidence.firstStarted?.receivedMs ?? (at.retries === 0 ? life.startWindow.byMs : null);
  const workMs = (at.runs + 1) * (life.foreseen(0).lastsMs ?? 0);
  const overMs = first === null ? 0 : fromMs - first - workMs - DYING_MAX_MS;
  const say = (): readonly string[] => [
    `each worker that took it died, and it had not ended at ${seconds(fromMs)}`,
  ];
  // Without a worker it waits for one, however long.
  const queuedByMs = fromMs - DYING_MAX_MS;
  if (at.place === 'queue' && life.startWindow.startsBy(queuedByMs) > fromMs) return true;
  return overMs <= 0 || ctx.exceeds(RULES.errorFails(life, { ...at, retries: 0 }, 'crash'), overMs, say);
}

function stillKept(ctx: Context, life: Life, at: Hypothesis, fromMs: number): boolean {
  const { zone, terms } = at;
  const keptMs = terms.keptAtMostMs;
  const boundMs = -(fromMs - keptMs - ctx.graceMs);
  if (ctx.knows(zone, ZERO, ENDED, boundMs)) return true;
  return ctx.bound(RULES.retentionEnds(life), zone, ZERO, ENDED, boundMs, () => [
    `ended not after ${seconds(zone.latest(ENDED))}, kept for ${seconds(keptMs)}, allowed lateness ${seconds(ctx.graceMs)}` +
      ` → gone by ${seconds(zone.latest(ENDED) + keptMs + ctx.graceMs)}`,
    `but its result was still readable at ${seconds(fromMs)}`,
  ]);
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

/** The rule that keeps a job from moving so, or null where the listed moves decide. */
function barringRule(from: Hypothesis, target: Place): RequirementId | null {
  switch (from.place) {
    case 'queue':
      return target === 'cancelled' ? RULES.showsCurrentState : null;
    case 'progress':
      if (target === 'queue') return RULES.noReturnToQueue(from);
      return target === 'cancelled' ? RULES.showsCurrentState : null;
    case 'gone':
      return from.goneBy === 'ttl' ? RULES.ttlIsFinal : RULES.retentionIsFinal;
    case 'cancelled':
      return RULES.cancelledIsFinal(from);
    case 'purged':
      return RULES.purgedIsFinal(target);
    default:
      if (from.meddled === 'retry' && from.place === 'completed') return RULES.retryOnlyUnsuccessful;
      return RULES.finishedIsFinal(from.place);
  }
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
