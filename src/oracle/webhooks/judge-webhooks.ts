/** Section 6: the webhook of a completed job. */
import type { CallEvent, WebhookEvent } from '../../history/events.js';
import { MINUTE_MS, WEBHOOK_ATTEMPTS_MAX, WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import { earlyFor } from '../earliness.js';
import { isShared, type Job } from '../cases.js';
import { ENDED, LIFE } from '../life/zone.js';
import { answerOf, isObject, jsonOf, seconds } from '../reading.js';
import type { RequirementId } from '../../spec/index.js';
import type { Contradiction } from '../proof/contradiction.js';
import { tooEarly, tooLate, type Instant, type Term } from '../proof/in-time.js';
import { allowedOnTheWay, onTheWayMs } from '../on-the-way.js';
import type { Scene } from '../scene.js';
import { isPrivate } from '../calls/submissions.js';
import { AMPLE_MS, completion, fault, lateMs, watchedUntilMs } from './expectations.js';
import { besideFailures, calledOn, removed } from './other-ends.js';
import { judgeSharedAddresses } from './shared-addresses.js';

export function judgeWebhooks(scene: Scene): void {
  if (!scene.has('webhook-reachable')) return;
  const { roll, jobs } = scene.cast;
  const wanted = roll.webhookAsked;
  if (scene.session.webhooks.length > 0) scene.ledger.webhookCame = true;
  for (const webhook of scene.session.webhooks) strayCall(scene, webhook, wanted);
  for (const job of jobs)
    if (job.webhookUrl !== null && !isShared(roll, job.webhookUrl) && scene.isJudgedFurther(job))
      judgeJobWebhooks(scene, job);
  judgeSharedAddresses(scene);
  if (eachItsOwn(scene)) scene.pass('6/each-job-its-own-url');
}

/** A job was told of at its address, as often as one is at the most: no other of these jobs was told of there. */
function eachItsOwn({ session, cast: { jobs, roll } }: Scene): boolean {
  const told = jobs.some(
    ({ webhookUrl, webhooks: { length } }) =>
      webhookUrl !== null && !isShared(roll, webhookUrl) && length > 0 && length <= WEBHOOK_ATTEMPTS_MAX,
  );
  return told && jobs.length > 1 && session.webhooks.every(({ url }) => roll.webhookAsked.has(url));
}

/** Without its query, and without a slash at its end. */
function pathOf(url: string): string {
  return url.split('?', 1)[0]!.replace(/\/$/, '');
}

/** Called at an address that no submission of these scripts named. */
function strayCall(scene: Scene, webhook: WebhookEvent, wanted: ReadonlyMap<string, unknown>): void {
  if (!scene.session.exists || wanted.has(webhook.url)) return;
  const near = [...wanted.keys()].find((url) => pathOf(url) === pathOf(webhook.url));
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
  if (endsAfterTheFirst(scene, job, calls).length > 0) {
    severalCompletions(scene, job, calls);
    return;
  }
  removed(scene, job, calls);
  calledOn(scene, job, calls);
  besideFailures(scene, job, calls);
  const completed = completion(scene, job);
  if (completed !== null) firstCall(scene, job, calls, completed);
  attempts(scene, job, calls);
  // After the last attempt none follows, whatever its answer was taken for.
  calls
    .slice(0, WEBHOOK_ATTEMPTS_MAX - 1)
    .forEach((call, index) => openAnswer(scene, job, call, calls[index + 1]));
  calls.forEach((call, index) => afterAttempt(scene, job, call, calls[index + 1], index + 1));
  observePayload(scene, job, calls[0]);
}

function firstCall(
  scene: Scene,
  job: Job,
  calls: readonly WebhookEvent[],
  completed: { readonly fromMs: number; readonly byMs: number },
): void {
  const id = job.sync ? '6/called-on-completion-runsync' : '6/called-on-completion-run';
  const dueMs = completed.byMs + lateMs(scene, completed.byMs) + onTheWayMs(scene);
  const first = calls[0];
  if (first !== undefined) {
    scene.pass(id);
    const atLeastMs = (first.sinceMs ?? first.arrivedMs) - completed.byMs;
    scene.ledger.late('webhook', atLeastMs, first.arrivedMs - completed.fromMs);
    const prompt = (first.sinceMs ?? first.arrivedMs) <= dueMs;
    if (prompt) scene.pass('6/called-without-delay');
    else
      scene.fail(
        '6/called-without-delay',
        fault(
          job,
          `completed by ${seconds(completed.byMs)}, called at ${seconds(first.arrivedMs)}`,
          calledLate(scene, job, completed.byMs, first.sinceMs ?? first.arrivedMs),
        ),
      );
    if (first.arrivedMs >= completed.fromMs) scene.pass('6/no-call-before-completion');
    return;
  }
  if (watchedUntilMs(scene, job) > dueMs + AMPLE_MS) {
    if (isPrivate(job.webhookUrl!)) scene.ledger.silentPrivateUrl ??= job.webhookUrl;
    scene.fail(
      id,
      fault(
        job,
        `completed by ${seconds(completed.byMs)}, and no call by ${seconds(watchedUntilMs(scene, job))}`,
        calledLate(scene, job, completed.byMs, watchedUntilMs(scene, job)),
      ),
    );
  }
}

function attempts(scene: Scene, job: Job, calls: readonly WebhookEvent[]): void {
  const many = calls.length > WEBHOOK_ATTEMPTS_MAX;
  if (many) scene.fail('6/at-most-three-attempts', fault(job, `${calls.length} calls`));
  else if (calls.length === WEBHOOK_ATTEMPTS_MAX) scene.pass('6/at-most-three-attempts', '6/three-attempts');
}

/** Calls that may have let the job end once more: a retry, or a cancel of what had ended already. */
function endsAfterTheFirst(scene: Scene, job: Job, calls: readonly WebhookEvent[]): readonly CallEvent[] {
  const stopped = scene
    .lifeOf(job)
    .mustBe(
      ({ place, goneFrom }) => place === 'cancelled' && (goneFrom === 'queue' || goneFrom === 'progress'),
    );
  const taken = job.calls.filter(
    (call) => (call.op === 'retry' || call.op === 'cancel') && answerOf(call) !== 'refused',
  );
  // What ended it first is no end after that; its webhook may arrive before its answer does.
  if (stopped && taken.length === 1) return [];
  return taken.filter((call) => {
    const told = calls.some(({ arrivedMs }) => arrivedMs <= (call.receivedMs ?? Infinity));
    return call.op === 'retry' || told || !stopped;
  });
}

function severalCompletions(scene: Scene, job: Job, calls: readonly WebhookEvent[]): void {
  const ends = 1 + endsAfterTheFirst(scene, job, calls).length;
  if (calls.length > WEBHOOK_ATTEMPTS_MAX * ends)
    scene.fail('6/at-most-three-attempts', fault(job, `${calls.length} calls for ${ends} ends`));
}

type Outcome = 'success' | 'error-status' | 'dropped' | 'silence' | 'open';

/** A service that has not given an unanswered call up by then never does, as far as anybody would wait for it. */
const NEVER_GIVEN_UP_MS = 15 * MINUTE_MS;

function outcomeOf(call: WebhookEvent): Outcome {
  const { answered } = call;
  if (answered === 200) return 'success';
  if (answered === null && call.silence === 'given-up') return 'silence';
  // Its connection was closed without an answer, if late.
  if (answered === null) return 'dropped';
  // Whether another 2xx is a success and a redirect a failure, the document does not say.
  return answered >= 400 ? 'error-status' : 'open';
}

/** What another 2xx or a redirect is taken for shows in whether another attempt follows. */
function openAnswer(scene: Scene, job: Job, call: WebhookEvent, next: WebhookEvent | undefined): void {
  const { answered } = call;
  if (answered === null || answered === 200 || answered >= 400) return;
  const again = next !== undefined;
  const dueMs = call.endedMs + 2 * WEBHOOK_RETRY_PAUSE_MS;
  if (!again && (watchedUntilMs(scene, job) <= dueMs || !certainlyLivesUntil(scene, job, dueMs))) return;
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
    } else if (
      watchedUntilMs(scene, job) >
      call.endedMs + WEBHOOK_RETRY_PAUSE_MS + lateMs(scene, call.endedMs + WEBHOOK_RETRY_PAUSE_MS)
    )
      scene.pass(id, '6/stops-after-200');
    return;
  }
  if (next !== undefined) {
    // A call that comes while this one is still held open gives it up, whoever ends it.
    scene.pass(RETRIED[call.silence !== undefined && next.arrivedMs < call.endedMs ? 'silence' : outcome]);
    pause(scene, job, call, next, outcome);
    return;
  }
  if (attempt >= WEBHOOK_ATTEMPTS_MAX) return;
  if (call.silence === 'cut' && heldOpen(scene, job, call, attempt)) return;
  const { mostMs } = pauseOf(scene);
  const dueMs = call.endedMs + mostMs + lateMs(scene, call.endedMs + mostMs) + onTheWayMs(scene);
  // A job that is gone by then may take its webhook with it.
  if (watchedUntilMs(scene, job) > dueMs + 2000 && certainlyLivesUntil(scene, job, dueMs))
    scene.fail(
      attempt === 1 ? RETRIED[outcome] : '6/three-attempts',
      fault(
        job,
        `attempt ${attempt} failed at ${seconds(call.endedMs)}, no other by ${seconds(watchedUntilMs(scene, job))}`,
      ),
    );
}

/** Whether the call was held open to the end: how long a service waits for an answer is not shown. */
function heldOpen(scene: Scene, job: Job, call: WebhookEvent, attempt: number): boolean {
  const heldMs = call.endedMs - call.arrivedMs;
  if (watchedUntilMs(scene, job) > call.endedMs + WEBHOOK_RETRY_PAUSE_MS) return false;
  if (heldMs >= NEVER_GIVEN_UP_MS && certainlyLivesUntil(scene, job, call.endedMs))
    scene.fail(
      RETRIED.silence,
      fault(
        job,
        `attempt ${attempt} was never answered, and neither given up nor repeated in ${seconds(heldMs)}`,
      ),
    );
  else
    scene.ledger.doubt(
      RETRIED.silence,
      `a call was held open for ${seconds(heldMs)} and not given up by then; how long a service waits is open, ` +
        'and --profile full waits longest',
    );
  return true;
}

/** Completed, and neither its ttl nor its retention can have been over by then. */
function certainlyLivesUntil(scene: Scene, job: Job, atMs: number): boolean {
  return scene
    .lifeOf(job)
    .mustBe(
      ({ zone, terms, place }) =>
        place === 'completed' &&
        terms.ttlMs !== null &&
        zone.earliest(LIFE) + terms.ttlMs > atMs &&
        zone.earliest(ENDED) + terms.keptAtLeastMs > atMs,
    );
}

function pause(scene: Scene, job: Job, call: WebhookEvent, next: WebhookEvent, outcome: Outcome): void {
  const { earlyMs } = scene.session.run;
  const { leastMs, mostMs } = pauseOf(scene);
  const graceMs = lateMs(scene, call.endedMs + mostMs);
  // Where the instant is not known exactly, the first may have come earlier.
  const gapMs = next.arrivedMs - (call.sinceMs ?? call.arrivedMs);
  const told = `attempts at ${seconds(call.arrivedMs)} and ${seconds(next.arrivedMs)}`;
  if (gapMs < leastMs - earlyFor(earlyMs, leastMs))
    scene.fail(
      '6/pause-not-shorter',
      fault(
        job,
        told,
        tooEarly(job.id, attemptAt(call.arrivedMs), [paused('6/pause-not-shorter', leastMs)], again(next)),
      ),
    );
  else scene.pass('6/pause-not-shorter');
  if (outcome === 'silence') return;
  const since = next.sinceMs ?? next.arrivedMs;
  scene.ledger.late('webhookPause', since - call.endedMs - mostMs, next.arrivedMs - call.endedMs - leastMs);
  if (since - call.endedMs > mostMs + graceMs + onTheWayMs(scene)) {
    const terms = [paused('6/pause-not-longer', mostMs), ...allowedOnTheWay(scene, graceMs)];
    const why = tooLate(job.id, attemptAt(call.endedMs), terms, { ...again(next), ms: since });
    scene.fail('6/pause-not-longer', fault(job, told, why));
  } else scene.pass('6/pause-not-longer');
}

/** Measured on the deployed service: 5 s, then 15 s. */
function pauseOf(scene: Scene): { readonly leastMs: number; readonly mostMs: number } {
  if (scene.session.run.edition === 'runpod') return { leastMs: 5_000, mostMs: 15_000 };
  return { leastMs: WEBHOOK_RETRY_PAUSE_MS, mostMs: WEBHOOK_RETRY_PAUSE_MS };
}

const paused = (requirement: RequirementId, ms: number): Term => ({ ms, why: 'pause', requirement });

const attemptAt = (ms: number): Instant => ({ name: 'attempt', ms, why: 'the call before', call: null });

const again = ({ arrivedMs }: WebhookEvent): Instant => ({
  name: 'next attempt',
  ms: arrivedMs,
  why: 'the next call',
  call: null,
});

function calledLate(scene: Scene, job: Job, completedByMs: number, atMs: number): Contradiction | null {
  const completed = {
    name: 'completed',
    ms: completedByMs,
    why: 'the job had completed by then',
    call: null,
  };
  const called = { name: 'called', ms: atMs, why: 'no webhook call before', call: null };
  const terms: readonly Term[] = [
    { ms: 0, why: 'called on completion', requirement: '6/called-without-delay' },
    ...allowedOnTheWay(scene, lateMs(scene, completedByMs)),
  ];
  return tooLate(job.id, completed, terms, called);
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
