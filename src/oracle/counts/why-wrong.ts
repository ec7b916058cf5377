/**
 * What explains a count that is wrong as well as the counter itself: jobs that must not be counted are, or jobs are not where
 * they should be. Which of them it was shows only beside the other counts of the run (`blame-counts.ts`).
 */
import type { RequirementId } from '../../spec/index.js';
import { precedes } from '../cast/sightings.js';
import { answerOf } from '../observed/reading.js';
import type { Census } from './census.js';
import { excess } from './not-counted.js';

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
