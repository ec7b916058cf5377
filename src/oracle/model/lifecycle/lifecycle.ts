/**
 * The life-cycle of a job as a table of timers: sections 1, 2.2, 3, 4.1 and 4.2 of the document. The
 * effects of calls are in `lifecycle-calls.ts`.
 *
 * The life-cycle is a timed automaton. A job is in one state at a time; a timer runs while the job is in
 * certain states, counts from one instant of its life, and takes it to another state. Each timer has two
 * bounds, and each bound is a rule:
 *
 * - `tooLate`, the upper bound, is a state invariant: the job stays in these states for at most `mostMs`,
 *   plus the allowed lateness. Both a job that is observed there later and one that leaves later, to
 *   whatever state, violate it.
 * - `tooEarly`, the lower bound, is a guard: the timer does not fire before `leastMs`.
 *
 * A requirement is a case of such a rule, and stands in one row:
 *
 * - It fails where `timer-bounds.ts` cannot fit a bound into the zone of any hypothesis (`hasNotFired`: still in
 *   the state; `satisfiesBound`: left it). The first case that holds for the job names the violation.
 * - It passes where the bound was kept and a violation would have shown (`tested`): the timer had certainly
 *   expired and the job was gone, or it had almost expired and the job was still there. There `decide.ts` passes
 *   each case that holds in every hypothesis. `others` are passes that belong to neither bound.
 *
 * A state in a case is the one that the job is in, or was in when a timer removed it.
 */
import {
  DAY_MS,
  EXECUTION_TIMEOUT_DEFAULT_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
} from '../../../spec/limits.js';
import type { RequirementId } from '../../../spec/index.js';
import {
  wasEndedByTimeout,
  JOB_STATES,
  STATES_WITH_RECORD,
  type Hypothesis,
  type JobState,
} from '../hypothesis.js';
import { CRASH_NOTICED_MS, latestStartMs, UNSUCCESSFUL_KEPT_MS } from '../job-model.js';
import {
  and,
  asksForLess,
  asksForMore,
  givenTtlMs,
  hasLongerTtl,
  passesElsewhere,
  endsWith,
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
  givesTtl,
  givesTimeout,
  hasLowPriority,
  hasFreeWorker,
  wasThereBefore,
  type OfJob,
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
  wouldLastFromReading,
  type Condition,
  type Kind,
  type StepContext,
} from '../conditions.js';
import { idsOf, type Case, type Rule, type Timer } from './lifecycle-rows.js';
import { ENDED, TTL_START, QUEUED, STARTED, SUBMITTED, ZERO } from '../zone.js';

const endsInCrash = endsWith('crash');
/** Its worker dies, or one that had it before has died. */
const isCrashed: Kind = (at, of) => endsInCrash(at, of) || at.runs > at.retries;
const isFailing = endsWith('error');
const isSuccess = not(endsWith('error', 'crash'));

const NO_RULE: Rule = { tested: [], cases: [] };
/** When a worker has to take a job follows from the other jobs. */
export const WORKER_FREE = 'a worker was certainly free by then';

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
const durationMs = (at: Hypothesis, step: OfJob): number | null => predictionOf(at, step).durationMs;
const defaultMs = (): number => EXECUTION_TIMEOUT_DEFAULT_MS;
const requestedTimeoutMs = ({ job }: StepContext): number => job.model.requestedMs.executionTimeout;
const hasLongTimeout: Condition = ({ policy }) =>
  (policy.executionMs ?? Infinity) > EXECUTION_TIMEOUT_DEFAULT_MS;
/** Its run continued after its `executionTimeout` would have stopped it if its time in the queue counted. */
const ranBeyondTimeoutFromQueue: Condition = (at, step) => {
  const isRunning = at.state === 'running';
  const ranMs = isRunning ? sinceMs(at, step, STARTED) : (durationMs(at, step) ?? 0);
  const lastedMs = isRunning ? sinceMs(at, step, QUEUED) : waitedAtLeastMs(at) + ranMs;
  return Math.min(ranMs, lastedMs - (at.policy.executionMs ?? Infinity)) > step.rules.graceMax;
};
/** All workers are busy now, and were when it was submitted. */
const waitsForWorker: Condition = (_, { job, op }) => {
  const { notBeforeMs } = job.model.startWindow;
  return op.fromMs <= notBeforeMs && notBeforeMs > job.submittedByMs;
};
/** It exists although the ttl of its submission has expired. */
const outlivesGivenTtl: Condition = (at, { rules, job, op }) =>
  op.fromMs > job.submittedByMs + (givenTtlMs(at) ?? Infinity) + rules.graceAt(op.fromMs);
const hasGivenTtl = and(givesTtl, not(hasNewTtl));

const hasTtlBelowTimeout: Kind = ({ policy }) => policy.ttlMs! < (policy.executionMs ?? 0);
const hasWaited: Condition = (at, { rules, op }) => waitedAtLeastMs(at) > rules.graceAt(op.fromMs);
/** Seven days of ttl, two of them in the queue. */
const isAsInTheExample: Kind = (at) => waitedAtLeastMs(at) >= 2 * DAY_MS && at.policy.ttlMs === 7 * DAY_MS;
const wasDeletedByTtl = and(endedByTtl, isTtlOver);
const GONE_BY_TTL = { notFound: ['deleted', 'cancelled'], if: wasDeletedByTtl } as const;

/** The lifespan of a job, from its submission to the deletion of its record. */
export const TTL: Timer = {
  name: 'ttl',
  section: '2.2',
  topics: ['ttl'],
  quantity: 'ttl',
  runsIn: STATES_WITH_RECORD,
  leadsTo: ['deleted'],
  since: TTL_START,
  leastMs: ttlMs,
  mostMs: ttlMs,
  tooLate: {
    tested: [GONE_BY_TTL],
    cases: [
      ['4.3/ttl-shortens-life', hasNewTtl],
      ['2.2/ttl-max-enforced', asksForMore('ttl', TTL_MAX_MS)],
      ['2.2/ttl-default-removes', not(hasNewTtl), not(givesTtl)],
      ['2.2/ttl-removes-retried', isRetried],
      ['2.2/ttl-removes-failed', hasGivenTtl, ['failed']],
      ['2.2/ttl-removes-timed-out', hasGivenTtl, ['timed-out']],
      ['2.2/ttl-removes-cancelled', hasGivenTtl, ['cancelled', 'purged']],
      ['2.2/ttl-removes-runsync', isSync],
      ['2.2/ttl-removes-queued', hasGivenTtl, ['queued']],
      ['2.2/ttl-removes-running', hasGivenTtl, ['running']],
      ['2.2/ttl-removes-completed', hasGivenTtl, ['completed']],
    ],
  },
  tooEarly: {
    tested: [{ shown: STATES_WITH_RECORD, if: isNear(TTL_START, ttlMs) }],
    cases: [
      ['4.3/ttl-lengthens-life', hasLongerTtl, passesElsewhere],
      ['4.3/ttl-not-at-once', hasNewTtl],
      ['2.2/ttl-min-enforced', asksForLess('ttl', TTL_MIN_MS), passesElsewhere],
      ['2.2/ttl-default-not-early', not(givesTtl), ['queued', 'running']],
      ['2.2/ttl-not-early-queued', givesTtl, ['queued']],
      ['2.2/ttl-not-early-running', givesTtl, ['running']],
      ['2.2/ttl-not-early-completed', ['completed', 'failed', 'timed-out', 'cancelled', 'purged']],
    ],
  },
  others: [
    {
      ...GONE_BY_TTL,
      cases: [
        ['2.2/ttl-stays-gone', wasBefore(isDeletedOrTimedOut)],
        [
          '2.2/ttl-not-restarted-by-reading',
          wasObservedLive,
          wouldLastFromReading(ttlMs),
          // Any other may be gone by its retention, which is open.
          ['queued', 'running', 'completed'],
        ],
        ['2.2/ttl-not-restarted-by-completion', not(hasNewTtl), wasIn('completed')],
        ['2.2/ttl-wins-over-completion', wasStopped, isOver(STARTED, durationMs)],
        ['2.2/ttl-ends-before-execution-timeout', wasStopped, hasTtlBelowTimeout],
        ['2.2/ttl-starts-at-submission', wasStopped, hasWaited],
        ['2.2/ttl-seven-days-two-queued', wasStopped, isAsInTheExample],
      ],
    },
    { notFound: ['cancelled'], if: isTtlOver, cases: [['2.2/ttl-removes-cancelled', not(hasTimedOut)]] },
    {
      shown: STATES_WITH_RECORD,
      if: isNear(TTL_START, ttlMs),
      cases: [['4.3/ttl-lengthens-life', hasLongerTtl, outlivesGivenTtl]],
    },
    {
      shown: STATES_WITH_RECORD,
      if: asksForLess('ttl', TTL_MIN_MS),
      cases: [['2.2/ttl-min-enforced', isOver(TTL_START, (_, { job }) => job.model.requestedMs.ttl)]],
    },
    { shown: ['completed'], cases: [['2.2/outlives-default', runsLongerThan(TTL_DEFAULT_MS)]] },
  ],
  // By the submission, or by a later /status?ttl=.
  wording: { since: 'ttl set', over: 'must be deleted by', still: 'it was still there' },
};

/** How long a run may last. It is open whether the job is then TIMED_OUT, FAILED or CANCELLED. */
export const EXECUTION_TIMEOUT: Timer = {
  name: 'executionTimeout',
  section: '2.2',
  topics: ['execution timeout'],
  quantity: 'executionTimeout',
  runsIn: ['running'],
  leadsTo: ['timed-out'],
  since: STARTED,
  // Whether runs before a retry count is open; that they do not is advice (4.6/whole-execution-timeout).
  leastMs: ({ policy, priorRunsMs }) => Math.max(0, policy.executionLeastMs - priorRunsMs),
  mostMs: executionMs,
  tooLate: {
    tested: [{ shown: ['timed-out', 'cancelled'], if: and(hasTimedOut, hasTimeout) }],
    cases: [
      ['2.2/execution-timeout-default-enforced', not(givesTimeout)],
      ['4.6/keeps-policy', givesTimeout, isRetried],
      [
        '2.2/execution-timeout-max-enforced',
        asksForMore('executionTimeout', EXECUTION_TIMEOUT_MAX_MS),
        passesElsewhere,
      ],
      ['2.2/execution-timeout-stops-runsync', givesTimeout, isSync],
      ['2.2/execution-timeout-stops-run', givesTimeout, not(isSync)],
    ],
  },
  tooEarly: {
    tested: [
      { shown: ['running'], if: ranNearTimeout },
      { shown: ['completed'], if: and(isPredictable, ranNearTimeout) },
    ],
    cases: [
      ['2.2/execution-timeout-default-not-early', not(givesTimeout)],
      [
        '2.2/execution-timeout-min-enforced',
        asksForLess('executionTimeout', EXECUTION_TIMEOUT_MIN_MS),
        passesElsewhere,
      ],
      ['2.2/execution-timeout-not-early'],
    ],
  },
  others: [
    {
      shown: ['timed-out', 'cancelled'],
      if: asksForMore('executionTimeout', EXECUTION_TIMEOUT_MAX_MS),
      cases: [['2.2/execution-timeout-max-enforced', hasTimedOut]],
    },
    { shown: ['queued'], cases: [['2.2/execution-timeout-not-in-queue', isOver(QUEUED, executionMs)]] },
    {
      shown: ['running'],
      cases: [
        ['2.2/execution-timeout-long-run', hasLongTimeout, hasRunLongerThan(defaultMs)],
        ['2.2/execution-timeout-full-after-queue', ranBeyondTimeoutFromQueue],
      ],
    },
    {
      shown: ['completed'],
      if: isPredictable,
      cases: [
        ['2.2/execution-timeout-long-run', runsLongerThan(EXECUTION_TIMEOUT_DEFAULT_MS)],
        ['2.2/execution-timeout-full-after-queue', ranBeyondTimeoutFromQueue],
      ],
    },
    {
      shown: ['completed', 'failed'],
      if: wasThereBefore,
      cases: [['2.2/execution-timeout-not-after-end', isOver(STARTED, executionMs)]],
    },
    {
      shown: ['running', 'completed', 'timed-out'],
      if: asksForLess('executionTimeout', EXECUTION_TIMEOUT_MIN_MS),
      cases: [['2.2/execution-timeout-min-enforced', hasRunLongerThan(requestedTimeoutMs)]],
    },
  ],
  wording: {
    since: 'started',
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
  topics: ['work'],
  quantity: 'the worker needs',
  runsIn: ['queued', 'running'],
  leadsTo: ['failed'],
  since: ZERO,
  leastMs: () => null,
  mostMs(at, model, _, seenMs) {
    const isDying =
      at.state === 'queued'
        ? at.runs > at.retries
        : model.predicted(at.runs).outcome === 'crash' && at.runs > 0;
    if (!isDying || seenMs === null) return null;
    // Even if it was never seen running: where a worker was certainly free, one took it.
    const first =
      at.milestones.firstStarted?.receivedMs ?? (at.retries === 0 ? model.startWindow.byMs : null);
    // Without a free worker it waits for one, for any time.
    const waits = at.state === 'queued' && model.startWindow.startsBy(seenMs - DYING_MAX_MS) > seenMs;
    if (first === null || waits) return null;
    return first + (at.runs + 1) * (model.predicted(0).durationMs ?? 0) + DYING_MAX_MS;
  },
  tooLate: { tested: [], cases: [['3/worker-crash-fails']] },
  tooEarly: NO_RULE,
  others: [],
  wording: {
    since: 'every worker that took it crashed, so it had to end by',
    over: '',
    still: 'it had not ended',
  },
};

/** It has run for half of the time that it needs; a job that never ends, for any time. */
const hasRunHalf: Condition = (at, step) => {
  const ms = durationMs(at, step);
  return ms !== null && (ms === Infinity || sinceMs(at, step, STARTED) >= ms / 2);
};
/** It did not end by its `executionTimeout`, which may be told as FAILED. */
const isBeforeTimeout: Condition = (at, { rules, job, op }) => {
  const leastMs = EXECUTION_TIMEOUT.leastMs(at, job.model)!;
  return op.byMs < at.zone.earliest(STARTED) + leastMs - rules.earlyToleranceMs(leastMs);
};

/**
 * The work itself, as far as it can be predicted. A handler with an output that is too large for the
 * service still succeeds.
 */
export const HANDLER: Timer = {
  name: 'handler',
  section: '3',
  topics: ['work'],
  quantity: 'the worker needs',
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
  tooLate: {
    tested: [
      { shown: ['completed'], if: isPredictable },
      { shown: ['failed'], if: and(isPredictable, not(isSuccess), isBeforeTimeout) },
    ],
    cases: [
      ['4.6/retried-job-runs', isRetried],
      ['3/worker-crash-fails', isCrashed, ['running', 'failed']],
      ['3/handler-error-fails-runsync', isFailing, isSync],
      ['3/handler-error-fails-run', isFailing, not(isSync)],
      ['3/success-completes-runsync', isSuccess, isSync],
      ['3/success-completes-run', isSuccess, not(isSync)],
    ],
  },
  tooEarly: {
    tested: [],
    cases: [['4.6/retried-job-runs', isRetried], ['3/not-completed-before-handler-ends']],
  },
  others: [
    { shown: ['running'], cases: [['3/not-completed-before-handler-ends', hasRunHalf]] },
    { shown: ['completed'], if: isPredictable, cases: [['4.6/keeps-input', isRetried]] },
  ],
  wording: {
    since: 'started',
    over: 'must have ended by',
    still: 'it was IN_PROGRESS',
  },
};

const finite = (ms: number | null): number | null => (ms === Infinity ? null : ms);

/** A free worker takes the job; while all are busy it waits. */
const WORKER: Timer = {
  name: 'worker',
  section: '1',
  topics: ['start'],
  quantity: WORKER_FREE,
  runsIn: ['queued'],
  leadsTo: ['running'],
  since: ZERO,
  // A purged job that was retried had not run before.
  leastMs: ({ runs, purgedBy }, { startWindow }) =>
    runs > 0 && purgedBy === null ? null : startWindow.notBeforeMs,
  mostMs: (at, model, zone) => latestStartMs(model, at, zone),
  tooLate: {
    tested: [{ shown: ['running', 'completed'], if: and(isFirstRun, hasWorkerInTime) }],
    cases: [
      ['2.2/low-priority-job-runs', hasLowPriority],
      ['1/free-worker-takes-job', hasFreeWorker],
      ['1/freed-worker-takes-waiting-job', not(hasFreeWorker)],
    ],
  },
  tooEarly: {
    tested: [{ shown: ['queued'], if: and(isFirstRun, waitsForWorker) }],
    cases: [['1/waits-when-no-worker-free']],
  },
  others: [
    { shown: ['queued'], cases: [['3/submission-starts-in-queue', not(isRetried)]] },
    {
      shown: ['running'],
      cases: [
        ['3/start-moves-to-in-progress'],
        ['3/no-return-to-queue', wasThereBefore],
        ['1/no-more-jobs-in-progress-than-workers', isFirstRun],
      ],
    },
    {
      shown: ['completed', 'failed', 'timed-out'],
      topics: ['work'],
      cases: [['1/every-job-is-processed', hasWorkerInTime]],
    },
  ],
  wording: {
    since: 'a worker was certainly free, so it had to start by',
    over: '',
    still: 'it was IN_QUEUE',
  },
};

const GONE_BY_RETENTION = { notFound: ['deleted'], if: and(endedByRetention, isRetentionOver) } as const;

const keptLongerFromReading = wouldLastFromReading(keptAtLeastMs);

const KEPT: readonly Case<OfJob>[] = [
  ['4.1/retention-kept', isSync],
  ['4.2/retention-kept', not(isSync)],
];
/** How long the record of a completed job can be read. */
export const RETENTION: Timer = {
  name: 'retention',
  section: '4.1, 4.2',
  topics: ['retention'],
  quantity: 'kept',
  runsIn: ['completed'],
  leadsTo: ['deleted'],
  since: ENDED,
  leastMs: keptAtLeastMs,
  mostMs: keptAtMostMs,
  tooLate: {
    tested: [GONE_BY_RETENTION],
    cases: [
      ['4.2/retention-gone', not(isSync)],
      ['4.1/retention-with-wait-gone', isSync, hasWait],
      ['4.1/retention-gone', isSync, not(hasWait)],
    ],
  },
  tooEarly: {
    tested: [{ shown: ['completed'], if: isNear(ENDED, keptAtLeastMs) }],
    cases: [
      ['4.1/retention-after-retry', isSync, isRetried],
      ['4.1/wait-does-not-shorten-retention', isSync, hasWait],
      ['4.2/retention-after-retry', not(isSync), isRetried],
      ...KEPT,
    ],
  },
  others: [
    {
      ...GONE_BY_RETENTION,
      cases: [
        ['4.1/retention-not-restarted-by-reading', isSync, wasObservedEnded, keptLongerFromReading],
        ['4.2/retention-not-restarted-by-reading', not(isSync), wasObservedEnded, keptLongerFromReading],
      ],
    },
    {
      shown: ['completed'],
      // If it counted from the submission it would have expired.
      if: isOver(SUBMITTED, keptAtLeastMs),
      cases: [
        ['4.1/retention-from-completion', isSync],
        ['4.2/retention-from-completion', not(isSync)],
      ],
    },
    {
      shown: ['completed'],
      topics: ['retention', 'work'],
      cases: [['3/completed-stays', wasThereBefore]],
    },
  ],
  wording: {
    since: 'ended',
    over: 'must be deleted by',
    still: 'its result was still readable',
  },
};

/** The retention of any other record is open, but a `/retry` that follows at once finds the job. */
const UNSUCCESSFUL_RETENTION: Timer = {
  name: 'retention of an unsuccessful job',
  section: '3',
  topics: ['retention', 'work', 'execution timeout'],
  quantity: 'kept',
  runsIn: ['failed', 'timed-out'],
  leadsTo: ['deleted'],
  since: ENDED,
  leastMs: () => UNSUCCESSFUL_KEPT_MS,
  mostMs: () => null,
  tooLate: NO_RULE,
  tooEarly: {
    tested: [{ shown: ['failed', 'timed-out'], if: wasThereBefore }],
    cases: [
      ['3/failed-stays', ['failed']],
      ['3/timed-out-stays', ['timed-out']],
    ],
  },
  others: [],
  wording: RETENTION.wording,
};

/** A cancelled or purged job may be deleted at any time. */
const NO_RETENTION: Timer = {
  ...UNSUCCESSFUL_RETENTION,
  name: 'retention of a cancelled job',
  runsIn: ['cancelled', 'purged'],
  leastMs: () => null,
  tooEarly: NO_RULE,
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

const OF_EARLY_DELETION = idsOf(
  ...TIMERS.filter(({ leadsTo }) => leadsTo.includes('deleted')).map(({ tooEarly }) => tooEarly),
);
const OF_RETENTION = idsOf({ cases: KEPT }, UNSUCCESSFUL_RETENTION.tooEarly);

/** It forbids that the job is deleted yet. */
export const forbidsEarlyDeletion = (id: RequirementId): boolean => OF_EARLY_DELETION.has(id);

/** It requires that an ended job is kept for a time, whatever happened to it before. */
export const isAboutRetention = (id: RequirementId): boolean => OF_RETENTION.has(id);
