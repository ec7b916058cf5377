/**
 * Section 8, the column Concurrency. The table is headed "enforced", so a target that refuses any call for
 * concurrency must refuse whenever too many calls are in flight; a target that never does only gets advice.
 * When a call starts to count is open: with uploads held back, only a target that counts incomplete calls
 * must refuse. All this shows in comparison with the other calls of the run, so it is settled at its end.
 */
import type { CallEvent, RunEvent } from '../../history/events.js';
import { WAIT_DEFAULT_MS } from '../../spec/limits.js';
import { earlyToleranceMs } from '../observed/tolerance.js';
import type { Ledger } from '../ledger/ledger.js';
import { isFinished, type Hypothesis } from '../model/hypothesis.js';
import { ENDED } from '../model/zone.js';
import { answerOf } from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import { operationImplemented } from '../jobs/evidence.js';
import { RATE_TABLE, concurrencyLimitOf, type ConcurrencyLimit } from './rate-table.js';
import { HELD_UNDER_CONTROL_MS } from '../observed/assumptions.js';

/** A call answered 429 with this many in flight by the client's count, while the rate allowed it. */
export function refusedForConcurrency(
  context: JudgingContext,
  { op, most, above }: ConcurrencyLimit,
  call: CallEvent,
  calls: readonly CallEvent[],
): void {
  const { ledger } = context;
  context.passGiven(operationImplemented(op), above, '8/concurrency-enforced');
  // A target that refuses every call has no limit.
  if (!calls.some((one) => one.op === op && answerOf(one) === 'ok')) return;
  ledger.concurrency.enforced = true;
  if (call.held === undefined) return;
  const window = [call.held.untilTick ?? call.sentTick, call.held.overTick] as const;
  const others = calls.filter((one) => one !== call && one.op === op && isWholeDuring(one, window)).length;
  if (others < most) ledger.concurrency.fromHeaders = true;
}

/** It may have been received completely and not answered yet. */
function isWholeDuring(
  { held, sentTick, endedTick }: CallEvent,
  [from, to]: readonly [number, number],
): boolean {
  if (held === undefined) return sentTick < to && (endedTick ?? Infinity) > from;
  return held.untilTick !== null && held.untilTick < to && held.overTick > from;
}

/** Records if more calls than allowed were certainly in flight at one instant, and all were accepted. */
export function acceptedAboveConcurrency(
  context: JudgingContext,
  { op, most }: ConcurrencyLimit,
  calls: readonly CallEvent[],
): void {
  // Jobs from before the run may still be running.
  if (!context.session.fresh) return;
  const accepted = calls.filter((call) => answerOf(call) === 'ok' && call.harnessLagMs === undefined);
  const held = accepted.flatMap((call) => heldFor(call, context.session.run));
  const waiting = accepted.flatMap((call) => waitedFor(context, call));
  for (const spans of [held, waiting]) {
    const concurrency = mostAtOnce(spans);
    if (concurrency.length <= most || (spans === waiting && !isHeldTogether(context, concurrency))) continue;
    const untilMs = Math.max(...concurrency.map(({ overMs }) => overMs));
    const among = concurrency.map(({ call }) => call);
    if (!noWorkers(context, among, untilMs)) continue;
    const how = spans === held ? 'with the last byte of each body held back' : 'waiting for their answers';
    context.ledger.concurrency.accepted.push({
      op,
      held: spans === held,
      seen: context.observedFailure({
        script: among[0]!.script,
        actual: `${concurrency.length} calls of /${op} were in flight at once, ${how}, and all were accepted, without workers; ${most} are allowed`,
        calls: among.slice(-1).map(({ call }) => call),
      }),
    });
  }
}

/** When the service had the call unanswered; `overMs`: until when workers matter. */
interface UnderWay {
  readonly call: CallEvent;
  readonly from: number;
  readonly to: number;
  readonly overMs: number;
}

/**
 * A body has arrived except for its last byte if test control shows so; where it does not tell, if it was held back for longer
 * than anything may be late.
 */
function heldFor(call: CallEvent, { clock, graceMs, speed = 1 }: RunEvent): UnderWay[] {
  const { held } = call;
  if (held === undefined || held.fromTick === null || held.untilTick === null) return [];
  const surelyMs = clock === 'controlled' ? HELD_UNDER_CONTROL_MS : graceMs;
  if (held.arrived === false || (held.arrived !== true && held.togetherMs * speed < surelyMs)) return [];
  return [{ call, from: held.fromTick, to: held.untilTick, overMs: held.untilMs }];
}

/**
 * A call that was answered when its `wait` elapsed had arrived one wait earlier. In real time, any other call
 * had arrived once it was in flight for longer than anything may be late; under test control the arrival is
 * reported or unknown.
 */
function waitedFor({ session: { run } }: JudgingContext, call: CallEvent): UnderWay[] {
  const { sentMs, receivedMs, arrivedByMs, held } = call;
  if (receivedMs === null || (held !== undefined && (held.untilTick === null || call.op === 'runsync')))
    return [];
  const waitMs = call.op === 'runsync' ? Number(call.request.query['wait'] ?? WAIT_DEFAULT_MS) : Infinity;
  const leastMs = waitMs - earlyToleranceMs(run.earlyMs, waitMs);
  const elapsed = receivedMs - sentMs >= leastMs;
  const onTimeMs =
    run.clock === 'real' && call.op !== 'runsync' ? (held?.untilMs ?? sentMs) + run.graceMs : Infinity;
  const arrivedMs = held === undefined && arrivedByMs !== null ? arrivedByMs : onTimeMs;
  const from = elapsed ? (arrivedByMs ?? receivedMs - leastMs) : arrivedMs;
  const to = elapsed ? sentMs + leastMs : receivedMs - run.graceMs;
  return from < to ? [{ call, from, to, overMs: receivedMs }] : [];
}

/**
 * A slow server handles calls one by one and has not admitted the rest yet. The calls are held together only
 * if a later call was answered before all of them.
 */
function isHeldTogether(context: JudgingContext, concurrency: readonly UnderWay[]): boolean {
  const op = concurrency[0]!.call.op!;
  if (op === 'runsync') return true;
  const fromMs = Math.max(...concurrency.map(({ from }) => from));
  const sentTick = Math.max(...concurrency.map(({ call }) => call.held?.untilTick ?? call.sentTick));
  const endedTick = Math.min(...concurrency.map(({ call }) => call.endedTick!));
  return context.callIndex
    .of(op)
    .some(
      (call) =>
        call.reply !== null &&
        call.sentMs >= fromMs &&
        call.sentTick > sentTick &&
        call.endedTick! < endedTick,
    );
}

/** The largest number of them that overlap. */
function mostAtOnce(spans: readonly UnderWay[]): readonly UnderWay[] {
  const starts = spans.map(({ from }) => from).sort((left, right) => left - right);
  const ends = spans.map(({ to }) => to).sort((left, right) => left - right);
  let most = { count: 0, at: 0 };
  for (let opened = 1, closed = 0; opened <= starts.length; opened += 1) {
    const at = starts[opened - 1]!;
    while (closed < ends.length && ends[closed]! <= at) closed += 1;
    if (opened - closed > most.count) most = { count: opened - closed, at };
  }
  return spans.filter(({ from, to }) => from <= most.at && to > most.at);
}

/** Called at the end of the run. */
export function settleConcurrency(ledger: Ledger): void {
  const { enforced, accepted, refused, byOthers } = ledger.concurrency;
  // If the limit is too low, that few complete calls are reason enough.
  const fromHeaders = ledger.concurrency.fromHeaders && refused.length === 0;
  for (const { op, seen } of refused) {
    // If it, or other operations, were refused too early with no calls in flight, this may be for the same reason.
    const low = RATE_TABLE.filter((row) => row.op !== op && ledger.hasFailed(row.below));
    const own = RATE_TABLE.find((row) => row.op === op)!;
    const isOfRate = low.length >= OPERATIONS_MIN || ledger.hasFailed(own.below);
    ledger.fail(isOfRate ? own.below : concurrencyLimitOf(op).below, seen);
  }
  for (const { own, seen } of byOthers)
    ledger.fail(ledger.hasFailed(own) ? own : '8/rate-per-operation', seen);
  for (const { op, held, seen } of accepted) {
    const { above } = concurrencyLimitOf(op);
    if (enforced && (fromHeaders || !held)) ledger.fail(above, seen);
    else if (enforced)
      ledger.inconclusive(above, 'calls count as in flight only once they are received completely');
    else if (!held) ledger.fail('8/concurrency-enforced', seen);
  }
  if (fromHeaders) ledger.observe('8/concurrency-meaning', 'calls-under-way');
  else if (enforced && accepted.some(({ held }) => held))
    ledger.observe('8/concurrency-meaning', 'calls-received');
  if (!enforced && accepted.some(({ held }) => !held))
    ledger.observe('8/concurrency-meaning', 'not-enforced');
}

/** Called at the end of the run. Whether failed calls count against the rate is open. */
export function settleErrors(ledger: Ledger): void {
  const counted = [...(ledger.readings.get('8/failed-calls-count')?.keys() ?? [])];
  const areCounted = counted.length === 1 && counted[0] === 'yes';
  for (const { id, seen } of ledger.errorsBeyondRate)
    if (seen === null)
      ledger.inconclusive(id, 'all calls were answered by workers, which may raise the limit');
    else if (areCounted) ledger.fail(id, seen);
    else ledger.inconclusive(id, 'failed calls may not count against the rate: 8/failed-calls-count');
}

/** The limit of a single operation may be wrong by itself. */
const OPERATIONS_MIN = 2;

/** No worker runs from the first call until all are answered: there are none, or no job is left. */
export function noWorkerRuns(context: JudgingContext, calls: readonly CallEvent[]): boolean {
  const from = calls[0]!;
  if (noWorkers(context, calls)) return true;
  const over = (at: Hypothesis): boolean =>
    (isFinished(at.state) || at.state === 'deleted') &&
    at.retries === 0 &&
    at.zone.latest(ENDED) < from.sentMs;
  return (
    context.callIndex.pendingSubmissions.length === 0 && context.lives.every((life) => life.mustBe(over))
  );
}

/** There are no workers until these calls are answered. Whether idle ones raise a limit is open. */
export function noWorkers(
  { session }: JudgingContext,
  calls: readonly CallEvent[],
  until = Math.max(...calls.map((call) => call.receivedMs ?? Infinity)),
): boolean {
  return session.workersAtFirst === 0 && session.workers.every(({ sentMs }) => sentMs > until);
}
