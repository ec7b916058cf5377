/**
 * The life-cycle of a job as a table of timers: sections 1, 2.2, 3, 4.1 and 4.2 of the document. The
 * effects of calls are in `lifecycle-calls.ts`.
 *
 * The life-cycle is a timed automaton. A job is in one state at a time; a timer runs while the job is in
 * certain states, counts from one instant of its life, and takes it to another state. Each timer has two
 * bounds, and each bound belongs to a requirement:
 *
 * - `tooLate`, the upper bound, is a state invariant: the job stays in these states for at most `mostMs`,
 *   plus the allowed lateness. Both a job that is observed there later and one that leaves later, to
 *   whatever state, violate it.
 * - `tooEarly`, the lower bound, is a guard: the timer does not fire before `leastMs`.
 *
 * If a bound lists several requirements, the first that applies to the job is the one in question.
 * `timer-bounds.ts` applies the bounds, both to exclude behaviour and to name the requirement that
 * was violated.
 *
 * `decides` lists what an observation decides in the target's favour if the conditions hold in every
 * hypothesis: a timer had certainly expired and the job was gone, or it had almost expired and the job was
 * still there. `decide.ts` reads these rows.
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
import {
  wasEndedByTimeout,
  JOB_STATES,
  STATES_WITH_RECORD,
  type Hypothesis,
  type JobState,
} from './hypothesis.js';
import { CRASH_NOTICED_MS, latestStartMs, UNSUCCESSFUL_KEPT_MS, type JobModel } from './job-model.js';
import {
  and,
  areAllIn,
  requestedMs,
  endsInError as isPredictedToFail,
  hasNewTtl,
  hasTimedOut,
  hasTimeout,
  hasWait,
  hasWorkerInTime,
  isFirstRun,
  isPredictable,
  isNear,
  isOver,
  isDeletedOrTimedOut,
  isRetried,
  isSync,
  runsLongerThan,
  not,
  predictionOf,
  hasRunLongerThan,
  ranNearTimeout,
  sinceMs,
  waitedAtLeastMs,
  wasBefore,
  wasIn,
  wasObservedEnded,
  wasObservedLive,
  type Condition,
  type StepContext,
} from './conditions.js';
import type { Timer, Variant } from './lifecycle-rows.js';
import { ENDED, TTL_START, QUEUED, STARTED, SUBMITTED, ZERO } from './zone.js';

const wasRetried = (_: JobModel, { retries }: Hypothesis): boolean => retries > 0;
const isRunsync = ({ sync }: JobModel): boolean => sync;
const hasNoTtl = ({ ttlGiven }: JobModel): boolean => !ttlGiven;
const hasNoTimeout = ({ executionGiven }: JobModel): boolean => !executionGiven;
const outcomeOf = (model: JobModel, { runs }: Hypothesis): string => model.predicted(runs).outcome;
const isCrashed = (model: JobModel, at: Hypothesis): boolean =>
  outcomeOf(model, at) === 'crash' || at.runs > 0;
const endsInError = (model: JobModel, at: Hypothesis): boolean =>
  outcomeOf(model, at) === 'error' || outcomeOf(model, at) === 'crash';

/**
 * Only the ttl can have deleted it. The retention of an unsuccessful job is open, so that the ttl bounds it
 * in any case.
 */
const endedByTtl: Condition = (at) =>
  isDeletedOrTimedOut(at) &&
  (wasEndedByTimeout(at) ||
    at.deletedBy === 'ttl' ||
    at.previousState === 'failed' ||
    at.previousState === 'timed-out');
const endedByRetention: Condition = ({ deletedBy, previousState }) =>
  deletedBy === 'retention' && previousState === 'completed';
/** The ttl of its submission expired while it ran. */
const wasStopped = and(not(hasNewTtl), wasIn('running'));
const ttlMs = ({ policy }: Hypothesis): number | null => policy.ttlMs;
const executionMs = ({ policy }: Hypothesis): number | null => policy.executionMs;
const keptAtLeastMs = ({ policy }: Hypothesis): number => policy.keptAtLeastMs;
const keptAtMostMs = ({ policy }: Hypothesis): number => policy.keptAtMostMs;
export const isTtlOver = isOver(TTL_START, ttlMs);
export const isRetentionOver = isOver(ENDED, keptAtMostMs);
const durationMs = (at: Hypothesis, step: StepContext): number | null => predictionOf(at, step).durationMs;
const hasLongTimeout: Condition = ({ policy }) =>
  (policy.executionMs ?? Infinity) > EXECUTION_TIMEOUT_DEFAULT_MS;
/** Its run continued after its `executionTimeout` would have stopped it if its time in the queue counted. */
const ranBeyondTimeoutFromQueue: Condition = (at, step) => {
  const isRunning = at.state === 'running';
  const ranMs = isRunning ? sinceMs(at, step, STARTED) : (durationMs(at, step) ?? 0);
  const lastedMs = isRunning ? sinceMs(at, step, QUEUED) : waitedAtLeastMs(at) + ranMs;
  return Math.min(ranMs, lastedMs - (at.policy.executionMs ?? Infinity)) > step.rules.graceMax;
};
const wasThereBefore: Condition = ({ state }, { before }) => areAllIn(before, state);
/** All workers are busy now, and were when it was submitted. */
const waitsForWorker: Condition = (_, { job, op }) => {
  const { notBeforeMs } = job.model.startWindow;
  return op.fromMs <= notBeforeMs && notBeforeMs > job.submittedByMs;
};
/** It has a longer ttl than its submission gave it, and exists although the original one has expired. */
const outlivesGivenTtl: Condition = ({ policy }, { rules, job, op }) => {
  const givenMs = job.policies[0]?.ttlMs ?? Infinity;
  return (policy.ttlMs ?? 0) > givenMs && op.fromMs > job.submittedByMs + givenMs + rules.graceAt(op.fromMs);
};

/** The lifespan of a job, from its submission to the deletion of its record. */
const TTL: Timer = {
  name: 'ttl',
  section: '2.2',
  runsIn: STATES_WITH_RECORD,
  leadsTo: ['deleted'],
  since: TTL_START,
  leastMs: ttlMs,
  mostMs: ttlMs,
  tooLate: [
    { id: '2.2/ttl-default-removes', if: hasNoTtl },
    { id: '2.2/ttl-removes-retried', if: wasRetried },
    { id: '2.2/ttl-removes-queued', in: ['queued'] },
    { id: '2.2/ttl-removes-running', in: ['running'] },
    { id: '2.2/ttl-removes-completed', in: ['completed'] },
    { id: '2.2/ttl-removes-failed', in: ['failed'] },
    { id: '2.2/ttl-removes-timed-out', in: ['timed-out'] },
    { id: '2.2/ttl-removes-cancelled', in: ['cancelled', 'purged'] },
  ],
  tooEarly: [
    { id: '2.2/ttl-default-not-early', in: ['queued', 'running'], if: hasNoTtl },
    { id: '2.2/ttl-not-early-queued', in: ['queued'] },
    { id: '2.2/ttl-not-early-running', in: ['running'] },
    { id: '2.2/ttl-not-early-completed', in: ['completed', 'failed', 'timed-out', 'cancelled', 'purged'] },
  ],
  decides: [
    {
      notFound: ['deleted', 'cancelled'],
      if: and(endedByTtl, isTtlOver),
      ids: [
        ['tooLate', not(hasNewTtl)],
        ['4.3/ttl-shortens-life', hasNewTtl],
        ['2.2/ttl-removes-runsync', isSync],
        ['2.2/ttl-removes-retried', isRetried],
        ['2.2/ttl-removes-cancelled', wasIn('cancelled')],
        ['2.2/ttl-stays-gone', wasBefore(isDeletedOrTimedOut)],
        ['2.2/ttl-max-enforced', (_, step) => requestedMs(step, 'ttl') > TTL_MAX_MS],
        ['2.2/ttl-not-restarted-by-reading', wasObservedLive],
        ['2.2/ttl-not-restarted-by-completion', and(not(hasNewTtl), wasIn('completed'))],
        ['2.2/ttl-wins-over-completion', and(wasStopped, isOver(STARTED, durationMs))],
        [
          '2.2/ttl-ends-before-execution-timeout',
          and(wasStopped, ({ policy }) => policy.ttlMs! < (policy.executionMs ?? 0)),
        ],
        [
          '2.2/ttl-starts-at-submission',
          and(wasStopped, (at, { rules, op }) => waitedAtLeastMs(at) > rules.graceAt(op.fromMs)),
        ],
        [
          '2.2/ttl-seven-days-two-queued',
          and(wasStopped, (at) => waitedAtLeastMs(at) >= 2 * DAY_MS && at.policy.ttlMs === 7 * DAY_MS),
        ],
      ],
    },
    {
      notFound: ['cancelled'],
      if: and(not(hasTimedOut), isTtlOver),
      ids: [['2.2/ttl-removes-cancelled']],
    },
    {
      shown: STATES_WITH_RECORD,
      if: isNear(TTL_START, ttlMs),
      ids: [['tooEarly'], ['4.3/ttl-not-at-once', hasNewTtl], ['4.3/ttl-lengthens-life', outlivesGivenTtl]],
    },
    {
      shown: STATES_WITH_RECORD,
      if: (at, step) =>
        sinceMs(at, step, TTL_START) > requestedMs(step, 'ttl') + step.rules.graceAt(step.op.fromMs),
      ids: [['2.2/ttl-min-enforced', (_, step) => requestedMs(step, 'ttl') < TTL_MIN_MS]],
    },
    { shown: ['completed'], if: runsLongerThan(TTL_DEFAULT_MS), ids: [['2.2/outlives-default']] },
  ],
  // By the submission, or by a later /status?ttl=.
  wording: { since: 'ttl set', length: 'ttl', over: 'must be deleted by', still: 'it was still there' },
};

/** The requirement of the ttl that applies to a job in this state. */
export function ttlRequirement(
  bound: 'tooLate' | 'tooEarly',
  model: JobModel,
  state: JobState,
): RequirementId {
  const isMeant = (one: Variant): boolean =>
    (one.in?.includes(state) ?? true) && (one.if === undefined || (one.if === hasNoTtl && hasNoTtl(model)));
  return TTL[bound].find(isMeant)!.id;
}

/** How long a run may last. It is open whether the job is then TIMED_OUT, FAILED or CANCELLED. */
export const EXECUTION_TIMEOUT: Timer = {
  name: 'executionTimeout',
  section: '2.2',
  runsIn: ['running'],
  leadsTo: ['timed-out'],
  since: STARTED,
  // Whether runs before a retry count is open.
  leastMs: ({ policy, priorRunsMs }) => Math.max(0, policy.executionLeastMs - priorRunsMs),
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
      if: hasTimedOut,
      ids: [
        ['tooLate', hasTimeout],
        [
          '2.2/execution-timeout-max-enforced',
          (_, step) => requestedMs(step, 'executionTimeout') > EXECUTION_TIMEOUT_MAX_MS,
        ],
      ],
    },
    { shown: ['queued'], ids: [['2.2/execution-timeout-not-in-queue', isOver(QUEUED, executionMs)]] },
    {
      shown: ['running'],
      ids: [
        ['tooEarly', ranNearTimeout],
        [
          '2.2/execution-timeout-long-run',
          and(
            hasLongTimeout,
            hasRunLongerThan(() => EXECUTION_TIMEOUT_DEFAULT_MS),
          ),
        ],
        ['2.2/execution-timeout-full-after-queue', ranBeyondTimeoutFromQueue],
      ],
    },
    {
      shown: ['completed'],
      if: isPredictable,
      ids: [
        ['tooEarly', ranNearTimeout],
        ['2.2/execution-timeout-long-run', runsLongerThan(EXECUTION_TIMEOUT_DEFAULT_MS)],
        ['2.2/execution-timeout-full-after-queue', ranBeyondTimeoutFromQueue],
      ],
    },
    {
      shown: ['completed', 'failed'],
      if: wasThereBefore,
      ids: [['2.2/execution-timeout-not-after-end', isOver(STARTED, executionMs)]],
    },
    {
      shown: ['running', 'completed', 'timed-out'],
      if: (_, step) => requestedMs(step, 'executionTimeout') < EXECUTION_TIMEOUT_MIN_MS,
      ids: [
        [
          '2.2/execution-timeout-min-enforced',
          hasRunLongerThan((step) => requestedMs(step, 'executionTimeout')),
        ],
      ],
    },
  ],
  wording: {
    since: 'started',
    length: 'executionTimeout',
    over: 'must have ended by',
    still: 'it was IN_PROGRESS',
  },
};

/**
 * However often it is dispatched again, a job that crashes every worker fails in the end; run time not
 * included.
 */
const DYING_MAX_MS = 3_600_000;

/** A job that has crashed every worker that took it. */
const CRASH: Timer = {
  name: 'crash',
  section: '3',
  runsIn: ['queued', 'running'],
  leadsTo: ['failed'],
  since: ZERO,
  leastMs: () => null,
  mostMs(at, model, _, seenMs) {
    const isDying =
      at.state === 'queued' ? at.runs > at.retries : outcomeOf(model, at) === 'crash' && at.runs > 0;
    if (!isDying || seenMs === null) return null;
    // Even if it was never seen running: where a worker was certainly free, one took it.
    const first =
      at.milestones.firstStarted?.receivedMs ?? (at.retries === 0 ? model.startWindow.byMs : null);
    // Without a free worker it waits for one, for any time.
    const waits = at.state === 'queued' && model.startWindow.startsBy(seenMs - DYING_MAX_MS) > seenMs;
    if (first === null || waits) return null;
    return first + (at.runs + 1) * (model.predicted(0).durationMs ?? 0) + DYING_MAX_MS;
  },
  tooLate: [{ id: '3/worker-crash-fails' }],
  tooEarly: [],
  decides: [],
  wording: {
    since: 'every worker that took it crashed, so it had to end by',
    length: '',
    over: '',
    still: 'it had not ended',
  },
};

/**
 * The work itself, as far as it can be predicted. A handler with an output that is too large for the
 * service still succeeds.
 */
export const HANDLER: Timer = {
  name: 'handler',
  section: '3',
  runsIn: ['running'],
  leadsTo: ['completed', 'failed'],
  since: STARTED,
  leastMs: (at, model) => finite(model.predicted(at.runs).durationMs),
  mostMs(at, model) {
    const { durationMs, outcome } = model.predicted(at.runs);
    const endsMs = finite(durationMs);
    return endsMs === null ? null : endsMs + (outcome === 'crash' ? CRASH_NOTICED_MS : 0);
  },
  sleeps: (at, model) => model.predicted(at.runs).sleeps,
  tooLate: [
    { id: '4.6/retried-job-runs', if: wasRetried },
    { id: '3/worker-crash-fails', if: isCrashed },
    { id: '3/handler-error-fails-runsync', if: (model, at) => endsInError(model, at) && model.sync },
    { id: '3/handler-error-fails-run', if: endsInError },
    { id: '3/success-completes-runsync', if: isRunsync },
    { id: '3/success-completes-run' },
  ],
  tooEarly: [{ id: '4.6/retried-job-runs', if: wasRetried }, { id: '3/not-completed-before-handler-ends' }],
  decides: [
    { shown: ['running'], ids: [['3/not-completed-before-handler-ends']] },
    { shown: ['completed'], if: isPredictable, ids: [['tooLate'], ['4.6/keeps-input', isRetried]] },
    { shown: ['failed'], if: and(isPredictable, isPredictedToFail), ids: [['tooLate']] },
  ],
  wording: {
    since: 'started',
    length: 'the worker needs',
    over: 'must have ended by',
    still: 'it was IN_PROGRESS',
  },
};

const finite = (ms: number | null): number | null => (ms === Infinity ? null : ms);

/** A free worker takes the job; while all are busy it waits. */
const WORKER: Timer = {
  name: 'worker',
  section: '1',
  runsIn: ['queued'],
  leadsTo: ['running'],
  since: ZERO,
  leastMs: ({ runs }, { startWindow }) => (runs > 0 ? null : startWindow.notBeforeMs),
  mostMs: (at, model, zone) => latestStartMs(model, at, zone),
  tooLate: [
    { id: '2.2/low-priority-job-runs', if: ({ lowPriority }) => lowPriority },
    { id: '1/free-worker-takes-job', if: ({ startWindow }) => startWindow.isImmediate },
    { id: '1/freed-worker-takes-waiting-job' },
  ],
  tooEarly: [{ id: '1/waits-when-no-worker-free' }],
  decides: [
    {
      shown: ['queued'],
      ids: [
        ['3/submission-starts-in-queue', not(isRetried)],
        ['tooEarly', and(isFirstRun, waitsForWorker)],
      ],
    },
    {
      shown: ['running'],
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
  wording: {
    since: 'a worker was certainly free, so it had to start by',
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
  leadsTo: ['deleted'],
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
      notFound: ['deleted'],
      if: and(endedByRetention, isRetentionOver),
      ids: [
        ['tooLate'],
        ['4.1/retention-not-restarted-by-reading', and(isSync, wasObservedEnded)],
        ['4.2/retention-not-restarted-by-reading', and(not(isSync), wasObservedEnded)],
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
      // If it counted from the submission it would have expired.
      if: isOver(SUBMITTED, keptAtLeastMs),
      ids: [
        ['4.1/retention-from-completion', isSync],
        ['4.2/retention-from-completion', not(isSync)],
      ],
    },
    { shown: ['completed'], if: wasThereBefore, ids: [['3/completed-stays']] },
  ],
  wording: {
    since: 'ended',
    length: 'kept for',
    over: 'must be deleted by',
    still: 'its result was still readable',
  },
};

/** The retention of any other record is open, but a `/retry` that follows at once finds the job. */
const UNSUCCESSFUL_RETENTION: Timer = {
  name: 'retention of an unsuccessful job',
  section: '3',
  runsIn: ['failed', 'timed-out'],
  leadsTo: ['deleted'],
  since: ENDED,
  leastMs: () => UNSUCCESSFUL_KEPT_MS,
  mostMs: () => null,
  tooLate: [],
  tooEarly: [
    { id: '3/failed-stays', in: ['failed'] },
    { id: '3/timed-out-stays', in: ['timed-out'] },
  ],
  decides: [{ shown: ['failed', 'timed-out'], if: wasThereBefore, ids: [['tooEarly']] }],
  wording: RETENTION.wording,
};

/** A cancelled or purged job may be deleted at any time. */
const NO_RETENTION: Timer = {
  ...UNSUCCESSFUL_RETENTION,
  name: 'retention of a cancelled job',
  runsIn: ['cancelled', 'purged'],
  leastMs: () => null,
  tooEarly: [],
  decides: [],
};

/** In the order in which they are applied. */
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

/** The timers that run in each state. */
export const TIMERS_RUNNING_IN: ReadonlyMap<JobState, readonly Timer[]> = new Map(
  JOB_STATES.map((state) => [state, TIMERS.filter(({ runsIn }) => runsIn.includes(state))]),
);

/** When a worker has to take a job follows from the other jobs. */
export const isAboutStart = (of: RequirementId): boolean =>
  [...WORKER.tooLate, ...WORKER.tooEarly].some(({ id }) => id === of);

const idsOfEarly = (timers: readonly Timer[]): ReadonlySet<RequirementId> =>
  new Set(timers.flatMap(({ tooEarly }) => tooEarly.map(({ id }) => id)));

const OF_EARLY_DELETION = idsOfEarly(TIMERS.filter(({ leadsTo }) => leadsTo.includes('deleted')));
const OF_RETENTION = idsOfEarly([RETENTION, UNSUCCESSFUL_RETENTION]);

/** It forbids that the job is deleted yet. */
export const forbidsEarlyDeletion = (id: RequirementId): boolean => OF_EARLY_DELETION.has(id);

/** It requires that an ended job is kept for a time. */
export const isAboutRetention = (id: RequirementId): boolean => OF_RETENTION.has(id);
