/** Replaces a violated rule of the job model by a more specific requirement for jobs of its kind. */
import {
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
} from '../../spec/limits.js';
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../jobs/observed-jobs.js';
import { policyFieldOf } from '../observed/recorded-call.js';
import type { Facts } from './facts.js';

/** The most specific requirement that the document states for such a job, with what had happened to it by then. */
export const mostSpecific = (facts: Facts, id: RequirementId): RequirementId =>
  byStatusTtl(facts, id) ?? byPolicy(facts.job, id) ?? byKind(facts, id) ?? id;

/** A value out of bounds took effect as given. */
export function byPolicy(job: Job, requirement: RequirementId): RequirementId | null {
  const ttl = policyFieldOf(job.submission, 'ttl');
  const executionTimeout = policyFieldOf(job.submission, 'executionTimeout');
  if (typeof executionTimeout === 'number') {
    if (executionTimeout < EXECUTION_TIMEOUT_MIN_MS && requirement === '2.2/execution-timeout-not-early')
      return '2.2/execution-timeout-min-enforced';
    if (executionTimeout > EXECUTION_TIMEOUT_MAX_MS && requirement.startsWith('2.2/execution-timeout-stops'))
      return '2.2/execution-timeout-max-enforced';
  }
  if (typeof ttl === 'number') {
    if (ttl < TTL_MIN_MS && requirement.startsWith('2.2/ttl-not-early')) return '2.2/ttl-min-enforced';
    if (ttl > TTL_MAX_MS && requirement.startsWith('2.2/ttl-removes')) return '2.2/ttl-max-enforced';
  }
  return null;
}

/** A lifespan set by `/status` replaces that of the submission. */
function byStatusTtl({ job, newTtl }: Facts, requirement: RequirementId): RequirementId | null {
  if (newTtl === undefined) return null;
  if (requirement.startsWith('2.2/ttl-removes') || requirement === '2.2/ttl-default-removes')
    return '4.3/ttl-shortens-life';
  if (!requirement.startsWith('2.2/ttl-not-early') && requirement !== '2.2/ttl-default-not-early')
    return null;
  const given = job.policies[0]?.ttlMs ?? 0;
  return Number(newTtl.request.query['ttl']) > given ? '4.3/ttl-lengthens-life' : '4.3/ttl-not-at-once';
}

/** The same rule, for a particular kind of job. */
function byKind(facts: Facts, requirement: RequirementId): RequirementId | null {
  const { job, isRetried: retried } = facts;
  switch (requirement) {
    case '3/cancel-queued':
    case '3/cancel-running':
      return retried ? '4.5/cancels-retried-job' : job.sync ? '4.5/cancels-runsync-job' : null;
    case '3/retry-requeues-failed':
    case '3/retry-requeues-timed-out':
      return job.sync ? '4.6/retries-runsync-job' : null;
    case '4.7/removes-all-waiting':
      if (retried) return '4.7/removes-waiting-retried';
      return job.model.lowPriority
        ? '4.7/removes-waiting-low-priority'
        : job.sync
          ? '4.7/removes-waiting-runsync'
          : null;
    case '4.1/retention-kept':
      if (retried) return '4.1/retention-after-retry';
      return job.model.waitGiven ? '4.1/wait-does-not-shorten-retention' : null;
    case '2.2/ttl-removes-failed':
    case '2.2/ttl-removes-timed-out':
      return retried ? '2.2/ttl-removes-retried' : null;
    case '2.2/ttl-removes-queued':
    case '2.2/ttl-removes-running':
    case '2.2/ttl-removes-completed':
      if (retried) return '2.2/ttl-removes-retried';
      if (job.sync) return '2.2/ttl-removes-runsync';
      return requirement !== '2.2/ttl-removes-queued' &&
        waitedLong(facts) &&
        mayCountFromStart(facts) &&
        !facts.context.jobs.some((other) => outlivesFromStart(facts, other))
        ? FROM_START
        : null;
    case '4.2/retention-kept':
      return retried ? '4.2/retention-after-retry' : null;
    default:
      return null;
  }
}

/** Its ttl may count from its start and not be over yet: it started no earlier than that. */
function mayCountFromStart({ context, job, op, before }: Facts): boolean {
  const started = before.find(({ observed }) => observed !== 'IN_QUEUE')?.call;
  const ttlMs = Math.max(...job.policies.map((policy) => policy.ttlMs ?? Infinity));
  return op.fromMs <= (started?.receivedMs ?? Infinity) + ttlMs + context.session.run.graceMs;
}

/** This job is found when its ttl is over from its start, too: a ttl counts for nothing here. */
function outlivesFromStart({ context }: Facts, job: Job): boolean {
  const reads = job.reads;
  const started = reads.find(({ observed }) => observed !== 'IN_QUEUE')?.call;
  const last = reads.findLast(({ observed }) => observed === 'IN_PROGRESS' || observed === 'COMPLETED')?.call;
  const ttlMs = Math.max(...job.policies.map((policy) => policy.ttlMs ?? Infinity));
  const startsAnew = ({ op, request }: CallEvent): boolean =>
    op === 'retry' || request.query['ttl'] !== undefined;
  if (last === undefined || job.calls.some((call) => call.sentMs <= last.sentMs && startsAnew(call)))
    return false;
  return last.sentMs > (started?.receivedMs ?? Infinity) + ttlMs + context.session.run.graceMs;
}

/** It waited so long that this would differ. */
function waitedLong({ context, job, before }: Facts): boolean {
  const leastMs = Math.max(context.session.run.graceMs, 1_000);
  return before.some(
    ({ call, observed }) => observed === 'IN_QUEUE' && call.sentMs > job.submittedByMs + leastMs,
  );
}

const FROM_START: RequirementId = '2.2/ttl-starts-at-submission';

/** Whether a ttl that has not removed a running job counts from its start, or for nothing, other jobs show. */
export function orFromStart(facts: Facts, name: RequirementId, id: RequirementId): readonly RequirementId[] {
  if (id === FROM_START) return [name];
  const isOfRun = id === '2.2/ttl-removes-running' || id === '2.2/ttl-removes-completed';
  return isOfRun && mayCountFromStart(facts) ? [FROM_START] : [];
}
