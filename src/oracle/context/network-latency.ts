/**
 * How long an answer or a webhook call may take on the network, apart from the target's own lateness. It is
 * measured on the target's other answers. With a clock that stands still between events it is zero.
 */
import type { Body, CallEvent, RunEvent } from '../../history/events.js';
import { countBelow } from '../observed/rate-windows.js';
import { onItsClock } from '../observed/tolerance.js';
import type { Term } from '../proof/contradiction.js';
import { remembered, type JudgingContext } from './judging-context.js';
import type { Session } from '../observed/session.js';
import {
  LATENCY_LEAST_MS,
  LATENCY_PER_COMPANION_MS,
  LATENCY_UNMEASURED_MS,
  LATENCY_VIRTUAL_MS,
} from '../observed/assumptions.js';

/** A webhook call needs its own round trips: connect, request, response. */
const ROUND_TRIPS = 5;
const SAMPLES_MIN = 8;
/** So many answers of an operation tell how long it usually takes. */
const USUAL_MIN = 5;
/** About 0.1 s on a slow line. */
const LARGE_BYTES = 25_000;
/** 2 Mbit/s: 10 MB take 40 s on a slow line. */
const BYTES_PER_MS = 250;
interface Measured {
  /** The longest answer of each operation, apart from delays of the harness, and how many there were; null: of all. */
  readonly answers: ReadonlyMap<string | null, { readonly longestMs: number; readonly samples: number }>;
  /** Sorted, to count the calls in flight at an instant. */
  readonly sentTicks: readonly number[];
  readonly endedTicks: readonly number[];
  /** By operation, as soon as asked for. */
  readonly beside: Map<string | null | undefined, number | null>;
  readonly usual: Map<string | null, number | null>;
}

const measuredIn = remembered(({ session }: JudgingContext): Measured => {
  const ticks = (of: (call: CallEvent) => number): number[] =>
    session.calls.map(of).sort((left, right) => left - right);
  return {
    answers: answersOf(session),
    sentTicks: ticks(({ sentTick }) => sentTick),
    endedTicks: ticks(({ endedTick }) => endedTick ?? Infinity),
    beside: new Map(),
    usual: new Map(),
  };
});

/**
 * Other calls in flight and a large body extend the latency of `call`; delays of the harness are lateness
 * (`graceAt`). Its own operation is not measured: one that is answered late says nothing of the network.
 */
export function networkLatencyMs(context: JudgingContext, call?: CallEvent): number {
  const { run } = context.session;
  if (run.clock === 'controlled') return 0;
  if (run.clock === 'virtual') return LATENCY_VIRTUAL_MS;
  const known = measuredIn(context);
  const longestMs = longestBeside(known, call);
  const leastMs = onItsClock(run, LATENCY_LEAST_MS);
  const mostMs = onItsClock(run, LATENCY_UNMEASURED_MS);
  const ms = longestMs === null ? mostMs : Math.min(mostMs, Math.max(leastMs, ROUND_TRIPS * longestMs));
  return call === undefined ? ms : ms + extraMs(known, run, call);
}

/**
 * How long the network may take for every call, and not only for one that it delays once; null before enough was measured.
 */
export function steadyLatencyMs(context: JudgingContext, call: CallEvent): number | null {
  const known = measuredIn(context);
  const longestMs = longestBeside(known, call);
  return longestMs === null ? null : ROUND_TRIPS * longestMs + extraMs(known, context.session.run, call);
}

/**
 * How long an answer of this operation usually takes, apart from delays of the harness, other calls in flight and large
 * bodies: the median of the calls that count; null for too few.
 */
export function usualAnswerMs(
  context: JudgingContext,
  op: string,
  counts: (call: CallEvent) => boolean,
): number | null {
  const known = measuredIn(context);
  const cached = known.usual.get(op);
  if (cached !== undefined) return cached;
  const took = context.session.calls
    .filter((call) => call.op === op && counts(call))
    .map((call) => answerMs(call) - extraMs(known, context.session.run, call))
    .sort((left, right) => left - right);
  const usualMs = took.length < USUAL_MIN ? null : took[Math.floor(took.length / 2)]!;
  known.usual.set(op, usualMs);
  return usualMs;
}

/** Allowed lateness and network latency, as terms of a sum. */
export function latencyTerms(context: JudgingContext, graceMs: number, call?: CallEvent): readonly Term[] {
  return [
    { ms: graceMs, why: 'allowed lateness', requirement: null },
    { ms: networkLatencyMs(context, call), why: 'network latency', requirement: null },
  ];
}

/** How many other calls were in flight when this one was sent, or when it ended. */
function companions({ sentTicks, endedTicks }: Measured, { sentTick, endedTick }: CallEvent): number {
  const underWayAt = (tick: number): number => countBelow(sentTicks, tick) - countBelow(endedTicks, tick);
  return Math.max(underWayAt(sentTick), underWayAt(endedTick ?? Infinity) - 1);
}

/** What other calls in flight and the size of its bodies add to this call. */
function extraMs(known: Measured, run: RunEvent, call: CallEvent): number {
  const transferMs = (bytesOf(call.request.body) + bytesOf(call.reply?.body)) / BYTES_PER_MS;
  return onItsClock(run, companions(known, call) * LATENCY_PER_COMPANION_MS + Math.round(transferMs));
}

function bytesOf(body: Body | undefined): number {
  return body === undefined || body.as === 'none' ? 0 : body.bytes;
}

function answerMs({ sentMs, receivedMs, harnessLagMs = 0 }: CallEvent): number {
  return receivedMs === null ? Infinity : receivedMs - sentMs - harnessLagMs;
}

/** Only `/runsync` calls wait for their jobs; all others are answered at once. */
function answersOf({ calls }: Session): Measured['answers'] {
  const answers = new Map<string | null, { longestMs: number; samples: number }>();
  for (const call of calls) {
    const { op, request, reply } = call;
    // Nor is a call representative that the harness delayed, or one with a large body.
    const large = bytesOf(request.body) + bytesOf(reply?.body) > LARGE_BYTES;
    if (op === 'runsync' || op === 'openai' || large) continue;
    const known = answers.get(op) ?? { longestMs: 0, samples: 0 };
    answers.set(op, { longestMs: Math.max(known.longestMs, answerMs(call)), samples: known.samples + 1 });
  }
  return answers;
}

/** The longest answer to the other operations; null for too few answers. */
function longestBeside({ answers, beside }: Measured, call: CallEvent | undefined): number | null {
  const known = beside.get(call?.op);
  if (known !== undefined) return known;
  const others = [...answers].flatMap(([op, one]) => (call !== undefined && op === call.op ? [] : [one]));
  const samples = others.reduce((sum, one) => sum + one.samples, 0);
  const longestMs = samples < SAMPLES_MIN ? null : Math.max(...others.map((one) => one.longestMs));
  beside.set(call?.op, longestMs);
  return longestMs;
}
