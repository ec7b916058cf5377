import type { LoggedWebhook } from '../logged-call.js';
import type { ServerObserver } from '../observer.js';

/** One attempt to call the webhook of a job; one that was retried may have several with one number. */
export interface WebhookAttempt extends Pick<LoggedWebhook, 'attempt' | 'atMs' | 'forwardedTo'> {
  readonly url: string;
  /** The answered code; 0 without an answer; null while it is being called. */
  readonly status: number | null;
}

export interface WebhookLog extends Required<Pick<ServerObserver, 'webhookCalled'>> {
  /** The last attempts for this job, the oldest first. */
  readonly of: (job: string) => readonly WebhookAttempt[];
}

/** The webhook calls of this many jobs are kept: those whose first call is the newest. */
const JOBS_MAX = 1_000;
const ATTEMPTS_MAX = 20;

export function createWebhookLog(forwardedTo: string | null): WebhookLog {
  const attempts = new Map<string, WebhookAttempt[]>();
  return {
    webhookCalled({ job, url, attempt, atMs }) {
      const made = attempts.get(job) ?? [];
      attempts.set(job, made);
      if (attempts.size > JOBS_MAX) attempts.delete(attempts.keys().next().value!);
      const call = { attempt, atMs, url, forwardedTo, status: null as number | null };
      made.push(call);
      if (made.length > ATTEMPTS_MAX) made.shift();
      return ({ status }) => {
        call.status = status ?? 0;
      };
    },
    of: (job) => attempts.get(job) ?? [],
  };
}
