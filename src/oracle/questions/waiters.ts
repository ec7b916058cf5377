/** Jobs that certainly waited, and which of them started first. */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import { precedes } from '../cast/sightings.js';
import { QUEUED, STARTED } from '../model/zone.js';
import { answerOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { remembered } from './observers.js';
import { SeenJob } from './seen-job.js';
import type { Span } from './spans.js';

export interface Waiter {
  readonly job: Job;
  /** For the last time. */
  readonly started: Span;
  readonly low: boolean;
  /** The call that requeued it; null: there was none. */
  readonly retry: CallEvent | null;
}

interface Waiters {
  /** Never requeued, and without `lowPriority`. */
  readonly plain: readonly Waiter[];
  readonly low: readonly Waiter[];
  /** Requeued once, and without `lowPriority`. */
  readonly retried: readonly (Waiter & { readonly retry: CallEvent })[];
}

/** Each is compared with each. */
const JOBS_MAX = 200;

export const waitersOf = remembered((scene: Scene): Waiters => {
  const { jobs } = scene.cast;
  const all = jobs.length > JOBS_MAX ? [] : jobs.flatMap((job) => waiterOf(scene, job) ?? []);
  const first = all.filter(({ retry }) => retry === null);
  return {
    plain: first.filter(({ low }) => !low),
    low: first.filter(({ low }) => low),
    retried: all.flatMap((one) => (one.retry !== null && !one.low ? [{ ...one, retry: one.retry }] : [])),
  };
});

function waiterOf(scene: Scene, job: Job): Waiter | null {
  const life = scene.lifeOf(job);
  if (life.kind !== 'explained') return null;
  const graceMs = scene.graceMax;
  const retries = life.agreed((at) => at.retries);
  if (retries === undefined || retries > 1) return null;
  const hasWaited = life.mustBe(
    (at) =>
      at.runs === retries &&
      (at.place === 'progress' || at.place === 'completed') &&
      -at.zone.bound(QUEUED, STARTED) > graceMs,
  );
  const retry = job.calls.find((call) => call.op === 'retry' && answerOf(call) === 'ok') ?? null;
  if (!hasWaited || (retries === 1 && retry === null)) return null;
  const started = new SeenJob(scene, job, life).when(STARTED);
  return { job, started, low: job.life.lowPriority, retry: retries === 1 ? retry : null };
}

export const startsBefore = (left: Waiter, right: Waiter): boolean =>
  left.started.byMs < right.started.fromMs;

/** One was submitted before the other, and both were in the queue at once: a stay that ended before tells nothing of an order. */
export function inTurn(first: Waiter, second: Waiter): boolean {
  return (
    submittedBefore(first, second) && (second.job.submitted.receivedMs ?? Infinity) < first.started.fromMs
  );
}

export const submittedBefore = (left: Waiter, right: Waiter): boolean =>
  precedes(left.job.submitted, right.job.submitted);
