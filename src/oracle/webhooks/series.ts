/** Section 6: a series of attempts to tell of one end, and calls that look like two of them. */
import type { WebhookEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WEBHOOK_ATTEMPTS_MAX, WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { earlyToleranceMs } from '../observed/tolerance.js';
import type { Contradiction } from '../proof/contradiction.js';
import { SECOND_RUN } from '../jobs/doubtful.js';
import { attemptsFor, leftLate, reportingAnEnd } from './expectations.js';

/** The kinds of failure of an attempt. */
export type Failed = 'error-status' | 'dropped' | 'silence';

export function outcomeOf(context: JudgingContext, call: WebhookEvent): Failed | 'success' | 'open' {
  const { answered } = call;
  // Unanswered calls had their connection closed, if late.
  if (answered === null) return call.silence === 'given-up' ? 'silence' : 'dropped';
  // Whether it was read in time or the call was abandoned before: it failed.
  if (answered >= 400) return 'error-status';
  // The document does not say whether another 2xx is a success or a redirect a failure.
  return answered === 200 && !leftLate(context, call) ? 'success' : 'open';
}

/** Measured on the deployed service: 5 s, then 15 s. */
export function pauseOf(context: JudgingContext): { readonly leastMs: number; readonly mostMs: number } {
  if (context.session.run.edition === 'runpod') return { leastMs: 5_000, mostMs: 15_000 };
  return { leastMs: WEBHOOK_RETRY_PAUSE_MS, mostMs: WEBHOOK_RETRY_PAUSE_MS };
}

/** Fails the requirement; a job that ran twice, and tells of each end as it must, explains it as well. */
export function failAttempts(
  life: Life,
  id: RequirementId,
  actual: string,
  contradiction: Contradiction | null = null,
): void {
  const or = isOfTwoEnds(life) ? { or: [SECOND_RUN] } : {};
  life.fail(id, actual, [life.job.submitted], { contradiction, ...or });
}

/** Nothing was called that may end it again, and its webhook calls are two complete series. */
function isOfTwoEnds(life: Life): boolean {
  const { context } = life;
  if (life.calls('retry').length > 0 || life.calls('cancel').length > 0) return false;
  const calls = reportingAnEnd(context, attemptsFor(life));
  if (calls.length > 2 * WEBHOOK_ATTEMPTS_MAX) return false;
  // Each number stands for one way to divide them; the first call belongs to the first series.
  return Array.from({ length: 2 ** (calls.length - 1) - 1 }, (_, way) => way).some((way) => {
    const isOfFirst = (index: number): boolean => index === 0 || ((way >> (index - 1)) & 1) === 1;
    const [first, second] = [
      calls.filter((__, index) => isOfFirst(index)),
      calls.filter((__, index) => !isOfFirst(index)),
    ];
    return isComplete(context, first) && isComplete(context, second);
  });
}

/** All attempts failed but the last one, came after the pause, and none is missing. */
function isComplete(context: JudgingContext, calls: readonly WebhookEvent[]): boolean {
  const { leastMs } = pauseOf(context);
  const shortestMs = leastMs - earlyToleranceMs(context.session.run.earlyMs, leastMs);
  const isLast = (index: number): boolean => index === calls.length - 1;
  const hasFailed = (call: WebhookEvent): boolean =>
    ['error-status', 'dropped', 'silence'].includes(outcomeOf(context, call));
  return (
    calls.length <= WEBHOOK_ATTEMPTS_MAX &&
    (calls.length === WEBHOOK_ATTEMPTS_MAX || !hasFailed(calls.at(-1)!)) &&
    calls.every(
      (call, index) =>
        isLast(index) ||
        (outcomeOf(context, call) !== 'success' &&
          calls[index + 1]!.arrivedMs - (call.sinceMs ?? call.arrivedMs) >= shortestMs),
    )
  );
}
