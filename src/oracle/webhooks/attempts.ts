/** What one attempt to call a webhook came to, and whether another one follows. */
import type { WebhookEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { MINUTE_MS, WEBHOOK_ATTEMPTS_MAX, WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import type { Job } from '../cast/cases.js';
import { earlyFor } from '../observed/earliness.js';
import { ENDED, LIFE } from '../model/zone.js';
import { allowedOnTheWay, onTheWayMs } from '../scene/on-the-way.js';
import { tooEarly, tooLate, type Instant, type Term } from '../proof/in-time.js';
import { seconds } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { fault, lateMs, leftLate, mayBeUnheard, UNHEARD, watchedUntilMs } from './expectations.js';

type Outcome = 'success' | 'error-status' | 'dropped' | 'silence' | 'open';

/** A service that has not given an unanswered call up by then never does, as far as anybody would wait for it. */
const NEVER_GIVEN_UP_MS = 15 * MINUTE_MS;

function outcomeOf(scene: Scene, call: WebhookEvent): Outcome {
  const { answered } = call;
  if (answered !== null && leftLate(scene, call)) return 'open';
  if (answered === 200) return 'success';
  if (answered === null && call.silence === 'given-up') return 'silence';
  // Its connection was closed without an answer, if late.
  if (answered === null) return 'dropped';
  // Whether another 2xx is a success and a redirect a failure, the document does not say.
  return answered >= 400 ? 'error-status' : 'open';
}

/** What two clocks may differ by; a harness that ran late shows no pause to be long enough by that. */
const ROUNDING_MS = 100;

/** What another 2xx or a redirect is taken for shows in whether another attempt follows. */
export function openAnswer(scene: Scene, job: Job, call: WebhookEvent, next: WebhookEvent | undefined): void {
  const { answered } = call;
  if (answered === null || answered === 200 || answered >= 400 || leftLate(scene, call)) return;
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

/** What has to follow an attempt, or must not. */
export function afterAttempt(
  scene: Scene,
  job: Job,
  call: WebhookEvent,
  next: WebhookEvent | undefined,
  attempt: number,
): void {
  const outcome = outcomeOf(scene, call);
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
    // A call beyond the last attempt there may be is none: how soon it comes is no pause.
    if (attempt < WEBHOOK_ATTEMPTS_MAX) pause(scene, job, call, next, outcome);
    return;
  }
  if (attempt >= WEBHOOK_ATTEMPTS_MAX) return;
  if (call.silence === 'cut' && heldOpen(scene, job, call, attempt)) return;
  const { mostMs } = pauseOf(scene);
  const dueMs = call.endedMs + mostMs + lateMs(scene, call.endedMs + mostMs) + onTheWayMs(scene);
  // A job that is gone by then may take its webhook with it.
  if (watchedUntilMs(scene, job) <= dueMs + 2000 || !certainlyLivesUntil(scene, job, dueMs)) return;
  const id = attempt === 1 ? RETRIED[outcome] : '6/three-attempts';
  if (mayBeUnheard(scene, call.endedMs, dueMs)) scene.ledger.doubt(id, UNHEARD);
  else
    scene.fail(
      id,
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
  const { earlyMs, clock } = scene.session.run;
  const { leastMs, mostMs } = pauseOf(scene);
  const graceMs = lateMs(scene, call.endedMs + mostMs);
  // Where the instants are not known exactly, the first may have come earlier, and so may the second. From when the pause
  // counts is open: it is kept where it is kept from the end of an attempt.
  const firstMs = call.sinceMs ?? call.arrivedMs;
  const gapMs = next.arrivedMs - firstMs;
  // What held up the harness may have held up the first on its way, by as much.
  const heldUpMs = clock === 'real' ? scene.session.lags.around(firstMs, call.endedMs) : 0;
  const since = next.sinceMs ?? next.arrivedMs;
  const told = `attempts at ${seconds(call.arrivedMs)} and ${seconds(next.arrivedMs)}`;
  if (gapMs + heldUpMs < leastMs - earlyFor(earlyMs, leastMs))
    scene.fail(
      '6/pause-not-shorter',
      fault(
        job,
        told,
        tooEarly(job.id, attemptAt(call.arrivedMs), [paused('6/pause-not-shorter', leastMs)], again(next)),
      ),
    );
  else if (since - call.endedMs >= leastMs - earlyFor(Math.min(earlyMs, ROUNDING_MS), leastMs))
    scene.pass('6/pause-not-shorter');
  // Nor where the receiver was held up: its caller may have given up much later than the receiver says it ended.
  if (outcome === 'silence' || leftLate(scene, call)) return;
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
