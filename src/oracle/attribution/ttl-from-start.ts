/** Whether a ttl that has not removed a running job counts from its start, or for nothing: other jobs show it. */
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../jobs/observed-jobs.js';
import type { Facts } from './facts.js';

const OF_RUN: readonly RequirementId[] = ['2.2/ttl-removes-running', '2.2/ttl-removes-completed'];
const FROM_START: RequirementId = '2.2/ttl-starts-at-submission';

/** The likeliest first. */
export function orFromStart(facts: Facts, name: RequirementId): readonly [RequirementId, ...RequirementId[]] {
  const { context, job, op, before } = facts;
  const { graceMs } = context.session.run;
  // It started no earlier than that.
  if (!OF_RUN.includes(name) || op.fromMs > endFromStartMs(job, before, graceMs)) return [name];
  const byMs = job.submittedByMs + Math.max(graceMs, 1_000);
  const waitedLong = before.some(({ call, observed }) => observed === 'IN_QUEUE' && call.sentMs > byMs);
  const isLikely = waitedLong && !context.jobs.some((other) => outlivesFromStart(other, graceMs));
  return isLikely ? [FROM_START, name] : [name, FROM_START];
}

/** The latest end of its ttl if that counts from its start, ms. */
function endFromStartMs({ policies }: Job, reads: Job['reads'], graceMs: number): number {
  const started = reads.find(({ observed }) => observed !== 'IN_QUEUE')?.call;
  const ttlMs = Math.max(...policies.map((policy) => policy.ttlMs ?? Infinity));
  return (started?.receivedMs ?? Infinity) + ttlMs + graceMs;
}

/** This job is found when its ttl is over from its start, too: a ttl counts for nothing here. */
function outlivesFromStart(job: Job, graceMs: number): boolean {
  const last = job.reads.findLast(({ observed }) => observed === 'IN_PROGRESS' || observed === 'COMPLETED');
  const startsAnew = ({ op, request, sentMs }: CallEvent): boolean =>
    sentMs <= last!.call.sentMs && (op === 'retry' || request.query['ttl'] !== undefined);
  if (last === undefined || job.calls.some(startsAnew)) return false;
  return last.call.sentMs > endFromStartMs(job, job.reads, graceMs);
}
