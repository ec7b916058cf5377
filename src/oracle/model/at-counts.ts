/** Where a job may have been when it was counted, or when the queue was purged, and whether a `/retry` requeued it. */
import { precedes } from './pending.js';
import type { Context } from './context.js';
import { type Hypothesis, isFinished, type Place } from './hypothesis.js';
import type { JobCase } from './job.js';
import type { Life } from './life.js';
import { type Operation, placesDuring } from './operations.js';
import { ENDED, LIFE, QUEUED, STARTED } from './zone.js';
import type { CallEvent } from '../../history/events.js';

/**
 * Where the job may have been while it was counted, or when the queue was purged. `sinceMs`: from when on it may have been
 * counted; `goneByMs`: by when it was no longer found.
 */
export function placesAt(
  ctx: Context,
  life: Life,
  op: Operation,
  after: readonly Hypothesis[],
  sinceMs: number,
  goneByMs: number,
): ReadonlySet<Place> {
  if (op.kind !== 'purge')
    return new Set(after.flatMap((at) => [...placesSince(ctx, life, at, op, sinceMs, goneByMs)]));
  // It was waiting in those explanations in which it was removed.
  return new Set(
    after.map((at) => (at.purgedBy === op.call ? 'queue' : at.place === 'queue' ? 'gone' : at.place)),
  );
}

/** Whether a `/retry` requeued the job; null where that is uncertain. */
export function hasRequeued(job: JobCase, op: Operation, after: readonly Hypothesis[]): boolean | null {
  if (op.answer === 'refused') return false;
  // Of several at once another may have requeued it once more since, or this one instead of the other.
  const others = job.operations.filter((one) => one.kind === 'retry' && one.answer !== 'refused');
  if (others.some((other) => other !== op && !precedes(other, op) && !precedes(op, other))) return null;
  const effects = new Set(after.map((at) => at.lastRetry === op.call));
  return effects.size === 1 ? effects.has(true) : null;
}

/**
 * Everywhere that the job may have been from `sinceMs` to the end of `op`, as far as `at` is true.
 * `goneByMs`: by when it was no longer found; Infinity where it was not looked for.
 */
function placesSince(
  ctx: Context,
  life: Life,
  at: Hypothesis,
  op: Operation,
  sinceMs: number,
  goneByMs: number,
): Set<Place> {
  const places = new Set(placesDuring(ctx, life, at, { ...op, fromMs: sinceMs }));
  const before = (...found: readonly Place[]): void => found.forEach((place) => places.add(place));
  let place = at.place;
  if (place === 'gone') {
    if (Math.min(goneByMs, goneAtLatestMs(ctx, at)) < sinceMs) return places;
    place = at.goneFrom ?? 'queue';
    before(place);
  }
  if (isFinished(place)) {
    if (endedByMs(at, place) < sinceMs) return places;
    if (place === 'purged') before((place = 'queue'));
    // From where a job was cancelled is forgotten when its record is deleted.
    else if (place === 'cancelled' && at.place === 'gone') before('queue', (place = 'progress'));
    else if (place === 'cancelled' && at.goneFrom !== null && at.goneFrom !== 'progress') {
      before(at.goneFrom);
      place = at.goneFrom === 'queue' ? 'queue' : 'progress';
      before(place);
    } else before((place = 'progress'));
    if (mayDie(life, at)) before('queue', 'progress');
  } else if (mayDie(life, at)) before('queue', 'progress');
  if (place === 'progress' && at.zone.latest(STARTED) >= sinceMs) before((place = 'queue'));
  if (place === 'queue' && at.retries > 0 && at.zone.latest(QUEUED) >= sinceMs)
    before('failed', 'timed-out', 'progress');
  return places;
}

function goneAtLatestMs(ctx: Context, { goneBy, goneFrom, zone, terms }: Hypothesis): number {
  if (goneBy === 'ttl') return zone.latest(LIFE) + (terms.ttlMs ?? Infinity) + ctx.graceMs;
  return goneFrom === 'completed' ? zone.latest(ENDED) + terms.keptAtMostMs + ctx.graceMs : Infinity;
}

/** When a purge removed it is known from the call alone. */
function endedByMs({ zone, purgedBy }: Hypothesis, place: Place): number {
  return place === 'purged' ? (purgedBy?.receivedMs ?? Infinity) : zone.latest(ENDED);
}

/** Its worker may have died, so that it has waited once more, between two looks or before the first. */
function mayDie(life: Life, { runs }: Hypothesis): boolean {
  for (let run = 0; run <= Math.min(runs, 3); run += 1)
    if (life.foreseen(run).outcome === 'crash') return true;
  return false;
}

type Probes = Map<number, ReadonlySet<Place>>;

const STEADY = { IN_QUEUE: 'queue', IN_PROGRESS: 'progress' } as const;

/** Narrows the places at each count to the one that the looks around it leave. `sinceMs`: from when on it may have been taken. */
export function narrowByLooks(job: JobCase, probes: Probes, sinceMs: (count: CallEvent) => number): void {
  const { operations, life } = job;
  for (const probe of operations) {
    const places = probe.kind === 'probe' ? probes.get(probe.call!.call) : undefined;
    if (places === undefined || places.size < 2) continue;
    const fromMs = sinceMs(probe.call!);
    const before = operations.findLast((op) => isLook(op) && precedes(op, probe) && op.byMs <= fromMs);
    const after = operations.find((op) => isLook(op) && precedes(probe, op));
    if (before === undefined || after === undefined || before.shows !== after.shows) continue;
    if (operations.some((op) => isMove(op) && !precedes(op, before) && !precedes(after, op))) continue;
    const place = STEADY[before.shows as keyof typeof STEADY] as Place | undefined;
    if (place === undefined) {
      probes.set(probe.call!.call, new Set([...places].filter((each) => each !== 'gone')));
      continue;
    }
    const retries = operations.filter((op) => op.kind === 'retry' && precedes(op, before)).length;
    const mayDie = [0, 1, retries].some((run) => life.foreseen(run).outcome === 'crash');
    if (!mayDie && places.has(place)) probes.set(probe.call!.call, new Set([place]));
  }
}

const isLook = ({ kind, answer, shows }: Operation): boolean =>
  kind === 'status' && answer === 'ok' && shows !== null;

const isMove = ({ kind }: Operation): boolean => kind === 'retry' || kind === 'cancel' || kind === 'purge';
