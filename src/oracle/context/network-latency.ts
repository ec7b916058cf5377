/**
 * What an answer or a webhook may need on its way, the target's lateness aside: as much as was measured of this target's
 * other answers, not a constant. Where a clock stands still between events nothing needs any time.
 */
import type { Body, CallEvent } from '../../history/events.js';
import { countBelow } from '../observed/rate-windows.js';
import type { Term } from '../proof/contradiction.js';
import type { JudgingContext } from './judging-context.js';
import type { Session } from '../observed/session.js';

/** Before enough was measured, and at the most. */
const UNMEASURED_MS = 3_000;
/** A handshake, a name to be looked up, a packet sent again: no way back is as quick as one in use. */
const LEAST_MS = 2_000;
/** A webhook goes the way on its own: connecting, asking, answering. */
const ROUND_TRIPS = 5;
const SAMPLES_MIN = 8;
/** A service that answers one call after the other is slow, not wrong: each that is under way with a call may cost it so much. */
const PER_COMPANION_MS = 25;
/** What a slow line takes a tenth of a second for. */
const LARGE_BYTES = 25_000;
/** Two megabits a second: ten megabytes take forty seconds on a slow line. */
const BYTES_PER_MS = 250;
/** On a virtual clock messages take as long as the simulator lets them. */
const VIRTUAL_MS = 1_000;

interface Measured {
  readonly ms: number;
  /** In order: when a call was under way, others were. */
  readonly sentTicks: readonly number[];
  readonly endedTicks: readonly number[];
}

const measured = new WeakMap<Session, Measured>();

/**
 * `call`: the one that is on its way; a burst of many is granted the time to serve each, large bodies the time of a slow
 * line, and a harness that ran late what it cost.
 */
export function networkLatencyMs({ session }: JudgingContext, call?: CallEvent): number {
  const { clock } = session.run;
  if (clock === 'controlled') return 0;
  if (clock === 'virtual') return VIRTUAL_MS;
  let known = measured.get(session);
  if (known === undefined) measured.set(session, (known = measure(session)));
  if (call === undefined) return known.ms;
  const transferMs = (bytesOf(call.request.body) + bytesOf(call.reply?.body)) / BYTES_PER_MS;
  return (
    known.ms + companions(known, call) * PER_COMPANION_MS + (call.harnessLagMs ?? 0) + Math.round(transferMs)
  );
}

/** What may be late and on its way besides, as the terms of a sum. */
export function latencyTerms(context: JudgingContext, graceMs: number, call?: CallEvent): readonly Term[] {
  return [
    { ms: graceMs, why: 'allowed lateness', requirement: null },
    { ms: networkLatencyMs(context, call), why: 'on the way', requirement: null },
  ];
}

function measure(session: Session): Measured {
  const ticks = (of: (call: CallEvent) => number): number[] =>
    session.calls.map(of).sort((left, right) => left - right);
  return {
    ms: fromRoundTrips(session),
    sentTicks: ticks(({ sentTick }) => sentTick),
    endedTicks: ticks(({ endedTick }) => endedTick ?? Infinity),
  };
}

/** How many other calls were under way when this one was sent, or when it ended. */
function companions({ sentTicks, endedTicks }: Measured, { sentTick, endedTick }: CallEvent): number {
  const underWayAt = (tick: number): number => countBelow(sentTicks, tick) - countBelow(endedTicks, tick);
  return Math.max(underWayAt(sentTick), underWayAt(endedTick ?? Infinity) - 1);
}

function bytesOf(body: Body | undefined): number {
  return body === undefined || body.as === 'none' ? 0 : body.bytes;
}

/** Calls of `/runsync` wait for their jobs; all others are answered at once. */
function fromRoundTrips({ calls }: Session): number {
  let samples = 0;
  let longestMs = 0;
  for (const { op, sentMs, receivedMs, harnessLagMs = 0, request, reply } of calls) {
    // Nor does one that the harness itself held up, or a large body, tell how long the others need.
    const large = bytesOf(request.body) + bytesOf(reply?.body) > LARGE_BYTES;
    if (op === 'runsync' || op === 'openai' || large) continue;
    samples += 1;
    longestMs = Math.max(longestMs, receivedMs === null ? Infinity : receivedMs - sentMs - harnessLagMs);
  }
  if (samples < SAMPLES_MIN) return UNMEASURED_MS;
  return Math.min(UNMEASURED_MS, Math.max(LEAST_MS, ROUND_TRIPS * longestMs));
}
