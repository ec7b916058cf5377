/** In which order jobs start that were certainly waiting. */
import type { CallEvent } from '../../history/events.js';
import type { ReadingId } from '../../spec/index.js';
import type { Job } from '../jobs/observed-jobs.js';
import { precedes } from '../jobs/status-observations.js';
import { QUEUED, STARTED } from '../model/zone.js';
import { remembered, type JudgingContext } from '../context/judging-context.js';
import { explainedLives, type ReadingsSeen } from './observers.js';
import type { Life } from '../context/life.js';
import type { Interval } from '../observed/intervals.js';

interface Waiter {
  readonly job: Job;
  /** The start of its last run. */
  readonly started: Interval;
  readonly isLow: boolean;
  /** The only call that requeued it; null: there was none. */
  readonly retry: CallEvent | null;
}

const waitersOf = remembered((context: JudgingContext): readonly Waiter[] =>
  explainedLives(context).flatMap((seen) => waiterOf(seen) ?? []),
);

function waiterOf(seen: Life): Waiter | null {
  const { job } = seen;
  const retries = seen.common((at) => at.retries);
  if (retries === null || retries > 1) return null;
  const graceMs = seen.context.graceMax;
  const hasWaited = seen.mustBe(
    (at) =>
      at.runs === retries &&
      (at.state === 'running' || at.state === 'completed') &&
      -at.zone.bound(QUEUED, STARTED) > graceMs,
  );
  const retry = retries === 1 ? seen.done('retry') : null;
  if (!hasWaited || retry === undefined) return null;
  return { job, started: seen.when(STARTED), isLow: job.model.lowPriority, retry };
}

/** They certainly started in this order. */
const start = (...order: readonly Waiter[]): boolean =>
  order.every((one, at) => at === 0 || order[at - 1]!.started.byMs < one.started.fromMs);

const submittedBefore = (left: Waiter, right: Waiter): boolean =>
  precedes(left.job.submitted, right.job.submitted);

/** One was submitted before the other, and both were in the queue at the same time. */
function inTurn(first: Waiter, second: Waiter): boolean {
  return (
    submittedBefore(first, second) && (second.job.submitted.receivedMs ?? Infinity) < first.started.fromMs
  );
}

/** Jobs that were never requeued. */
const firstRuns = (context: JudgingContext, isLow: boolean): readonly Waiter[] =>
  waitersOf(context).filter((one) => one.retry === null && one.isLow === isLow);

export function submissionOrder(context: JudgingContext): ReadingsSeen<ReadingId<'1/queue-order'>> {
  const waiters = firstRuns(context, false);
  return waiters.flatMap((first) =>
    waiters
      .filter((second) => inTurn(first, second))
      .map((second) =>
        start(first, second) ? 'submission-order' : start(second, first) ? 'other-order' : null,
      ),
  );
}

/** Whether a low-priority job gives way to later ones, if others start in the order of submission. */
export function lowPriorityOrder(context: JudgingContext): ReadingsSeen<ReadingId<'2.2/low-priority-order'>> {
  const plain = firstRuns(context, false);
  return firstRuns(context, true).map((low) => {
    const earlier = plain.find((one) => inTurn(one, low));
    const later = plain.find((one) => inTurn(low, one));
    if (earlier === undefined || later === undefined || !start(earlier, later)) return null;
    return start(low, later) ? 'same-queue' : start(later, low) ? 'after-others' : null;
  });
}

/** Two jobs are requeued one after the other while a third one waits: in which order the three start. */
export function requeuedOrder(context: JudgingContext): ReadingsSeen<ReadingId<'4.6/queue-position'>> {
  const plain = firstRuns(context, false);
  const requeued = waitersOf(context).filter((one) => one.retry !== null && !one.isLow);
  const pairs = requeued.flatMap((a) => requeued.map((b) => [a, b] as const));
  return pairs.map(([a, b]) => {
    if (!precedes(a.retry!, b.retry!) || !submittedBefore(a, b)) return null;
    const third = plain.find(
      ({ job, started }) => precedes(job.submitted, a.retry!) && started.fromMs > b.retry!.receivedMs!,
    );
    if (third === undefined || !submittedBefore(b, third)) return null;
    // Conclusive only if jobs otherwise start in the order of submission.
    if (!plain.some((later) => inTurn(third, later) && start(third, later))) return null;
    if (start(third, a, b)) return 'back';
    return start(b, a, third) ? 'front' : start(a, b, third) ? 'by-submission' : null;
  });
}
