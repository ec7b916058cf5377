/**
 * Where a job may have been when it was counted. A count may have been taken a moment before it was asked for: so what the
 * job was within the allowed lateness before the call counts as well.
 */
import type { Context } from './context.js';
import { isFinished, type Hypothesis, type Place } from './hypothesis.js';
import type { Life } from './life.js';
import { placesDuring, type Operation } from './operations.js';
import { ENDED, LIFE, QUEUED, STARTED } from './zone.js';

/**
 * Everywhere that the job may have been from `sinceMs` to the end of `op`, as far as `at` is true.
 * `goneByMs`: by when it was no longer found; Infinity where it was not looked for.
 */
export function placesSince(
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
