/** What the calls on a job say of it, and in which order they were made. */
import type { CallEvent } from '../../history/events.js';
import type { JobStatus } from '../../spec/types.js';
import type { Job } from '../cases.js';
import type { Hypothesis } from '../life/hypothesis.js';
import { UNSUCCESSFUL_KEPT_MS } from '../life/life.js';
import { ENDED, LIFE } from '../life/zone.js';
import { answerOf, idIn, statusIn } from '../reading.js';
import type { Scene } from '../scene.js';

/** One answer that shows where the job was, or that it is no longer found. */
export interface Sighting {
  readonly call: CallEvent;
  readonly shows: JobStatus | 'GONE';
}

export function sightingsOf(job: Job): readonly Sighting[] {
  return (job.sightings ??= sightingsIn(job.id, job.sync ? [job.submitted, ...job.calls] : job.calls));
}

/** `calls`: those on one job, in order. What names another job tells nothing of this one. */
function sightingsIn(id: string, calls: readonly CallEvent[]): readonly Sighting[] {
  const found: Sighting[] = [];
  for (const call of calls) {
    if (call.op !== 'status' && call.op !== 'runsync') continue;
    const status = (idIn(call) ?? id) === id ? statusIn(call) : null;
    if (answerOf(call) === 'ok' && status !== null) found.push({ call, shows: status });
    else if (call.op === 'status' && call.reply?.status === 404) found.push({ call, shows: 'GONE' });
  }
  return found;
}

/** What the job must be shown as, or later than that, for all that was known of it before the call: its last look, or its last retry. */
export function shownBefore(job: Job, last: CallEvent): Sighting['shows'] | undefined {
  const seen = sightingsOf(job).findLast(({ call }) => precedes(call, last));
  const retried = job.calls.some(
    (call) =>
      call.op === 'retry' &&
      answerOf(call) === 'ok' &&
      precedes(call, last) &&
      (seen === undefined || precedes(seen.call, call)),
  );
  return retried ? 'IN_QUEUE' : seen?.shows;
}

/** `left` was over before `right` was sent. */
export function precedes(left: CallEvent, right: CallEvent): boolean {
  return left.endedTick !== null && left.endedTick < right.sentTick;
}

/** A `/retry` that may have requeued the job was under way beside the call: of which run it tells, nobody knows. */
export function isBesideRetry(job: Job, call: CallEvent): boolean {
  return (
    job.retried &&
    job.calls.some(
      (one) =>
        one.op === 'retry' && answerOf(one) !== 'refused' && !precedes(one, call) && !precedes(call, one),
    )
  );
}

export function isWaitingOrRunning(shows: Sighting['shows']): boolean {
  return shows === 'IN_QUEUE' || shows === 'IN_PROGRESS';
}

/**
 * The job was waiting or running while `call` was made, and what was seen of it later shows that the call
 * did not end it: had it been cancelled or removed then, this would have been noticed.
 */
export function livesThrough(scene: Scene, job: Job, call: CallEvent): boolean {
  if (!scene.isExplained(job) || !precedes(job.submitted, call)) return false;
  const after = sightingsOf(job).filter((sighting) => precedes(call, sighting.call));
  if (after.some(({ shows }) => isWaitingOrRunning(shows))) return true;
  const endedByItself = after.some(
    ({ shows }) => shows === 'COMPLETED' || shows === 'FAILED' || shows === 'TIMED_OUT',
  );
  return endedByItself && scene.lifeOf(job).mustBe(({ zone }) => zone.earliest(ENDED) > call.sentMs);
}

/** The job was seen to have ended in one state before `call` and in the same afterwards. */
export function staysEnded(
  scene: Scene,
  job: Job,
  call: CallEvent,
  states: readonly JobStatus[] = ['COMPLETED', 'FAILED', 'TIMED_OUT'],
): boolean {
  if (!scene.isExplained(job)) return false;
  const seen = sightingsOf(job);
  return states.some(
    (state) =>
      seen.some(({ call: earlier, shows }) => shows === state && precedes(earlier, call)) &&
      seen.some(({ call: later, shows }) => shows === state && precedes(call, later)),
  );
}

/** No timer can have deleted the job by the end of `call`, or it was seen later: a 404 then is no word of its deletion. */
export function wasThere(scene: Scene, job: Job, call: CallEvent): boolean {
  const byMs = call.receivedMs ?? Infinity;
  const isKept = ({ place, zone, terms }: Hypothesis): boolean =>
    place !== 'gone' &&
    zone.earliest(LIFE) + (terms.ttlMs ?? 0) > byMs &&
    zone.earliest(ENDED) + (place === 'completed' ? terms.keptAtLeastMs : UNSUCCESSFUL_KEPT_MS) > byMs;
  if (scene.lifeOf(job).mustBe(isKept)) return true;
  return sightingsOf(job).some(({ call: later, shows }) => shows !== 'GONE' && precedes(call, later));
}

/** By the end of the call its ttl or the time of its result may have been over: what is told of it then is none of a job that is there. */
export function mayBeOver(job: Job, call: CallEvent): boolean {
  const byMs = call.receivedMs ?? Infinity;
  const given = job.calls
    .filter((one) => one.op === 'status' && !precedes(call, one))
    .map((one) => Number(one.request.query['ttl']));
  const { terms, submittedFromMs } = job.life;
  const ttls = [...terms.map(({ ttlMs }) => ttlMs ?? 0), ...given.filter((ms) => !Number.isNaN(ms))];
  if (submittedFromMs + Math.min(...ttls) <= byMs) return true;
  const { outcome, lastsMs } = job.foreseen(0);
  const seen = sightingsOf(job).filter((one) => precedes(one.call, call));
  const before = seen.findLast(({ shows }) => isWaitingOrRunning(shows))?.call;
  const retry = job.calls.findLast(
    (one) => one.op === 'retry' && answerOf(one) !== 'refused' && !precedes(call, one),
  );
  const endedFromMs = Math.max(
    submittedFromMs + (Number.isFinite(lastsMs) ? lastsMs! : 0),
    before?.sentMs ?? -Infinity,
    retry?.sentMs ?? -Infinity,
  );
  const hasCompleted =
    seen.some(({ shows }) => shows === 'COMPLETED') || (outcome === 'success' && retry === undefined);
  const keptMs = hasCompleted
    ? Math.min(...terms.map(({ keptAtLeastMs }) => keptAtLeastMs))
    : UNSUCCESSFUL_KEPT_MS;
  return endedFromMs + keptMs <= byMs;
}

/** The job was submitted before `call`, and seen waiting after it. */
export function seenWaitingAfter(job: Job, call: CallEvent): boolean {
  return (
    precedes(job.submitted, call) &&
    sightingsOf(job).some(({ call: later, shows }) => shows === 'IN_QUEUE' && precedes(call, later))
  );
}

/** Two `/retry` calls on it were under way at the same time, and both were answered with success. */
export function retriedAtOnce(job: Job): boolean {
  const retries = job.calls.filter((call) => call.op === 'retry' && answerOf(call) === 'ok');
  return retries.some((one) =>
    retries.some((other) => one !== other && !precedes(one, other) && !precedes(other, one)),
  );
}
