/** How the target answers what sections 4.5 to 4.9 of the document leave open. */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import { precedes, sightingsOf, type Sighting } from '../cast/sightings.js';
import { answerOf, isObject, jsonOf, recordOf, saysNothing, statusIn } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { asRunsyncOrRun, keptSync } from './lifespans.js';
import { observedIn, onCall, onJob, onSession, type ObserversOf } from './observers.js';
import type { SeenJob } from './seen-job.js';
import { inTurn, startsBefore, submittedBefore, waitersOf } from './waiters.js';

export const OBSERVED_4_5 = {
  '4.5/cancel-ended-answer': onJob((job) =>
    cancelsOf(job).map(({ call, before }) => {
      if (!hasEnded(before) || job.job.retried) return null;
      if (answerOf(call) !== 'ok') return refusal(call);
      return statusIn(call) === 'CANCELLED' ? 'status-cancelled' : 'status-as-it-is';
    }),
  ),
  '4.5/cancel-ended-effect': onJob((job) =>
    cancelsOf(job).map(({ call, before }) => {
      const after = job.lookAfter(call);
      if (!hasEnded(before) || job.job.retried || after === undefined) return null;
      if (after.shows === before) return 'none';
      if (after.shows === 'CANCELLED') return 'cancelled';
      const isSoon = after.call.sentMs < call.receivedMs! + SOON_MS;
      if (after.shows !== 'GONE' || !isSoon || answerOf(call) !== 'ok') return null;
      return job.mayBeUnknown(after.call) ? null : 'removed';
    }),
  ),
  '4.5/cancel-twice': onJob((job) => {
    const first = job.calls('cancel').find((call) => answerOf(call) === 'ok');
    if (first === undefined || !job.isStopped) return null;
    return cancelsOf(job).map(({ call, before }) => {
      if (!precedes(first, call) || hasEnded(before)) return null;
      return answerOf(call) === 'ok' ? 'status-cancelled' : refusal(call);
    });
  }),
  '4.5/worker-after-cancel': onSession((scene) => {
    const { session, cast } = scene;
    const [one, other] = cast.jobs;
    if (session.workersAtFirst !== 1 || session.workers.length > 0 || cast.roll.ghosts.length > 0)
      return null;
    if (one === undefined || other === undefined || cast.jobs.length > 2) return null;
    return [afterCancel(scene, one, other), afterCancel(scene, other, one)];
  }),
  '4.6/wrong-state-answer-in-queue': observedIn('effects'),
  '4.6/wrong-state-answer-in-progress': observedIn('effects'),
  '4.6/wrong-state-answer-completed': observedIn('effects'),
  '4.6/wrong-state-answer-cancelled': observedIn('effects'),
  /** Two jobs requeued one after the other while a third one waits: in which order do the three start? */
  '4.6/queue-position': onSession((scene) => {
    const { plain, retried } = waitersOf(scene);
    const pairs = retried.flatMap((a) => retried.map((b) => [a, b] as const));
    return pairs.map(([a, b]) => {
      if (!precedes(a.retry, b.retry) || !submittedBefore(a, b)) return null;
      const third = plain.find(
        ({ job, started }) => precedes(job.submitted, a.retry) && started.fromMs > b.retry.receivedMs!,
      );
      if (third === undefined || !submittedBefore(b, third)) return null;
      // Only where jobs otherwise start in the order of submission.
      if (!plain.some((later) => inTurn(third, later) && startsBefore(third, later))) return null;
      const start = (...order: readonly (typeof third)[]): boolean =>
        order.every((one, at) => at === 0 || startsBefore(order[at - 1]!, one));
      if (start(third, a, b)) return 'back';
      if (start(b, a, third)) return 'front';
      return start(a, b, third) ? 'by-submission' : null;
    });
  }),
  '4.6/number-of-retries': onJob((job) => {
    const retries = job.calls('retry');
    const accepted = retries.filter((call) => answerOf(call) === 'ok').length;
    const isLimited = retries.some(
      (call) =>
        answerOf(call) === 'refused' &&
        !saysNothing(call) &&
        job.lookBefore(call)?.shows === 'FAILED' &&
        job.lookAfter(call)?.shows === 'FAILED',
    );
    if (accepted > 0 && isLimited) return 'limited';
    return accepted >= RETRIES_MANY ? 'unlimited' : null;
  }),
  '4.6/retention-after-retry': onJob((job) => {
    const found = job.retries.length > 0 ? keptSync(job) : null;
    return found === null ? null : asRunsyncOrRun(job, found);
  }),
  '4.6/output-after-retry': onJob((job) => {
    const retry = job.calls('retry').find((call) => answerOf(call) === 'ok');
    const look = job.calls('status').find((call) => retry !== undefined && precedes(retry, call));
    const status = look === undefined ? null : statusIn(look);
    if (status !== 'IN_QUEUE' && status !== 'IN_PROGRESS') return null;
    const output = recordOf(look!)?.['output'];
    return output === undefined ? 'absent' : output === null ? 'null' : null;
  }),
  '4.7/purged-job-status': onJob((job) => {
    const purge = job.life.agreed((at) => (at.place === 'purged' ? at.purgedBy : null)) ?? null;
    if (purge === null) return null;
    const asked = job
      .calls('status')
      .findLast((call) => call.request.illegal === null && call.reply !== null && !saysNothing(call));
    const isRefused = asked !== undefined && precedes(purge, asked) && answerOf(asked) === 'refused';
    if (isRefused && asked.reply!.status !== 404) return 'other';
    const last = job.looks.at(-1);
    if (last?.call.op !== 'status') return null;
    if (last.shows === 'GONE') return job.mayBeUnknown(last.call) ? null : 'not-found';
    return last.shows === 'CANCELLED' || last.shows === 'FAILED' ? last.shows : null;
  }),
  '4.9/openai-answer': onCall(({ call, answer }) => {
    if (call.op !== 'openai' || saysNothing(call)) return null;
    return answer === 'ok' ? 'worker-decides' : 'not-offered';
  }),
  '4.9/requests-answer': onCall(({ call, answer }) => {
    if (call.op !== 'requests' || saysNothing(call)) return null;
    const body = jsonOf(call.reply!.body);
    const isList = Array.isArray(body) || (isObject(body) && Array.isArray(body['requests']));
    return answer !== 'ok' ? 'not-offered' : isList ? 'list-of-jobs' : 'other';
  }),
} as const satisfies ObserversOf<'4.5' | '4.6' | '4.7' | '4.9'>;

/** Later the job may have been deleted for another reason. */
const SOON_MS = 5_000;

const hasEnded = (shown: Sighting['shows'] | undefined): boolean =>
  shown === 'COMPLETED' || shown === 'FAILED' || shown === 'TIMED_OUT';

/** The cancels of a job that was there, with its state by the last look before each. */
function cancelsOf(job: SeenJob): readonly { call: CallEvent; before: Sighting['shows'] | undefined }[] {
  return job.calls('cancel').flatMap((call) => {
    if (call.reply === null || saysNothing(call)) return [];
    if (call.reply.status === 404 && job.mayBeUnknown(call)) return [];
    return [{ call, before: job.lookBefore(call)?.shows }];
  });
}

function refusal(call: CallEvent): 'refused-400' | 'refused-404' | 'refused-409' | 'other-error' {
  const code = call.reply!.status;
  return code === 400 || code === 404 || code === 409 ? `refused-${code}` : 'other-error';
}

/** A worker that is restarted first takes longer than this. */
const AT_ONCE_MS = 1_000;

/** The endpoint's only worker had its job cancelled while another one waited. */
function afterCancel(scene: Scene, stopped: Job, waiting: Job): 'at-once' | 'later' | null {
  const cancel = stopped.calls.find((call) => call.op === 'cancel' && answerOf(call) === 'ok');
  const wasRunning = scene
    .lifeOf(stopped)
    .mustBe((at) => at.place === 'cancelled' && at.goneFrom === 'progress');
  if (cancel === undefined || !wasRunning) return null;
  const looks = sightingsOf(waiting);
  if (!looks.some(({ call, shows }) => shows === 'IN_QUEUE' && precedes(call, cancel))) return null;
  const taken = looks.find(({ shows }) => shows === 'IN_PROGRESS' || shows === 'COMPLETED')?.call;
  const waits = looks.findLast(({ shows }) => shows === 'IN_QUEUE')!.call;
  if (waits.sentMs > cancel.receivedMs! + AT_ONCE_MS) return 'later';
  return taken !== undefined && taken.receivedMs! <= cancel.sentMs + AT_ONCE_MS ? 'at-once' : null;
}

/** So often accepted, a retry is taken to have no limit. */
const RETRIES_MANY = 10;
