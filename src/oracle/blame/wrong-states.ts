/** A job is shown in a state that nothing of its life leads to: what of its own history that state belongs to. */
import type { Breach } from '../proof/breach.js';
import type { Json } from '../../history/events.js';
import { EXECUTION_TIMEOUT_MIN_MS, WAIT_DEFAULT_MS } from '../../spec/limits.js';
import type { RequirementId } from '../../spec/index.js';
import type { JobStatus } from '../../spec/types.js';
import type { Job } from '../cast/cases.js';
import { ttlRequirement } from '../model/lifecycle.js';
import { answerOf, isObject, jsonOf, recordOf } from '../observed/reading.js';
import { isWaitingOrRunning, precedes, shownBefore, sightingsOf } from '../cast/sightings.js';

const isFailure = (shows: Breach['op']['shows']): boolean => shows === 'FAILED' || shows === 'TIMED_OUT';

/**
 * Its handler had ended, as the record tells or because any `executionTimeout` was far off: the success is shown as a failure, or
 * the error as another end.
 */
export function misnamedEnd(job: Job, { op, requirement }: Breach): RequirementId | null {
  const isTimeout = requirement.startsWith('2.2/execution-timeout') && requirement.endsWith('not-early');
  if (!isTimeout && !neverSeenFailed(job, op, requirement)) return null;
  const retried = job.calls.some((call) => call.op === 'retry' && !precedes(op.call!, call));
  const { outcome, lastsMs } = job.foreseen(retried ? 1 : 0);
  if (lastsMs === null) return null;
  if (op.shows === 'FAILED') {
    const isDone = outcome === 'success' && !retried && lastsMs < EXECUTION_TIMEOUT_MIN_MS / 2;
    return !isDone ? null : job.sync ? '3/success-completes-runsync' : '3/success-completes-run';
  }
  if (isTimeout && op.shows !== 'TIMED_OUT') return null;
  const leastMs = Math.min(...job.life.terms.map(({ executionLeastMs }) => executionLeastMs));
  const told = toldIn(recordOf(op.call!))?.executionTime ?? null;
  const isTold = told !== null && isAbout(told, lastsMs) && !isAbout(told, leastMs);
  if (!isTold && lastsMs >= leastMs / 2) return null;
  if (outcome === 'crash') return '3/worker-crash-fails';
  if (outcome !== 'error') return null;
  return job.sync ? '3/handler-error-fails-runsync' : '3/handler-error-fails-run';
}

/** It is shown with another end, and no look has shown it as FAILED. */
function neverSeenFailed(job: Job, op: Breach['op'], requirement: RequirementId): boolean {
  if (requirement !== '3/failed-stays' || op.kind !== 'status') return false;
  if (op.shows !== 'TIMED_OUT' && op.shows !== 'COMPLETED') return false;
  return !sightingsOf(job).some(({ shows, call }) => shows === 'FAILED' && precedes(call, op.call!));
}

/** Its lifespan is over, and it is there as a failure although nothing else has ended it. */
export function endedByTtl(job: Job, { op }: Breach): RequirementId | null {
  if (!isFailure(op.shows)) return null;
  // A call that waits is answered at its end.
  const atMs = op.kind === 'reply' ? op.byMs : op.fromMs;
  const was = shownBefore(job, op.call!);
  if (was !== undefined && !isWaitingOrRunning(was)) return null;
  const { submittedByMs, terms, life } = job.life;
  const asked = job.calls.findLast(
    (call) => call.op === 'status' && call.request.query['ttl'] !== undefined && answerOf(call) === 'ok',
  );
  if (asked !== undefined) {
    const overMs = Math.max(submittedByMs, asked.receivedMs!) + Number(asked.request.query['ttl']);
    return atMs >= overMs ? '4.3/ttl-shortens-life' : null;
  }
  const overMs = submittedByMs + Math.max(...terms.map(({ ttlMs }) => ttlMs ?? Infinity));
  return atMs >= overMs
    ? ttlRequirement('tooLate', life, was === 'IN_PROGRESS' ? 'progress' : 'queue')
    : null;
}

/** It was cancelled, and nobody has ever seen it CANCELLED. */
export function neverCancelled(job: Job, { op, requirement }: Breach): RequirementId | null {
  if (op.kind !== 'status' || op.isAsBeforeRetry) return null;
  const seen = sightingsOf(job).filter(({ call }) => precedes(call, op.call!));
  if (seen.some(({ shows }) => shows === 'CANCELLED' || shows === 'GONE')) return null;
  switch (requirement) {
    case '3/cancelled-never-starts':
      return op.shows === 'IN_QUEUE' || isFailure(op.shows) || cannotHaveRun(job, op)
        ? '3/cancel-queued'
        : null;
    case '3/completed-stays': {
      // That it had completed is what an answer to the cancel said, and nobody saw it.
      const was = seen.at(-1)?.shows;
      const isCancelled = job.calls.some((call) => call.op === 'cancel' && answerOf(call) === 'ok');
      if (!isCancelled || (was !== undefined && !isWaitingOrRunning(was))) return null;
      return was === 'IN_PROGRESS' ? '3/cancel-running' : '3/cancel-queued';
    }
    case '3/cancelled-never-completes':
      return op.shows === 'IN_PROGRESS' ? '3/cancel-running' : null;
    case '4.6/no-effect-on-cancelled': {
      const retried = job.calls.some((call) => call.op === 'retry' && answerOf(call) !== 'refused');
      return op.shows === 'IN_PROGRESS' && !retried ? '3/cancel-running' : null;
    }
    default:
      return null;
  }
}

/** Since its submission there was no time for its handler to end. */
const cannotHaveRun = (job: Job, { byMs }: Breach['op']): boolean =>
  byMs - job.life.submittedFromMs < (job.foreseen(0).lastsMs ?? 0);

/** It is CANCELLED by nobody, just when the call that waited for it was over. */
export function cancelledByWait(job: Job, { op }: Breach): RequirementId | null {
  if (op.shows !== 'CANCELLED' || !job.sync) return null;
  if (job.calls.some((call) => call.op === 'cancel' && !precedes(op.call!, call))) return null;
  const { submitted } = job;
  const waitMs = Number(submitted.request.query['wait'] ?? WAIT_DEFAULT_MS);
  const overMs = submitted.sentMs + waitMs;
  // Seen as it should be since, it is something else that has cancelled it.
  const alive = sightingsOf(job).findLast(({ call }) => call !== submitted && precedes(call, op.call!));
  if (alive !== undefined && alive.call.sentMs > overMs) return null;
  return op.byMs >= overMs ? '4.1/wait-leaves-job-alive' : null;
}

/** By so much, or by a twentieth, a time that is told may differ from the one that was needed, ms. */
const TOLD_WITHIN_MS = 50;

/** By these a job that waited a moment ago has not ended yet. */
const TOO_SOON: ReadonlySet<RequirementId> = new Set([
  '3/not-completed-before-handler-ends',
  '2.2/execution-timeout-not-early',
  '2.2/execution-timeout-default-not-early',
]);

/** Its record tells of a run as long as it had to be: that it still waited a moment ago was not so. */
export function waitedNoLonger(job: Job, { op, requirement }: Breach): RequirementId | null {
  if (!TOO_SOON.has(requirement) || job.retried) return null;
  const told = endToldBy(job, op);
  if (told === null) return null;
  const waited = sightingsOf(job).some(
    ({ shows, call }) =>
      shows === 'IN_QUEUE' &&
      (op.call === null ? (call.receivedMs ?? Infinity) <= op.byMs : precedes(call, op.call)),
  );
  return waited && ranAsNeeded(job, told, op.byMs) ? '4.3/shows-current-state' : null;
}

/** What a record tells of an end. */
interface Told {
  readonly shows: JobStatus;
  readonly executionTime: number;
}

/** There was time for it since the submission. */
function ranAsNeeded(job: Job, { shows, executionTime }: Told, byMs: number): boolean {
  const limitsMs = job.life.terms.map(({ executionMs }) => executionMs);
  const neededMs = [job.foreseen(0).lastsMs, ...(isFailure(shows) ? limitsMs : [])];
  return neededMs.some(
    (ms) => ms !== null && byMs - job.life.submittedFromMs >= ms && isAbout(executionTime, ms),
  );
}

/** It waits or runs, and a webhook has told of its whole run: of the one that its record tells of, too, and of no other. */
export function isToldByWebhook(job: Job, { call, fromMs }: Breach['op']): boolean {
  const shown = call === null ? null : recordOf(call);
  return job.webhooks.some(({ arrivedMs, body }) => {
    const record = jsonOf(body);
    const told = arrivedMs <= fromMs ? toldIn(record) : null;
    if (told === null || !isObject(record) || !ranAsNeeded(job, told, arrivedMs)) return false;
    return shown?.['delayTime'] === undefined || shown['delayTime'] === record['delayTime'];
  });
}

/** Told in ms or in seconds: which of them is open. */
const isAbout = (told: number, ms: number): boolean =>
  [1, 1000].some((perUnit) => Math.abs(told * perUnit - ms) <= Math.max(TOLD_WITHIN_MS, ms / 20));

/** By a look, or by the call of a webhook; null where that tells of no end, or of no run. */
function endToldBy(job: Job, { call, byMs }: Breach['op']): Told | null {
  if (call !== null) return toldIn(recordOf(call));
  const webhook = job.webhooks.find(({ arrivedMs }) => arrivedMs === byMs);
  return webhook === undefined ? null : toldIn(jsonOf(webhook.body));
}

function toldIn(record: Json | undefined): Told | null {
  if (!isObject(record)) return null;
  const { status, executionTime } = record;
  if (status !== 'COMPLETED' && status !== 'FAILED' && status !== 'TIMED_OUT') return null;
  return typeof executionTime === 'number' && executionTime > 0 ? { shows: status, executionTime } : null;
}
