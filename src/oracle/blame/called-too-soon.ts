/** A webhook was called, and the job had not ended: the call came too soon, and says nothing of its life (section 6). */
import type { Breach } from '../proof/breach.js';
import type { Suspect } from '../ledger/unsettled.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { ofItsOwn } from './proven-elsewhere.js';
import { isWaitingOrRunning, precedes, sightingsOf } from '../cast/sightings.js';
import { isToldByWebhook } from './wrong-states.js';

/**
 * The webhook tells of an end that cannot have been. Where the job was not seen to go on, it may have ended too early. Neither
 * is proven where it is known of other jobs that looks do not show how they are, that they go on when they have completed, or
 * that they are done with another one's input.
 */
export function calledTooSoon(job: Job, { op, requirement }: Breach): TooSoon {
  const wentOn = sightingsOf(job).some(
    ({ call, shows }) => isWaitingOrRunning(shows) && call.sentMs >= op.byMs,
  );
  if (wentOn) return SHOWN_TOO_SOON;
  // A removal is no end that a webhook is called for.
  const isRemoval = requirement.includes('/ttl-');
  const isTooSoon = isRemoval || requirement === '3/not-completed-before-handler-ends';
  return { id: isTooSoon ? TOO_SOON : requirement, suspects: provenElsewhere(ANOTHER_RUN) };
}

export interface TooSoon {
  readonly id: RequirementId;
  readonly suspects: readonly Suspect[];
}

const TOO_SOON = '6/no-call-before-completion';
const provenElsewhere = (ids: readonly RequirementId[]): readonly Suspect[] =>
  ids.map((id) => ofItsOwn(id, true));

const ANOTHER_RUN: readonly RequirementId[] = [
  '2.1/input-not-mixed-between-jobs',
  '2.4/output-of-this-job',
  '3/not-completed-before-handler-ends',
];
const SHOWN_WRONGLY: readonly RequirementId[] = [
  '4.3/shows-current-state',
  '2.4/id-matches-status',
  '3/completed-stays',
  ...ANOTHER_RUN,
];
const SHOWN_LATE: TooSoon = { id: '4.3/shows-current-state', suspects: [] };
const SHOWN_TOO_SOON: TooSoon = { id: TOO_SOON, suspects: provenElsewhere(SHOWN_WRONGLY) };

/** It waits or runs, and nothing but a call of its webhook says that it had ended. */
export function endedByWebhookAlone(job: Job, { op, requirement }: Breach): TooSoon | null {
  if (!requirement.startsWith('3/') || !requirement.endsWith('-stays')) return null;
  if (op.kind !== 'status' || op.shows === null || !isWaitingOrRunning(op.shows) || job.retried) return null;
  if (!job.webhooks.some(({ arrivedMs }) => arrivedMs <= op.fromMs)) return null;
  const before = sightingsOf(job).filter(({ call }) => precedes(call, op.call!));
  if (!before.every(({ shows }) => isWaitingOrRunning(shows))) return null;
  return isToldByWebhook(job, op) ? SHOWN_LATE : SHOWN_TOO_SOON;
}
