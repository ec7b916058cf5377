/** Operations that return immediately (4.2, 4.3, 4.5, 4.6): how soon they are answered, and whether at all. */
import type { CallEvent } from '../../history/events.js';
import type { MainOperation, RequirementId } from '../../spec/index.js';
import type { JobStatus } from '../../spec/types.js';
import type { AnsweredCall } from '../context/answered-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { networkLatencyMs, steadyLatencyMs, usualAnswerMs } from '../context/network-latency.js';
import type { Ledger } from '../ledger/ledger.js';
import { answerOf, authorized, operationCalled, statusIn } from '../observed/recorded-call.js';
import { onItsClock } from '../observed/tolerance.js';
import {
  ANSWER_PATIENCE_MS,
  LOST_IN,
  LOST_MAX,
  PATIENCE_OF_SLOWEST,
  RETURNS_WITHIN_MS,
} from '../observed/assumptions.js';

/** Three "return immediately" (4.2, 4.5, 4.6); /status shows the state at the time of the call (4.3). */
const AT_ONCE: { readonly [Op in MainOperation]?: RequirementId } = {
  run: '4.2/returns-at-once',
  cancel: '4.5/returns-at-once',
  retry: '4.6/returns-at-once',
  status: '4.3/shows-current-state',
};
/** A server with one thread does nothing else while it reads such a body, and is not late by its own fault. */
const LARGE_BODY_BYTES = 1_000_000;
/** It was really waited for, with a clock that stood still: long beside the slowest call that was answered. */
const wasPatient = ({ patienceMs = 0, slowestMs = 0 }: CallEvent): boolean =>
  patienceMs >= Math.max(ANSWER_PATIENCE_MS, PATIENCE_OF_SLOWEST * slowestMs);

export function judgeAtOnce(seen: AnsweredCall): void {
  const { context, call } = seen;
  const { op, sentMs, receivedMs, held } = call;
  const id = AT_ONCE[op as MainOperation];
  // A client that holds back its body delays the answer itself.
  if (id === undefined || held !== undefined) return;
  const tookMs = receivedMs! - sentMs;
  const graceMs = context.graceAt(sentMs, receivedMs!);
  const networkMs = networkLatencyMs(context, call);
  const { run } = context.session;
  const { clock } = run;
  // Networks, simulated ones as well, take time, but not of a clock that the harness moves.
  const isSlow = clock === 'real' && tookMs > graceMs;
  const steadyMs = isSlow ? latencyIfAlwaysLate(context, call, graceMs) : null;
  const allowedMs =
    clock === 'controlled'
      ? networkMs
      : (steadyMs ?? Math.max(onItsClock(run, RETURNS_WITHIN_MS), networkMs));
  const isAtOnce = tookMs <= graceMs + allowedMs;
  // The job model decides whether a cancel was immediate and what a read must show.
  if (isAtOnce && (op === 'cancel' || op === 'status')) {
    if (op === 'cancel' && tookMs > graceMs)
      context.ledger.inconclusive(id, withinLatency(tookMs, allowedMs));
    return;
  }
  // How soon /status answers is not specified. Under a controlled clock a held answer is one that never came.
  if (op === 'status' && !wasPatient(call)) return;
  if (!isAtOnce && clock === 'real' && isBesideLargeBody(context, call)) {
    context.ledger.inconclusive(id, `the harness was sending a large body while /${op} waited`);
    return;
  }
  // Who moves the clock before a slow server has answered makes its answer late.
  const isMoved = clock === 'controlled' && !wasPatient(call);
  if (!isAtOnce && isMoved && tookMs <= graceMs + RETURNS_WITHIN_MS) {
    context.ledger.inconclusive(id, `the clock was moved by ${tookMs} ms before /${op} was answered`);
    return;
  }
  const said = (): string => `it took ${tookMs} ms${steadyMs === null ? '' : ALWAYS_LATE}`;
  seen.checkGiven(id, isAtOnce, said);
}

const ALWAYS_LATE = ', as most of its answers did, while other operations were answered sooner';

const withinLatency = (tookMs: number, allowedMs: number): string =>
  `the answer took ${tookMs} ms, of which the network may have taken ${allowedMs} ms`;

/** What the answers show that did what was asked for; others may be given before anything is done. */
const DONE: { readonly [op: string]: JobStatus } = {
  run: 'IN_QUEUE',
  cancel: 'CANCELLED',
  retry: 'IN_QUEUE',
};

/**
 * A network delays one call or another, and never most calls of one operation while it delays no other: what it may have
 * taken of a call of such an operation, else null.
 */
function latencyIfAlwaysLate(context: JudgingContext, call: CallEvent, graceMs: number): number | null {
  const done = DONE[call.op!];
  if (done === undefined) return null;
  const usualMs = usualAnswerMs(
    context,
    call.op!,
    (other) => answerOf(other) === 'ok' && statusIn(other) === done,
  );
  const steadyMs = steadyLatencyMs(context, call);
  return usualMs !== null && steadyMs !== null && usualMs > graceMs + steadyMs ? steadyMs : null;
}

/** Another call with a large body was on its way at the same time. */
function isBesideLargeBody({ session }: JudgingContext, { call, sentMs, receivedMs }: CallEvent): boolean {
  return session.calls.some(
    (other) =>
      other.call !== call &&
      other.request.body.as !== 'none' &&
      other.request.body.bytes >= LARGE_BODY_BYTES &&
      other.sentMs <= receivedMs! &&
      (other.receivedMs ?? other.gaveUpMs ?? Infinity) >= sentMs,
  );
}

/**
 * The call was abandoned or lost. Under a controlled clock neither advancing it by a quarter of an hour nor
 * real time brought an answer.
 */
export function neverReturned(context: JudgingContext, call: CallEvent, life: Life | null): void {
  const id = AT_ONCE[call.op as MainOperation];
  const { lost, patienceMs = 0, gaveUpMs, sentMs, held, request, askedAgain } = call;
  if (id === undefined || lost !== 'timeout' || askedAgain === true || !wasPatient(call)) return;
  if (!context.session.exists || held !== undefined || request.illegal !== null || !authorized(call)) return;
  // Calls for unknown jobs are judged elsewhere.
  if (call.op === 'status' && life === null) return;
  const movedMs = (gaveUpMs ?? sentMs) - sentMs;
  const actual = `no answer, although the clock was advanced by ${movedMs} ms and ${patienceMs} ms of real time passed`;
  context.ledger.unanswered.push({
    id,
    operation: operationCalled(call),
    failure: { ...context.failureOf(call), actual },
  });
}

/** At the end of the run: one call among hundreds that were answered was lost, by whomever. */
export function settleUnanswered(ledger: Ledger): void {
  for (const { id, operation, failure } of ledger.unanswered) {
    const { answered = 0, lost } = ledger.outcomes.get(operation) ?? {};
    const count = lost?.get('timeout') ?? 0;
    if (count > LOST_MAX || count * LOST_IN > answered) ledger.fail(id, failure);
    else ledger.inconclusive(id, 'a call among hundreds that were answered was lost');
  }
}
