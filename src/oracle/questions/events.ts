/** Webhooks where the document leaves them open: pauses, patience, retried jobs, jobs that are gone. */
import type { WebhookEvent } from '../../history/events.js';
import { WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import type { Job } from '../cast/cases.js';
import type { Explained } from '../model/known.js';
import { ENDED, LIFE } from '../model/zone.js';
import { answerOf } from '../observed/reading.js';
import { isPrivate } from '../calls/submissions.js';
import { onTheWayMs } from '../scene/on-the-way.js';
import type { Scene } from '../scene/scene.js';
import { watchedUntilMs } from '../webhooks/expectations.js';

export function eventReadings(scene: Scene, job: Job, life: Explained): void {
  if (!scene.has('webhook-reachable') || job.webhookUrl === null) return;
  const calls = [...job.webhooks].sort((left, right) => left.arrivedMs - right.arrivedMs);
  if (calls.length > 0 && isPrivate(job.webhookUrl))
    scene.ledger.observe('2.1/private-webhook-address', 'called');
  const retried = job.calls.filter((call) => call.op === 'retry' && answerOf(call) !== 'refused');
  if (retried.length === 0) {
    calls.forEach((call, index) => silence(scene, call, calls[index + 1]));
    goneBetween(scene, job, calls, life);
  } else if (retried.length === 1) afterRetry(scene, job, calls, life);
}

/** An attempt that nobody answered: how long the service waited, and from when its pause counted. */
function silence(scene: Scene, call: WebhookEvent, next: WebhookEvent | undefined): void {
  const waitedMs = call.endedMs - call.arrivedMs;
  // Closed by the harness it may have been waited for longer.
  if (call.answered !== null || waitedMs < 1_000) return;
  if (call.silence === 'cut' && waitedMs <= 30_500) return;
  const { edition } = scene.session.run;
  const graceMs = scene.graceMax;
  scene.ledger.observe(
    '6/attempt-timeout',
    waitedMs <= 10_000 + 500 ? 'up-to-10-s' : waitedMs <= 30_000 + 500 ? 'up-to-30-s' : 'longer',
  );
  if (next === undefined || edition === 'runpod' || waitedMs < graceMs + onTheWayMs(scene)) return;
  const gapMs = next.arrivedMs - call.arrivedMs;
  if (gapMs >= WEBHOOK_RETRY_PAUSE_MS + waitedMs - 500) scene.ledger.observe('6/pause-origin', 'from-end');
  else if (gapMs <= Math.max(WEBHOOK_RETRY_PAUSE_MS, waitedMs) + graceMs + onTheWayMs(scene))
    scene.ledger.observe('6/pause-origin', 'from-start');
}

/** The job failed, was retried and completed. */
function afterRetry(scene: Scene, job: Job, calls: readonly WebhookEvent[], life: Explained): void {
  if (!life.mustBe((at) => at.place === 'completed' && at.retries === 1)) return;
  // An unanswered call may be repeated at any time: then nobody knows which end a later one tells.
  const endedFromMs = life.least(({ zone }) => zone.earliest(ENDED));
  const endedByMs = life.most(({ zone }) => zone.latest(ENDED));
  const before = calls.filter(({ arrivedMs }) => arrivedMs < endedFromMs);
  if (before.some(({ answered }) => answered !== 200)) return;
  if (calls.length > before.length) scene.ledger.observe('6/after-retry', 'yes');
  else if (watchedUntilMs(scene, job) > endedByMs + scene.graceMax + onTheWayMs(scene) + 10_000)
    scene.ledger.observe('6/after-retry', 'no');
}

/** The ttl deleted the job while attempts were still to come. */
function goneBetween(scene: Scene, job: Job, calls: readonly WebhookEvent[], life: Explained): void {
  const gone = life.mustBe(
    (at) =>
      at.place === 'gone' && at.goneFrom === 'completed' && at.goneBy === 'ttl' && at.terms.ttlMs !== null,
  );
  if (!gone) return;
  const graceMs = scene.graceMax;
  const goneFromMs = life.least(({ zone, terms }) => zone.earliest(LIFE) + terms.ttlMs!);
  const goneByMs = life.most(({ zone, terms }) => zone.latest(LIFE) + terms.ttlMs!) + graceMs;
  if (calls.some(({ arrivedMs }) => arrivedMs > goneByMs)) {
    scene.ledger.observe('6/job-gone-between-attempts', 'go-on');
    return;
  }
  const last = calls.at(-1);
  if (last === undefined || calls.length > 2 || last.answered === null || last.answered < 400) return;
  const nextMs = last.endedMs + WEBHOOK_RETRY_PAUSE_MS;
  const due = nextMs + graceMs + onTheWayMs(scene);
  if (nextMs > goneFromMs && watchedUntilMs(scene, job) > due + 2_000)
    scene.ledger.observe('6/job-gone-between-attempts', 'stop');
}
