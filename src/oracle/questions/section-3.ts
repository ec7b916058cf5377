/** How the target answers what sections 3, 4 and 4.1 of the document leave open. */
import { idsFor } from '../../spec/ids.js';
import {
  RUN_RETENTION_MS,
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
  WAIT_DEFAULT_MS,
} from '../../spec/limits.js';
import { MAIN_OPERATIONS, OPERATIONS } from '../../spec/operations.js';
import type { JobState } from '../model/hypothesis.js';
import { ENDED } from '../model/zone.js';
import { observedIn, onCall, onJob, onRecord, type ObserversOf } from './observers.js';
import { statusIn } from '../observed/recorded-call.js';
import type { Life } from '../context/life.js';
import {
  asRunsyncOrRun,
  failureCode,
  fits,
  keptOf,
  keptSync,
  retentionEnd,
  SOON_MS,
  type Predictions,
} from './kept.js';
import { plus } from '../observed/intervals.js';

export const OBSERVED_3 = {
  ...observedIn('model', '3/timed-out-state'),
  '3/status-after-cancel': onJob('cancelled', (seen) => {
    const cancel = seen.done('cancel');
    const read = cancel === undefined ? undefined : seen.readAfter(cancel);
    if (read === undefined || read.call.sentMs > cancel!.receivedMs! + SOON_MS || !seen.isStopped)
      return null;
    if (read.observed === 'CANCELLED') return 'CANCELLED';
    return read.observed === 'GONE' && seen.wasKept(read.call) ? 'not-found' : null;
  }),
  /** The document's list of states for /status omits two. */
  '3/status-operation-states': onRecord(['CANCELLED', 'TIMED_OUT', 'FAILED'], ({ status }, { job }) => {
    if (status !== 'FAILED') return 'all-six';
    return statusIn(job.submitted) === 'TIMED_OUT' ? 'first-four' : null;
  }),
  /** A plan for the second run shows whether there was one. */
  '3/worker-crash': onJob('any', (seen) => {
    const { outcome, durationMs } = seen.plan;
    if (outcome !== 'crash' || seen.job.predicted(1).outcome !== 'success' || seen.job.retried) return null;
    // A timer may have ended it before its worker crashed, and a purged job may be reported as FAILED.
    const crashedMs = durationMs! + seen.context.graceMax;
    if (seen.mayBe(({ policy, purgedBy }) => purgedBy !== null || policy.executionLeastMs <= crashedMs))
      return null;
    const end = seen.first('FAILED', 'COMPLETED');
    return end === undefined ? null : statusIn(end) === 'FAILED' ? 'fails' : 're-dispatched';
  }),
  '3/retention-of-failed': onJob('any', (seen) => retention(seen, 'failed', {})),
  '3/retention-of-timed-out': onJob('any', (seen) => retention(seen, 'timed-out', {})),
  '3/retention-of-cancelled': onJob('any', (seen) =>
    retention(seen, 'cancelled', { 'not-at-all': plus(seen.when(ENDED), 0, 1000) }),
  ),
  ...observedIn('calls', ...Object.values(idsFor('4/success-code-*', MAIN_OPERATIONS))),
  ...observedIn('calls', '4/wrong-method', '4/unknown-path', '4/missing-job-id', '4/trailing-slash'),
  ...observedIn('calls', '4/head-request', '4/options-request', '4/unknown-query'),
  '4/unneeded-body': onCall(({ call: { op, request, held }, code, answer }) => {
    if (request.body.as === 'none' || !WITHOUT_BODY.some((one) => one === op)) return null;
    // If the call was held back with others, its job may have ended meanwhile, and the refusal may be due to
    // that.
    if (held !== undefined) return null;
    return answer === 'ok' ? 'ignored' : code === 400 ? 'refused' : null;
  }),
  ...observedIn('results', '4.1/wait-elapsed-body', '4.1/wait-elapsed-code'),
  ...observedIn('results', '4.1/wait-below-min', '4.1/wait-above-max'),
  ...observedIn('results', '4.1/ttl-during-wait', '4.1/purge-during-wait'),
  ...observedIn('calls', '4.1/wait-fraction', '4.1/empty-wait'),
  /** "1 minute after completion (up to 5 minutes with `wait`)". */
  '4.1/retention-with-wait': onJob('of runsync', (seen) => {
    const { submitted, model } = seen.job;
    const kept = model.waitGiven && !hasOutlivedWait(seen) ? keptSync(seen) : null;
    if (kept === null || seen.retries.length > 0) return null;
    const waitMs = Number(submitted.request.query['wait']);
    const predicted = {
      'one-minute': plus(kept.ended, RUNSYNC_RETENTION_MS),
      'as-wait': plus(kept.ended, Math.max(RUNSYNC_RETENTION_MS, waitMs)),
      'five-minutes': plus(kept.ended, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS),
    };
    return fits(seen, kept.gone, predicted, 'in-between');
  }),
  '4.1/outlived-wait-retention': onJob('of runsync', (seen) =>
    seen.retries.length === 0 && hasOutlivedWait(seen) ? outlived(seen) : null,
  ),
  '4.1/failed-job-code': onJob('of runsync', (seen) => failureCode(seen, 'error', '200', 500, 400)),
} as const satisfies ObserversOf<'3' | '4' | '4.1'>;

const WITHOUT_BODY = OPERATIONS.filter(({ body }) => body === 'none').map(({ op }) => op);

/** How long a job that ended in this state and was never retried was found. */
function retention<F extends Predictions>(seen: Life, state: JobState, others: F) {
  const kept = seen.retries.length > 0 ? null : keptOf(seen);
  if (kept?.state !== state) return null;
  const { ended, gone, ttlEnds } = kept;
  const asCompleted = retentionEnd(seen, ended);
  if (ttlEnds.fromMs < asCompleted.byMs + 2 * seen.context.graceMax) return null;
  return fits(seen, gone, { 'as-completed': asCompleted, 'until-ttl': ttlEnds, ...others }, 'other');
}

/** Only a `wait` of more than a minute shows whether a result is kept as long as its call could wait. */
function outlived(seen: Life): 'as-runsync' | 'as-wait' | 'as-run' | null {
  const reading = asRunsyncOrRun(seen);
  const kept = keptSync(seen);
  if (kept === null || reading !== 'as-runsync') return reading;
  const waitMs = Number(seen.job.submitted.request.query['wait'] ?? WAIT_DEFAULT_MS);
  if (!(waitMs > RUNSYNC_RETENTION_MS)) return null;
  const predicted = {
    'as-wait': plus(kept.ended, waitMs),
    'one-minute': plus(kept.ended, RUNSYNC_RETENTION_MS),
    'five-minutes': plus(kept.ended, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS),
  };
  const length = fits(seen, kept.gone, predicted, 'other');
  return length === null || length === 'as-wait' ? length : 'as-runsync';
}

/** The call was answered before the job ended. */
function hasOutlivedWait({ job }: Life): boolean {
  return job.policies.every(({ keptAtMostMs }) => keptAtMostMs === RUN_RETENTION_MS);
}
