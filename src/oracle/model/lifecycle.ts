/**
 * The life-cycle of a job as a table: sections 1, 2.2, 3, 4.1 and 4.2 of the document. What calls do to a job stands in
 * `lifecycle-calls.ts`.
 *
 * A job is in one state at a time, and timers move it on. A timer runs while the job is in certain states, counts from one
 * instant of the job's life, and has two bounds, each of which belongs to a requirement:
 *
 * - `tooLate`: the job does not stay in these states for longer than `mostMs`, lateness allowed. A job that is seen there later
 *   breaks it, and so does one that moves on later, wherever it goes.
 * - `tooEarly`: the timer does not move the job before `leastMs`.
 *
 * `moves.ts` reads all bounds from here, to rule out what they forbid and to name what was broken. Of the requirements of a
 * bound the first that applies to the job is meant.
 *
 * `decides` lists what a look decides in the target's favour, where the conditions hold in every way in which the job's life
 * can have come about: a timer was over for certain, and the job was gone; or it was nearly over, and the job still there.
 * `decide.ts` reads them.
 */
import {
  DAY_MS,
  EXECUTION_TIMEOUT_DEFAULT_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
} from '../../spec/limits.js';
import type { RequirementId } from '../../spec/index.js';
import { isOverrun, PLACES, RECORDED, type Hypothesis, type Place } from './hypothesis.js';
import { CRASH_NOTICED_MS, startsByMs, UNSUCCESSFUL_KEPT_MS, type Life } from './life.js';
import {
  and,
  askedMs,
  endsInError as isForeseenToFail,
  every,
  hasNewTtl,
  hasOverrun,
  hasTimeout,
  hasWait,
  hasWorkerInTime,
  isFirstRun,
  isForeseen,
  isNear,
  isOver,
  isRemoved,
  isRetried,
  isSync,
  needs,
  not,
  planOf,
  ranFor,
  ranNearTimeout,
  sinceMs,
  waitedAtLeastMs,
  wasBefore,
  wasIn,
  wasSeenEnded,
  wasSeenUnended,
  type Condition,
  type Look,
} from './look.js';
import type { Timer, Variant } from './rows.js';
import { ENDED, LIFE, QUEUED, STARTED, SUBMITTED, ZERO } from './zone.js';

const wasRetried = (_: Life, { retries }: Hypothesis): boolean => retries > 0;
const isRunsync = ({ sync }: Life): boolean => sync;
const hasNoTtl = ({ ttlGiven }: Life): boolean => !ttlGiven;
const hasNoTimeout = ({ executionGiven }: Life): boolean => !executionGiven;
const outcomeOf = (life: Life, { runs }: Hypothesis): string => life.foreseen(runs).outcome;
const isCrashed = (life: Life, at: Hypothesis): boolean => outcomeOf(life, at) === 'crash' || at.runs > 0;
const endsInError = (life: Life, at: Hypothesis): boolean =>
  outcomeOf(life, at) === 'error' || outcomeOf(life, at) === 'crash';

/** Nothing else has deleted it: how long a job that did not complete is kept is open, so whatever did, its ttl had to. */
const endedByTtl: Condition = (at) =>
  isRemoved(at) &&
  (isOverrun(at) || at.goneBy === 'ttl' || at.goneFrom === 'failed' || at.goneFrom === 'timed-out');
const endedByRetention: Condition = ({ goneBy, goneFrom }) =>
  goneBy === 'retention' && goneFrom === 'completed';
/** The ttl of its submission struck while it ran. */
const wasStopped = and(not(hasNewTtl), wasIn('progress'));
const ttlMs = ({ terms }: Hypothesis): number | null => terms.ttlMs;
const executionMs = ({ terms }: Hypothesis): number | null => terms.executionMs;
const keptAtLeastMs = ({ terms }: Hypothesis): number => terms.keptAtLeastMs;
const keptAtMostMs = ({ terms }: Hypothesis): number => terms.keptAtMostMs;
export const isTtlOver = isOver(LIFE, ttlMs);
export const isRetentionOver = isOver(ENDED, keptAtMostMs);
const lastsMs = (at: Hypothesis, look: Look): number | null => planOf(at, look).lastsMs;
const hasLongTimeout: Condition = ({ terms }) =>
  (terms.executionMs ?? Infinity) > EXECUTION_TIMEOUT_DEFAULT_MS;
const waitedAndRanBeyondTimeout: Condition = (at, look) =>
  waitedAtLeastMs(at) + lastsMs(at, look)! > (at.terms.executionMs ?? Infinity) + look.ctx.graceMax;
const wasThereBefore: Condition = ({ place }, { before }) => every(before, (at) => at.place === place);
/** All workers are busy just now, and were when it came. */
const waitsForWorker: Condition = (_, { job, op }) => {
  const { notBeforeMs } = job.life.startWindow;
  return op.fromMs <= notBeforeMs && notBeforeMs > job.submittedByMs;
};
/** It has a longer ttl than its submission gave it, and is there although that one was over. */
const outlivesGivenTtl: Condition = ({ terms }, { ctx, job, op }) => {
  const givenMs = job.terms[0]?.ttlMs ?? Infinity;
  return (terms.ttlMs ?? 0) > givenMs && op.fromMs > job.submittedByMs + givenMs + ctx.graceAt(op.fromMs);
};

/** The whole life of a job, from its submission to the deletion of its record. */
export const TTL: Timer = {
  name: 'ttl',
  section: '2.2',
  runsIn: RECORDED,
  leadsTo: ['gone'],
  since: LIFE,
  leastMs: ttlMs,
  mostMs: ttlMs,
  tooLate: [
    { id: '2.2/ttl-default-removes', if: hasNoTtl },
    { id: '2.2/ttl-removes-queued', in: ['queue'] },
    { id: '2.2/ttl-removes-running', in: ['progress'] },
    { id: '2.2/ttl-removes-completed', in: ['completed'] },
    { id: '2.2/ttl-removes-failed', in: ['failed'] },
    { id: '2.2/ttl-removes-timed-out', in: ['timed-out'] },
    { id: '2.2/ttl-removes-cancelled', in: ['cancelled', 'purged'] },
  ],
  tooEarly: [
    { id: '2.2/ttl-default-not-early', in: ['queue', 'progress'], if: hasNoTtl },
    { id: '2.2/ttl-not-early-queued', in: ['queue'] },
    { id: '2.2/ttl-not-early-running', in: ['progress'] },
    { id: '2.2/ttl-not-early-completed', in: ['completed', 'failed', 'timed-out', 'cancelled', 'purged'] },
  ],
  decides: [
    {
      notFound: ['gone', 'cancelled'],
      if: and(endedByTtl, isTtlOver),
      ids: [
        ['tooLate', not(hasNewTtl)],
        ['4.3/ttl-shortens-life', hasNewTtl],
        ['2.2/ttl-removes-runsync', isSync],
        ['2.2/ttl-removes-retried', isRetried],
        ['2.2/ttl-removes-cancelled', wasIn('cancelled')],
        ['2.2/ttl-stays-gone', wasBefore(isRemoved)],
        ['2.2/ttl-max-enforced', (_, look) => askedMs(look, 'ttl') > TTL_MAX_MS],
        ['2.2/ttl-not-restarted-by-reading', wasSeenUnended],
        ['2.2/ttl-not-restarted-by-completion', and(not(hasNewTtl), wasIn('completed'))],
        ['2.2/ttl-wins-over-completion', and(wasStopped, isOver(STARTED, lastsMs))],
        [
          '2.2/ttl-ends-before-execution-timeout',
          and(wasStopped, ({ terms }) => terms.ttlMs! < (terms.executionMs ?? 0)),
        ],
        [
          '2.2/ttl-starts-at-submission',
          and(wasStopped, (at, { ctx, op }) => waitedAtLeastMs(at) > ctx.graceAt(op.fromMs)),
        ],
        [
          '2.2/ttl-seven-days-two-queued',
          and(wasStopped, (at) => waitedAtLeastMs(at) >= 2 * DAY_MS && at.terms.ttlMs === 7 * DAY_MS),
        ],
      ],
    },
    {
      notFound: ['cancelled'],
      if: and(not(hasOverrun), isTtlOver),
      ids: [['2.2/ttl-removes-cancelled']],
    },
    {
      shown: RECORDED,
      if: isNear(LIFE, ttlMs),
      ids: [['tooEarly'], ['4.3/ttl-not-at-once', hasNewTtl], ['4.3/ttl-lengthens-life', outlivesGivenTtl]],
    },
    {
      shown: RECORDED,
      if: (at, look) => sinceMs(at, look, LIFE) > askedMs(look, 'ttl') + look.ctx.graceAt(look.op.fromMs),
      ids: [['2.2/ttl-min-enforced', (_, look) => askedMs(look, 'ttl') < TTL_MIN_MS]],
    },
    { shown: ['completed'], if: needs(TTL_DEFAULT_MS), ids: [['2.2/outlives-default']] },
  ],
  words: { since: 'submitted', length: 'ttl', over: 'gone by', still: 'it was still there' },
};

/** The requirement of the ttl that a job in this state keeps or breaks. */
export function ttlRequirement(bound: 'tooLate' | 'tooEarly', life: Life, place: Place): RequirementId {
  const isMeant = (one: Variant): boolean =>
    (one.in?.includes(place) ?? true) && (one.if !== hasNoTtl || hasNoTtl(life));
  return TTL[bound].find(isMeant)!.id;
}

/** How long a run may last; its end is told as TIMED_OUT, FAILED or CANCELLED: which of them is open. */
export const EXECUTION_TIMEOUT: Timer = {
  name: 'executionTimeout',
  section: '2.2',
  runsIn: ['progress'],
  leadsTo: ['timed-out'],
  since: STARTED,
  // Whether runs before a retry count is open.
  leastMs: ({ terms, spentMs }) => Math.max(0, terms.executionLeastMs - spentMs),
  mostMs: executionMs,
  tooLate: [
    { id: '2.2/execution-timeout-default-enforced', if: hasNoTimeout },
    { id: '4.6/keeps-policy', if: wasRetried },
    { id: '2.2/execution-timeout-stops-runsync', if: isRunsync },
    { id: '2.2/execution-timeout-stops-run' },
  ],
  tooEarly: [
    { id: '2.2/execution-timeout-default-not-early', if: hasNoTimeout },
    { id: '2.2/execution-timeout-not-early' },
  ],
  decides: [
    {
      shown: ['timed-out', 'cancelled'],
      if: hasOverrun,
      ids: [
        ['tooLate', hasTimeout],
        [
          '2.2/execution-timeout-max-enforced',
          (_, look) => askedMs(look, 'executionTimeout') > EXECUTION_TIMEOUT_MAX_MS,
        ],
      ],
    },
    { shown: ['queue'], ids: [['2.2/execution-timeout-not-in-queue', isOver(QUEUED, executionMs)]] },
    {
      shown: ['progress'],
      ids: [
        ['tooEarly', ranNearTimeout],
        [
          '2.2/execution-timeout-long-run',
          and(
            hasLongTimeout,
            ranFor(() => EXECUTION_TIMEOUT_DEFAULT_MS),
          ),
        ],
        ['2.2/execution-timeout-full-after-queue', isOver(QUEUED, executionMs)],
      ],
    },
    {
      shown: ['completed'],
      if: isForeseen,
      ids: [
        ['tooEarly', ranNearTimeout],
        ['2.2/execution-timeout-long-run', needs(EXECUTION_TIMEOUT_DEFAULT_MS)],
        ['2.2/execution-timeout-full-after-queue', waitedAndRanBeyondTimeout],
      ],
    },
    {
      shown: ['completed', 'failed'],
      if: wasThereBefore,
      ids: [['2.2/execution-timeout-not-after-end', isOver(STARTED, executionMs)]],
    },
    {
      shown: ['progress', 'completed', 'timed-out'],
      if: (_, look) => askedMs(look, 'executionTimeout') < EXECUTION_TIMEOUT_MIN_MS,
      ids: [['2.2/execution-timeout-min-enforced', ranFor((look) => askedMs(look, 'executionTimeout'))]],
    },
  ],
  words: {
    since: 'started',
    length: 'executionTimeout',
    over: 'not running after',
    still: 'it was IN_PROGRESS',
  },
};

/** However often it is given to another worker: a job whose workers all die fails in the end, their work aside. */
const DYING_MAX_MS = 3_600_000;

/** A job that each worker that took it has died of. */
const CRASH: Timer = {
  name: 'crash',
  section: '3',
  runsIn: ['queue', 'progress'],
  leadsTo: ['failed'],
  since: ZERO,
  leastMs: () => null,
  mostMs(at, life, _, seenMs) {
    const isDying =
      at.place === 'queue' ? at.runs > at.retries : outcomeOf(life, at) === 'crash' && at.runs > 0;
    if (!isDying || seenMs === null) return null;
    // Seen running or not: where a worker was certainly free, one took it.
    const first = at.evidence.firstStarted?.receivedMs ?? (at.retries === 0 ? life.startWindow.byMs : null);
    // Without a worker it waits for one, however long.
    const waits = at.place === 'queue' && life.startWindow.startsBy(seenMs - DYING_MAX_MS) > seenMs;
    if (first === null || waits) return null;
    return first + (at.runs + 1) * (life.foreseen(0).lastsMs ?? 0) + DYING_MAX_MS;
  },
  tooLate: [{ id: '3/worker-crash-fails' }],
  tooEarly: [],
  decides: [],
  words: {
    since: 'each worker that took it died, so that it had to end by',
    length: '',
    over: '',
    still: 'it had not ended',
  },
};

/** The work itself, as far as the worker's plan is known. An output that is too large for a service is a success of the handler all the same. */
export const HANDLER: Timer = {
  name: 'handler',
  section: '3',
  runsIn: ['progress'],
  leadsTo: ['completed', 'failed'],
  since: STARTED,
  leastMs: (at, life) => finite(life.foreseen(at.runs).lastsMs),
  mostMs(at, life) {
    const { lastsMs, outcome } = life.foreseen(at.runs);
    const endsMs = finite(lastsMs);
    return endsMs === null ? null : endsMs + (outcome === 'crash' ? CRASH_NOTICED_MS : 0);
  },
  sleeps: (at, life) => life.foreseen(at.runs).sleeps,
  tooLate: [
    { id: '4.6/retried-job-runs', if: wasRetried },
    { id: '3/worker-crash-fails', if: isCrashed },
    { id: '3/handler-error-fails-runsync', if: (life, at) => endsInError(life, at) && life.sync },
    { id: '3/handler-error-fails-run', if: endsInError },
    { id: '3/success-completes-runsync', if: isRunsync },
    { id: '3/success-completes-run' },
  ],
  tooEarly: [{ id: '4.6/retried-job-runs', if: wasRetried }, { id: '3/not-completed-before-handler-ends' }],
  decides: [
    { shown: ['progress'], ids: [['3/not-completed-before-handler-ends']] },
    { shown: ['completed'], if: isForeseen, ids: [['tooLate'], ['4.6/keeps-input', isRetried]] },
    { shown: ['failed'], if: and(isForeseen, isForeseenToFail), ids: [['tooLate']] },
  ],
  words: {
    since: 'started',
    length: 'the worker needs',
    over: 'not running after',
    still: 'it was IN_PROGRESS',
  },
};

const finite = (ms: number | null): number | null => (ms === Infinity ? null : ms);

/** A worker that is free takes the job; where all are busy it waits. */
const WORKER: Timer = {
  name: 'worker',
  section: '1',
  runsIn: ['queue'],
  leadsTo: ['progress'],
  since: ZERO,
  leastMs: ({ runs }, { startWindow }) => (runs > 0 ? null : startWindow.notBeforeMs),
  mostMs: (at, life, zone) => startsByMs(life, at, zone),
  tooLate: [
    { id: '2.2/low-priority-job-runs', if: ({ lowPriority }) => lowPriority },
    { id: '1/free-worker-takes-job', if: ({ startWindow }) => startWindow.atOnce },
    { id: '1/freed-worker-takes-waiting-job' },
  ],
  tooEarly: [{ id: '1/waits-when-no-worker-free' }],
  decides: [
    {
      shown: ['queue'],
      ids: [
        ['3/submission-starts-in-queue', not(isRetried)],
        ['tooEarly', and(isFirstRun, waitsForWorker)],
      ],
    },
    {
      shown: ['progress'],
      ids: [
        ['3/start-moves-to-in-progress'],
        ['3/no-return-to-queue', wasThereBefore],
        ['tooLate', and(isFirstRun, hasWorkerInTime)],
        ['1/no-more-jobs-in-progress-than-workers', isFirstRun],
      ],
    },
    {
      shown: ['completed', 'failed', 'timed-out'],
      if: hasWorkerInTime,
      ids: [['1/every-job-is-processed']],
    },
  ],
  words: {
    since: 'a worker was certainly free, so that it had to start by',
    length: '',
    over: '',
    still: 'it was IN_QUEUE',
  },
};

/** How long the record of a completed job can be read. */
const RETENTION: Timer = {
  name: 'retention',
  section: '4.1, 4.2',
  runsIn: ['completed'],
  leadsTo: ['gone'],
  since: ENDED,
  leastMs: keptAtLeastMs,
  mostMs: keptAtMostMs,
  tooLate: [
    { id: '4.2/retention-gone', if: ({ sync }) => !sync },
    { id: '4.1/retention-with-wait-gone', if: ({ waitGiven }) => waitGiven },
    { id: '4.1/retention-gone' },
  ],
  tooEarly: [{ id: '4.1/retention-kept', if: isRunsync }, { id: '4.2/retention-kept' }],
  decides: [
    {
      notFound: ['gone'],
      if: and(endedByRetention, isRetentionOver),
      ids: [
        ['tooLate'],
        ['4.1/retention-not-restarted-by-reading', and(isSync, wasSeenEnded)],
        ['4.2/retention-not-restarted-by-reading', and(not(isSync), wasSeenEnded)],
      ],
    },
    {
      shown: ['completed'],
      if: isNear(ENDED, keptAtLeastMs),
      ids: [
        ['tooEarly'],
        ['4.1/wait-does-not-shorten-retention', and(isSync, hasWait)],
        ['4.1/retention-after-retry', and(isSync, isRetried)],
        ['4.2/retention-after-retry', and(not(isSync), isRetried)],
      ],
    },
    {
      shown: ['completed'],
      // What counts from the submission would be over by now.
      if: isOver(SUBMITTED, keptAtLeastMs),
      ids: [
        ['4.1/retention-from-completion', isSync],
        ['4.2/retention-from-completion', not(isSync)],
      ],
    },
    { shown: ['completed'], if: wasThereBefore, ids: [['3/completed-stays']] },
  ],
  words: { since: 'ended', length: 'kept for', over: 'gone by', still: 'its result was still readable' },
};

/** How long any other record can be read is open; a `/retry` that follows at once finds the job. */
const UNSUCCESSFUL_RETENTION: Timer = {
  name: 'retention of an unsuccessful job',
  section: '3',
  runsIn: ['failed', 'timed-out'],
  leadsTo: ['gone'],
  since: ENDED,
  leastMs: () => UNSUCCESSFUL_KEPT_MS,
  mostMs: () => null,
  tooLate: [],
  tooEarly: [
    { id: '3/failed-stays', in: ['failed'] },
    { id: '3/timed-out-stays', in: ['timed-out'] },
  ],
  decides: [{ shown: ['failed', 'timed-out'], if: wasThereBefore, ids: [['tooEarly']] }],
  words: RETENTION.words,
};

/** What is cancelled or purged may be deleted at any time. */
const NO_RETENTION: Timer = {
  ...UNSUCCESSFUL_RETENTION,
  name: 'retention of a cancelled job',
  runsIn: ['cancelled', 'purged'],
  leastMs: () => null,
  tooEarly: [],
  decides: [],
};

/** In the order in which they are looked at. */
export const TIMERS: readonly Timer[] = [
  TTL,
  EXECUTION_TIMEOUT,
  CRASH,
  HANDLER,
  WORKER,
  RETENTION,
  UNSUCCESSFUL_RETENTION,
  NO_RETENTION,
];

/** By the states that they run in. */
export const RUNNING: ReadonlyMap<Place, readonly Timer[]> = new Map(
  PLACES.map((place) => [place, TIMERS.filter(({ runsIn }) => runsIn.includes(place))]),
);

/** When a worker has to take a job follows from the lives of other jobs. */
export const isOfWorker = (of: RequirementId): boolean =>
  [...WORKER.tooLate, ...WORKER.tooEarly].some(({ id }) => id === of);

const idsOfEarly = (timers: readonly Timer[]): ReadonlySet<RequirementId> =>
  new Set(timers.flatMap(({ tooEarly }) => tooEarly.map(({ id }) => id)));

const OF_EARLY_DELETION = idsOfEarly(TIMERS.filter(({ leadsTo }) => leadsTo.includes('gone')));
const OF_RETENTION = idsOfEarly([RETENTION, UNSUCCESSFUL_RETENTION]);

/** By which a job is not deleted yet. */
export const isOfEarlyDeletion = (id: RequirementId): boolean => OF_EARLY_DELETION.has(id);

/** By which a job that has ended is kept for a time. */
export const isOfRetention = (id: RequirementId): boolean => OF_RETENTION.has(id);
