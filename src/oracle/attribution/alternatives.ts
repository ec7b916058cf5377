/** Alternative explanations of a violation, which apply if the run shows them to be violated elsewhere. */
import type { RequirementId } from '../../spec/index.js';
import { STARTED_LATE } from '../jobs/doubtful.js';
import { precedes } from '../jobs/status-observations.js';
import { isAboutReportedTimes } from '../model/reported-times.js';
import { answerOf, idInPath } from '../observed/recorded-call.js';
import type { Ids } from './attribution-row.js';
import { contradictedBy, isHeldUpByWebhook, type Facts } from './facts.js';
import { creates, wasNeverObserved, wasReadOnce } from './deleted-early.js';
import { hasOutsideEvent } from './outside-events.js';

/** The job does what another job was submitted for. */
const OF_ANOTHER: Ids = ['2.1/input-not-mixed-between-jobs', '2.4/output-of-this-job'];
export const OF_ANOTHER_RUN: Ids = [...OF_ANOTHER, '3/not-completed-before-handler-ends'];
/** Status observations prove nothing if /status reports wrong states. */
export const MISREPORTED: Ids = [
  '4.3/shows-current-state',
  '2.4/id-matches-status',
  '3/completed-stays',
  ...OF_ANOTHER_RUN,
];

/** Requirements that assume the job's plan, and prove nothing if it may have received another one. */
const OF_PLAN: Ids = [
  '3/success-completes-run',
  '3/success-completes-runsync',
  '3/handler-error-fails-run',
  '3/handler-error-fails-runsync',
  '3/worker-crash-fails',
  '3/not-completed-before-handler-ends',
  '2.2/execution-timeout-not-early',
  '2.2/execution-timeout-default-not-early',
  '4.6/retried-job-runs',
];

/** Values that a service may lose. */
const EMPTY = /null|\[\]|\{\}|""/;

/** It may have received another plan, or none. */
export function ofAnotherPlan({ job, observed }: Facts): Ids {
  const mayHaveLost = observed === 'FAILED' && EMPTY.test(JSON.stringify(job.submission['input'] ?? {}));
  if (!mayHaveLost) return OF_ANOTHER;
  const reaches = job.sync ? '2.1/input-reaches-worker-runsync' : '2.1/input-reaches-worker-run';
  return [...OF_ANOTHER, reaches, '2.1/input-nested-unchanged'];
}

/** For violations that no specific row explains. */
export const otherwise = (facts: Facts): Ids => [
  ...ofWorkers(facts),
  ...(OF_PLAN.includes(facts.rule) ? ofAnotherPlan(facts) : []),
  ...ofExpired(facts),
];

/** A worker is not free while a job that should have been stopped continues. */
const NOT_STOPPED: Ids = ['3/cancelled-never-completes', '3/cancel-running', '3/cancel-queued'];

/** The worker of a job that waits or runs too long may not be counted, or may still be busy. */
function ofWorkers({ context, job, rule, op, observed, violation: { explains } }: Facts): Ids {
  if (observed === 'IN_PROGRESS' && rule.startsWith('3/success-completes'))
    return ['3/no-return-to-queue', '1/waits-when-no-worker-free', ...STARTED_LATE.filter(explains)];
  // A job thought to be running may have gone back to the queue, and left its worker to this one.
  if (rule === '1/waits-when-no-worker-free') return ['3/no-return-to-queue'];
  if (observed !== 'IN_QUEUE' || rule !== '1/freed-worker-takes-waiting-job') return [];
  const isAfterCancel = context.session.calls.some(
    (call) =>
      call.op === 'cancel' &&
      answerOf(call) === 'ok' &&
      idInPath(call) !== job.id &&
      precedes(call, op.call!),
  );
  return isAfterCancel ? NOT_STOPPED : [];
}

/** The call is answered as if the job existed, although it may have been deleted. */
function ofExpired({ op, rule }: Facts): Ids {
  const isRemoval = rule.startsWith('2.2/ttl-removes') || rule === '2.2/ttl-default-removes';
  if (!isRemoval || op.answer !== 'ok') return [];
  return op.kind === 'cancel' ? ['7/ttl-expired-cancel'] : op.kind === 'retry' ? ['7/ttl-expired-retry'] : [];
}

/** Requirements that explain the violation as well as an early deletion. */
export function asNear(facts: Facts): Ids {
  const found: RequirementId[] = [];
  if (wasNeverObserved(facts)) {
    const { outcome } = facts.job.predicted(0);
    // A failed job may be deleted soon.
    if (outcome !== 'error' && outcome !== 'crash') found.push(creates(facts.job));
    found.push('4.3/shows-current-state');
  }
  if (wasReadOnce(facts)) found.push('4.3/reading-does-not-consume');
  // An action of its own script explains it as well, and no other script used the endpoint.
  return found.length > 0 && hasOutsideEvent(facts) ? [] : found;
}

/** The other one of the two times in the record. */
export const otherTime = ({ rule, violation: { suspectRules: rules, explains } }: Facts): Ids =>
  rules.filter((one) => isAboutReportedTimes(one) && one !== rule && explains(one));

/**
 * The history is as the times say: another rule is violated that they contradict; or reads report the wrong
 * state; or the job was requeued and ran twice, or kept waiting when it should have been purged.
 */
export function historyAsReported(facts: Facts): Ids {
  const { violation, context, job, op } = facts;
  const waited = context.callIndex.purges.some(
    (purge) => answerOf(purge) === 'ok' && purge.sentMs >= job.submittedFromMs && purge.sentMs <= op.byMs,
  );
  return [
    ...contradictedBy(violation).filter((one) => !isAboutReportedTimes(one)),
    '1/waits-when-no-worker-free',
    ...(isHeldUpByWebhook(facts, job.submittedFromMs)
      ? (['6/failing-webhook-leaves-others-alone'] as const)
      : []),
    '4.3/shows-current-state',
    '3/no-return-to-queue',
    ...(waited && job.sync ? (['4.7/removes-waiting-runsync'] as const) : []),
    ...(waited ? (['4.7/removes-all-waiting'] as const) : []),
  ];
}
