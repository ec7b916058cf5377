/** How the target answers what section 2.7 of the document leaves open. */
import type { CallEvent, Json } from '../../history/events.js';
import { HEALTH_JOB_COUNTERS, HEALTH_WORKER_COUNTERS } from '../../spec/operations.js';
import { precedes } from '../jobs/status-observations.js';
import { ABSENT, statesDuring } from '../counts/state-counts.js';
import { wasEndedByTimeout, type JobState } from '../model/hypothesis.js';
import { isAmbiguous, setOf, statesIn, type StateSet } from '../model/state-set.js';
import { SHORTEST_RETENTION_MS } from '../model/job-model.js';
import { ENDED } from '../model/zone.js';
import { answerOf, hasOtherMembers, isObject, recordOf } from '../observed/recorded-call.js';
import { countedSinceMs } from '../observed/session.js';
import { remembered, type JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { agreed, observedIn, onAnswer, onSession, type ObserversOf } from './observers.js';

export const OBSERVED_2_7 = {
  '2.7/other-fields': onAnswer(['health'], ({ record }) => {
    const { jobs, workers } = record;
    if (jobs === undefined && workers === undefined) return null;
    const isPlain = (part: Json | undefined): boolean =>
      !isObject(part) || !hasOtherMembers(part, HEALTH_FIELDS);
    return !hasOtherMembers(record, HEALTH_PARTS) && isPlain(jobs) && isPlain(workers) ? 'none' : 'some';
  }),
  '2.7/counters-window': onSession((context) =>
    countsOf(context).flatMap(({ reported: { completed: value }, ends: all }) => {
      const ends = all.filter(({ kind }) => kind === 'completed');
      const held = ends.filter(isHeld).length;
      const recent = typeof value === 'number' && value < held ? 'recent' : null;
      if (ends.length === held) return [recent];
      if (value === ends.length) return [recent, 'lifetime'];
      // The jobs kept may be the same as those that ended recently.
      return [recent, value === held && ends.some(({ now }) => now === 'held-long') ? 'retained' : null];
    }),
  ),
  '2.7/failed-includes-timed-out': onSession((context) => ofFailed(context, 'timedOut')),
  '2.7/failed-includes-cancelled': onSession((context) => ofFailed(context, 'cancelled')),
  '2.7/failed-after-retry': onSession((context) => ofFailed(context, 'afterRetry')),
  '2.7/retried-counts': onSession((context) =>
    countsOf(context).map(({ reported: { retried: value }, jobs, longAgoMs }) => {
      const retries = jobs.flatMap((job) => job.retries);
      const again = jobs.filter(({ crash }) => crash === 'redispatched').length;
      // If counters cover a period, a retry more than a minute ago may no longer count.
      if (retries.length === 0 || retries.some(({ sentMs }) => sentMs < longAgoMs)) return null;
      if (value === again && again !== retries.length) return 're-dispatches';
      const isOther = again !== retries.length && again > 0;
      if (value === retries.length && (isOther || jobs.some(({ crash }) => crash === 'failed')))
        return 'retry-calls';
      return value === retries.length + again && again > 0 ? 'both' : null;
    }),
  ),
  ...observedIn('counts', '2.7/workers-running-meaning', '2.7/workers-idle-meaning'),
} as const satisfies ObserversOf<'2.7'>;

const HEALTH_PARTS = new Set(['jobs', 'workers']);
const HEALTH_FIELDS: ReadonlySet<string> = new Set([...HEALTH_JOB_COUNTERS, ...HEALTH_WORKER_COUNTERS]);

interface End {
  /** How it ended; or its state while it waits or runs. */
  readonly kind: JobState;
  /** Undone by a retry; readable (`held-long`: ended more than a minute ago); or deleted. */
  readonly now: 'undone' | 'held' | 'held-long' | 'gone';
}

const JOBS_MAX = 50;

type Count = ReturnType<typeof countsOf>[number];

/** For each `/health` call: the counters and what there was to count, if certain for every job. */
const countsOf = remembered((context: JudgingContext) => {
  const { session, lives: all, callIndex } = context;
  const isKnown = session.fresh && context.has('dedicated') && callIndex.pendingSubmissions.length === 0;
  if (!isKnown || all.length > JOBS_MAX) return [];
  return callIndex.of('health').flatMap((call) => {
    if (answerOf(call) !== 'ok') return [];
    const reported = recordOf(call)?.['jobs'];
    const longAgoMs = countedSinceMs(session, call) - SHORTEST_RETENTION_MS;
    const jobs = all.flatMap((life) => counted(life, call, longAgoMs) ?? []);
    const ends = jobs.flatMap((job) => job.ends);
    const isCertain = jobs.length === all.length;
    return isCertain ? [{ reported: isObject(reported) ? reported : {}, jobs, ends, longAgoMs }] : [];
  });
});

/** What there was to count of a job: ends, retries that requeued it, and crashes. Null if uncertain. */
function counted(life: Life, call: CallEvent, longAgoMs: number) {
  const where = statesDuring(life, call);
  if (where === ABSENT) return { ends: [], retries: [], crash: null };
  const state = (where & ABSENT) !== 0 ? null : stateAt(life, where, call);
  if (state === null) return null;
  const ended = state === 'deleted' ? life.common(({ previousState }) => previousState) : state;
  const crash = crashOf(life, state);
  if (ended === null || ended === 'purged' || crash === 'unknown') return null;
  // It may count as cancelled or as timed out.
  if (ended === 'cancelled' && life.mayBe(wasEndedByTimeout)) return null;
  const ends: End[] = [];
  const retries = life.retries.filter((one) => !precedes(call, one));
  for (const retry of retries) {
    const kind = endBefore(life, retry);
    if (kind === null || !precedes(retry, call) || life.retryEffect(retry) !== 'requeued') return null;
    ends.push({ kind, now: 'undone' });
  }
  const held = life.mustBe(({ zone }) => zone.latest(ENDED) < longAgoMs) ? 'held-long' : 'held';
  ends.push({ kind: ended, now: state === 'deleted' ? 'gone' : held });
  return { ends, retries, crash };
}

/** A cancelled job may be deleted at any time, so the last read decides. */
function stateAt(life: Life, where: StateSet, call: CallEvent): JobState | null {
  if (!isAmbiguous(where)) return statesIn(where)[0] ?? null;
  const last = life.readBefore(call)?.observed;
  const mayBeForgotten = where === setOf(['cancelled', 'deleted']);
  return mayBeForgotten && last === 'CANCELLED' ? 'cancelled' : null;
}

/** How the run ended that the retry undid. */
function endBefore(life: Life, retry: CallEvent): 'failed' | 'timed-out' | null {
  const observed = life.readBefore(retry)?.observed;
  if (observed === 'TIMED_OUT') return 'timed-out';
  return observed === 'FAILED' && life.plan.outcome === 'error' ? 'failed' : null;
}

/** A plan for the second run shows whether there was one. */
function crashOf({ job, plan, isExplained }: Life, state: JobState) {
  if (plan.outcome !== 'crash' || state === 'queued') return null;
  if (job.predicted(1).outcome !== 'success' || job.retried || !isExplained) return 'unknown';
  return state === 'completed' ? 'redispatched' : state === 'failed' ? 'failed' : 'unknown';
}

const YES_NO = ['yes', 'no'] as const;

/** All ways to count `jobs.failed`. */
const WAYS = (['lifetime', 'retained'] as const).flatMap((window) =>
  YES_NO.flatMap((timedOut) =>
    YES_NO.flatMap((cancelled) =>
      (['stays', 'falls'] as const).map((afterRetry) => ({ window, timedOut, cancelled, afterRetry })),
    ),
  ),
);

type Way = (typeof WAYS)[number];

/** The common value of all ways that predict the reported counters; null if none was ruled out. */
function ofFailed<Member extends keyof Way>(context: JudgingContext, member: Member): Way[Member] | null {
  const counts = countsOf(context);
  if (counts.length === 0) return null;
  const left = WAYS.filter((way) => counts.every((count) => predicts(way, count)));
  return left.length < WAYS.length ? agreed(left, (way) => way[member]) : null;
}

const isHeld = ({ now }: End): boolean => now === 'held' || now === 'held-long';

function predicts(way: Way, { ends, reported }: Count): boolean {
  const inWindow = ends.filter((end) => way.window === 'lifetime' || isHeld(end));
  const failed = inWindow.filter(
    ({ kind, now }) =>
      (kind === 'failed' ||
        (kind === 'timed-out' && way.timedOut === 'yes') ||
        (kind === 'cancelled' && way.cancelled === 'yes')) &&
      !(now === 'undone' && way.afterRetry === 'falls'),
  );
  const completed = inWindow.filter(({ kind }) => kind === 'completed');
  return failed.length === reported['failed'] && completed.length === reported['completed'];
}
