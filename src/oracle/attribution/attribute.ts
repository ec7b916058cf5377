/**
 * Which requirement a job without explanation violates. The suspects are the rules of the job model whose relaxation explains
 * the history (`proof/violation.ts`); the nearest of them is named, unless a row above the last knows better from what else was
 * observed of the job. The first row that applies names the violated requirement; a row that needs more observations comes
 * before one that needs fewer.
 */
import type { JudgingContext } from '../context/judging-context.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../jobs/observed-jobs.js';
import { retriedAtOnce } from '../jobs/status-observations.js';
import { isAboutCallEffect } from '../model/lifecycle/lifecycle-calls.js';
import { EXECUTION_TIMEOUT, forbidsEarlyDeletion } from '../model/lifecycle/lifecycle.js';
import { idsOf } from '../model/lifecycle/lifecycle-rows.js';
import { isAboutReportedTimes, REPORTED_TIME_RULES } from '../model/reported-times.js';
import type { JobOperation } from '../model/operations.js';
import { alternatives, asNear } from './alternatives.js';
import * as calls from './calls-on-it.js';
import { earlyDeletionRules, isExpiredByOldTimer, isRemovedByRead } from './deleted-early.js';
import { factsOf, isHeldUpByWebhook, mayHaveOverrun, type Facts, type ObservedState } from './facts.js';
import { orFromStart } from './ttl-from-start.js';
import { hasOutsideEvent, outsideSuspects, refused } from './outside-events.js';
import * as own from './own-history.js';
import { mayEndByDefault, secondRun } from './second-run.js';
import { ownSuspect, type Attribution, type Suspect } from '../ledger/unsettled.js';
import type { Violation } from '../proof/violation.js';

const isTooEarly = (rule: RequirementId): boolean =>
  forbidsEarlyDeletion(rule) || NOT_ENDED_YET.includes(rule);

export type Ids = readonly RequirementId[];

/** The row applies if all its conditions hold; absent conditions always do. */
interface AttributionRow {
  /** The kind of operation that revealed the violation. */
  readonly by?: JobOperation['kind'];
  /** The rules whose violation it explains. */
  readonly of?: Ids;
  /** The state that the call reports. */
  readonly observed?: readonly ObservedState[];
  readonly when?: (facts: Facts) => boolean;
  /** The violated requirement; absent: the rule itself. Null: the row does not apply. */
  readonly names?: RequirementId | ((facts: Facts) => RequirementId | null);
  /** Something else may be violated as well, if the run shows that elsewhere (`alternatives.ts`). */
  readonly unless?: true;
  /** The read may show the state of before the call, if the run shows elsewhere that reads do. */
  readonly unlessOld?: true;
  /** Outside events may be the cause as well (`outside-events.ts`). */
  readonly outside?: true;
}

const SHOWS_CURRENT_STATE: RequirementId = '4.3/shows-current-state';
const TOO_SOON: RequirementId = '6/no-call-before-completion';

const UNENDED: readonly ObservedState[] = ['IN_QUEUE', 'IN_PROGRESS'];
const TIMEOUT_EARLY: Ids = [...idsOf(EXECUTION_TIMEOUT.tooEarly)];
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
const OUT_OF_BOUNDS: Ids = [
  '2.2/execution-timeout-min-enforced',
  '2.2/execution-timeout-max-enforced',
  '2.2/ttl-min-enforced',
  '2.2/ttl-max-enforced',
];
const RUNS: Ids = [
  '4.6/retried-job-runs',
  '1/free-worker-takes-job',
  '1/freed-worker-takes-waiting-job',
  '2.2/low-priority-job-runs',
];

const ORDER: readonly AttributionRow[] = [
  // It ran beside another job of its worker: all that was read of it is true.
  {
    of: NOT_ENDED_YET,
    when: (facts) => own.hadEndedUnobserved(facts) && facts.violation.explains('1/waits-when-no-worker-free'),
    names: '1/waits-when-no-worker-free',
    unless: true,
  },

  // Something that was reported of it is untrue: as its record shows, it had ended long before, or it waited when it was
  // said to run; a webhook came too early.
  { of: NOT_ENDED_YET, when: own.hadEndedUnobserved, names: SHOWS_CURRENT_STATE },
  { of: TIMES_OF_A_RUN, when: own.isReportedRunningTooSoon, names: SHOWS_CURRENT_STATE },
  {
    by: 'webhook',
    names: (facts) => (own.goesOn(facts) || isTooEarly(facts.rule) ? TOO_SOON : facts.rule),
    unless: true,
  },
  {
    by: 'status',
    of: ENDED_STAYS,
    observed: UNENDED,
    when: own.isEndedByWebhookAlone,
    names: (facts) => (own.isReportedByWebhook(facts) ? SHOWS_CURRENT_STATE : TOO_SOON),
    unless: true,
  },

  // A deadline had passed: nothing stopped its handler, or its end is reported as a failure.
  { of: ['3/not-completed-before-handler-ends'], when: own.ranToItsEnd, names: own.overDeadline },
  { observed: ['FAILED', 'TIMED_OUT'], names: own.notRemovedByTtl },
  {
    of: ['2.2/execution-timeout-not-early'],
    observed: ['TIMED_OUT', 'FAILED', 'CANCELLED'],
    when: mayEndByDefault,
    names: '4.6/keeps-policy',
  },
  // How long a job is kept that ended so is open.
  { by: 'status', observed: ['GONE'], when: mayEndByDefault, names: '4.6/keeps-policy' },

  // A run that was not requested.
  {
    by: 'status',
    when: own.isOfAnotherRun,
    names: ({ job, call }) => secondRun(job, call!),
    unless: true,
  },

  // Either of the two times in a record, in an open unit, may be wrong; or the history is as they say.
  {
    when: ({ rule }) => isAboutReportedTimes(rule),
    unless: true,
  },

  // A call on it had no effect, as a later read shows, or was answered as if it had none.
  { by: 'status', when: ({ rule }) => isAboutCallEffect(rule), unlessOld: true },
  { by: 'status', names: calls.notCancelled, unlessOld: true },
  { by: 'cancel', names: calls.cancelNotPerformed, unless: true },
  { by: 'retry', when: calls.isWronglyRefused, names: calls.retryRule, unlessOld: true },

  // It was not found, and later it was.
  { by: 'status', observed: ['GONE'], when: calls.isThereAgain, names: SHOWS_CURRENT_STATE },

  // It was stopped for a time that it did not run.
  { of: [...TIMEOUT_EARLY, ...TIMES_OF_A_RUN, '1/waits-when-no-worker-free'], names: own.timedOutInQueue },
  // Its handler had ended: a success is reported as a failure, or an error as another end.
  { of: [...TIMEOUT_EARLY, '3/failed-stays'], names: own.endOfHandler, unless: true },
  {
    of: TIMEOUT_EARLY,
    when: own.isTimedFromSubmission,
    names: '2.2/execution-timeout-full-after-queue',
    unless: true,
  },

  // It waits though a worker should take it: one of two retries requeued it again, or a failing webhook keeps the worker.
  {
    of: RUNS,
    observed: UNENDED,
    when: own.isRequeuedTwice,
    names: '4.6/retries-at-once-requeue-once',
    unless: true,
  },
  {
    by: 'status',
    of: RUNS,
    observed: ['IN_QUEUE'],
    when: (facts) => isHeldUpByWebhook(facts),
    names: '6/failing-webhook-leaves-others-alone',
    unless: true,
  },

  // A value out of bounds took effect as given.
  { of: OUT_OF_BOUNDS },

  // It is deleted or cancelled, and its own history shows why: the timer of an earlier result, a read of its result, a call
  // that was refused but took effect, the end of the call that waited for it.
  {
    observed: ['GONE'],
    when: isExpiredByOldTimer,
    names: '4.6/retried-job-not-expired',
    unless: true,
  },
  {
    observed: ['GONE'],
    when: (facts) => isRemovedByRead(facts) && !hasOutsideEvent(facts),
    names: '4.3/reading-does-not-consume',
  },
  { names: refused, unless: true },
  {
    when: ({ isRevived, retries }) => isRevived && retriedAtOnce(retries),
    names: '4.6/retries-at-once-requeue-once',
  },
  { when: own.isEndedByWait, names: '4.1/wait-leaves-job-alive', unless: true },

  // It is deleted although nothing can have deleted it yet, or does what it should not.
  {
    observed: ['GONE'],
    names: (facts) => earlyDeletionRules(facts)[0] ?? null,
    unless: true,
    outside: true,
  },
  { unless: true, outside: true },
];

export function attribute(context: JudgingContext, job: Job, violation: Violation): Attribution {
  const facts = factsOf(context, job, violation);
  for (const row of ORDER) {
    const name = nameBy(row, facts);
    if (name === null) continue;
    const { unless, unlessOld, outside } = row;
    const [id, ...fromStart] = orFromStart(facts, name);
    const suspects: Suspect[] = [];
    if (unless) {
      for (const one of asNear(facts)) if (one !== id) suspects.push(ownSuspect(one, false));
      const others = new Set([...alternatives(facts), ...fromStart]);
      for (const one of others) if (one !== id) suspects.push(ownSuspect(one, true));
    }
    if (unlessOld && id !== SHOWS_CURRENT_STATE && calls.mayBeOldRead(facts))
      suspects.push(ownSuspect(SHOWS_CURRENT_STATE, true));
    if (outside === undefined) return { id, isUnexplained: false, suspects };
    // Its own history does not explain that it is CANCELLED, unless one of its timers ended it and the state
    // is reported wrongly.
    const isUnexplained = facts.observed === 'CANCELLED' && !mayHaveOverrun(facts);
    return { id, isUnexplained, suspects: [...suspects, ...outsideSuspects(facts)] };
  }
  throw new Error('the last row explains everything');
}

/** The requirement that the row names; null if it does not apply. */
function nameBy({ by, of, observed, when, names }: AttributionRow, facts: Facts): RequirementId | null {
  const applies =
    (by === undefined || by === facts.op.kind) &&
    (of === undefined || of.includes(facts.rule)) &&
    (observed === undefined || observed.some((one) => one === facts.observed)) &&
    (when === undefined || when(facts));
  if (!applies) return null;
  return typeof names === 'function' ? names(facts) : (names ?? facts.rule);
}
