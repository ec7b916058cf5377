/** How the target answers what sections 4 and 4.1 of the document leave open. */
import {
  RUN_RETENTION_MS,
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
} from '../../spec/limits.js';
import { answerOf } from '../observed/reading.js';
import { asRunsyncOrRun, keptSync } from './lifespans.js';
import { observedIn, onCall, onJob, type ObserversOf } from './observers.js';
import type { SeenJob } from './seen-job.js';
import { plus, theOne } from './spans.js';

export const OBSERVED_4 = {
  '4/success-code-runsync': observedIn('calls'),
  '4/success-code-run': observedIn('calls'),
  '4/success-code-status': observedIn('calls'),
  '4/success-code-stream': observedIn('calls'),
  '4/success-code-cancel': observedIn('calls'),
  '4/success-code-retry': observedIn('calls'),
  '4/success-code-purge-queue': observedIn('calls'),
  '4/success-code-health': observedIn('calls'),
  '4/wrong-method': observedIn('calls'),
  '4/unknown-path': observedIn('calls'),
  '4/missing-job-id': observedIn('calls'),
  '4/trailing-slash': observedIn('calls'),
  '4/head-request': observedIn('calls'),
  '4/options-request': observedIn('calls'),
  '4/unneeded-body': onCall(({ call, code, answer }) => {
    if (!WITHOUT_BODY.includes(call.op) || call.request.body.as === 'none') return null;
    // Held back with others, its job may have ended meanwhile: then it is that which is refused.
    if (call.held !== undefined) return null;
    return answer === 'ok' ? 'ignored' : code === 400 ? 'refused' : null;
  }),
  '4/unknown-query': observedIn('calls'),
  '4.1/wait-elapsed-body': observedIn('results'),
  '4.1/wait-elapsed-code': observedIn('results'),
  '4.1/wait-below-min': observedIn('results'),
  '4.1/wait-above-max': observedIn('results'),
  '4.1/wait-fraction': observedIn('calls'),
  '4.1/empty-wait': observedIn('calls'),
  /** "1 minute after completion (up to 5 minutes with `wait`)". */
  '4.1/retention-with-wait': onJob((job) => {
    const found = keptSync(job);
    const { submitted, life } = job.job;
    if (found === null || job.retries.length > 0 || hasOutlivedWait(job) || !life.waitGiven) return null;
    const waitMs = Number(submitted.request.query['wait']);
    const readings = {
      'one-minute': plus(found.ended, RUNSYNC_RETENTION_MS),
      'as-wait': plus(found.ended, Math.max(RUNSYNC_RETENTION_MS, waitMs)),
      'five-minutes': plus(found.ended, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS),
    };
    return theOne(job.scene, found.seen, readings, 'in-between');
  }),
  '4.1/outlived-wait-retention': onJob((job) => {
    const found = keptSync(job);
    if (found === null || job.retries.length > 0 || !hasOutlivedWait(job)) return null;
    return asRunsyncOrRun(job, found);
  }),
  '4.1/failed-job-code': onJob((job) => {
    const { submitted } = job.job;
    if (!job.isToldFailed || job.plan.outcome !== 'error') return null;
    if (answerOf(submitted) === 'ok') return '200';
    const code = submitted.reply!.status;
    return code === 500 || code === 400 ? `${code}` : 'other';
  }),
  '4.1/ttl-during-wait': observedIn('results'),
  '4.1/purge-during-wait': observedIn('results'),
} as const satisfies ObserversOf<'4' | '4.1'>;

/** The call was answered before the job had ended. */
function hasOutlivedWait({ job }: SeenJob): boolean {
  return job.terms.every(({ keptAtMostMs }) => keptAtMostMs === RUN_RETENTION_MS);
}

const WITHOUT_BODY: readonly (string | null)[] = [
  'status',
  'stream',
  'cancel',
  'retry',
  'purge-queue',
  'health',
];
