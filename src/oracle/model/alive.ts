/** What it means that a job was still seen somewhere: neither its ttl nor its work, nor the time of its result, was over. */
import { seconds } from '../observed/reading.js';
import type { Context } from './context.js';
import type { Hypothesis } from './hypothesis.js';
import { CRASH_NOTICED_MS, startsByMs, waitedInVain, type Life } from './life.js';
import { RULES } from './rules.js';
import { ENDED, LIFE, QUEUED, STARTED, ZERO } from './zone.js';

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
  const graceMs = ctx.graceAt(fromMs);
  const boundMs = -(fromMs - ttlMs - graceMs);
  if (ctx.knows(zone, ZERO, LIFE, boundMs)) return true;
  return ctx.bound(
    RULES.ttlRemoves(life, at.place),
    zone,
    ZERO,
    LIFE,
    boundMs,
    () => [
      `submitted not after ${seconds(zone.latest(LIFE))}, ttl ${seconds(ttlMs)}, allowed lateness ${seconds(graceMs)}` +
        ` → gone by ${seconds(zone.latest(LIFE) + ttlMs + graceMs)}`,
      `but it was still there at ${seconds(fromMs)}`,
    ],
    graceMs,
  );
}

function stillRuns(ctx: Context, life: Life, at: Hypothesis, fromMs: number): boolean {
  const { zone, terms } = at;
  const plan = life.foreseen(at.runs);
  const graceMs = ctx.graceAt(fromMs);
  const say = (what: string, ms: number, lateMs: number) => (): readonly string[] => [
    `started not after ${seconds(zone.latest(STARTED))}, ${what} ${seconds(ms)}, allowed lateness ${seconds(lateMs)}` +
      ` → not running after ${seconds(zone.latest(STARTED) + ms + lateMs)}`,
    `but it was IN_PROGRESS at ${seconds(fromMs)}`,
  ];
  const { executionMs } = terms;
  if (executionMs !== null) {
    const latest = fromMs - executionMs - graceMs;
    const text = say('executionTimeout', executionMs, graceMs);
    if (!ctx.bound(RULES.executionEnforced(life, at), zone, ZERO, STARTED, -latest, text, graceMs))
      return false;
  }
  if (plan.outcome === 'crash' && at.runs > 0 && !stillDying(ctx, life, at, fromMs)) return false;
  if (plan.lastsMs === null || plan.lastsMs === Infinity) return true;
  const lastsMs = plan.lastsMs + (plan.outcome === 'crash' ? CRASH_NOTICED_MS : 0);
  const lateMs = graceMs + ctx.lateBy(plan.sleeps);
  const rule = RULES.endsWithHandler(life, at, plan.outcome);
  const latest = fromMs - lastsMs - lateMs;
  return ctx.bound(rule, zone, ZERO, STARTED, -latest, say('the worker needs', lastsMs, lateMs), lateMs);
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
  const graceMs = ctx.graceAt(fromMs);
  const boundMs = -(fromMs - keptMs - graceMs);
  if (ctx.knows(zone, ZERO, ENDED, boundMs)) return true;
  return ctx.bound(
    RULES.retentionEnds(life),
    zone,
    ZERO,
    ENDED,
    boundMs,
    () => [
      `ended not after ${seconds(zone.latest(ENDED))}, kept for ${seconds(keptMs)}, allowed lateness ${seconds(graceMs)}` +
        ` → gone by ${seconds(zone.latest(ENDED) + keptMs + graceMs)}`,
      `but its result was still readable at ${seconds(fromMs)}`,
    ],
    graceMs,
  );
}
