/** Section 6: the webhook of a completed job. */
import type { WebhookEvent } from '../../history/events.js';
import { WEBHOOK_ATTEMPTS_MAX, WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import type { Job } from '../cases.js';
import { ENDED, LIFE } from '../life/zone.js';
import type { Hypothesis } from '../life/hypothesis.js';
import { answerOf, isObject, jsonOf, seconds } from '../reading.js';
import type { Scene } from '../scene.js';
import { every, explanationsOf, sightingsOf } from '../effects/sightings.js';

/** What a call may need on its way, lateness aside. */
const ON_THE_WAY_MS = 3000;

export function judgeWebhooks(scene: Scene): void {
  if (!scene.has('webhook-reachable')) return;
  const wanted = new Set<string>();
  for (const call of scene.session.calls) {
    const body = jsonOf(call.request.body);
    if (isObject(body) && typeof body['webhook'] === 'string') wanted.add(body['webhook']);
  }
  if (wanted.size > 0) scene.pass('6/each-job-its-own-url');
  for (const webhook of scene.session.webhooks) strayCall(scene, webhook, wanted);
  for (const job of scene.cast.jobs)
    if (job.webhookUrl !== null && scene.sound(job)) judgeJobWebhooks(scene, job);
}

/** Called at an address that no submission of these scripts named. */
function strayCall(scene: Scene, webhook: WebhookEvent, wanted: ReadonlySet<string>): void {
  if (!scene.session.exists || wanted.has(webhook.url)) return;
  const near = [...wanted].find((url) => url.split('?')[0] === webhook.url.split('?')[0]);
  // Addresses of the endpoint beside this one are judged there.
  if (near === undefined) return;
  scene.fail('6/called-at-given-url', {
    script: webhook.script,
    expected: `a call of ${near}`,
    actual: `a call of ${webhook.url} at ${seconds(webhook.arrivedMs)}`,
    calls: [],
  });
}

function judgeJobWebhooks(scene: Scene, job: Job): void {
  const calls = [...job.webhooks].sort((left, right) => left.arrivedMs - right.arrivedMs);
  if (calls.length > 0) scene.pass('6/called-at-given-url');
  if (job.calls.some((call) => call.op === 'retry' && answerOf(call) !== 'refused')) {
    severalCompletions(scene, job, calls);
    return;
  }
  removed(scene, job, calls);
  calledOn(scene, job, calls);
  besideFailures(scene, job, calls);
  const completed = completion(scene, job);
  if (completed !== null) firstCall(scene, job, calls, completed);
  attempts(scene, job, calls);
  calls.forEach((call, index) => openAnswer(scene, job, call, calls[index + 1]));
  calls.forEach((call, index) => afterAttempt(scene, job, call, calls[index + 1], index + 1));
  observePayload(scene, job, calls[0]);
}

const CALLED_ON = {
  failed: '6/called-on-failed',
  'timed-out': '6/called-on-timed-out',
  cancelled: '6/called-on-cancelled',
} as const;

/** Whether other ends than a completion are told is open. */
function calledOn(scene: Scene, job: Job, calls: readonly WebhookEvent[]): void {
  const lives = explanationsOf(scene, job);
  const place = lives[0]?.place;
  if (place !== 'failed' && place !== 'timed-out' && place !== 'cancelled') return;
  if (!every(lives, (at) => at.place === place && at.retries === 0)) return;
  if (place === 'cancelled' && lives.some((at) => at.goneFrom !== 'queue' && at.goneFrom !== 'progress'))
    return;
  const endedByMs = Math.max(...lives.map(({ zone }) => zone.latest(ENDED)));
  if (calls.length > 0) scene.ledger.observe(CALLED_ON[place], 'yes');
  else if (watchedUntilMs(scene, job) > endedByMs + scene.session.run.graceMs + ON_THE_WAY_MS)
    scene.ledger.observe(CALLED_ON[place], 'no');
}

/** Purged, or deleted by its ttl before it ended: nothing has completed. */
function removed(scene: Scene, job: Job, calls: readonly WebhookEvent[]): void {
  const lives = explanationsOf(scene, job);
  const gone = (at: Hypothesis): boolean =>
    at.place === 'purged' ||
    (at.place === 'gone' && at.goneBy === 'ttl' && (at.goneFrom === 'queue' || at.goneFrom === 'progress'));
  if (!every(lives, gone)) return;
  // A service that tells a purge as a cancellation or a failure may notify of it as of one.
  const told =
    lives.some((at) => at.place === 'purged') && !sightingsOf(job).some(({ shows }) => shows === 'GONE');
  const first = calls[0];
  if (first !== undefined) {
    if (told) return;
    scene.fail('6/no-call-for-removed', {
      ...fault(job, `called at ${seconds(first.arrivedMs)}`),
      proof: [`job ${job.id} was purged, or deleted by its ttl, before it had ended`],
    });
    return;
  }
  const byMs = Math.max(
    ...lives.map(({ place, zone, terms }) =>
      place === 'purged' ? zone.latest(ENDED) : zone.latest(LIFE) + (terms.ttlMs ?? Infinity),
    ),
  );
  const planned = job.foreseen(0).lastsMs ?? 0;
  const wouldHaveEndedMs = (planned === Infinity ? 0 : planned) + byMs;
  if (watchedUntilMs(scene, job) > wouldHaveEndedMs + scene.session.run.graceMs + ON_THE_WAY_MS)
    scene.pass('6/no-call-for-removed');
}

/** Failing calls of one webhook concern neither its job nor another job or its webhook. */
function besideFailures(scene: Scene, job: Job, calls: readonly WebhookEvent[]): void {
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
    if (its === undefined || ended === null || !scene.sound(other)) continue;
    if (ended.fromMs < first.arrivedMs || ended.byMs > lastMs) continue;
    const promptMs = ended.byMs + scene.session.run.graceMs + ON_THE_WAY_MS;
    if ((its.sinceMs ?? its.arrivedMs) <= promptMs) scene.pass('6/failing-webhook-leaves-others-alone');
  }
}

/** The bounds of the instant at which the job certainly became COMPLETED; null when that is not certain. */
function completion(scene: Scene, job: Job): { readonly fromMs: number; readonly byMs: number } | null {
  const hypotheses = scene.known.get(job.id)?.hypotheses;
  if (hypotheses === null || hypotheses === undefined || hypotheses.length === 0) return null;
  const completed = (at: Hypothesis): boolean =>
    at.place === 'completed' || (at.place === 'gone' && at.goneFrom === 'completed');
  if (!hypotheses.every(completed)) return null;
  return {
    fromMs: Math.min(...hypotheses.map((at) => at.zone.earliest(ENDED))),
    byMs: Math.max(...hypotheses.map((at) => at.zone.latest(ENDED))),
  };
}

/** When nothing more of the job can be expected: its script had ended. */
function watchedUntilMs(scene: Scene, job: Job): number {
  return scene.session.ends.get(job.script)?.atMs ?? -Infinity;
}

function firstCall(
  scene: Scene,
  job: Job,
  calls: readonly WebhookEvent[],
  completed: { readonly fromMs: number; readonly byMs: number },
): void {
  const id = job.sync ? '6/called-on-completion-runsync' : '6/called-on-completion-run';
  const { graceMs } = scene.session.run;
  const dueMs = completed.byMs + graceMs + ON_THE_WAY_MS;
  const first = calls[0];
  if (first !== undefined) {
    scene.pass(id);
    scene.ledger.late('webhook', first.arrivedMs - completed.byMs);
    const prompt = (first.sinceMs ?? first.arrivedMs) <= dueMs;
    if (prompt) scene.pass('6/called-without-delay');
    else
      scene.fail(
        '6/called-without-delay',
        fault(job, `completed by ${seconds(completed.byMs)}, called at ${seconds(first.arrivedMs)}`),
      );
    if (first.arrivedMs >= completed.fromMs) scene.pass('6/no-call-before-completion');
    return;
  }
  // Where nothing bounds it, how late a call may come is open: it is missed only when it had ample time.
  const ampleMs = dueMs + 10_000;
  if (watchedUntilMs(scene, job) > ampleMs)
    scene.fail(
      id,
      fault(
        job,
        `completed by ${seconds(completed.byMs)}, and no call by ${seconds(watchedUntilMs(scene, job))}`,
      ),
    );
}

function fault(job: Job, actual: string) {
  return { script: job.script, actual, calls: [job.submitted.call] };
}

function attempts(scene: Scene, job: Job, calls: readonly WebhookEvent[]): void {
  const many = calls.length > WEBHOOK_ATTEMPTS_MAX;
  if (many) scene.fail('6/at-most-three-attempts', fault(job, `${calls.length} calls`));
  else if (calls.length === WEBHOOK_ATTEMPTS_MAX) scene.pass('6/at-most-three-attempts', '6/three-attempts');
}

function severalCompletions(scene: Scene, job: Job, calls: readonly WebhookEvent[]): void {
  const retries = job.calls.filter((call) => call.op === 'retry' && answerOf(call) !== 'refused').length;
  if (calls.length > WEBHOOK_ATTEMPTS_MAX * (retries + 1))
    scene.fail('6/at-most-three-attempts', fault(job, `${calls.length} calls for ${retries + 1} ends`));
}

type Outcome = 'success' | 'error-status' | 'dropped' | 'silence' | 'open';

function outcomeOf(call: WebhookEvent): Outcome {
  const { answered } = call;
  if (answered === 200) return 'success';
  if (answered === null) return call.endedMs > call.arrivedMs ? 'silence' : 'dropped';
  // Whether another 2xx is a success and a redirect a failure, the document does not say.
  return answered >= 400 ? 'error-status' : 'open';
}

/** What another 2xx or a redirect is taken for shows in whether another attempt follows. */
function openAnswer(scene: Scene, job: Job, call: WebhookEvent, next: WebhookEvent | undefined): void {
  const { answered } = call;
  if (answered === null || answered === 200 || answered >= 400) return;
  const again = next !== undefined;
  const dueMs = call.endedMs + 2 * WEBHOOK_RETRY_PAUSE_MS;
  if (!again && (watchedUntilMs(scene, job) <= dueMs || !livesUntil(scene, job, dueMs))) return;
  if (answered < 300) scene.ledger.observe('6/success-status', again ? '200-only' : 'any-2xx');
  else if (answered < 400) scene.ledger.observe('6/redirect', again ? 'failure' : 'success');
}

const RETRIED = {
  'error-status': '6/retries-after-error-status',
  dropped: '6/retries-after-dropped-connection',
  silence: '6/retries-after-silence',
} as const;

function afterAttempt(
  scene: Scene,
  job: Job,
  call: WebhookEvent,
  next: WebhookEvent | undefined,
  attempt: number,
): void {
  const outcome = outcomeOf(call);
  if (outcome === 'open') return;
  if (outcome === 'success') {
    const id = attempt > 1 ? '6/second-success-ends-retries' : '6/stops-after-200';
    if (next !== undefined) {
      const told = `answered 200 at ${seconds(call.endedMs)}, called again at ${seconds(next.arrivedMs)}`;
      scene.fail('6/stops-after-200', fault(job, told));
    } else if (watchedUntilMs(scene, job) > call.endedMs + WEBHOOK_RETRY_PAUSE_MS + scene.session.run.graceMs)
      scene.pass(id, '6/stops-after-200');
    return;
  }
  if (next !== undefined) {
    scene.pass(RETRIED[outcome]);
    pause(scene, job, call, next, outcome);
    return;
  }
  if (attempt >= WEBHOOK_ATTEMPTS_MAX || outcome === 'silence') return;
  const dueMs = call.endedMs + WEBHOOK_RETRY_PAUSE_MS + scene.session.run.graceMs + ON_THE_WAY_MS;
  // A job that is gone by then may take its webhook with it.
  if (watchedUntilMs(scene, job) > dueMs + 2000 && livesUntil(scene, job, dueMs))
    scene.fail(
      attempt === 1 ? RETRIED[outcome] : '6/three-attempts',
      fault(
        job,
        `attempt ${attempt} failed at ${seconds(call.endedMs)}, no other by ${seconds(watchedUntilMs(scene, job))}`,
      ),
    );
}

function livesUntil(scene: Scene, job: Job, atMs: number): boolean {
  const hypotheses = scene.known.get(job.id)?.hypotheses ?? [];
  return hypotheses.every(
    ({ zone, terms, place }) =>
      place === 'completed' &&
      terms.ttlMs !== null &&
      zone.earliest(LIFE) + terms.ttlMs > atMs &&
      zone.earliest(ENDED) + terms.keptAtLeastMs > atMs,
  );
}

function pause(scene: Scene, job: Job, call: WebhookEvent, next: WebhookEvent, outcome: Outcome): void {
  const { graceMs, earlyMs, edition } = scene.session.run;
  // Measured on the deployed service: 5 s, then 15 s.
  const [leastMs, mostMs] =
    edition === 'runpod' ? [5_000, 15_000] : [WEBHOOK_RETRY_PAUSE_MS, WEBHOOK_RETRY_PAUSE_MS];
  const gapMs = next.arrivedMs - call.arrivedMs;
  const told = `attempts at ${seconds(call.arrivedMs)} and ${seconds(next.arrivedMs)}`;
  if (gapMs < leastMs - earlyMs) scene.fail('6/pause-not-shorter', fault(job, told));
  else scene.pass('6/pause-not-shorter');
  if (outcome === 'silence') return;
  const since = next.sinceMs ?? next.arrivedMs;
  if (since - call.endedMs > mostMs + graceMs + ON_THE_WAY_MS)
    scene.fail('6/pause-not-longer', fault(job, told));
  else scene.pass('6/pause-not-longer');
}

function observePayload(scene: Scene, job: Job, call: WebhookEvent | undefined): void {
  if (call === undefined) return;
  const body = jsonOf(call.body);
  const record = isObject(body) && body['id'] === job.id && typeof body['status'] === 'string';
  const withInput = isObject(body) && body['input'] !== undefined;
  scene.ledger.observe('6/payload-shape', record ? (withInput ? 'record-with-input' : 'record') : 'other');
  const type = (call.contentType ?? '').split(';')[0]!.trim().toLowerCase();
  scene.ledger.observe('6/content-type', type === 'application/json' ? 'json' : 'other');
  const signed = Object.keys(call.headers).some((name) => /signature|hmac/i.test(name));
  scene.ledger.observe('6/signature', signed ? 'header' : 'none');
  scene.ledger.observe('6/method', call.method === 'POST' ? 'POST' : 'other');
}
