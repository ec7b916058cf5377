/**
 * Section 8: rates. Sound for every algorithm (sliding or fixed window, token bucket): a 429 is wrong if
 * fewer calls than the base limit were made in the preceding window, and missing only if no algorithm and no
 * running worker could have allowed so many. This is deliberately independent of how `core/meters` counts:
 * the same mistake is less likely to be made twice.
 */
import type { CallEvent } from '../../history/events.js';
import { RATES, type RatedOperation } from '../../spec/index.js';
import { mustBeRefused } from '../calls/keys.js';
import { precedes } from '../jobs/status-observations.js';
import { operationImplemented } from '../jobs/evidence.js';
import { answerOf, operationInPath, isFromOtherUser } from '../observed/recorded-call.js';
import {
  bySending,
  CallTimes,
  countBelow,
  isLimited,
  maxConcurrent,
  wasLetIn,
  windowBefore,
} from '../observed/rate-windows.js';
import { instanceOf, RATE_PAIRS, rateBefore } from '../observed/instances.js';
import type { JudgingContext } from '../context/judging-context.js';
import { acceptedAboveConcurrency, noWorkers, refusedForConcurrency } from './concurrency.js';
import { busiestWindow, missingRefusals, separatePaths } from './missing-refusals.js';
import { RATE_TABLE, type RateRow } from './rate-table.js';
import { brokenOffBefore, earlyRefusals, type EarlyRefusals } from './early-refusals.js';

/** A limit counts as tested if this share of it was used. */
const NEAR = 0.9;

export function judgeRates(context: JudgingContext): void {
  const { session, callIndex } = context;
  if (!session.exists || !context.has('dedicated')) return;
  for (const row of RATE_TABLE) {
    const made = callIndex.of(row.op);
    if (made.length < leastTried(row) && !made.some(isLimited)) continue;
    const calls = made.toSorted(bySending);
    const refused = calls.filter(isLimited);
    if (refused.length > 0) judgeRefusals(context, row, refused);
    else if (!isTried(row, calls)) continue;
    // Each user may have a separate allowance; calls without a valid key belong to no user.
    const ofUsers = calls.filter((call) => !mustBeRefused(call));
    for (const own of [ofUsers.filter((call) => !isFromOtherUser(call)), ofUsers.filter(isFromOtherUser)])
      if (own.length > 0) judgeUser(context, row, own);
  }
  separateAllowances(context);
  separateEndpoints(context);
  separateOperations(context);
  observeLimits(context);
}

/** A lower limit would have shown with this many calls. */
const isRateTried = ({ requests, windowMs }: RateRow, calls: readonly CallEvent[]): boolean =>
  busiestWindow(calls, windowMs).length >= NEAR * requests;
const isConcurrencyTried = ({ concurrency }: RateRow, calls: readonly CallEvent[]): boolean =>
  concurrency !== null &&
  calls.length >= NEAR * concurrency.most &&
  maxConcurrent(calls) >= NEAR * concurrency.most;
/** With fewer calls neither limit is tried. */
const leastTried = ({ requests, concurrency }: RateRow): number =>
  NEAR * Math.min(requests, concurrency?.most ?? requests);
/** As many calls as may be in progress were broken off, and later ones were let in. */
const areFreed = ({ concurrency }: RateRow, calls: readonly CallEvent[]): boolean => {
  if (concurrency === null || calls.length <= concurrency.most) return false;
  const last = calls.findLast(wasLetIn);
  // Of other calls without a reply it is unknown whether they had arrived.
  const brokenOff = calls.filter(({ lost }) => lost === 'hung-up');
  return last !== undefined && brokenOffBefore(last, brokenOff).length >= concurrency.most;
};
const isTried = (row: RateRow, calls: readonly CallEvent[]): boolean =>
  isRateTried(row, calls) || isConcurrencyTried(row, calls) || areFreed(row, calls);

function judgeUser(context: JudgingContext, row: RateRow, calls: readonly CallEvent[]): void {
  const implemented = operationImplemented(row.op);
  const letIn = calls.filter(wasLetIn);
  if (isRateTried(row, letIn)) context.passGiven(implemented, row.below);
  if (row.concurrency !== null) {
    if (isConcurrencyTried(row, letIn) || areFreed(row, calls))
      context.passGiven(implemented, row.concurrency.below);
    acceptedAboveConcurrency(context, row.concurrency, calls);
  }
  if (row.op === 'openai') separatePaths(context, row, calls);
  missingRefusals(context, row, calls);
  otherRefusals(context, row, calls);
  recovery(context, row, calls);
}

function judgeRefusals(context: JudgingContext, row: RateRow, refused: readonly CallEvent[]): void {
  const counted = context.session.calls
    .filter((call) => operationInPath(call) === row.op)
    .toSorted(bySending);
  const times = new CallTimes(counted);
  // Most refusals are right, so early ones are analysed only when found.
  let early: EarlyRefusals | null = null;
  for (const call of refused) {
    const { requests, windowMs, concurrency } = row;
    const made = times.inWindowBefore(call, windowMs);
    const together = times.pendingWith(call);
    const lateMs = windowMs + context.graceAt(call.sentMs - windowMs, call.sentMs);
    if (concurrency !== null && together > concurrency.most) {
      // If both limits are exceeded, it is unknown which one caused the refusal.
      if (made <= requests && areAllCallsKnown(context, row, call))
        refusedForConcurrency(context, concurrency, call, counted);
    } else if (made > requests) context.passGiven(operationImplemented(row.op), row.above);
    // The window is a timer like any other and may be late.
    else if (times.inWindowBefore(call, lateMs) > requests)
      context.ledger.late('rateWindow', windowLateMs(row, call, counted), null, lateMs - windowMs);
    else if (areAllCallsKnown(context, row, call)) {
      const actual = `/${row.op} #${call.call} was answered with 429 as number ${made} within 10 s, with ${together} in flight; ${requests} are allowed`;
      tooEarly(context, row, call, actual, (early ??= earlyRefusals(context, row, counted)));
    }
  }
}

/** Violations that concern concurrency or other operations are settled with the other calls of the run. */
function tooEarly(
  context: JudgingContext,
  row: RateRow,
  call: CallEvent,
  actual: string,
  early: EarlyRefusals,
): void {
  const violated = early.violatedBy(call);
  const { refused, byOthers } = context.ledger.concurrency;
  const seen = context.failureOf(call, actual);
  if (violated === '8/rate-per-operation') byOthers.push({ own: early.ofItsOwn(call), seen });
  else if (row.concurrency !== null && violated === row.concurrency.below)
    refused.push({ op: row.concurrency.op, seen });
  else context.check(violated, false, call, actual);
}

/** The harness ends its jobs on a shared endpoint by this operation. Only the number is recorded: own-cancels.ts judges it. */
const SWEEPS: RatedOperation = 'cancel';

/** Only the scripts can have used the allowance, during the run and before it. */
function areAllCallsKnown({ session }: JudgingContext, { op, windowMs }: RateRow, call: CallEvent): boolean {
  const beganMs = session.calls[0]?.sentMs ?? 0;
  return session.fresh || (op !== SWEEPS && call.sentMs - beganMs > 2 * windowMs);
}

/** How much longer the window would have to be to contain one call too many. */
function windowLateMs({ requests, windowMs }: RateRow, call: CallEvent, calls: readonly CallEvent[]): number {
  const ends = windowBefore(call, calls, Infinity).map(({ receivedMs }) => receivedMs ?? Infinity);
  ends.sort((left, right) => right - left);
  return call.sentMs - windowMs - ends[requests]!;
}

/** The limit was reached, and the next call was refused with a code other than 429. */
function otherRefusals(
  context: JudgingContext,
  { op, above, requests }: RateRow,
  calls: readonly CallEvent[],
): void {
  const beyond = (call: CallEvent, when: string, what: string): void =>
    context.check(
      above,
      false,
      call,
      `/${op} #${call.call} was answered with ${call.reply!.status} ${when}; ${what} are answered with 429`,
    );
  // Workers may allow more, but that does not justify a 403.
  for (const call of calls)
    if (context.callIndex.forbidden.has(call))
      beyond(call, `when ${requests} calls had been accepted within 10 s`, 'those beyond the limit');
  const accepted = calls.filter((call) => answerOf(call) === 'ok' && call.receivedMs === call.sentMs);
  if (accepted.length < requests || !context.session.fresh) return;
  for (const call of calls) {
    // A server error is not a check that could come before the rate.
    if (call.request.illegal !== null || (call.reply?.status ?? 0) < 500) continue;
    const before = accepted.filter((one) => one.sentMs === call.sentMs && precedes(one, call)).length;
    if (before < requests || !noWorkers(context, [call])) continue;
    beyond(call, `at the same instant as ${before} accepted calls`, `those beyond ${requests}`);
  }
}

/** Accepted again after a window without calls. */
function recovery(
  context: JudgingContext,
  { op, windowMs, recovers }: RateRow,
  calls: readonly CallEvent[],
): void {
  const first = calls.findIndex(isLimited);
  if (recovers === null || first < 0) return;
  const times = new CallTimes(calls);
  for (const call of calls.slice(first)) {
    // It is in the window itself.
    if (!wasLetIn(call) || times.inWindowBefore(call, windowMs) > 1) continue;
    context.passGiven(operationImplemented(op), recovers);
    const before = calls.findLast((one) => one.sentTick < call.sentTick);
    const atMostMs = call.receivedMs! - (before?.sentMs ?? call.sentMs) - windowMs;
    context.ledger.late('rateWindow', 0, atMostMs, context.session.run.graceMs);
  }
}

const isLetInAfter = (refused: CallEvent, call: CallEvent): boolean =>
  wasLetIn(call) && isFromOtherUser(call) === isFromOtherUser(refused) && call.sentMs - refused.sentMs < 1000;

/** While one operation is refused, others are not. */
function separateAllowances({ ledger, session }: JudgingContext): void {
  const refused = session.calls.find(isLimited);
  if (refused === undefined) return;
  const isOfAnother = session.calls.some(
    (call) => call.op !== refused.op && call.sentTick > refused.sentTick && isLetInAfter(refused, call),
  );
  if (isOfAnother) ledger.passGiven(operationImplemented(refused.op), '8/rate-per-operation');
}

/** While an operation is refused because its rate is used up, it is not refused at another endpoint. */
function separateEndpoints({ ledger, callIndex, otherEndpoints }: JudgingContext): void {
  const id = '8/rate-per-endpoint';
  const elsewhere = otherEndpoints.flatMap(({ session }) => (session.exists ? session.calls : []));
  if (elsewhere.length === 0) return;
  for (const { op, requests, windowMs } of RATE_TABLE) {
    const calls = callIndex.of(op);
    const letIn = calls.filter(wasLetIn);
    const refused = calls.find(
      (call) => isLimited(call) && windowBefore(call, letIn, windowMs).length >= requests,
    );
    if (refused === undefined) continue;
    const isShown = elsewhere.some(
      (call) =>
        call.op === op && call.sentTick > (refused.endedTick ?? Infinity) && isLetInAfter(refused, call),
    );
    if (isShown) ledger.passGiven(operationImplemented(op), id, instanceOf(id, refused));
  }
}

/** A call was let in though another operation had used as much as its limit allows. */
function separateOperations({ ledger, callIndex }: JudgingContext): void {
  for (const [first, second] of RATE_PAIRS) {
    const { requests, windowMs } = RATES[second]!;
    if (callIndex.of(first).length < requests) continue;
    const others = callIndex.of(first).filter((call) => wasLetIn(call) && !mustBeRefused(call));
    if (others.length < requests) continue;
    others.sort((left, right) => left.sentMs - right.sentMs);
    const times = others.map(({ sentMs }) => sentMs);
    const isBefore = (one: CallEvent, call: CallEvent): boolean =>
      precedes(one, call) && isFromOtherUser(one) === isFromOtherUser(call);
    const isShown = (call: CallEvent): boolean => {
      if (!wasLetIn(call) || mustBeRefused(call)) return false;
      const since = countBelow(times, call.receivedMs! - windowMs);
      const until = countBelow(times, call.sentMs + 1);
      if (until - since < requests) return false;
      return others.slice(since, until).filter((one) => isBefore(one, call)).length >= requests;
    };
    if (callIndex.of(second).some(isShown))
      ledger.passGiven(operationImplemented(second), '8/rate-per-operation', rateBefore(first, second));
  }
}

/** This many calls at one instant without a 429 count as no limit. */
const UNLIMITED = 550;
/** Operations missing in the table. */
const UNLISTED = [
  ['retry', '8/retry-limit'],
  ['health', '8/health-limit'],
] as const;

function observeLimits({ session, callIndex, ledger }: JudgingContext): void {
  for (const call of session.calls.filter(isLimited)) {
    const after = call.reply!.headers['retry-after'];
    if (after === undefined) ledger.observe('8/retry-after', 'absent', call);
    else ledger.observe('8/retry-after', /^[0-9]+$/.test(after.trim()) ? 'seconds' : 'date', call);
  }
  for (const [op, question] of UNLISTED) {
    const calls = callIndex.of(op);
    if (calls.some(isLimited)) ledger.observe(question, 'limited');
    else if (busiestWindow(calls, 1000).length >= UNLIMITED) ledger.observe(question, 'none');
  }
}
