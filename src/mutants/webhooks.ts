/** Faults of webhooks: wrong address, wrong endings, too few attempts, wrong pauses. */
import { fault } from './mutant.js';

/** This status counts as success, so no attempt follows. */
const gaveUpOn = (status: number) =>
  fault(
    `webhook-${status}-is-final`,
    `an answer ${status} ends the calls`,
    ['6/retries-after-error-status', '6/three-attempts'],
    (base) => ({ webhookSucceeded: (answered) => answered === status || base.webhookSucceeded(answered) }),
  );

export const WEBHOOKS = [
  ...[400, 401, 403, 404, 410, 422, 429, 500, 501, 502, 503, 504].map(gaveUpOn),
  fault('webhook-pause-nine', 'the second attempt follows after 9 s', ['6/pause-not-shorter'], () => ({
    webhookAgainAtMs: (_calledMs, endedMs) => endedMs + 9_000,
  })),
  fault('webhook-pause-twenty', 'the second attempt follows after 20 s', ['6/pause-not-longer'], () => ({
    webhookAgainAtMs: (_calledMs, endedMs) => endedMs + 20_000,
  })),
  fault('webhook-pause-doubles', 'the second pause is 20 s', ['6/pause-not-longer'], (base) => ({
    webhookAgainAtMs: (calledMs, endedMs, attempt) =>
      base.webhookAgainAtMs(calledMs, endedMs, attempt) + (attempt - 1) * 10_000,
  })),
  fault(
    'webhook-pause-once',
    'the third attempt follows the second immediately',
    ['6/pause-not-shorter'],
    (base) => ({
      webhookAgainAtMs: (calledMs, endedMs, attempt) =>
        attempt === 1 ? base.webhookAgainAtMs(calledMs, endedMs, attempt) : endedMs,
    }),
  ),
  fault(
    'webhook-pause-from-first',
    'both pauses count from the first attempt',
    ['6/pause-not-shorter'],
    (base) => {
      const due = new Map<number, number>();
      return {
        webhookAgainAtMs: (calledMs, endedMs, attempt) => {
          const againMs = base.webhookAgainAtMs(calledMs, endedMs, attempt);
          if (attempt === 1) due.set(againMs, calledMs);
          return attempt === 1 ? againMs : endedMs + 1;
        },
      };
    },
  ),
  fault(
    'webhook-of-first-run-only',
    'the webhook is called for a job that completes at once, not for one that completes after a retry',
    ['6/called-on-completion-run', '6/called-on-completion-runsync'],
    (base) => ({
      webhookWanted: (job) => job.status === 'COMPLETED' && job.retries === 0 && base.webhookWanted(job),
    }),
  ),
  fault(
    'webhook-for-purged',
    'the webhook is called for a purged job',
    ['6/no-call-for-removed'],
    (base) => ({
      webhookWantedOnRemoval: (job, reason) =>
        (reason === 'purge' && job.submission.webhook !== null) || base.webhookWantedOnRemoval(job, reason),
    }),
  ),
  fault(
    'webhook-completes-removed',
    'the webhook of a deleted job is called with a record that says COMPLETED',
    ['6/no-completion-told-of-removed'],
    (base) => ({
      webhookWantedOnRemoval: (job, reason) =>
        (job.submission.webhook !== null && job.endedMs === null) || base.webhookWantedOnRemoval(job, reason),
      statusShown: (job, view) =>
        view === 'webhook' && job.endedMs === null ? 'COMPLETED' : base.statusShown(job, view),
    }),
  ),
  fault(
    'webhook-at-retention-end',
    'the webhook is called again when the result expires',
    ['6/stops-after-200', '6/at-most-three-attempts'],
    (base) => ({
      webhookWantedOnRemoval: (job, reason) =>
        (reason === 'retention' && job.submission.webhook !== null) ||
        base.webhookWantedOnRemoval(job, reason),
    }),
  ),
  fault(
    'webhook-once-per-address',
    'a URL called for one job is not called for later jobs',
    ['6/called-on-completion-run', '6/called-on-completion-runsync'],
    (base) => {
      const calledFor = new Map<string, string>();
      return {
        webhookWanted: (job) => {
          if (!base.webhookWanted(job)) return false;
          const url = base.webhookUrl(job);
          const first = calledFor.get(url) ?? job.id;
          calledFor.set(url, first);
          return first === job.id;
        },
      };
    },
  ),
  fault(
    'webhook-query-encoded-twice',
    'percent signs in the webhook URL are encoded again',
    ['6/called-at-given-url'],
    (base) => ({ webhookUrl: (job) => base.webhookUrl(job).replaceAll('%', '%25') }),
  ),
  fault(
    'webhook-query-decoded',
    'the query of the webhook URL is decoded',
    ['6/called-at-given-url'],
    (base) => ({ webhookUrl: (job) => base.webhookUrl(job).replaceAll('%20', '+') }),
  ),
  fault(
    'webhook-path-lower-case',
    'the webhook URL is called in lower case',
    [
      '6/called-at-given-url',
      '6/called-on-completion-run',
      '6/called-on-completion-runsync',
      '6/each-job-its-own-url',
    ],
    (base) => ({ webhookUrl: (job) => base.webhookUrl(job).toLowerCase() }),
  ),
  fault(
    'webhook-slash-added',
    'a slash is added to the path of the webhook URL',
    [
      '6/called-at-given-url',
      '6/called-on-completion-run',
      '6/called-on-completion-runsync',
      '6/each-job-its-own-url',
    ],
    (base) => ({
      webhookUrl: (job) => {
        const [path, query] = base.webhookUrl(job).split('?');
        return `${path!}/${query === undefined ? '' : `?${query}`}`;
      },
    }),
  ),
] as const;
