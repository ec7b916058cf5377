/**
 * The causes of violations: the first row that applies names the violated requirement. A row that needs more
 * observations comes before one that needs fewer; the last one names the rule itself.
 */
import type { RequirementId } from '../../spec/index.js';
import { retriedAtOnce } from '../jobs/status-observations.js';
import { isAboutCallEffect } from '../model/lifecycle-calls.js';
import { isAboutReportedTimes, REPORTED_TIME_RULES } from '../model/reported-times.js';
import type { AttributionRow, Ids } from './attribution-row.js';
import { earlyDeletionRules, isExpiredByOldTimer, isRemovedByRead } from './deleted-early.js';
import * as alternatives from './alternatives.js';
import { byPolicy } from './most-specific.js';
import { isHeldUpByWebhook, isUnended } from './facts.js';
import { hasOutsideEvent, refused, wasLeftAlone } from './outside-events.js';
import * as own from './own-history.js';
import { mayEndByDefault, secondRun } from './second-run.js';

const SHOWS_CURRENT_STATE: RequirementId = '4.3/shows-current-state';
const TOO_SOON: RequirementId = '6/no-call-before-completion';
const RETRIED_ONCE: RequirementId = '4.6/retries-at-once-requeue-once';

const TIMEOUT_EARLY: Ids = ['2.2/execution-timeout-not-early', '2.2/execution-timeout-default-not-early'];
/** Rules by which a job that was just waiting has not ended yet. */
const NOT_ENDED_YET: Ids = ['3/not-completed-before-handler-ends', ...TIMEOUT_EARLY];
/** Rules by which a run ends when its handler does, and its record reports its duration. */
const TIMES_OF_A_RUN: Ids = [
  '3/success-completes-run',
  '3/success-completes-runsync',
  '4.6/retried-job-runs',
  ...REPORTED_TIME_RULES,
];
const ENDED_STAYS: Ids = ['3/completed-stays', '3/failed-stays', '3/timed-out-stays', '3/cancelled-stays'];
const CANCELS: Ids = ['3/cancel-running', '3/cancel-queued'];
const SAYS_CANCELLED: Ids = ['4.5/status-cancelled-running', '4.5/status-cancelled-queued'];
const RUNS: Ids = [
  '4.6/retried-job-runs',
  '1/free-worker-takes-job',
  '1/freed-worker-takes-waiting-job',
  '2.2/low-priority-job-runs',
];
export const ATTRIBUTION_TABLE: readonly AttributionRow[] = [
  // It was reported as waiting although it had ended long before, as its record or a webhook shows.
  { of: NOT_ENDED_YET, when: own.hadEndedUnobserved, names: SHOWS_CURRENT_STATE },

  // It is reported as running while it waits, as its record shows.
  { of: TIMES_OF_A_RUN, when: own.isReportedRunningTooSoon, names: SHOWS_CURRENT_STATE },

  // It ran to its end although its time had elapsed: nothing stopped its handler.
  {
    of: ['3/not-completed-before-handler-ends'],
    observed: ['COMPLETED', 'FAILED'],
    when: own.ranToItsEnd,
    names: own.overDeadline,
  },

  {
    of: ['2.2/execution-timeout-not-early'],
    observed: ['TIMED_OUT', 'FAILED', 'CANCELLED'],
    when: mayEndByDefault,
    names: '4.6/keeps-policy',
  },

  // A webhook reports an end that cannot have happened: it came too early and says nothing about the job
  // (section 6).
  { by: 'webhook', when: own.goesOn, names: TOO_SOON, unless: alternatives.MISREPORTED },
  { by: 'webhook', when: own.isNoEndForWebhooks, names: TOO_SOON, unless: alternatives.OF_ANOTHER_RUN },
  { by: 'webhook', unless: alternatives.OF_ANOTHER_RUN },

  // A run that was not requested.
  {
    by: 'status',
    when: own.isOfAnotherRun,
    names: ({ job, call }) => secondRun(job, call!).id,
    unless: ({ job, call }) => secondRun(job, call!).suspects.map(({ id }) => id),
  },
  {
    by: 'status',
    of: RUNS,
    observed: ['IN_QUEUE', 'IN_PROGRESS'],
    when: own.isRequeuedTwice,
    names: RETRIED_ONCE,
    unless: ({ rule }) => [rule],
  },

  // Either of the two times in a record, in an open unit, may be wrong; or the history is as they say.
  {
    when: ({ rule }) => isAboutReportedTimes(rule),
    or: alternatives.otherTime,
    unless: alternatives.historyAsReported,
  },

  // A later read shows that a call on the job had no effect.
  { by: 'status', when: ({ rule }) => isAboutCallEffect(rule) },
  { by: 'status', names: own.notCancelled },
  {
    by: 'status',
    of: ['3/cancelled-never-starts', '3/cancelled-never-completes'],
    when: own.isCancelledInEitherState,
    names: '3/cancelled-stays',
  },

  // Its lifespan has elapsed, and it is reported as a failure.
  { observed: ['FAILED', 'TIMED_OUT'], names: own.notRemovedByTtl },

  // It waits or runs, and only a webhook call says that it had ended.
  {
    by: 'status',
    of: ENDED_STAYS,
    observed: ['IN_QUEUE', 'IN_PROGRESS'],
    when: own.isEndedByWebhookAlone,
    names: (facts) => (own.isReportedByWebhook(facts) ? SHOWS_CURRENT_STATE : TOO_SOON),
    unless: alternatives.MISREPORTED,
  },

  // It was not found, and later it was.
  { by: 'status', observed: ['GONE'], when: own.isThereAgain, names: SHOWS_CURRENT_STATE },

  // The answer to its cancel says that it ended otherwise, and later reads that it was cancelled.
  {
    by: 'cancel',
    was: [null, 'IN_QUEUE', 'IN_PROGRESS'],
    when: own.isCancelledAfterAll,
    names: ({ around }) =>
      around === 'IN_QUEUE' ? '4.5/status-cancelled-queued' : '4.5/status-cancelled-running',
    unless: ({ around }) => (isUnended(around) ? [] : SAYS_CANCELLED),
  },

  // The observation before the call, or the next one, shows what the call should have done.
  {
    by: 'cancel',
    was: [null, 'IN_QUEUE', 'IN_PROGRESS'],
    when: (facts) => own.isWronglyRefused(facts) || own.isReportedAsEnded(facts),
    names: own.cancelRule,
    unless: ({ op, around, after }) => [
      ...(isUnended(around) ? [] : CANCELS),
      ...(op.answer === 'ok' && after.length === 0 ? SAYS_CANCELLED : []),
    ],
  },
  {
    by: 'cancel',
    of: [...NOT_ENDED_YET, ...CANCELS],
    observed: ['FAILED', 'TIMED_OUT'],
    names: own.cancelRule,
    unless: ({ rule, around }) => [...SAYS_CANCELLED, ...(isUnended(around) ? [] : CANCELS), rule],
  },
  {
    by: 'retry',
    was: ['FAILED', 'TIMED_OUT'],
    when: (facts) => own.isWronglyRefused(facts) && own.isRetriedTwice(facts),
    names: '4.6/failed-again-can-be-retried',
  },
  {
    by: 'retry',
    was: ['FAILED', 'TIMED_OUT'],
    when: own.isWronglyRefused,
    names: ({ was }) => (was === 'FAILED' ? '3/retry-requeues-failed' : '3/retry-requeues-timed-out'),
  },
  {
    by: 'status',
    of: TIMEOUT_EARLY,
    was: ['IN_QUEUE'],
    when: own.isTimedOutInQueue,
    names: '2.2/execution-timeout-not-in-queue',
  },
  {
    of: [...TIMEOUT_EARLY, ...TIMES_OF_A_RUN, '1/waits-when-no-worker-free'],
    observed: ['TIMED_OUT'],
    when: own.isTimedOutInQueue,
    names: '2.2/execution-timeout-not-in-queue',
  },

  // Its handler had ended: a success is reported as a failure, or an error as another end.
  {
    of: TIMEOUT_EARLY,
    observed: ['FAILED'],
    when: own.hadSucceeded,
    names: ({ job }) => (job.sync ? '3/success-completes-runsync' : '3/success-completes-run'),
    unless: alternatives.ofAnotherPlan,
  },
  {
    of: TIMEOUT_EARLY,
    observed: ['TIMED_OUT'],
    when: own.hadFailed,
    names: own.errorFails,
    unless: alternatives.ofAnotherPlan,
  },
  {
    by: 'status',
    of: ['3/failed-stays'],
    observed: ['TIMED_OUT', 'COMPLETED'],
    when: (facts) => own.hadFailed(facts) && !facts.before.some(({ observed }) => observed === 'FAILED'),
    names: own.errorFails,
    unless: alternatives.ofAnotherPlan,
  },

  // Its time in the queue, or in an earlier run, counts.
  {
    of: TIMEOUT_EARLY,
    when: own.isTimedFromSubmission,
    names: '2.2/execution-timeout-full-after-queue',
    unless: ({ rule }) => [rule],
  },

  // Its worker, or another one, is kept by the calls of a webhook that fails.
  {
    by: 'status',
    of: RUNS,
    observed: ['IN_QUEUE'],
    when: (facts) => isHeldUpByWebhook(facts),
    names: '6/failing-webhook-leaves-others-alone',
    unless: ({ rule }) => [rule],
  },

  // It is CANCELLED without a cancel, just when the call that waited for it ended.
  { observed: ['CANCELLED'], when: own.isCancelledByWait, names: '4.1/wait-leaves-job-alive' },

  // A value out of bounds took effect as given.
  { when: ({ job, rule }) => byPolicy(job, rule) !== null },

  // It is deleted, and its own history shows why.
  {
    observed: ['GONE'],
    when: isExpiredByOldTimer,
    names: '4.6/retried-job-not-expired',
    unless: [SHOWS_CURRENT_STATE, '3/retry-requeues-failed'],
  },
  {
    observed: ['GONE'],
    when: (facts) => isRemovedByRead(facts) && !hasOutsideEvent(facts),
    names: '4.3/reading-does-not-consume',
  },

  // A call on it was refused but took effect, or the end of the waiting call affected it.
  { names: refused, unless: earlyDeletionRules },
  { when: ({ isRevived, retries }) => isRevived && retriedAtOnce(retries), names: RETRIED_ONCE },
  {
    when: (facts) => own.isGoneAfterWait(facts) && wasLeftAlone(facts),
    names: '4.1/wait-leaves-job-alive',
    unless: earlyDeletionRules,
  },

  // It is deleted although nothing can have deleted it yet, or does what it should not.
  {
    observed: ['GONE'],
    names: (facts) => earlyDeletionRules(facts)[0] ?? null,
    unless: (facts) => [...earlyDeletionRules(facts), ...alternatives.otherwise(facts)],
    or: alternatives.asNear,
    outside: true,
  },
  { unless: alternatives.otherwise, or: alternatives.asNear, outside: true },
];
