/** A webhook was called, and the job had not ended: the call came too soon, and says nothing of its life (section 6). */
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cases.js';
import type { Breach } from '../life/job.js';
import { isWaitingOrRunning, precedes, sightingsOf } from './sightings.js';

/** The webhook tells of an end that cannot have been. Where the job was not seen to go on, it may have ended too early. */
export function calledTooSoon(job: Job, { op, requirement }: Breach): RequirementId {
  const wentOn = sightingsOf(job).some(
    ({ call, shows }) => isWaitingOrRunning(shows) && call.sentMs >= op.byMs,
  );
  // A removal is no end that a webhook is called for.
  const isRemoval = requirement.includes('/ttl-');
  return wentOn || isRemoval || requirement === '3/not-completed-before-handler-ends'
    ? '6/no-call-before-completion'
    : requirement;
}

/** It waits or runs, and nothing but a call of its webhook says that it had ended. */
export function endedByWebhookAlone(job: Job, { op, requirement }: Breach): RequirementId | null {
  if (!requirement.startsWith('3/') || !requirement.endsWith('-stays')) return null;
  if (op.kind !== 'status' || op.shows === null || !isWaitingOrRunning(op.shows) || job.retried) return null;
  if (!job.webhooks.some(({ arrivedMs }) => arrivedMs <= op.fromMs)) return null;
  const before = sightingsOf(job).filter(({ call }) => precedes(call, op.call!));
  return before.every(({ shows }) => isWaitingOrRunning(shows)) ? '6/no-call-before-completion' : null;
}
