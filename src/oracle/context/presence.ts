/** Whether a job must be found at some time, by an explanation that is as of its last observation. */
import type { CallEvent } from '../../history/events.js';
import { isUnended, lastStateOf, type Hypothesis } from '../model/hypothesis.js';
import { UNSUCCESSFUL_KEPT_MS } from '../model/job-model.js';
import { BIT, setOf, type StateSet } from '../model/state-set.js';
import { ENDED, TTL_START } from '../model/zone.js';
import type { Interval } from '../observed/intervals.js';

export interface Later {
  /** The states that the job may have been in meanwhile, if this explanation is true. */
  statesLater(at: Hypothesis, during: Interval): StateSet;
}

export const duringCall = ({ sentMs, receivedMs }: CallEvent): Interval => ({
  fromMs: sentMs,
  byMs: receivedMs ?? Infinity,
});

/** How long the record of a job that was cancelled or purged can be read is open. */
const REMOVED = setOf(['cancelled', 'purged', 'deleted']);

/** Neither its ttl nor its retention can have deleted it meanwhile. */
export function isUndeleted(at: Hypothesis, during: Interval, later: Later): boolean {
  if ((BIT[at.state] & REMOVED) !== 0) return isDeletedAfter(at, during.byMs);
  return (later.statesLater(at, during) & BIT.deleted) === 0;
}

/** It must be found all that time, unless a call in the history has removed it. */
export function isPresent(at: Hypothesis, during: Interval, later: Later): boolean {
  if (!isUndeleted(at, during, later)) return false;
  if (at.state === 'deleted') return true;
  // By its `executionTimeout`, where that makes it CANCELLED, or by calls that are not in the history.
  return ((BIT[at.state] | later.statesLater(at, during)) & REMOVED) === 0;
}

function isDeletedAfter(at: Hypothesis, byMs: number): boolean {
  const { zone, policy } = at;
  const last = lastStateOf(at);
  if (at.state === 'deleted' && (last === 'cancelled' || last === 'purged')) return false;
  const keptMs = last === 'completed' ? policy.keptAtLeastMs : UNSUCCESSFUL_KEPT_MS;
  const endsMs = isUnended(last) ? Infinity : zone.earliest(ENDED) + keptMs;
  return Math.min(zone.earliest(TTL_START) + (policy.ttlMs ?? 0), endsMs) > byMs;
}
