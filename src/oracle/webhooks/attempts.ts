/** Section 6: the result of one attempt to call a webhook, and whether and when another one follows. */
import type { WebhookEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WEBHOOK_ATTEMPTS_MAX, WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import { earlyToleranceMs, onItsClock } from '../observed/tolerance.js';
import { seconds } from '../../util/duration.js';
import { tooEarly, tooLate, type Instant } from '../proof/contradiction.js';
import { latencyTerms, networkLatencyMs } from '../context/network-latency.js';
import type { Life } from '../context/life.js';
import {
  areConsecutive,
  isAmplyWatched,
  dueBy,
  failCalls,
  leftLate,
  lateMs,
  watchedUntilMs,
} from './expectations.js';
import { CLOCKS_APART_MS, WEBHOOK_GIVEN_UP_MS } from '../observed/assumptions.js';
import { missedCall } from './missed-calls.js';
import { failAttempts, outcomeOf, pauseOf, type Failed } from './series.js';

/** The requirement that another attempt follows, by the kind of failure. */
const RETRIED = {
  'error-status': '6/retries-after-error-status',
  dropped: '6/retries-after-dropped-connection',
  silence: '6/retries-after-silence',
} as const satisfies { readonly [F in Failed]: RequirementId };

/** `5xx`. */
const kindOfCode = ({ answered }: WebhookEvent): string | null =>
  answered === null ? null : `${Math.floor(answered / 100)}xx`;

/** One attempt to report the job's end; `next`: the following call, if any. */
interface Attempt {
  readonly life: Life;
  readonly call: WebhookEvent;
  readonly next: WebhookEvent | undefined;
  readonly number: number;
  readonly isLast: boolean;
}

/** `calls`: those that may report the job's one end, in order. */
export function judgeAttempts(life: Life, calls: readonly WebhookEvent[]): void {
  const { context } = life;
  for (const [index, call] of calls.entries()) {
    const number = index + 1;
    const next = calls[number];
    const attempt = { life, call, next, number, isLast: number >= WEBHOOK_ATTEMPTS_MAX };
    const outcome = outcomeOf(context, call);
    if (outcome === 'success') afterSuccess(attempt);
    else if (outcome === 'open') openAnswer(attempt);
    else if (next === undefined) noneAfter(attempt, outcome);
    else {
      // A call that arrives while this one is still open shows that it was abandoned, whichever side closed
      // it.
      const isGivenUp = call.silence !== undefined && next.arrivedMs < call.endedMs;
      if (outcome !== 'error-status' || !leftLate(context, call))
        context.ledger.pass(RETRIED[isGivenUp ? 'silence' : outcome], null, kindOfCode(call));
      // A call after the last permitted attempt is not an attempt, so its timing is not judged.
      if (!attempt.isLast) judgePause(life, call, next, outcome);
    }
  }
}

/**
 * Jobs completed that name one address. Which of them a call tells of is open; but each was to be told, and where each call
 * failed, each was to be told again.
 */
export function notRepeated(completed: readonly Life[], calls: readonly WebhookEvent[]): void {
  const last = completed.at(-1);
  if (last === undefined || calls.length < completed.length || calls.length >= 2 * completed.length) return;
  const { context } = last;
  if (!calls.every((call) => outcomeOf(context, call) === 'error-status')) return;
  const fromMs = Math.max(...calls.map(({ endedMs }) => endedMs)) + pauseOf(context).mostMs;
  const untilMs = watchedUntilMs(last);
  const isSettled = completed.every(
    (life) => isAmplyWatched(life, fromMs) && certainlyLivesUntil(life, dueBy(context, fromMs)),
  );
  const actual = `${calls.length} calls told of ${completed.length} jobs with the same webhook address by ${seconds(untilMs)}, and all failed`;
  if (isSettled) missedCall(last, fromMs, actual, null, RETRIED['error-status']);
}

function afterSuccess({ life, call, next, number }: Attempt): void {
  const { context } = life;
  const dueMs = call.endedMs + WEBHOOK_RETRY_PAUSE_MS;
  if (next !== undefined) {
    const actual = `answered 200 at ${seconds(call.endedMs)}, called again at ${seconds(next.arrivedMs)}`;
    failAttempts(life, '6/stops-after-200', actual);
  } else if (watchedUntilMs(life) > dueMs + lateMs(context, dueMs)) {
    context.pass('6/stops-after-200');
    if (number > 1) context.pass('6/second-success-ends-retries');
  }
}

/** Whether another attempt follows shows how another 2xx or a redirect is interpreted. */
function openAnswer({ life, call, next, isLast }: Attempt): void {
  const { context } = life;
  if (isLast || leftLate(context, call)) return;
  const dueMs = call.endedMs + 2 * WEBHOOK_RETRY_PAUSE_MS;
  const isAgain = next !== undefined;
  if (!isAgain && (watchedUntilMs(life) <= dueMs || !certainlyLivesUntil(life, dueMs))) return;
  if (call.answered! < 300) context.ledger.observe('6/success-status', isAgain ? '200-only' : 'any-2xx');
  else context.ledger.observe('6/redirect', isAgain ? 'failure' : 'success');
}

/** No further attempt was observed. */
function noneAfter({ life, call, number, isLast }: Attempt, outcome: Failed): void {
  if (isLast) return;
  const { context } = life;
  const untilMs = watchedUntilMs(life);
  if (call.silence === 'cut' && untilMs <= call.endedMs + WEBHOOK_RETRY_PAUSE_MS) {
    // The call was held open to the end: how long a service waits for an answer is open.
    const heldMs = call.endedMs - call.arrivedMs;
    const actual = `attempt ${number} was never answered, and neither abandoned nor repeated in ${seconds(heldMs)}`;
    const open =
      `a call was held open for ${seconds(heldMs)} and not abandoned; how long a service waits is open, ` +
      'and --profile full holds calls open longest';
    if (
      heldMs >= onItsClock(context.session.run, WEBHOOK_GIVEN_UP_MS) &&
      certainlyLivesUntil(life, call.endedMs)
    )
      failCalls(life, RETRIED.silence, actual);
    else context.ledger.inconclusive(RETRIED.silence, open);
    return;
  }
  const dueMs = dueBy(context, call.endedMs + pauseOf(context).mostMs);
  // The webhook of a deleted job may be deleted with it.
  if (untilMs <= dueMs + onItsClock(context.session.run, 2_000) || !certainlyLivesUntil(life, dueMs)) return;
  const id = number === 1 ? RETRIED[outcome] : '6/three-attempts';
  const actual = `attempt ${number} failed at ${seconds(call.endedMs)}, no other by ${seconds(untilMs)}`;
  failCalls(life, id, actual);
}

/** Completed, and neither its ttl nor its retention can have elapsed by then. */
const certainlyLivesUntil = (life: Life, atMs: number): boolean =>
  life.mustBe(({ state }) => state === 'completed') && life.isThere({ fromMs: atMs, byMs: atMs });

function judgePause(life: Life, call: WebhookEvent, next: WebhookEvent, outcome: Failed): void {
  const { context, job } = life;
  const { earlyMs, clock, capture } = context.session.run;
  const { leastMs, mostMs } = pauseOf(context);
  // If the instants are not known exactly, both calls may have come earlier. From when the pause counts is
  // open: it is satisfied if it is long enough from the end of an attempt.
  const firstMs = call.sinceMs ?? call.arrivedMs;
  const nextMs = next.sinceMs ?? next.arrivedMs;
  // A delay of the harness may have delayed the arrival of the first by as much; a recorder does not know its delays.
  const laggedMs = clock === 'real' ? context.session.lags.worstBetween(firstMs, call.endedMs) : 0;
  const heldUpMs = capture === undefined ? laggedMs : networkLatencyMs(context);
  const actual = `attempts at ${seconds(call.arrivedMs)} and ${seconds(next.arrivedMs)}`;
  const term = (requirement: RequirementId, ms: number) => ({ ms, why: 'pause', requirement });
  if (next.arrivedMs - firstMs + heldUpMs < leastMs - earlyToleranceMs(earlyMs, leastMs)) {
    const terms = [term('6/pause-not-shorter', leastMs)];
    const why = tooEarly(job.id, attemptAt(call.arrivedMs), terms, nextAt(next.arrivedMs));
    failAttempts(life, '6/pause-not-shorter', actual, why);
  } else if (nextMs - call.endedMs >= leastMs - earlyToleranceMs(Math.min(earlyMs, CLOCKS_APART_MS), leastMs))
    context.pass('6/pause-not-shorter');
  // The caller may have abandoned the call much later than the receiver recorded.
  if (outcome === 'silence' || !areConsecutive(life)) return;
  const byMs = call.endedMs + mostMs;
  const dueMs = dueBy(context, byMs);
  context.ledger.late('webhookPause', nextMs - byMs, next.arrivedMs - call.endedMs - leastMs, dueMs - byMs);
  if (nextMs > dueMs) {
    const terms = [term('6/pause-not-longer', mostMs), ...latencyTerms(context, lateMs(context, byMs))];
    const why = tooLate(job.id, attemptAt(call.endedMs), terms, nextAt(nextMs));
    failCalls(life, '6/pause-not-longer', actual, why);
  } else context.pass('6/pause-not-longer');
}

const attemptAt = (ms: number): Instant => ({ name: 'attempt', ms, why: 'the call before', call: null });

const nextAt = (ms: number): Instant => ({ name: 'next attempt', ms, why: 'the next call', call: null });
