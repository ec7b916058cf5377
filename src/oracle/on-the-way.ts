/**
 * What an answer or a webhook may need on its way, the target's lateness aside: as much as was measured of this target's
 * other answers, not a constant. Where a clock stands still between events nothing needs any time.
 */
import type { Scene } from './scene.js';
import type { Session } from './session.js';

/** Before enough was measured, and at the most. */
const UNMEASURED_MS = 3_000;
/** A handshake, a name to be looked up, a packet sent again: no way back is as quick as one in use. */
const LEAST_MS = 2_000;
/** A webhook goes the way on its own: connecting, asking, answering. */
const ROUND_TRIPS = 5;
const SAMPLES_MIN = 8;
/** On a virtual clock messages take as long as the simulator lets them. */
const VIRTUAL_MS = 1_000;

const measured = new WeakMap<Session, number>();

export function onTheWayMs({ session }: Scene): number {
  const { clock } = session.run;
  if (clock === 'controlled') return 0;
  if (clock === 'virtual') return VIRTUAL_MS;
  let ms = measured.get(session);
  if (ms === undefined) measured.set(session, (ms = fromRoundTrips(session)));
  return ms;
}

/** Calls of `/runsync` wait for their jobs; all others are answered at once. */
function fromRoundTrips({ calls }: Session): number {
  let samples = 0;
  let longestMs = 0;
  for (const { op, sentMs, receivedMs } of calls) {
    if (op === 'runsync' || op === 'openai') continue;
    samples += 1;
    longestMs = Math.max(longestMs, receivedMs === null ? Infinity : receivedMs - sentMs);
  }
  if (samples < SAMPLES_MIN) return UNMEASURED_MS;
  return Math.min(UNMEASURED_MS, Math.max(LEAST_MS, ROUND_TRIPS * longestMs));
}
