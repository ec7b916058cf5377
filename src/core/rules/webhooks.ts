/** Section 6: webhooks. */
import type { Json } from '../../history/events.js';
import { WEBHOOK_ATTEMPTS_MAX, WEBHOOK_RETRY_PAUSE_MS, WEBHOOK_SUCCESS_STATUS } from '../../spec/limits.js';
import type { JobView, StopReason } from '../entities.js';
import type { ReadingOf } from './reads.js';

/** Edition `runpod`: the pauses before the second and the third attempt, as measured. */
const RUNPOD_PAUSES_MS = [5_000, 15_000];

const TIMEOUTS_MS = { 'up-to-10-s': 10_000, 'up-to-30-s': 20_000, longer: 40_000 } as const;

export function webhookRules(readingOf: ReadingOf, runpod: boolean) {
  const calledOn = {
    COMPLETED: true,
    FAILED: readingOf('6/called-on-failed') === 'yes',
    TIMED_OUT: readingOf('6/called-on-timed-out') === 'yes',
    CANCELLED: readingOf('6/called-on-cancelled') === 'yes',
    IN_QUEUE: false,
    IN_PROGRESS: false,
  };
  // Once for each job: unless its failure was none to be called for, a retried job has had its call.
  const afterRetry = readingOf('6/after-retry') === 'yes' || !calledOn.FAILED || !calledOn.TIMED_OUT;
  const successStatus = readingOf('6/success-status');
  const redirect = readingOf('6/redirect');
  const pauseOrigin = readingOf('6/pause-origin');
  const payload = readingOf('6/payload-shape');
  const outlivesJob = readingOf('6/job-gone-between-attempts') === 'go-on';

  return {
    /**
     * §6: on completion, when the submission names a webhook; for other endings it is not shown. Called after
     * each transition.
     */
    webhookWanted: (job: JobView): boolean =>
      job.submission.webhook !== null && calledOn[job.status] && (job.retries === 0 || afterRetry),

    /** §6: a job that is deleted before its end never completes, so its webhook is not called. */
    webhookWantedOnRemoval: (_job: JobView, _reason: StopReason): boolean => false,

    /** §6: when the first call is made. */
    webhookFirstAtMs: (endedMs: number): number => endedMs,

    /** §6: the address of the submission. */
    webhookUrl: (job: JobView): string => job.submission.webhook ?? '',

    /** §6: the payload's shape is not shown. */
    webhookBody: (record: Json): Json => (payload === 'other' ? { event: 'job.ended', job: record } : record),

    /** §6: method and headers are not shown. */
    webhookMethod: (): string => (readingOf('6/method') === 'other' ? 'PUT' : 'POST'),
    webhookHeaders: (): { readonly [name: string]: string } => ({
      'content-type': readingOf('6/content-type') === 'other' ? 'text/plain' : 'application/json',
      ...(readingOf('6/signature') === 'header' ? { 'x-webhook-signature': 'v1=0' } : {}),
    }),

    /**
     * §6: the receiver should answer with 200; whether another 2xx or a redirect is a failure is not shown.
     */
    webhookSucceeded: (status: number | null): boolean => {
      if (status === null) return false;
      if (status === WEBHOOK_SUCCESS_STATUS) return true;
      if (status >= 300 && status < 400) return redirect === 'success';
      return successStatus === 'any-2xx' && status >= 200 && status < 300;
    },

    /** §6: how long an attempt waits for an answer, in ms; not shown. */
    webhookTimeoutMs: (): number => TIMEOUTS_MS[readingOf('6/attempt-timeout')],

    /** §6: the first attempt and up to 2 more. */
    webhookAttemptsMax: (): number => WEBHOOK_ATTEMPTS_MAX,

    /**
     * §6: 10 seconds between attempts, counted from the start or the end of the failed one, the `attempt`-th.
     */
    webhookAgainAtMs: (calledMs: number, endedMs: number, attempt: number): number =>
      (pauseOrigin === 'from-start' ? calledMs : endedMs) +
      ((runpod ? RUNPOD_PAUSES_MS[attempt - 1] : undefined) ?? WEBHOOK_RETRY_PAUSE_MS),

    /** §6: whether attempts continue when the job was deleted. */
    webhookOutlivesJob: (): boolean => outlivesJob,
  };
}
