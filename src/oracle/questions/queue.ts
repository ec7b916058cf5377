/** In which order waiting jobs start, and how soon after a worker is free. */
import type { Job } from '../cast/cases.js';
import { precedes, sightingsOf } from '../cast/sightings.js';
import { QUEUED, STARTED } from '../model/zone.js';
import { answerOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import type { Span } from './spans.js';

interface Waiter {
  readonly job: Job;
  readonly started: Span;
  readonly low: boolean;
  /** How often it was requeued by `/retry`. */
  readonly retries: number;
}

/** Jobs that certainly waited before they started for the last time. */
function waitersOf(scene: Scene): Waiter[] {
  const graceMs = scene.graceMax;
  return scene.cast.jobs.flatMap((job): Waiter[] => {
    const life = scene.lifeOf(job);
    if (life.kind !== 'explained') return [];
    const retries = life.agreed((at) => at.retries);
    if (retries === undefined) return [];
    const plain = life.mustBe(
      (at) =>
        at.runs === retries &&
        (at.place === 'progress' || at.place === 'completed') &&
        -at.zone.bound(QUEUED, STARTED) > graceMs,
    );
    if (!plain) return [];
    const started = {
      fromMs: life.least(({ zone }) => zone.earliest(STARTED)),
      byMs: life.most(({ zone }) => zone.latest(STARTED)),
    };
    return [{ job, started, low: job.life.life.lowPriority, retries }];
  });
}

const before = (left: Waiter, right: Waiter): boolean => left.started.byMs < right.started.fromMs;
const submittedBefore = (left: Waiter, right: Waiter): boolean =>
  precedes(left.job.submitted, right.job.submitted);

export function queueOrders(scene: Scene): void {
  const waiters = waitersOf(scene);
  const plain = waiters.filter(({ low, retries }) => !low && retries === 0);
  for (const first of plain)
    for (const second of plain) {
      // A stay in the queue that ended before the other's began says nothing.
      if (!submittedBefore(first, second) || !bothWaited(first, second)) continue;
      if (before(first, second)) scene.ledger.observe('1/queue-order', 'submission-order');
      else if (before(second, first)) scene.ledger.observe('1/queue-order', 'other-order');
    }
  lowPriority(scene, waiters, plain);
  queuePosition(scene, waiters, plain);
  workerAfterCancel(scene);
}

/** The later one was in the queue while the earlier one certainly was there still. */
function bothWaited(first: Waiter, second: Waiter): boolean {
  return (second.job.submitted.receivedMs ?? Infinity) < first.started.fromMs;
}

/** Where jobs without it start in the order of submission: does one with it give way to a later one? */
function lowPriority(scene: Scene, waiters: readonly Waiter[], plain: readonly Waiter[]): void {
  for (const low of waiters.filter((one) => one.low && one.retries === 0)) {
    const earlier = plain.find((one) => submittedBefore(one, low) && bothWaited(one, low));
    const later = plain.find((one) => submittedBefore(low, one) && bothWaited(low, one));
    if (earlier === undefined || later === undefined || !before(earlier, later)) continue;
    if (before(low, later)) scene.ledger.observe('2.2/low-priority-order', 'same-queue');
    else if (before(later, low)) scene.ledger.observe('2.2/low-priority-order', 'after-others');
  }
}

/** Two jobs requeued one after the other while a third one waits: in which order do the three start? */
function queuePosition(scene: Scene, waiters: readonly Waiter[], plain: readonly Waiter[]): void {
  const retriedAt = ({ job }: Waiter) =>
    job.calls.find((call) => call.op === 'retry' && answerOf(call) === 'ok');
  const retried = waiters.filter((one) => one.retries === 1 && !one.low);
  for (const a of retried)
    for (const b of retried) {
      const [first, second] = [retriedAt(a), retriedAt(b)];
      if (first === undefined || second === undefined || !precedes(first, second)) continue;
      const x = plain.find(
        (one) => precedes(one.job.submitted, first) && one.started.fromMs > second.receivedMs!,
      );
      if (x === undefined || !submittedBefore(a, b) || !submittedBefore(b, x)) continue;
      // Only where jobs otherwise start in the order of submission.
      if (!plain.some((later) => submittedBefore(x, later) && bothWaited(x, later) && before(x, later)))
        continue;
      if (before(x, a) && before(a, b)) scene.ledger.observe('4.6/queue-position', 'back');
      else if (before(b, a) && before(a, x)) scene.ledger.observe('4.6/queue-position', 'front');
      else if (before(a, b) && before(b, x)) scene.ledger.observe('4.6/queue-position', 'by-submission');
    }
}

/** A worker that is restarted first takes longer than this. */
const AT_ONCE_MS = 1_000;

/** The endpoint's only worker had its job cancelled while another one waited. */
function workerAfterCancel(scene: Scene): void {
  const { session, cast } = scene;
  if (session.workersAtFirst !== 1 || session.workers.length > 0 || cast.jobs.length !== 2) return;
  for (const [stopped, waiting] of [cast.jobs, [...cast.jobs].reverse()] as [Job, Job][]) {
    const cancel = stopped.calls.find((call) => call.op === 'cancel' && answerOf(call) === 'ok');
    const running = scene
      .lifeOf(stopped)
      .mustBe((at) => at.place === 'cancelled' && at.goneFrom === 'progress');
    if (cancel === undefined || !running || cast.roll.ghosts.length > 0) continue;
    const seen = sightingsOf(waiting);
    if (!seen.some(({ call, shows }) => shows === 'IN_QUEUE' && precedes(call, cancel))) continue;
    const taken = seen.find(({ shows }) => shows === 'IN_PROGRESS' || shows === 'COMPLETED')?.call;
    const waits = seen.findLast(({ shows }) => shows === 'IN_QUEUE')!.call;
    if (waits.sentMs > cancel.receivedMs! + AT_ONCE_MS)
      scene.ledger.observe('4.5/worker-after-cancel', 'later');
    else if (taken !== undefined && taken.receivedMs! <= cancel.sentMs + AT_ONCE_MS)
      scene.ledger.observe('4.5/worker-after-cancel', 'at-once');
  }
}
