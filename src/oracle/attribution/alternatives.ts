/** What else may explain a life that cannot be, where the run shows it to be broken elsewhere. */
import type { RequirementId } from '../../spec/index.js';
import { precedes } from '../jobs/sightings.js';
import { isAboutReportedTimes } from '../model/reported-times.js';
import { answerOf, idInPath } from '../observed/recorded-call.js';
import type { Ids } from './attribution-row.js';
import { contradictedBy, type Facts } from './facts.js';
import { creates, wasNeverSeen, wasReadOnce } from './deleted-early.js';
import { hasOutsideEvent } from './outside-events.js';

/** It does what another job was submitted for. */
const OF_ANOTHER: Ids = ['2.1/input-not-mixed-between-jobs', '2.4/output-of-this-job'];
export const OF_ANOTHER_RUN: Ids = [...OF_ANOTHER, '3/not-completed-before-handler-ends'];
/** Looks tell nothing where they show what is not so. */
export const SHOWN_WRONGLY: Ids = [
  '4.3/shows-current-state',
  '2.4/id-matches-status',
  '3/completed-stays',
  ...OF_ANOTHER_RUN,
];

/** What a job does tells of its plan, and nothing where it may have been given another one. */
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

/** Values that a service is apt to lose. */
const EMPTY = /null|\[\]|\{\}|""/;

/** It may have been given another plan, or none. */
export function ofAnotherPlan({ job, shows }: Facts): Ids {
  const mayHaveLost = shows === 'FAILED' && EMPTY.test(JSON.stringify(job.submission['input'] ?? {}));
  if (!mayHaveLost) return OF_ANOTHER;
  const reaches = job.sync ? '2.1/input-reaches-worker-runsync' : '2.1/input-reaches-worker-run';
  return [...OF_ANOTHER, reaches, '2.1/input-nested-unchanged'];
}

/** Where nothing but the rule itself explains it. */
export const otherwise = (facts: Facts): Ids => [
  ...ofWorkers(facts),
  ...(OF_PLAN.includes(facts.rule) ? ofAnotherPlan(facts) : []),
  ...ofExpired(facts),
];

/** A worker is not free while the job that it was to stop goes on. */
const NOT_STOPPED: Ids = ['3/cancelled-never-completes', '3/cancel-running', '3/cancel-queued'];

/** It waits or runs for too long where another worker than is known of may be its own, or one is still busy. */
function ofWorkers({ context, job, rule, op, shows }: Facts): Ids {
  if (shows === 'IN_PROGRESS' && rule.startsWith('3/success-completes'))
    return ['1/waits-when-no-worker-free'];
  if (shows !== 'IN_QUEUE' || rule !== '1/freed-worker-takes-waiting-job') return [];
  const isAfterCancel = context.session.calls.some(
    (call) =>
      call.op === 'cancel' &&
      answerOf(call) === 'ok' &&
      idInPath(call) !== job.id &&
      precedes(call, op.call!),
  );
  return isAfterCancel ? NOT_STOPPED : [];
}

/** It answers as if the job were there, which may be gone all the same. */
function ofExpired({ op, rule }: Facts): Ids {
  const isRemoval = rule.startsWith('2.2/ttl-removes') || rule === '2.2/ttl-default-removes';
  if (!isRemoval || op.answer !== 'ok') return [];
  return op.kind === 'cancel' ? ['7/ttl-expired-cancel'] : op.kind === 'retry' ? ['7/ttl-expired-retry'] : [];
}

/** What explains as much as that a job is gone too early. */
export function asNear(facts: Facts): Ids {
  const found: RequirementId[] = [];
  if (wasNeverSeen(facts)) {
    const { outcome } = facts.job.predicted(0);
    // A failed one may be forgotten soon.
    if (outcome !== 'error' && outcome !== 'crash') found.push(creates(facts.job));
    found.push('4.3/shows-current-state');
  }
  if (wasReadOnce(facts)) found.push('4.3/reading-does-not-consume');
  // What its own script did there does as well, and no other script was there to do it.
  return found.length > 0 && hasOutsideEvent(facts) ? [] : found;
}

/** Of the two times in the record the other one. */
export const otherTime = ({ rule, violation: { suspectRules: rules, explains } }: Facts): Ids =>
  rules.filter((one) => isAboutReportedTimes(one) && one !== rule && explains(one));

/**
 * The life is as the times say: by another rule that they contradict, or because looks show jobs running that wait, or waiting
 * that run, or because it was put into the queue again and has run twice, or has waited on when it should have been purged.
 */
export function lifeAsMeasured({ violation, context, job, op }: Facts): Ids {
  const waited = context.callIndex.purges.some(
    (purge) => answerOf(purge) === 'ok' && purge.sentMs >= job.submittedFromMs && purge.sentMs <= op.byMs,
  );
  return [
    ...contradictedBy(violation).filter((one) => !isAboutReportedTimes(one)),
    '1/waits-when-no-worker-free',
    '4.3/shows-current-state',
    '3/no-return-to-queue',
    ...(waited && job.sync ? (['4.7/removes-waiting-runsync'] as const) : []),
    ...(waited ? (['4.7/removes-all-waiting'] as const) : []),
  ];
}
