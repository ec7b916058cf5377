/** What must not be counted: jobs that were refused, that have left the queue, or that are another endpoint's. */
import type { CallEvent } from '../../history/events.js';
import { SUBMISSIONS, idsFor, type RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { isWaitingOrRunning, precedes, sightingsOf } from '../cast/sightings.js';
import { countedSinceMs } from '../observed/session.js';
import { answerOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import type { Census } from './census.js';

type Column = 'queue' | 'anywhere';

/** The figures are as low as they can be: nothing was counted that must not be in this column. */
export function notCounted(census: Census, column: Column): void {
  const byMs = countedSinceMs(census.scene.session, census.call);
  for (const id of wronglyCounted(census, column, byMs).keys()) census.scene.pass(id);
}

/** What was counted, each for itself, may be all that a figure is too high by. */
export function excess(census: Census, by: number): readonly RequirementId[] {
  const all = [...wronglyCounted(census, 'queue'), ...wronglyCounted(census, 'anywhere')];
  return all.flatMap(([id, times]) => (times >= by ? [id] : []));
}

/** What a service could have counted by mistake, and how often: what had come about by `byMs`. */
function wronglyCounted(
  { scene, call }: Census,
  column: Column,
  byMs = Infinity,
): ReadonlyMap<RequirementId, number> {
  const times = new Map<RequirementId, number>();
  const add = (id: RequirementId | null): void => {
    if (id !== null) times.set(id, (times.get(id) ?? 0) + 1);
  };
  const isBefore = (one: CallEvent): boolean => precedes(one, call) && (one.receivedMs ?? Infinity) <= byMs;
  if (column === 'queue') for (const job of scene.cast.jobs) add(leftQueue(scene, job, call));
  else {
    for (const one of scene.session.calls) if (isBefore(one)) add(refusedSubmission(one));
    // What the neighbours have that waits or runs during the call.
    for (const { cast } of call.op === 'health' ? scene.beside : [])
      for (const job of cast.jobs)
        if (isBefore(job.submitted) && livesAfter(job, call)) add('1/endpoints-isolated-health');
  }
  return times;
}

/** Of another endpoint: it waits or runs still. */
function livesAfter(job: Job, call: CallEvent): boolean {
  return sightingsOf(job).some((later) => precedes(call, later.call) && isWaitingOrRunning(later.shows));
}

const UNAUTHORIZED = idsFor('5/unauthorized-submission-creates-nothing-*', SUBMISSIONS);

function refusedSubmission(call: CallEvent): RequirementId | null {
  if ((call.op !== 'run' && call.op !== 'runsync') || answerOf(call) !== 'refused') return null;
  const code = call.reply!.status;
  if (code === 401) return UNAUTHORIZED[call.op];
  if (code === 429) return '8/refused-call-has-no-effect';
  // A waiting call may be told so of its job's end.
  return call.op === 'run' || code === 400 ? '3/invalid-submission-creates-nothing' : null;
}

/** The job had certainly left the queue for good without ever running. */
function leftQueue(scene: Scene, job: Job, call: CallEvent): RequirementId | null {
  const places = scene.placesDuring(job, call);
  if (places === 'anywhere' || places.size === 0) return null;
  // How long a cancelled job can be read is open: it may seem gone at first, until it is seen again.
  if ([...places].some((place) => place !== 'cancelled' && place !== 'gone')) return null;
  const life = scene.lifeOf(job);
  if (life.mustBe(({ place, goneFrom }) => place === 'cancelled' && goneFrom === 'queue'))
    return '3/cancelled-leaves-queue';
  return life.mustBe(({ goneBy, goneFrom }) => goneBy === 'ttl' && goneFrom === 'queue')
    ? '2.2/ttl-expired-leaves-queue'
    : null;
}
