/** What the counters of ended and of retried jobs may show: they may run over the endpoint's life, the jobs kept, or a period. */
import type { CallEvent } from '../../history/events.js';
import { jobBy, type Job } from '../cast/cases.js';
import type { Hypothesis, Place } from '../model/hypothesis.js';
import { SHORTEST_RETENTION_MS } from '../model/life.js';
import { ENDED } from '../model/zone.js';
import { countedSinceMs } from '../observed/session.js';
import { foresee } from '../observed/plan.js';
import { answerOf, idInPath, meantBy, submissionOf } from '../observed/reading.js';
import { howMany, whereDuring, type Census, type Sum } from './census.js';

/** A period shorter than the shortest retention would be no count at all. */
const COUNTED_FOR_MS = SHORTEST_RETENTION_MS;

const sinceMs = ({ call }: Census): number => (call.receivedMs ?? call.sentMs) - COUNTED_FOR_MS;

/** What has ended so of late, and is there. */
export function endedLately(place: Place): (census: Census) => Sum {
  return (census) => {
    const isLate = ({ zone }: Hypothesis): boolean => zone.earliest(ENDED) >= sinceMs(census);
    return howMany(census, [place], (job) => !census.scene.lifeOf(job).mustBe(isLate));
  };
}

/** What ever completed: one that is cancelled after its completion has completed all the same. */
export function everCompleted(census: Census): Sum {
  return howMany(census, ['completed', 'cancelled', 'gone'], (job) => hasNeverCompleted(census, job));
}

/** Whatever else is uncertain of it, it ended, and otherwise. */
function hasNeverCompleted({ scene }: Census, job: Job): boolean {
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

/** What ever failed. Whether cancelled and timed-out jobs count, and whether a retried one does still, is open. */
export function everFailed(census: Census): Sum {
  const hasNeverFailed = ({ place, goneFrom, runs }: Hypothesis): boolean =>
    (place === 'gone' ? goneFrom : place) === 'completed' && runs === 0;
  const ended = howMany(census, ['failed', 'timed-out', 'cancelled', 'purged', 'gone'], (job) =>
    census.scene.lifeOf(job).mustBe(hasNeverFailed),
  );
  return { least: 0, most: ended.most + retriesBefore(census).length };
}

function retriesBefore({ scene, call }: Census): readonly CallEvent[] {
  return scene.session.calls.filter(
    (one) =>
      meantBy(one) === 'retry' && one.sentTick < (call.endedTick ?? Infinity) && answerOf(one) !== 'refused',
  );
}

/** Null where something may have been retried, by a call or because its worker died. */
export function everRetried(census: Census): Sum | null {
  const { jobs, roll } = census.scene.cast;
  const mayCrash =
    jobs.some((job) => job.foreseen(0).outcome === 'crash' || job.foreseen(0).lastsMs === null) ||
    roll.ghosts.some(({ submitted }) => {
      const input = submissionOf(submitted)?.['input'];
      return input === undefined || foresee(input, null, false).outcome === 'crash';
    });
  return mayCrash || retriesBefore(census).length > 0 ? null : { least: 0, most: 0 };
}

/** One at least, where a job was certainly retried of late and can be read: the counter may leave out jobs that cannot. */
export function retriedLately(census: Census): Sum | null {
  const { scene, call } = census;
  const isCertain = (one: CallEvent): boolean => {
    const job = jobBy(scene.cast, idInPath(one));
    if (job === undefined || !scene.lifeOf(job).mustBe((at) => at.retries > 0)) return false;
    const where = whereDuring(scene, job, call);
    return typeof where !== 'string' && !(where.has('gone') || where.has('purged') || where.has('cancelled'));
  };
  const retried = scene.cast.roll
    .of('retry')
    .some(
      (one) =>
        answerOf(one) === 'ok' &&
        (one.endedTick ?? Infinity) < call.sentTick &&
        one.receivedMs! <= countedSinceMs(scene.session, call) &&
        one.sentMs >= sinceMs(census) &&
        isCertain(one),
    );
  return retried ? { least: 1, most: Infinity } : null;
}
