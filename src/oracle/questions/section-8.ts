/**
 * How the target answers what sections 8 and 9 of the document leave open: how rates are counted, and whose
 * calls. Each way to count predicts which calls of a sequence are refused. The ways that predict exactly the
 * observed refusals remain, and a question is answered if they all agree on it.
 */
import type { CallEvent } from '../../history/events.js';
import { RATES, type RateLimit } from '../../spec/rates.js';
import { precedes } from '../jobs/status-observations.js';
import { answerOf, authorized, isFromOtherUser } from '../observed/recorded-call.js';
import { bySending, isLimited } from '../observed/rate-windows.js';
import { noWorkerRuns } from '../rates/concurrency.js';
import { remembered, type JudgingContext } from '../context/judging-context.js';
import { agreed, observedIn, onSession, type ObserversOf } from './observers.js';

export const OBSERVED_8 = {
  ...observedIn('calls', '8/megabyte', '8/payload-measure'),
  '8/rate-algorithm': onSession((context) =>
    waysLeft(context).map((ways) => (ways.length === 0 ? 'other' : agreed(ways, (way) => way.algorithm))),
  ),
  '8/limit-scope': onSession(limitScope),
  '8/requests-per-worker': onSession((context) =>
    burstsOf(context).map((burst) => (burst.isIdle ? null : perWorker(context, burst))),
  ),
  '8/refused-calls-count': onSession((context) =>
    waysLeft(context).map((ways) => agreed(ways, (way) => way.refusedCount)),
  ),
  '8/failed-calls-count': onSession((context) =>
    burstsOf(context).map((burst) => (burst.isIdle ? failedCalls(burst) : null)),
  ),
  '8/unauthorized-calls-count': onSession(unauthorizedCalls),
  ...observedIn('rates', '8/concurrency-meaning', '8/retry-limit', '8/health-limit', '8/retry-after'),
  ...observedIn('calls', '9/other-version-answer'),
} as const satisfies ObserversOf<'8' | '9'>;

const PHASE_STEP_MS = 250;

/** The allowance is used by these calls only: the endpoint is new and called by one user. */
function isUnshared(context: JudgingContext): boolean {
  return context.has('dedicated') && context.session.fresh && !context.session.calls.some(isFromOtherUser);
}

type Burst = ReturnType<typeof burstsOf>[number];

/** The calls of one operation, as sent; `isIdle`: no running worker may have raised the limit. */
const burstsOf = remembered((context: JudgingContext) => {
  if (!isUnshared(context)) return [];
  return (['purge-queue', 'cancel', 'requests'] as const).flatMap((op) => {
    const calls = context.callIndex
      .of(op)
      .toSorted(bySending)
      .filter(({ reply }) => reply !== null);
    return calls.length === 0 ? [] : [{ rate: RATES[op]!, calls, isIdle: noWorkerRuns(context, calls) }];
  });
});

/** For each conclusive burst: the ways of counting that predict it. */
const waysLeft = remembered((context: JudgingContext): readonly (readonly Way[])[] =>
  burstsOf(context).flatMap(({ rate, calls, isIdle }) => {
    const isPlain = calls.every((call) => answerOf(call) === 'ok' || isLimited(call));
    if (!isIdle || !isPlain || !calls.some(isLimited) || !areApart(calls)) return [];
    // The instant at which each call was counted is known well enough.
    if (calls.some(({ sentMs, receivedMs }) => receivedMs! - sentMs > PHASE_STEP_MS)) return [];
    return [waysFor(rate).filter((way) => predicts(way, rate, calls))];
  }),
);

/** Calls follow one another; the order of concurrent calls would be unknown. */
function areApart(calls: readonly CallEvent[]): boolean {
  return calls.every((call, index) => index === 0 || calls[index - 1]!.endedTick! < call.sentTick);
}

/** All ways to count; `phaseMs`: when fixed windows begin. */
function waysFor({ windowMs }: RateLimit) {
  const phases = Array.from({ length: Math.ceil(windowMs / PHASE_STEP_MS) }, (_, at) => at * PHASE_STEP_MS);
  return (['no', 'yes'] as const).flatMap((refusedCount) => [
    ...(['sliding-window', 'token-bucket', 'other'] as const).map((algorithm) => ({
      algorithm,
      refusedCount,
      phaseMs: 0,
    })),
    ...phases.map((phaseMs) => ({ algorithm: 'fixed-window' as const, refusedCount, phaseMs })),
  ]);
}

type Way = ReturnType<typeof waysFor>[number];

/** Whether this way of counting predicts exactly the observed refusals. */
function predicts(
  { algorithm, refusedCount, phaseMs }: Way,
  rate: RateLimit,
  calls: readonly CallEvent[],
): boolean {
  const { requests, windowMs } = rate;
  const counted: number[] = [];
  let tokens = requests;
  let filledMs = 0;
  /** Start of a window that begins with a call: not a common algorithm, but observed in practice. */
  let openedMs = -Infinity;
  for (const call of calls) {
    const atMs = (call.sentMs + call.receivedMs!) / 2;
    tokens = Math.min(requests, tokens + ((atMs - filledMs) * requests) / windowMs);
    filledMs = atMs;
    if (atMs >= openedMs + windowMs) openedMs = atMs;
    const beganMs = {
      'fixed-window': Math.floor((atMs - phaseMs) / windowMs) * windowMs + phaseMs,
      'sliding-window': atMs - windowMs,
      'token-bucket': NaN,
      other: openedMs,
    }[algorithm];
    const used = counted.filter((at) => at > beganMs || (at === beganMs && algorithm !== 'sliding-window'));
    const hasRoom = algorithm === 'token-bucket' ? tokens >= 1 : used.length < requests;
    if (hasRoom === isLimited(call)) return false;
    if (!hasRoom && refusedCount === 'no') continue;
    counted.push(atMs);
    tokens = Math.max(0, tokens - 1);
  }
  return true;
}

/** Whether calls answered 400 or 404 count. Made at one instant, they either exceed the limit or do not. */
function failedCalls({ rate, calls }: Burst): 'yes' | 'no' | null {
  const failed = calls.filter(({ reply }) => reply!.status === 400 || reply!.status === 404);
  if (failed.length < rate.requests) return null;
  const firstRefused = calls.find(isLimited);
  if (firstRefused === undefined) {
    const since = failed[0]!.sentMs;
    const atOnce = failed.filter(({ receivedMs }) => receivedMs! - since < rate.windowMs / 4);
    // Two fixed windows may meet within a burst.
    return atOnce.length > 2 * rate.requests ? 'no' : null;
  }
  const ok = calls.filter((call) => call.sentTick < firstRefused.sentTick && answerOf(call) === 'ok');
  return ok.length < rate.requests ? 'yes' : null;
}

/** With a running worker more may be allowed: the number accepted at once shows how many. */
function perWorker(
  { session, lives }: JudgingContext,
  { rate, calls }: Burst,
): 'none' | '50' | 'other' | null {
  const [life, ...others] = lives;
  if (session.workersAtFirst !== 1 || session.workers.length > 0 || life === undefined || others.length > 0)
    return null;
  const first = calls[0]!;
  if (!life.sawBefore(first, 'IN_PROGRESS') || life.plan.outcome !== 'never') return null;
  const atOnce = calls.filter(({ receivedMs }) => receivedMs! - first.sentMs < rate.windowMs / 10);
  const accepted = atOnce.filter((call) => answerOf(call) === 'ok').length;
  if (!atOnce.some(isLimited)) return null;
  const within = (least: number): boolean => accepted >= least && accepted <= least * 1.1 + 1;
  return within(rate.requests) ? 'none' : within(50) ? '50' : 'other';
}

const PURGES = RATES['purge-queue']!;

/** Calls without a key, followed by as many with one as the limit allows. */
function unauthorizedCalls(context: JudgingContext): 'yes' | 'no' | null {
  if (!isUnshared(context)) return null;
  const calls = context.callIndex.of('purge-queue');
  const { requests, windowMs } = PURGES;
  const keyless = calls.filter((call) => call.reply?.status === 401 && call.request.auth === 'missing');
  const keyed = calls.filter(authorized);
  const [first] = keyed;
  if (first === undefined || keyless.length < requests || !areApart(calls)) return null;
  if (calls.some(({ sentMs }) => sentMs > calls[0]!.sentMs + windowMs / 4)) return null;
  if (!keyless.slice(0, requests).every(({ sentTick }) => sentTick < first.sentTick)) return null;
  if (isLimited(first)) return 'yes';
  const areOk = keyed.slice(0, requests).every((call) => answerOf(call) === 'ok');
  return areOk && keyed.length >= requests ? 'no' : null;
}

/** Until then a bucket has not been refilled by one call. */
const NOT_REFILLED_MS = (0.5 * PURGES.windowMs) / PURGES.requests;

/**
 * One user has used up the window while another one calls. Conclusive only if no algorithm could have
 * restored the allowance in between.
 */
function limitScope(context: JudgingContext): 'per-endpoint' | 'per-user-and-endpoint' | null {
  const { session } = context;
  const purges = context.has('dedicated') ? context.callIndex.of('purge-queue') : [];
  const calls = purges.toSorted(bySending).filter((call) => authorized(call) || isFromOtherUser(call));
  const other = calls.find(isFromOtherUser);
  if (other === undefined) return null;
  const { requests, windowMs } = PURGES;
  const before = calls.filter((call) => precedes(call, other)).slice(-requests - 1);
  const after = calls.find((call) => precedes(other, call));
  const last = before.at(-1);
  if (last === undefined || before.length <= requests || !isLimited(last)) return null;
  const sinceMs = before[0]!.sentMs;
  if (!before.slice(0, -1).every((call) => answerOf(call) === 'ok')) return null;
  if (last.receivedMs! - sinceMs > NOT_REFILLED_MS) return null;
  // No call missing in the history can have used up the other user's own allowance.
  const isFirst = session.fresh || other.sentMs - (session.calls[0]?.sentMs ?? 0) > 2 * windowMs;
  if (isLimited(other)) return isFirst ? 'per-endpoint' : null;
  // Refused again: in between no window has restarted, and no worker raised the limit.
  const isStillFull =
    after !== undefined &&
    isLimited(after) &&
    !isFromOtherUser(after) &&
    after.receivedMs! - sinceMs <= NOT_REFILLED_MS;
  return answerOf(other) === 'ok' && isStillFull ? 'per-user-and-endpoint' : null;
}
