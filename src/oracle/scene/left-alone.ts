/** Looks on both sides of a call that prove it left a job alone. */
import type { CallEvent } from '../../history/events.js';
import type { JobStatus } from '../../spec/types.js';
import type { Job } from '../cast/cases.js';
import { isWaitingOrRunning, precedes, sightingsOf } from '../cast/sightings.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { UNSUCCESSFUL_KEPT_MS } from '../model/life.js';
import { ENDED, LIFE } from '../model/zone.js';
import type { Scene } from './scene.js';

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
