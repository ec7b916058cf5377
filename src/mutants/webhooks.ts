/** Faults of webhooks: wrong address, wrong endings, too few attempts, wrong pauses. */
import { each, type Changes } from './mutant.js';

const STATUSES = [400, 401, 403, 404, 410, 422, 429, 500, 501, 502, 503, 504];

export const WEBHOOKS: Changes = {
  ...each('webhook-*-is-final', STATUSES, (status) => (base) => ({
    webhookSucceeded: (answered) => answered === status || base.webhookSucceeded(answered),
  })),
  'webhook-pause-nine': () => ({ webhookAgainAtMs: (_calledMs, endedMs) => endedMs + 9_000 }),
  'webhook-pause-twenty': () => ({ webhookAgainAtMs: (_calledMs, endedMs) => endedMs + 20_000 }),
  'webhook-pause-doubles': (base) => ({
    webhookAgainAtMs: (calledMs, endedMs, attempt) =>
      base.webhookAgainAtMs(calledMs, endedMs, attempt) + (attempt - 1) * 10_000,
  }),
  'webhook-pause-once': (base) => ({
    webhookAgainAtMs: (calledMs, endedMs, attempt) =>
      attempt === 1 ? base.webhookAgainAtMs(calledMs, endedMs, attempt) : endedMs,
  }),
  'webhook-pause-from-first': (base) => {
    const due = new Map<number, number>();
    return {
      webhookAgainAtMs: (calledMs, endedMs, attempt) => {
        const againMs = base.webhookAgainAtMs(calledMs, endedMs, attempt);
        if (attempt === 1) due.set(againMs, calledMs);
        return attempt === 1 ? againMs : endedMs + 1;
      },
    };
  },
  'webhook-of-first-run-only': (base) => ({
    webhookWanted: (job) => job.status === 'COMPLETED' && job.retries === 0 && base.webhookWanted(job),
  }),
  'webhook-for-purged': (base) => ({
    webhookWantedOnRemoval: (job, reason) =>
      (reason === 'purge' && job.submission.webhook !== null) || base.webhookWantedOnRemoval(job, reason),
  }),
  'webhook-completes-removed': (base) => ({
    webhookWantedOnRemoval: (job, reason) =>
      (job.submission.webhook !== null && job.endedMs === null) || base.webhookWantedOnRemoval(job, reason),
    statusShown: (job, view) =>
      view === 'webhook' && job.endedMs === null ? 'COMPLETED' : base.statusShown(job, view),
  }),
  'webhook-at-retention-end': (base) => ({
    webhookWantedOnRemoval: (job, reason) =>
      (reason === 'retention' && job.submission.webhook !== null) || base.webhookWantedOnRemoval(job, reason),
  }),
  'webhook-once-per-address': (base) => {
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
  'webhook-query-encoded-twice': (base) => ({
    webhookUrl: (job) => base.webhookUrl(job).replaceAll('%', '%25'),
  }),
  'webhook-query-decoded': (base) => ({ webhookUrl: (job) => base.webhookUrl(job).replaceAll('%20', '+') }),
  'webhook-path-lower-case': (base) => ({ webhookUrl: (job) => base.webhookUrl(job).toLowerCase() }),
  'webhook-slash-added': (base) => ({
    webhookUrl: (job) => {
      const [path, query] = base.webhookUrl(job).split('?');
      return `${path!}/${query === undefined ? '' : `?${query}`}`;
    },
  }),
};
