/** Section 6: the call on completion. */
import { WEBHOOK_ATTEMPTS_MAX, WEBHOOK_RETRY_PAUSE_MS, WEBHOOK_SUCCESS_STATUS } from '../../spec/limits.js';
import type { JobView, StopReason } from '../state.js';
import type { Is } from './is.js';

export const webhookRules = (is: Is, runpod: boolean) => ({
  /** §6: on completion, when the submission asked for it; which other ends count is not shown. */
  webhookWanted: (job: JobView): boolean => {
    if (job.submission.webhook === null) return false;
    if (job.endedMs === null) return false;
    if (job.status === 'COMPLETED') return true;
    if (job.status === 'CANCELLED') return is('6/trigger', 'any-end');
    return runpod || !is('6/trigger', 'success-only');
  },

  /** §6: a job that was deleted before its end causes no call. */
  webhookWantedOnRemoval: (_job: JobView, _reason: StopReason): boolean => false,

  /** §6: when the first call is made. */
  webhookFirstAtMs: (endedMs: number): number => endedMs,

  /** §6: the address of the submission. */
  webhookUrl: (job: JobView): string => job.submission.webhook ?? '',

  /** §6: the receiver should answer with 200; whether another 2xx is a failure is not shown. */
  webhookSucceeded: (status: number | null): boolean =>
    status !== null &&
    (is('6/success-status', '200-only') ? status === WEBHOOK_SUCCESS_STATUS : status >= 200 && status < 300),

  /** §6: the first call and up to 2 more. */
  webhookAttemptsMax: (): number => WEBHOOK_ATTEMPTS_MAX,

  /** §6: 10 seconds between attempts: from the end of the failed one. */
  webhookAgainAtMs: (_calledMs: number, endedMs: number): number => endedMs + WEBHOOK_RETRY_PAUSE_MS,
});
