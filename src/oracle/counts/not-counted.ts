/** What must not be counted: jobs that were refused, that have left the queue, or that are another endpoint's. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { isWaitingOrRunning, precedes, sightingsOf } from '../cast/sightings.js';
import { answerOf } from '../observed/reading.js';
import { countedSinceMs } from '../observed/counted-since.js';
import type { Scene } from '../scene/scene.js';

type Column = 'queue' | 'anywhere';

/** The count is as low as it can be: nothing that must not be counted in this column was. */
export function notCounted(scene: Scene, call: CallEvent, columns: readonly Column[]): void {
  const sinceMs = countedSinceMs(scene.session, call);
  for (const column of columns)
    for (const id of suspects(scene, call, column, sinceMs).keys()) scene.pass(id);
}

/** A count is too high by so many: what each of these forbids would explain it. */
export function excessSuspects(scene: Scene, call: CallEvent, excess: number): readonly RequirementId[] {
  const all = new Map([...suspects(scene, call, 'queue'), ...suspects(scene, call, 'anywhere')]);
  return [...all].filter(([, many]) => many >= excess).map(([id]) => id);
}

/** What a service could have counted by mistake, and how often. `byMs`: what was there by then. */
function suspects(
  scene: Scene,
  call: CallEvent,
  column: Column,
  byMs = Infinity,
): Map<RequirementId, number> {
  const found = new Map<RequirementId, number>();
  const add = (id: RequirementId): unknown => found.set(id, (found.get(id) ?? 0) + 1);
  if (column === 'anywhere') {
    for (const one of scene.session.calls) {
      const before = precedes(one, call) && (one.receivedMs ?? Infinity) <= byMs;
      const id = before ? refusedSubmission(one) : null;
      if (id !== null) add(id);
    }
    if (call.op === 'health') for (const _ of besideAt(scene, call, byMs)) add('1/endpoints-isolated-health');
    return found;
  }
  for (const job of scene.cast.jobs) {
    const id = leftQueue(scene, job, call);
    if (id !== null) add(id);
  }
  return found;
}

function refusedSubmission(call: CallEvent): RequirementId | null {
  if ((call.op !== 'run' && call.op !== 'runsync') || answerOf(call) !== 'refused') return null;
  const code = call.reply!.status;
  if (code === 401)
    return call.op === 'run'
      ? '5/unauthorized-submission-creates-nothing-run'
      : '5/unauthorized-submission-creates-nothing-runsync';
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

/** Jobs of the neighbours that were there by then, and waited or ran during the call. */
function besideAt(scene: Scene, call: CallEvent, byMs: number): readonly Job[] {
  return scene.beside.flatMap(({ cast }) =>
    cast.jobs.filter(
      (job) =>
        precedes(job.submitted, call) &&
        (job.submitted.receivedMs ?? Infinity) <= byMs &&
        sightingsOf(job).some(({ call: later, shows }) => precedes(call, later) && isWaitingOrRunning(shows)),
    ),
  );
}
