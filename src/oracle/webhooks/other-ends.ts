/** Webhooks of jobs that did not complete, and what failing calls must leave alone. */
import type { Body, WebhookEvent } from '../../history/events.js';
import type { JobStatus } from '../../spec/types.js';
import { WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import type { Job } from '../cast/cases.js';
import { sightingsOf } from '../cast/sightings.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { ENDED, LIFE } from '../model/zone.js';
import { seconds } from '../observed/reading.js';
import { onTheWayMs } from '../scene/on-the-way.js';
import type { Scene } from '../scene/scene.js';
import { completion, fault, watchedUntilMs } from './expectations.js';

const CALLED_ON = {
  failed: '6/called-on-failed',
  'timed-out': '6/called-on-timed-out',
  cancelled: '6/called-on-cancelled',
} as const;

/** Whether other ends than a completion are told is open. */
export function calledOn(scene: Scene, job: Job, calls: readonly WebhookEvent[]): void {
  const life = scene.lifeOf(job);
  if (life.kind !== 'explained' || life.mayBe((at) => at.retries > 0)) return;
  const place = life.agreed((at) => at.place);
  if (place !== 'failed' && place !== 'timed-out' && place !== 'cancelled') return;
  if (place === 'cancelled' && life.mayBe((at) => at.goneFrom !== 'queue' && at.goneFrom !== 'progress'))
    return;
  const endedByMs = life.most(({ zone }) => zone.latest(ENDED));
  if (calls.length > 0) scene.ledger.observe(CALLED_ON[place], 'yes');
  else if (watchedUntilMs(scene, job) > endedByMs + scene.graceMax + onTheWayMs(scene))
    scene.ledger.observe(CALLED_ON[place], 'no');
}

/** Purged, or deleted by its ttl before it ended: nothing has completed. */
export function removed(scene: Scene, job: Job, calls: readonly WebhookEvent[]): void {
  const life = scene.lifeOf(job);
  const gone = (at: Hypothesis): boolean =>
    at.place === 'purged' ||
    (at.place === 'gone' && at.goneBy === 'ttl' && (at.goneFrom === 'queue' || at.goneFrom === 'progress'));
  if (life.kind !== 'explained' || !life.mustBe(gone)) return;
  // A service that tells a purge as a cancellation or a failure may notify of it as of one.
  const first = calls[0];
  const told =
    life.mayBe((at) => at.place === 'purged') &&
    (!sightingsOf(job).some(({ shows }) => shows === 'GONE') || (first !== undefined && tellsAnEnd(first)));
  if (first !== undefined) {
    const completed = calls.find(({ body }) => claims(body, 'COMPLETED'));
    if (completed === undefined && told) return;
    scene.fail(completed === undefined ? '6/no-call-for-removed' : '6/no-completion-told-of-removed', {
      ...fault(job, `called at ${seconds((completed ?? first).arrivedMs)}`),
      proof: [`job ${job.id} was purged, or deleted by its ttl, before it had ended`],
    });
    return;
  }
  const byMs = life.most(({ place, zone, terms }) =>
    place === 'purged' ? zone.latest(ENDED) : zone.latest(LIFE) + (terms.ttlMs ?? Infinity),
  );
  const planned = job.foreseen(0).lastsMs ?? 0;
  const wouldHaveEndedMs = (planned === Infinity ? 0 : planned) + byMs;
  if (watchedUntilMs(scene, job) > wouldHaveEndedMs + scene.graceMax + onTheWayMs(scene))
    scene.pass('6/no-call-for-removed', '6/no-completion-told-of-removed');
}

/** Failing calls of one webhook concern neither its job nor another job or its webhook. */
export function besideFailures(scene: Scene, job: Job, calls: readonly WebhookEvent[]): void {
  const failed = calls.filter((call) => call.answered === null || call.answered >= 400);
  const first = failed[0];
  if (first === undefined) return;
  const completed = completion(scene, job);
  const looked = sightingsOf(job).some(
    ({ call, shows }) =>
      shows === 'COMPLETED' && call.sentMs >= first.endedMs && call.sentMs > first.arrivedMs,
  );
  if (completed !== null && looked) scene.pass('6/failing-webhook-leaves-job-alone');
  const lastMs = failed.at(-1)!.endedMs + WEBHOOK_RETRY_PAUSE_MS;
  for (const other of scene.cast.jobs) {
    if (other === job || other.webhookUrl === null || other.webhookUrl === job.webhookUrl) continue;
    const its = other.webhooks[0];
    const ended = completion(scene, other);
    if (its === undefined || ended === null) continue;
    if (ended.fromMs < first.arrivedMs || ended.byMs > lastMs) continue;
    const promptMs = ended.byMs + scene.graceAt(ended.byMs) + onTheWayMs(scene);
    if ((its.sinceMs ?? its.arrivedMs) <= promptMs) scene.pass('6/failing-webhook-leaves-others-alone');
  }
}

/** Also where the job is not found any more the call itself may say what the purge was taken for. */
function tellsAnEnd({ body }: WebhookEvent): boolean {
  return claims(body, 'CANCELLED') || claims(body, 'FAILED');
}

/** The payload is not shown: the state may stand anywhere in it. */
function claims(body: Body, status: JobStatus): boolean {
  return body.as === 'json' && JSON.stringify(body.value).includes(`"${status}"`);
}
