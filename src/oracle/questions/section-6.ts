/** How the target answers what sections 6 and 7 of the document leave open. */
import type { WebhookEvent } from '../../history/events.js';
import { WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import { jobBy } from '../cast/cases.js';
import { ENDED, LIFE } from '../model/zone.js';
import { answerOf, idInPath, isNoJobId, saysNothing } from '../observed/reading.js';
import { onTheWayMs } from '../scene/on-the-way.js';
import { watchedUntilMs } from '../webhooks/expectations.js';
import { isOnJob, observedIn, onCall, onJob, remembered, type ObserversOf } from './observers.js';
import type { SeenJob } from './seen-job.js';

export const OBSERVED_6 = {
  '6/called-on-failed': observedIn('webhooks'),
  '6/called-on-timed-out': observedIn('webhooks'),
  '6/called-on-cancelled': observedIn('webhooks'),
  '6/success-status': observedIn('webhooks'),
  '6/redirect': observedIn('webhooks'),
  '6/attempt-timeout': onJob((job) =>
    unansweredOf(job).map(({ waitedMs }) => {
      if (waitedMs <= 10_000 + ROUNDED_MS) return 'up-to-10-s';
      return waitedMs <= 30_000 + ROUNDED_MS ? 'up-to-30-s' : 'longer';
    }),
  ),
  '6/pause-origin': onJob((job) =>
    unansweredOf(job).map(({ call, waitedMs, next }) => {
      const lateMs = lateMax(job);
      if (next === undefined || job.scene.session.run.edition === 'runpod' || waitedMs < lateMs) return null;
      const gapMs = next.arrivedMs - call.arrivedMs;
      if (gapMs >= WEBHOOK_RETRY_PAUSE_MS + waitedMs - ROUNDED_MS) return 'from-end';
      return gapMs <= Math.max(WEBHOOK_RETRY_PAUSE_MS, waitedMs) + lateMs ? 'from-start' : null;
    }),
  ),
  '6/payload-shape': observedIn('webhooks'),
  '6/method': observedIn('webhooks'),
  '6/content-type': observedIn('webhooks'),
  '6/signature': observedIn('webhooks'),
  /** The job failed, was retried and completed. */
  '6/after-retry': onJob((job) => {
    const attempts = attemptsOf(job);
    if (attempts === null || job.retries.length !== 1) return null;
    if (!job.life.mustBe((at) => at.place === 'completed' && at.retries === 1)) return null;
    // An unanswered call may be repeated at any time: then nobody knows which end a later one tells.
    const ended = job.when(ENDED);
    const before = attempts.filter(({ arrivedMs }) => arrivedMs < ended.fromMs);
    if (before.some(({ answered }) => answered !== 200)) return null;
    if (attempts.length > before.length) return 'yes';
    return watchedUntilMs(job.scene, job.job) > ended.byMs + lateMax(job) + 10_000 ? 'no' : null;
  }),
  /** The ttl deleted the job while attempts were still to come. */
  '6/job-gone-between-attempts': onJob((job) => {
    const attempts = attemptsOf(job);
    const isDeleted = job.life.mustBe(
      (at) =>
        at.place === 'gone' && at.goneFrom === 'completed' && at.goneBy === 'ttl' && at.terms.ttlMs !== null,
    );
    if (attempts === null || job.retries.length > 0 || !isDeleted) return null;
    const goneFromMs = job.life.least(({ zone, terms }) => zone.earliest(LIFE) + terms.ttlMs!);
    const goneByMs =
      job.life.most(({ zone, terms }) => zone.latest(LIFE) + terms.ttlMs!) + job.scene.graceMax;
    if (attempts.some(({ arrivedMs }) => arrivedMs > goneByMs)) return 'go-on';
    const last = attempts.at(-1);
    if (last === undefined || attempts.length > 2 || last.answered === null || last.answered < 400)
      return null;
    const nextMs = last.endedMs + WEBHOOK_RETRY_PAUSE_MS;
    const isWatched = watchedUntilMs(job.scene, job.job) > nextMs + lateMax(job) + 2_000;
    return nextMs > goneFromMs && isWatched ? 'stop' : null;
  }),
  '7/error-body': observedIn('calls'),
  '7/oversize-code': observedIn('calls'),
  '7/unknown-job-code': observedIn('calls'),
  '7/malformed-job-id-code': onCall((odd) => {
    const { scene, call, code, answer } = odd;
    const id = idInPath(call);
    if (!isOnJob(odd) || saysNothing(call) || answer === 'unknown') return null;
    if (id === null || !isNoJobId(id) || jobBy(scene.cast, id) !== undefined) return null;
    return code === 404 || code === 400 ? `${code}` : 'other';
  }),
  '7/crash-code': onJob((job) => {
    const { submitted } = job.job;
    if (!job.isToldFailed || job.plan.outcome !== 'crash') return null;
    if (answerOf(submitted) === 'ok') return 'record';
    return submitted.reply!.status === 500 ? '500' : 'other';
  }),
} as const satisfies ObserversOf<'6' | '7'>;

/** A length of time is told no finer than this. */
const ROUNDED_MS = 500;

const lateMax = ({ scene }: SeenJob): number => scene.graceMax + onTheWayMs(scene);

/** The webhook calls for the job, in order; null where it could have none. */
const attemptsOf = remembered(({ scene, job }: SeenJob): readonly WebhookEvent[] | null => {
  if (!scene.has('webhook-reachable') || job.webhookUrl === null) return null;
  return [...job.webhooks].sort((left, right) => left.arrivedMs - right.arrivedMs);
});

interface Unanswered {
  readonly call: WebhookEvent;
  readonly waitedMs: number;
  readonly next: WebhookEvent | undefined;
}

/** Attempts that nobody answered, until the service gave them up. */
const unansweredOf = remembered((job: SeenJob): readonly Unanswered[] => {
  const attempts = job.retries.length > 0 ? [] : (attemptsOf(job) ?? []);
  return attempts.flatMap((call, at) => {
    const waitedMs = call.endedMs - call.arrivedMs;
    // Closed by the harness it may have been waited for longer.
    const isCut = call.silence === 'cut' && waitedMs <= 30_000 + ROUNDED_MS;
    return call.answered !== null || waitedMs < 1_000 || isCut
      ? []
      : [{ call, waitedMs, next: attempts[at + 1] }];
  });
});
