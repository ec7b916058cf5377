/**
 * A job that is answered 404 though nothing can have deleted it yet. That tells of no work, of no timeout and of no cancel,
 * whatever the job might have been doing meanwhile: it was never created, its ttl struck too early, or its result was not kept.
 */
import type { Breach } from '../proof/breach.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { ttlRequirement } from '../model/lifecycle.js';
import { creates, isLasting, neverCreated } from './own-history.js';
import { answerOf } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { precedes, sightingsOf } from '../cast/sightings.js';

/** The ttl of a job that has ended: without one of its own it has the default. */
const OF_ENDED: RequirementId = '2.2/ttl-not-early-completed';

/** What explains it, the nearest first; the others are named where they are broken elsewhere. Empty: it is no such breach. */
export function goneEarly({ cast }: Scene, job: Job, breach: Breach): readonly RequirementId[] {
  const { purges } = cast.roll;
  const { op, requirement, rules, places } = breach;
  if (op.code !== 404 || op.call === null) return [];
  const mayWait = places.has('queue');
  const mayRun = places.has('progress');
  const ttl = mayWait || mayRun ? ofTtl(job, breach) : rules.find(isLasting);
  const created = mayWait || mayRun ? neverCreated(job, breach) : null;
  const { ttlGiven } = job.life.life;
  const found: RequirementId[] = [
    ...(created === null ? [] : [created]),
    isLasting(requirement) ? requirement : (ttl ?? requirement),
    ...(ttl === undefined ? [] : [ttl]),
    ...rules.filter((rule) => isLasting(rule) && (ttlGiven || rule !== OF_ENDED)),
  ];
  if (!ttlGiven) found.push('2.2/ttl-default-not-early');
  if (sightingsOf(job).every(({ shows }) => shows === 'GONE')) found.push(creates(job));
  if (op.kind === 'status') found.push('4.3/shows-current-state');
  if (op.kind === 'cancel') found.push(mayRun ? '3/cancel-running' : '3/cancel-queued');
  // It may have been stopped by its time, and is kept from then on for as long as pleases the service.
  found.push(...rules.filter((rule) => rule.startsWith('2.2/execution-timeout')));
  // Or it waited when it should have run, and was purged.
  if (purges.some((purge) => answerOf(purge) === 'ok' && precedes(job.submitted, purge)))
    found.push('1/free-worker-takes-job', '1/freed-worker-takes-waiting-job');
  const ageMs = op.byMs - job.life.submittedFromMs;
  if (mayWait && job.life.terms.some(({ executionLeastMs }) => executionLeastMs <= ageMs))
    found.push('2.2/execution-timeout-not-in-queue');
  return found;
}

/** The nearest of those by which it was not yet to be deleted where it may have been. */
function ofTtl(job: Job, { rules, places }: Breach): RequirementId {
  const fitting = (['progress', 'queue'] as const)
    .filter((place) => places.has(place))
    .map((place): RequirementId => ttlRequirement('tooEarly', job.life.life, place));
  return rules.find((rule) => fitting.includes(rule)) ?? fitting[0]!;
}
