/**
 * What explains a count that is wrong as well as the counter itself: jobs that must not be counted are, or jobs are not where
 * they should be. Which of them it was shows only beside the other counts of the run (`blame-counts.ts`).
 */
import type { CallEvent } from '../../history/events.js';
import { SUBMISSIONS, idsFor, type RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { isWaitingOrRunning, precedes, sightingsOf } from '../cast/sightings.js';
import { countedSinceMs } from '../observed/counted-since.js';
import { answerOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import type { Census } from './census.js';

type Ids = readonly RequirementId[];

export interface Causes {
  /** What each of these forbids would explain a figure that is too low, or too high by so many. */
  readonly tooLow: (census: Census) => Ids;
  readonly tooHigh: (census: Census, by: number) => Ids;
  /** Where jobs wait that should run the figure is `higher`, or `lower`; the other way round where jobs run that should wait. */
  readonly whereLate?: 'higher' | 'lower';
  /** It is higher where a purge has left jobs in the queue. */
  readonly afterPurges?: true;
}

const nothing = (): Ids => [];

export const NOTHING: Causes = { tooLow: nothing, tooHigh: nothing };
export const WAITING: Causes = { tooLow: another, tooHigh: excess, whereLate: 'higher', afterPurges: true };
export const RUNNING: Causes = { tooLow: another, tooHigh: excess, whereLate: 'lower' };
export const COMPLETED: Causes = { tooLow: nothing, tooHigh: excess, whereLate: 'lower', afterPurges: true };
export const RETRIED: Causes = {
  tooLow: nothing,
  tooHigh: refused('retry', '5/unauthorized-retry-has-no-effect'),
};
/** A job that is counted though it should not be makes no worker idle. */
export const IDLE: Causes = { tooLow: another, tooHigh: nothing, whereLate: 'higher' };
const refusedPurges = refused('purge-queue', '5/unauthorized-purge-has-no-effect');
export const REMOVED: Causes = { tooLow: refusedPurges, tooHigh: excess, whereLate: 'higher' };

/** Jobs wait that should run. */
const LATE: Ids = [
  '1/free-worker-takes-job',
  '1/freed-worker-takes-waiting-job',
  '2.2/low-priority-job-runs',
];
/** Jobs run, or have run, that should wait. */
const EARLY: Ids = ['1/waits-when-no-worker-free', '1/no-more-jobs-in-progress-than-workers'];
/** What a purge has left in the queue is counted there, and completes. */
const LEFT_BY_PURGES: Ids = [
  '4.7/removes-all-waiting',
  '4.7/removes-waiting-runsync',
  '4.7/removes-waiting-retried',
  '4.7/removes-waiting-low-priority',
  '4.7/purged-jobs-never-run',
  '2.6/removed-counts-queued',
];

/** What the count rests on besides the counter: where one of these is broken, it decides nothing. */
export function restsOn(census: Census, causes: Causes, isTooHigh: boolean): Ids {
  const { whereLate, afterPurges } = causes;
  if (whereLate === undefined) return [];
  const dispatch = (whereLate === 'higher') === isTooHigh ? LATE : EARLY;
  // A purge that was refused may have removed them all the same.
  if (!isTooHigh) return [...dispatch, ...refusedPurges(census)];
  const isPurged = census.scene.cast.roll.purges.some(
    (one) => answerOf(one) === 'ok' && precedes(one, census.call),
  );
  return afterPurges && isPurged ? [...dispatch, ...LEFT_BY_PURGES] : dispatch;
}

/** Most likely the counts of another endpoint were shown, and not those asked for. */
function another({ scene }: Census): Ids {
  return scene.beside.some(({ session }) => session.exists) ? ['1/endpoints-isolated-health'] : [];
}

/** Calls that were refused before the count was told, and may have been performed all the same. */
function refused(op: 'purge-queue' | 'retry', unauthorized: RequirementId): (census: Census) => Ids {
  return ({ scene, call }) => {
    const before = scene.cast.roll.of(op).filter(({ sentTick }) => sentTick < (call.endedTick ?? Infinity));
    const codes = before.map(({ reply }) => reply?.status);
    const ids: RequirementId[] = [];
    if (codes.includes(401)) ids.push(unauthorized);
    if (codes.includes(429)) ids.push('8/refused-call-has-no-effect');
    return ids;
  };
}

type Column = 'queue' | 'anywhere';

/** The figures are as low as they can be: nothing was counted that must not be in this column. */
export function notCounted(census: Census, column: Column): void {
  const byMs = countedSinceMs(census.scene.session, census.call);
  for (const id of wronglyCounted(census, column, byMs).keys()) census.scene.pass(id);
}

/** What was counted, each for itself, may be all that a figure is too high by. */
function excess(census: Census, by: number): Ids {
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
