/** Counts over all jobs, as sums of intervals: what each job may have been while it was counted. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { jobBy, type Job } from '../cast/cases.js';
import type { Hypothesis, Place } from '../model/hypothesis.js';
import { SHORTEST_RETENTION_MS } from '../model/life.js';
import { ENDED } from '../model/zone.js';
import { foresee } from '../observed/plan.js';
import { answerOf, idInPath, isObject, meantBy, recordOf, submissionOf } from '../observed/reading.js';
import { censusOf, howMany, whereDuring, type Census, type Interval } from './census.js';
import { countedSinceMs } from '../observed/counted-since.js';
import { judgePurge } from './judge-purges.js';
import { judgeWorkers } from './judge-workers.js';
import { namelessDuring } from './nameless.js';
import { excessSuspects, notCounted } from './not-counted.js';
import { restsOn } from './rests-on.js';
import { sumOfJobs } from './sum-of-jobs.js';
import type { Scene } from '../scene/scene.js';

/** Bursts of thousands of jobs, counted often, are there for their rates. */
const PLACES_MAX = 200_000;

export function judgeCounts(scene: Scene): void {
  const { session } = scene;
  if (!session.exists || !session.fresh || !scene.has('dedicated')) return;
  const { jobs, roll } = scene.cast;
  if (jobs.length * roll.counts.length > PLACES_MAX) return;
  for (const call of roll.counts) {
    if (answerOf(call) !== 'ok') continue;
    if (call.op === 'health') judgeHealth(scene, call, censusOf(scene, call));
    if (call.op === 'purge-queue') judgePurge(scene, call, censusOf(scene, call));
  }
}

function judgeHealth(scene: Scene, call: CallEvent, census: Census): void {
  const record = recordOf(call);
  const jobs = isObject(record?.['jobs']) ? record['jobs'] : {};
  const workers = isObject(record?.['workers']) ? record['workers'] : {};
  const check = (
    id: RequirementId,
    name: string,
    value: unknown,
    range: Interval,
    places: readonly Place[] | null = null,
  ): void => {
    if (typeof value !== 'number') return;
    const within = value >= range.least && value <= range.most;
    const span = range.least === range.most ? `${range.least}` : `${range.least} to ${range.most}`;
    if (within) return scene.pass(id);
    const suspects =
      value < range.least
        ? anotherEndpoint(scene)
        : id === '4.8/counts-workers-idle'
          ? NOTHING
          : excessSuspects(scene, call, value - range.most);
    const proof = places === null ? null : sumOfJobs(census, name, value, range, places);
    const rules = restsOn(scene, id, call, value > range.most);
    scene.miscounted(id, suspects, rules, call, `${name} ${value}, where ${span} would be right`, proof);
  };
  const waiting = howMany(census, ['queue']);
  check('4.8/counts-in-queue', 'jobs.inQueue', jobs['inQueue'], waiting, ['queue']);
  const running = howMany(census, ['progress']);
  // Not one job more would have gone unnoticed.
  if (jobs['inQueue'] === waiting.most) notCounted(scene, call, ['queue']);
  if (jobs['inQueue'] === waiting.most && jobs['inProgress'] === running.most)
    if (
      jobs['completed'] === everCompleted(scene, census) &&
      jobs['failed'] === everFailed(scene, call, census)
    )
      notCounted(scene, call, ['anywhere']);
  check('4.8/counts-in-progress', 'jobs.inProgress', jobs['inProgress'], running, ['progress']);
  namelessCounted(scene, call, census, jobs['inQueue'], jobs['inProgress']);
  const completed = jobs['completed'];
  if (typeof completed === 'number') judgeCompleted(scene, call, census, completed);
  judgeFailed(scene, call, census, jobs['failed']);
  judgeRetried(scene, call, jobs['retried']);
  judgeWorkers(scene, call, census, workers, check);
}

function namelessCounted(
  scene: Scene,
  call: CallEvent,
  census: Census,
  inQueue: unknown,
  inProgress: unknown,
): void {
  const nameless = namelessDuring(scene, call);
  if (nameless === 0 || typeof inQueue !== 'number' || typeof inProgress !== 'number') return;
  const least = nameless + howMany(census, ['queue', 'progress']).least;
  const said = `${inQueue + inProgress} jobs wait or run, where ${least} do, ${nameless} of them after their wait`;
  scene.check('4.1/wait-leaves-job-alive', inQueue + inProgress >= least, call, said);
}

/** A job that is counted though it should not be makes no worker idle. */
const NOTHING: readonly RequirementId[] = [];

/** Too low where there is another endpoint: most likely its counts were shown, and not those asked for. */
function anotherEndpoint(scene: Scene): readonly RequirementId[] {
  return scene.beside.some(({ session }) => session.exists) ? ['1/endpoints-isolated-health'] : [];
}

/** A counter may run over a period of time: shorter than the shortest retention would be no count at all. */
const COUNTED_FOR_MS = SHORTEST_RETENTION_MS;

function endedLately(scene: Scene, job: Job, call: CallEvent): boolean {
  const sinceMs = (call.receivedMs ?? call.sentMs) - COUNTED_FOR_MS;
  return scene.lifeOf(job).mustBe(({ zone }) => zone.earliest(ENDED) >= sinceMs);
}

/**
 * The counter may run over the endpoint's life, over the jobs kept, or over a period of time: it lies between what has
 * ended of late and is there, and what ever was.
 */
function judgeCompleted(scene: Scene, call: CallEvent, census: Census, completed: number): void {
  const kept = howMany(census, ['completed'], (job) => !endedLately(scene, job, call)).least;
  const ever = everCompleted(scene, census);
  const id: RequirementId = '4.8/completed-counts-nothing-else';
  if (completed <= ever) scene.pass(id);
  else {
    const never = (job: Job): boolean => neverCompleted(scene, job);
    const range = { least: 0, most: ever };
    const proof = sumOfJobs(census, 'jobs.completed', completed, range, EVER_COMPLETED, never);
    const suspects = excessSuspects(scene, call, completed - ever);
    const rules = restsOn(scene, id, call, true);
    scene.miscounted(
      id,
      suspects,
      rules,
      call,
      `jobs.completed ${completed}, at most ${ever} had completed`,
      proof,
    );
  }
  scene.check(
    '4.8/counts-completed',
    completed >= kept,
    call,
    () => `jobs.completed ${completed}, at least ${kept} had completed`,
    () => sumOfJobs(census, 'jobs.completed', completed, { least: kept, most: ever }, ['completed']),
  );
}

/** One that is cancelled after its completion has completed all the same. */
const EVER_COMPLETED: readonly Place[] = ['completed', 'cancelled', 'gone'];

function everCompleted(scene: Scene, census: Census): number {
  return howMany(census, EVER_COMPLETED, (job) => neverCompleted(scene, job)).most;
}

/** Whatever else is uncertain of it, it ended, and otherwise. */
function neverCompleted(scene: Scene, job: Job): boolean {
  // A retry whose reply was lost may have let it run once more, after all that was seen of it.
  if (job.calls.some((call) => call.receivedMs === null && meantBy(call) === 'retry')) return false;
  return scene.lifeOf(job).mustBe(
    (at) =>
      at.place !== 'queue' &&
      at.place !== 'progress' &&
      at.place !== 'completed' &&
      at.goneFrom !== 'completed' &&
      // Cancelled after its end, and gone since: it may have been its completion.
      (at.goneFrom !== 'cancelled' || at.meddled === null) &&
      at.retries === 0,
  );
}

function neverFailed(scene: Scene, job: Job): boolean {
  const completed = (at: Hypothesis): boolean =>
    (at.place === 'gone' ? at.goneFrom : at.place) === 'completed';
  return scene.lifeOf(job).mustBe((at) => completed(at) && at.runs === 0);
}

function everFailed(scene: Scene, call: CallEvent, census: Census): number {
  const ends = ['failed', 'timed-out', 'cancelled', 'purged', 'gone'] as const;
  return howMany(census, ends, (job) => neverFailed(scene, job)).most + retriesBefore(scene, call);
}

function judgeFailed(scene: Scene, call: CallEvent, census: Census, failed: unknown): void {
  if (typeof failed !== 'number') return;
  // Whether cancelled and timed-out jobs count, and whether a retried one does still, is open.
  const now = howMany(census, ['failed'], (job) => !endedLately(scene, job, call)).least;
  const ever = everFailed(scene, call, census);
  scene.check(
    '4.8/failed-not-completed',
    failed <= ever,
    call,
    () => `jobs.failed ${failed}, at most ${ever} had failed`,
  );
  scene.check('4.8/counts-failed', failed >= now, call, `jobs.failed ${failed}, at least ${now} had failed`);
}

function retriesBefore(scene: Scene, call: CallEvent): number {
  return scene.session.calls.filter(
    (one) =>
      meantBy(one) === 'retry' && one.sentTick < (call.endedTick ?? Infinity) && answerOf(one) !== 'refused',
  ).length;
}

function judgeRetried(scene: Scene, call: CallEvent, retried: unknown): void {
  if (typeof retried !== 'number') return;
  const asked = retriesBefore(scene, call);
  const crashing =
    scene.cast.jobs.some((job) => job.foreseen(0).outcome === 'crash' || job.foreseen(0).lastsMs === null) ||
    scene.cast.roll.ghosts.some(({ submitted }) => mayCrash(submitted));
  if (asked === 0 && !crashing) {
    const id = '4.8/retried-counts-nothing-else';
    if (retried === 0) scene.pass(id);
    // Of a retry that was refused, and made all the same, the count is right.
    else
      scene.miscounted(
        id,
        refusedRetries(scene, call),
        [],
        call,
        `jobs.retried ${retried}, nothing was retried`,
        null,
      );
  }
  const certain = scene.session.calls.filter(
    (one) =>
      one.op === 'retry' &&
      answerOf(one) === 'ok' &&
      (one.endedTick ?? Infinity) < call.sentTick &&
      one.receivedMs! <= countedSinceMs(scene.session, call) &&
      one.sentMs >= (call.receivedMs ?? call.sentMs) - COUNTED_FOR_MS &&
      retriedForSure(scene, one) &&
      isReadable(scene, one, call),
  ).length;
  if (certain > 0)
    scene.check('4.8/counts-retried', retried >= 1, call, `jobs.retried ${retried} after ${certain} retries`);
}

function refusedRetries({ session }: Scene, call: CallEvent): readonly RequirementId[] {
  const codes = session.calls
    .filter(({ op, sentTick }) => op === 'retry' && sentTick < (call.endedTick ?? Infinity))
    .map(({ reply }) => reply?.status);
  return [
    ...(codes.includes(401) ? (['5/unauthorized-retry-has-no-effect'] as const) : []),
    ...(codes.includes(429) ? (['8/refused-call-has-no-effect'] as const) : []),
  ];
}

/** Nobody learned the job's id, but its worker may die, so that it is run again. */
function mayCrash(submitted: CallEvent): boolean {
  const input = submissionOf(submitted)?.['input'];
  return input === undefined || foresee(input, null, false).outcome === 'crash';
}

/** The counters may leave out jobs that can no longer be read. */
function isReadable(scene: Scene, retry: CallEvent, call: CallEvent): boolean {
  const job = jobBy(scene.cast, idInPath(retry));
  const where = job === undefined ? 'anywhere' : whereDuring(scene, job, call);
  return (
    typeof where !== 'string' && !['gone', 'purged', 'cancelled'].some((place) => where.has(place as Place))
  );
}

function retriedForSure(scene: Scene, retry: CallEvent): boolean {
  const job = jobBy(scene.cast, idInPath(retry));
  return job !== undefined && scene.lifeOf(job).mustBe((at) => at.retries > 0);
}
