/**
 * How long an answer or a webhook call may take on the network, apart from the target's own lateness. It is
 * measured on the target's other answers. With a clock that stands still between events it is zero.
 */
import type { Body, CallEvent } from '../../history/events.js';
import { countBelow } from '../observed/rate-windows.js';
import type { Term } from '../proof/contradiction.js';
import type { JudgingContext } from './judging-context.js';
import type { Session } from '../observed/session.js';

/** Used before enough was measured, and as the upper bound. */
const UNMEASURED_MS = 3_000;
/** Lower bound: a handshake, a DNS lookup or a retransmission may delay any call. */
const LEAST_MS = 2_000;
/** A webhook call needs its own round trips: connect, request, response. */
const ROUND_TRIPS = 5;
const SAMPLES_MIN = 8;
/** Each other call in flight may add this much: a service that answers one by one is slow, not wrong. */
const PER_COMPANION_MS = 25;
/** About 0.1 s on a slow line. */
const LARGE_BYTES = 25_000;
/** 2 Mbit/s: 10 MB take 40 s on a slow line. */
const BYTES_PER_MS = 250;
/** On a virtual clock the simulator decides how long messages take. */
const VIRTUAL_MS = 1_000;

interface Measured {
  readonly ms: number;
  /** Sorted, to count the calls in flight at an instant. */
  readonly sentTicks: readonly number[];
  readonly endedTicks: readonly number[];
}

const measured = new WeakMap<Session, Measured>();

/** Other calls in flight and a large body extend the latency of `call`; delays of the harness are lateness (`graceAt`). */
export function networkLatencyMs({ session }: JudgingContext, call?: CallEvent): number {
  const { clock } = session.run;
  if (clock === 'controlled') return 0;
  if (clock === 'virtual') return VIRTUAL_MS;
  let known = measured.get(session);
  if (known === undefined) measured.set(session, (known = measure(session)));
  if (call === undefined) return known.ms;
  const transferMs = (bytesOf(call.request.body) + bytesOf(call.reply?.body)) / BYTES_PER_MS;
  return known.ms + companions(known, call) * PER_COMPANION_MS + Math.round(transferMs);
}

/** Allowed lateness and network latency, as terms of a sum. */
export function latencyTerms(context: JudgingContext, graceMs: number, call?: CallEvent): readonly Term[] {
  return [
    { ms: graceMs, why: 'allowed lateness', requirement: null },
    { ms: networkLatencyMs(context, call), why: 'network latency', requirement: null },
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

/** How many other calls were in flight when this one was sent, or when it ended. */
function companions({ sentTicks, endedTicks }: Measured, { sentTick, endedTick }: CallEvent): number {
  const underWayAt = (tick: number): number => countBelow(sentTicks, tick) - countBelow(endedTicks, tick);
  return Math.max(underWayAt(sentTick), underWayAt(endedTick ?? Infinity) - 1);
}

function bytesOf(body: Body | undefined): number {
  return body === undefined || body.as === 'none' ? 0 : body.bytes;
}

/** Only `/runsync` calls wait for their jobs; all others are answered at once. */
function fromRoundTrips({ calls }: Session): number {
  let samples = 0;
  let longestMs = 0;
  for (const { op, sentMs, receivedMs, harnessLagMs = 0, request, reply } of calls) {
    // Nor is a call representative that the harness delayed, or one with a large body.
    const large = bytesOf(request.body) + bytesOf(reply?.body) > LARGE_BYTES;
    if (op === 'runsync' || op === 'openai' || large) continue;
    samples += 1;
    longestMs = Math.max(longestMs, receivedMs === null ? Infinity : receivedMs - sentMs - harnessLagMs);
  }
  if (samples < SAMPLES_MIN) return UNMEASURED_MS;
  return Math.min(UNMEASURED_MS, Math.max(LEAST_MS, ROUND_TRIPS * longestMs));
}
