/** What is known of all jobs at one count: it is asked how many were here, and how many there. */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import { countedSinceMs } from '../observed/counted-since.js';
import type { Place } from '../model/hypothesis.js';
import type { Scene } from '../scene/scene.js';

export interface Interval {
  readonly least: number;
  readonly most: number;
}

/** Where a job may have been while it was counted; `absent`: it may not have been there yet. */
export type Counted = ReadonlySet<Place | 'absent'>;

const BITS: { readonly [P in Place | 'absent']: number } = {
  queue: 1,
  progress: 2,
  completed: 4,
  failed: 8,
  'timed-out': 16,
  cancelled: 32,
  purged: 64,
  gone: 128,
  absent: 256,
};

function bitsOf(places: Iterable<Place | 'absent'>): number {
  let bits = 0;
  for (const place of places) bits |= BITS[place];
  return bits;
}

export interface Census {
  /** Of each job that was there, the places that it may have been at; null: anywhere, or not there at all. */
  readonly jobs: readonly { readonly job: Job; readonly places: number | null }[];
  readonly ghosts: number;
}

export function censusOf(scene: Scene, call: CallEvent): Census {
  const jobs = scene.cast.jobs.flatMap((job) => {
    const where = whereDuring(scene, job, call);
    return where === 'not-yet' ? [] : [{ job, places: where === 'anywhere' ? null : bitsOf(where) }];
  });
  const ghosts = scene.cast.roll.ghosts.filter(
    ({ submitted }) => submitted.sentTick < (call.endedTick ?? Infinity),
  ).length;
  return { jobs, ghosts };
}

/** How many jobs were at one of the places, at the least and at the most. */
export function howMany(
  { jobs, ghosts }: Census,
  places: readonly Place[],
  not: (job: Job) => boolean = () => false,
): Interval {
  const asked = bitsOf(places);
  let least = 0;
  let most = ghosts;
  for (const { job, places: possible } of jobs) {
    if (not(job)) continue;
    if (possible === null || (possible & asked) !== 0) most += 1;
    if (possible !== null && possible !== 0 && (possible & ~asked) === 0) least += 1;
  }
  return { least, most };
}

export function whereDuring(scene: Scene, job: Job, call: CallEvent): Counted | 'not-yet' | 'anywhere' {
  if (call.endedTick !== null && call.endedTick < job.submitted.sentTick) return 'not-yet';
  const places = scene.placesDuring(job, call);
  // While it was being submitted it may or may not have been there.
  const certain = job.submitted.arrivedByMs !== null && job.submitted.arrivedByMs < call.sentMs;
  const before = job.submitted.endedTick !== null && job.submitted.endedTick < call.sentTick;
  if (places === 'anywhere' || !(certain || before)) return 'anywhere';
  if (changing(scene, job, call) || toldMeanwhile(job, call)) return 'anywhere';
  const arrivedByMs = job.submitted.arrivedByMs ?? job.submitted.receivedMs ?? Infinity;
  return arrivedByMs <= countedSinceMs(scene.session, call)
    ? places
    : new Set<Place | 'absent'>([...places, 'absent']);
}

/**
 * The job's webhook arrived, or an answer told of it, while it was counted: whether the count came before or after what
 * was told, nobody can tell.
 */
function toldMeanwhile(job: Job, call: CallEvent): boolean {
  const answered = ({ endedTick }: CallEvent): boolean =>
    endedTick !== null && endedTick > call.sentTick && endedTick < (call.endedTick ?? Infinity);
  return (
    job.webhooks.some(
      ({ arrivedMs }) => arrivedMs >= call.sentMs && arrivedMs <= (call.receivedMs ?? Infinity),
    ) ||
    answered(job.submitted) ||
    job.calls.some(answered)
  );
}

/** A call that may change the job was under way while it was counted, or was never answered. */
function changing(scene: Scene, job: Job, call: CallEvent): boolean {
  const meanwhile = (one: CallEvent): boolean =>
    one !== call &&
    one.sentTick < (call.endedTick ?? Infinity) &&
    (one.receivedMs === null || (one.endedTick ?? Infinity) > call.sentTick) &&
    one.reply?.status !== 401;
  return (
    job.calls.some(
      (one) =>
        (one.op === 'cancel' || one.op === 'retry' || one.request.query['ttl'] !== undefined) &&
        meanwhile(one),
    ) || scene.cast.roll.purges.some(meanwhile)
  );
}
