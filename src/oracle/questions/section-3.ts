/** How the target answers what section 3 of the document leaves open. */
import type { Place } from '../model/hypothesis.js';
import { answerOf } from '../observed/reading.js';
import { kept, retentionEnd } from './lifespans.js';
import { observedIn, onJob, type ObserversOf } from './observers.js';
import type { SeenJob } from './seen-job.js';
import { plus, theOne } from './spans.js';

export const OBSERVED_3 = {
  '3/timed-out-state': observedIn('model'),
  '3/status-after-cancel': onJob((job) => {
    const cancel = job.calls('cancel').find((call) => answerOf(call) === 'ok');
    const look = cancel === undefined ? undefined : job.lookAfter(cancel);
    // Much later it may have been deleted for another reason.
    if (look === undefined || look.call.sentMs > cancel!.receivedMs! + SOON_MS || !job.isStopped) return null;
    if (look.shows === 'CANCELLED') return 'CANCELLED';
    return look.shows === 'GONE' && !job.mayBeUnknown(look.call) ? 'not-found' : null;
  }),
  '3/status-operation-states': observedIn('calls'),
  /** A plan for the second run tells whether there was one. */
  '3/worker-crash': onJob((job) => {
    const { outcome, lastsMs } = job.plan;
    if (outcome !== 'crash' || job.job.foreseen(1).outcome !== 'success' || job.job.retried) return null;
    // Its time may have been over before its worker died, and a purged job may be told as FAILED.
    const crashedMs = lastsMs! + job.scene.graceMax;
    if (job.life.mayBe(({ terms, purgedBy }) => purgedBy !== null || terms.executionLeastMs <= crashedMs))
      return null;
    const end = job.first('FAILED', 'COMPLETED');
    return end === undefined ? null : end.shows === 'FAILED' ? 'fails' : 're-dispatched';
  }),
  '3/retention-of-failed': onJob((job) => {
    const found = retentionOf('failed', job);
    return found === null ? null : theOne(job.scene, found.seen, found.readings, 'other');
  }),
  '3/retention-of-timed-out': onJob((job) => {
    const found = retentionOf('timed-out', job);
    return found === null ? null : theOne(job.scene, found.seen, found.readings, 'other');
  }),
  '3/retention-of-cancelled': onJob((job) => {
    const found = retentionOf('cancelled', job);
    if (found === null) return null;
    const readings = { ...found.readings, 'not-at-all': plus(found.ended, 0, 1000) };
    return theOne(job.scene, found.seen, readings, 'other');
  }),
} as const satisfies ObserversOf<'3'>;

const SOON_MS = 5_000;

/** Where it ended so and was never retried: when it ceased to be found, and what its readings foresee. */
function retentionOf(place: Place, job: SeenJob) {
  const found = kept(job);
  if (found?.place !== place || job.retries.length > 0) return null;
  const asCompleted = retentionEnd(job, found.ended);
  if (found.ttlEnds.fromMs < asCompleted.byMs + 2 * job.scene.graceMax) return null;
  return { ...found, readings: { 'as-completed': asCompleted, 'until-ttl': found.ttlEnds } };
}
