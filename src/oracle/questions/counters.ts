/** What the counters of `/health` count, where it is known what became of every job of the endpoint. */
import type { CallEvent } from '../../history/events.js';
import type { QuestionId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { whereDuring } from '../counts/census.js';
import { countedSinceMs } from '../observed/counted-since.js';
import { precedes, sightingsOf } from '../cast/sightings.js';
import { isOverrun, type Place } from '../model/hypothesis.js';
import { SHORTEST_RETENTION_MS } from '../model/life.js';
import { ENDED } from '../model/zone.js';
import { answerOf, isObject, recordOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

/** Ends of one kind: ever, those undone by a retry, and those whose record can still be read. */
interface Ends {
  ever: number;
  retried: number;
  held: number;
  /** Of those whose record can still be read, the ones that ended more than a minute ago. */
  old: number;
}

interface Tally {
  readonly completed: Ends;
  readonly failed: Ends;
  readonly 'timed-out': Ends;
  readonly cancelled: Ends;
  retryCalls: number;
  /** One of them was more than a minute ago: where counters run over a period, it may count no longer. */
  retriedLongAgo: boolean;
  redispatches: number;
  /** A worker died, and its job was not given to another one. */
  crashFails: boolean;
}

const none = (): Ends => ({ ever: 0, retried: 0, held: 0, old: 0 });

const JOBS_MAX = 50;

export function counters(scene: Scene): void {
  const { session, cast } = scene;
  if (!session.fresh || !scene.has('dedicated') || cast.roll.ghosts.length > 0 || cast.jobs.length > JOBS_MAX)
    return;
  let fitting: readonly Combination[] = COMBINATIONS;
  for (const call of session.calls) {
    if (call.op !== 'health' || answerOf(call) !== 'ok') continue;
    const record = recordOf(call);
    const jobs = isObject(record?.['jobs']) ? record['jobs'] : {};
    const tally = tallyOf(scene, call);
    if (tally === null) continue;
    window(scene, tally, jobs['completed']);
    retried(scene, tally, jobs['retried']);
    fitting = fitting.filter(
      (one) =>
        failedBy(tally, one) === jobs['failed'] &&
        jobs['completed'] === tally.completed[one.window === 'lifetime' ? 'ever' : 'held'],
    );
  }
  for (const [question, option] of FAILED_COUNTS) {
    const values = new Set(fitting.map((one) => one[option]));
    if (fitting.length < COMBINATIONS.length && values.size === 1)
      scene.ledger.observe(question, [...values][0] as never);
  }
}

/** What became of every job by the call; null where that is uncertain. */
function tallyOf(scene: Scene, call: CallEvent): Tally | null {
  const tally: Tally = {
    completed: none(),
    failed: none(),
    'timed-out': none(),
    cancelled: none(),
    retryCalls: 0,
    retriedLongAgo: false,
    redispatches: 0,
    crashFails: false,
  };
  return scene.cast.jobs.every((job) => add(scene, job, call, tally)) ? tally : null;
}

function add(scene: Scene, job: Job, call: CallEvent, tally: Tally): boolean {
  const where = whereDuring(scene, job, call);
  if (where === 'not-yet') return true;
  if (where === 'anywhere') return false;
  const place = where.has('absent') ? null : placeAt(job, where as ReadonlySet<Place>, call);
  if (place === null) return false;
  for (const retry of job.calls.filter((one) => one.op === 'retry' && answerOf(one) !== 'refused')) {
    if (precedes(call, retry)) continue;
    const from = endBefore(job, retry);
    if (!precedes(retry, call) || scene.retryEffect(job, retry) !== 'requeued' || from === null) return false;
    tally.retryCalls += 1;
    tally.retriedLongAgo ||= retry.sentMs < countedSinceMs(scene.session, call) - SHORTEST_RETENTION_MS;
    tally[from].ever += 1;
    tally[from].retried += 1;
  }
  if (!crashes(scene, job, place, tally)) return false;
  const ended = place === 'gone' ? goneFrom(scene, job) : place;
  if (ended === null || ended === 'purged') return false;
  // It may count as one that was cancelled, or as one that was timed out.
  if (ended === 'cancelled' && scene.lifeOf(job).mayBe(isOverrun)) return false;
  if (ended === 'queue' || ended === 'progress' || ended === 'gone') return true;
  tally[ended].ever += 1;
  if (place !== 'gone') tally[ended].held += 1;
  if (place !== 'gone' && endedLongAgo(scene, job, call)) tally[ended].old += 1;
  return true;
}

/** A cancelled job may be forgotten at any time: the last look at it tells. */
function placeAt(job: Job, where: ReadonlySet<Place>, call: CallEvent): Place | null {
  if (where.size === 1) return [...where][0]!;
  const last = sightingsOf(job).findLast((one) => precedes(one.call, call))?.shows;
  const cancelled = where.size === 2 && where.has('cancelled') && where.has('gone');
  return cancelled && last === 'CANCELLED' ? 'cancelled' : null;
}

/** How the run ended that the retry undid. */
function endBefore(job: Job, retry: CallEvent): 'failed' | 'timed-out' | null {
  const shows = sightingsOf(job).findLast(({ call }) => precedes(call, retry))?.shows;
  if (shows === 'TIMED_OUT') return 'timed-out';
  return shows === 'FAILED' && job.foreseen(0).outcome === 'error' ? 'failed' : null;
}

/** A worker that died: a plan for the second run tells whether there was one. */
function crashes(scene: Scene, job: Job, place: Place, tally: Tally): boolean {
  if (job.foreseen(0).outcome !== 'crash' || place === 'queue') return true;
  if (job.foreseen(1).outcome !== 'success' || job.calls.some(({ op }) => op === 'retry')) return false;
  if (place === 'completed') tally.redispatches += 1;
  else if (place === 'failed') tally.crashFails = true;
  else return false;
  return scene.isExplained(job);
}

function endedLongAgo(scene: Scene, job: Job, call: CallEvent): boolean {
  const beforeMs = countedSinceMs(scene.session, call) - SHORTEST_RETENTION_MS;
  return scene.lifeOf(job).mustBe(({ zone }) => zone.latest(ENDED) < beforeMs);
}

function goneFrom(scene: Scene, job: Job): Place | null {
  const life = scene.lifeOf(job);
  return life.kind === 'explained' ? (life.agreed((at) => at.goneFrom) ?? null) : null;
}

function window(scene: Scene, { completed }: Tally, value: unknown): void {
  if (typeof value === 'number' && value < completed.held)
    scene.ledger.observe('2.7/counters-window', 'recent');
  if (completed.ever === completed.held) return;
  if (value === completed.ever) scene.ledger.observe('2.7/counters-window', 'lifetime');
  // What is held may be no more than what has ended of late.
  else if (value === completed.held && completed.old > 0)
    scene.ledger.observe('2.7/counters-window', 'retained');
}

function retried(scene: Scene, tally: Tally, value: unknown): void {
  const { retryCalls, redispatches, crashFails, retriedLongAgo } = tally;
  if (retryCalls === 0 || retriedLongAgo) return;
  if (value === redispatches && redispatches !== retryCalls)
    scene.ledger.observe('2.7/retried-counts', 're-dispatches');
  else if (value === retryCalls && (crashFails || (redispatches > 0 && redispatches !== retryCalls)))
    scene.ledger.observe('2.7/retried-counts', 'retry-calls');
  else if (value === retryCalls + redispatches && redispatches > 0)
    scene.ledger.observe('2.7/retried-counts', 'both');
}

/** One way to count `jobs.failed`. */
interface Combination {
  readonly window: 'lifetime' | 'retained';
  readonly timedOut: 'yes' | 'no';
  readonly cancelled: 'yes' | 'no';
  readonly afterRetry: 'stays' | 'falls';
}

const COMBINATIONS: readonly Combination[] = (['lifetime', 'retained'] as const).flatMap((counted) =>
  (['yes', 'no'] as const).flatMap((timedOut) =>
    (['yes', 'no'] as const).flatMap((cancelled) =>
      (['stays', 'falls'] as const).map((afterRetry) => ({
        window: counted,
        timedOut,
        cancelled,
        afterRetry,
      })),
    ),
  ),
);

const FAILED_COUNTS: readonly (readonly [QuestionId, keyof Combination])[] = [
  ['2.7/failed-includes-timed-out', 'timedOut'],
  ['2.7/failed-includes-cancelled', 'cancelled'],
  ['2.7/failed-after-retry', 'afterRetry'],
];

function failedBy(tally: Tally, by: Combination): number {
  const of = (ends: Ends): number =>
    by.window === 'retained' ? ends.held : ends.ever - (by.afterRetry === 'falls' ? ends.retried : 0);
  return (
    of(tally.failed) +
    (by.timedOut === 'yes' ? of(tally['timed-out']) : 0) +
    (by.cancelled === 'yes' ? of(tally.cancelled) : 0)
  );
}
