/** Section 4.1: how long a `/runsync` call waits, unless something ends the wait early (`wait-ends.ts`). */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WAIT_DEFAULT_MS } from '../../spec/limits.js';
import {
  ELAPSED,
  isWaitOver,
  lifeOf,
  mayBeGone,
  mayBePurged,
  mayHaveEnded,
  planOf,
  waitOf,
} from '../calls/wait.js';
import { operationImplemented } from '../jobs/evidence.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { QUEUED, STARTED } from '../model/zone.js';
import { tookAtLeast } from '../observed/tolerance.js';
import { seconds } from '../../util/duration.js';
import { answerOf, idIn, recordOf, statusIn } from '../observed/recorded-call.js';
import { tooEarly, tooLate } from '../proof/contradiction.js';
import { latencyTerms, networkLatencyMs } from '../context/network-latency.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { answered, endedUnnamed, judgeEnd, sent, ttlOf } from './wait-ends.js';

export function judgeWaits(context: JudgingContext): void {
  if (!context.session.exists) return;
  const held: CallEvent[] = [];
  for (const call of context.callIndex.of('runsync')) {
    const { illegal } = call.request;
    if (illegal !== null && !illegal.startsWith('wait-')) continue;
    observeFraction(context, call);
    context.ledger.about = call.call;
    if (judgeWait(context, call)) held.push(call);
  }
  context.ledger.about = null;
  if (areOverlapping(held)) context.pass('4.1/wait-per-call');
}

/** Two calls with different waits were in flight at the same time; `calls`: in order of their ends. */
function areOverlapping(calls: readonly CallEvent[]): boolean {
  const endOf = new Map<string | undefined, number>();
  for (const { request, sentTick, endedTick } of calls) {
    const { wait } = request.query;
    for (const [other, lastTick] of endOf) if (other !== wait && lastTick > sentTick) return true;
    endOf.set(wait, endedTick!);
  }
  return false;
}

const CLAMPED = { 'to-min': '4.1/wait-below-min', 'to-max': '4.1/wait-above-max' } as const;

/** Refused at once, before any wait. */
const NOT_HELD: readonly (number | undefined)[] = [400, 401, 413, 429];

/** True if the call was answered exactly when its `wait` had elapsed. */
function judgeWait(context: JudgingContext, call: CallEvent): boolean {
  const wait = waitOf(call);
  const life = lifeOf(context, call);
  if (wait === null) return false;
  const { leastMs, mostMs, early, late, clamped } = wait;
  const code = call.reply?.status;
  if (clamped !== null && code === 400) {
    context.passGiven(operationImplemented('runsync'), clamped === 'to-min' ? early : late);
    context.ledger.observe(CLAMPED[clamped], 'refused', call);
  }
  // A target that is not known to have lived so long may have been lost, and the call with it.
  const heldToMs = call.receivedMs ?? Math.min(call.gaveUpMs ?? -Infinity, context.session.livedUntilMs);
  if (NOT_HELD.includes(code)) return false;
  const arrivedMs = call.arrivedByMs ?? call.sentMs;
  const graceMs = context.graceAfter(call, mostMs, heldToMs);
  const allowedMs = graceMs + networkLatencyMs(context, call);
  const isLate = heldToMs > arrivedMs + mostMs + allowedMs;
  const actual = (): string =>
    `sent at ${seconds(call.sentMs)}, answered at ${seconds(call.receivedMs ?? Infinity)}, wait ${seconds(mostMs)}`;
  if (isLate)
    context.check(late, false, call, actual, () => {
      const most = { ms: mostMs, why: 'wait', requirement: late };
      const terms = [most, ...latencyTerms(context, graceMs, call)];
      return tooLate(idIn(call), sent(call, arrivedMs), terms, answered(call, heldToMs));
    });
  if (call.receivedMs === null) return false;
  const shown = statusIn(call);
  const showsEnd = shown !== null && shown !== 'IN_QUEUE' && shown !== 'IN_PROGRESS';
  const isOver = isWaitOver(context, call);
  if (!showsEnd && isOver && leastMs === mostMs) observeElapsed(context, call, mostMs);
  if (showsEnd || answerOf(call) !== 'ok') {
    judgeEnd(context, call, life, leastMs);
    return false;
  }
  if (!isOver && (endedUnnamed(context, call, leastMs) || mayBeGone(context, call))) return false;
  // An answer before its `wait` has elapsed reports an ended job; its content is judged with the answers.
  if (!isOver && shown === null && mayHaveEnded(context, call)) return false;
  context.check(early, isOver, call, actual, () => {
    const least = { ms: leastMs, why: 'wait', requirement: early };
    return tooEarly(idIn(call), sent(call, call.sentMs), [least], answered(call, heldToMs));
  });
  if (!isOver || isLate) return false;
  context.pass(...new Set<RequirementId>([late, ELAPSED]));
  // Part of this time may have been spent on the way to the server.
  context.ledger.late('wait', heldToMs - arrivedMs - mostMs, heldToMs - call.sentMs - leastMs, allowedMs);
  if (clamped !== null && isHeldFor(context, call, WAIT_DEFAULT_MS))
    context.ledger.observe(CLAMPED[clamped], 'default-instead', call);
  else if (clamped === 'to-min' && isHeldFor(context, call, leastMs))
    context.ledger.observe(CLAMPED[clamped], 'raised', call);
  else if (clamped === 'to-max' && isHeldFor(context, call, mostMs))
    context.ledger.observe(CLAMPED[clamped], 'lowered', call);
  if (life?.isJudgedFurther === true) outlived(life, call);
  return true;
}

/** The wait elapsed before the job ended. */
function outlived(life: Life, call: CallEvent): void {
  const { context } = life;
  const queuedMs = ({ state, zone }: Hypothesis): number =>
    state === 'queued' || state === 'purged' ? Infinity : -zone.bound(QUEUED, STARTED);
  const graceMs = context.graceAt(call.sentMs, call.receivedMs!);
  if (life.mustBe((at) => queuedMs(at) > 3 * graceMs || at.previousState === 'queued'))
    context.pass('4.1/wait-covers-queue-time');
  if (life.sawAfter(call, 'IN_PROGRESS', 'COMPLETED')) context.pass('4.1/wait-leaves-job-alive');
}

/** How a call is answered whose wait has certainly elapsed and whose job has certainly not ended. */
function observeElapsed(context: JudgingContext, call: CallEvent, waitMs: number): void {
  const { durationMs } = planOf(context, call);
  if (durationMs === null || Math.min(durationMs, ttlOf(call) ?? 0) <= waitMs || mayBePurged(context, call))
    return;
  context.observeCode('4.1/wait-elapsed-code', call, 'other');
  const shown = statusIn(call);
  const isBare = Object.keys(recordOf(call) ?? {}).every((name) => name === 'id' || name === 'status');
  if (shown === null) context.ledger.observe('4.1/wait-elapsed-body', 'error', call);
  else if (!isBare) context.ledger.observe('4.1/wait-elapsed-body', 'record-as-it-stands', call);
  // The record of a waiting job may contain no more than that.
  else if (shown === 'IN_PROGRESS') context.ledger.observe('4.1/wait-elapsed-body', 'id-and-status', call);
}

/** A fractional `wait`: used as a number, or ignored. */
function observeFraction(context: JudgingContext, call: CallEvent): void {
  const text = call.request.query['wait'] ?? '';
  if (!/^[0-9]+\.[0-9]*[1-9]$/.test(text) || call.receivedMs === null || call.reply!.status === 400) return;
  const isRounded = isHeldFor(context, call, Number(text));
  context.observe(
    '4.1/wait-fraction',
    isHeldFor(context, call, WAIT_DEFAULT_MS) ? 'ignored' : isRounded ? 'rounded' : null,
    call,
  );
}

/** It was answered after this time; 1 ms less, if it was rounded. */
function isHeldFor(context: JudgingContext, call: CallEvent, ms: number): boolean {
  const mostMs = ms + context.graceMax + networkLatencyMs(context);
  return tookAtLeast(context.session.run, call, ms - 1) && call.receivedMs! - call.sentMs <= mostMs;
}
