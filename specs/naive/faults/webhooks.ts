/** Faults of section 6: which webhook is called, and with what. */
import type { Endpoint } from '../endpoint.js';
import type { Job } from '../job.js';
import { MINUTE_MS } from '../submission.js';
import { perEndpoint, nowIn } from './memory.js';
import { pendingNotices, changedUrl } from './steps.js';
import type { Faults } from './fault.js';

export const WEBHOOKS_FAULTS = {
  'webhook-never': { notice: () => null },
  'webhook-on-submission': { submitted: (job) => job.endpoint.notify(job), notifies: () => false },
  'webhook-at-start': { started: ({ job }) => job.endpoint.notify(job), notifies: () => false },
  'webhook-a-minute-late': { noticeDelayMs: () => MINUTE_MS },
  'webhook-not-for-runsync': { notifies: (right, { kind }) => right && kind === 'run' },
  'webhook-runsync-only': { notifies: (right, { kind }) => right && kind === 'runsync' },
  'webhook-not-after-retry': { notifies: (right, { retries }) => right && retries === 0 },
  'webhook-first-job-only': {
    with: () => {
      const noticed = new WeakSet<Endpoint>();
      return {
        notice(notice, { endpoint }) {
          if (noticed.has(endpoint)) return null;
          noticed.add(endpoint);
          return notice;
        },
      };
    },
  },
  'webhook-twice': {
    send(notice, attempt) {
      attempt(notice, 1);
      attempt({ ...notice, done: () => undefined }, 1);
    },
  },
  'webhook-without-query': {
    attemptUrl: (url) =>
      changedUrl(url, (parts) => {
        parts.search = '';
      }),
  },
  'webhook-path-lower-case': {
    attemptUrl: (url) =>
      changedUrl(url, (parts) => {
        parts.pathname = parts.pathname.toLowerCase();
      }),
  },
  'webhook-not-for-falsy-output': {
    notifies: (right, { output }, status) => right && !(status === 'COMPLETED' && !output),
  },
  'webhook-not-for-streaming-job': { notifies: (right, { chunks }) => right && chunks.length === 0 },
  'webhook-over-256-kb-lost': {
    notifies: (right, { output = null }) => right && JSON.stringify(output).length <= 262_144,
  },
  'webhook-not-while-called-waits': {
    notifies: (right, { kind, watchers }) => right && !(kind === 'runsync' && watchers.size > 0),
  },
  'webhook-one-per-instant': {
    with: () => {
      const latestOf = perEndpoint(() => ({ atMs: -Infinity }));
      return {
        notice(notice, { endpoint }) {
          const latest = latestOf(endpoint);
          if (latest.atMs === nowIn(endpoint)) return null;
          latest.atMs = nowIn(endpoint);
          return notice;
        },
      };
    },
  },
  'webhook-deduplicated-while-pending': {
    with: () => {
      const pending = pendingNotices();
      return {
        ...pending.hooks,
        notice: (notice, job) => (pending.has(job) ? null : pending.hooks.notice(notice, job)),
      };
    },
  },
  'webhook-not-for-waiting-jobs': {
    notifies: (right, { startedMs, queuedMs }) => right && Number(startedMs) <= queuedMs,
  },
  'webhook-not-after-wait': {
    with: () => {
      const answered = new WeakSet<Job>();
      return {
        runsyncAnswered: (job) => void answered.add(job),
        notifies: (right, job) => right && !answered.has(job),
      };
    },
  },
  'webhook-not-for-low-priority': { notifies: (right, { lowPriority }) => right && !lowPriority },
  'webhook-not-when-read': {
    with: () => {
      const read = new WeakSet<Job>();
      return {
        statusRead(record, job) {
          if (job.run !== null) read.add(job);
          return record;
        },
        notifies: (right, job) => right && !read.has(job),
      };
    },
  },
  'webhook-not-beside-s3': { notifies: (right, { s3Config }) => right && s3Config === null },
  'webhook-once-per-address': {
    with: () => {
      const urlsOf = perEndpoint(() => new Set<string>());
      return {
        notice(notice, { endpoint }) {
          const urls = urlsOf(endpoint);
          if (urls.has(notice.url)) return null;
          urls.add(notice.url);
          return notice;
        },
      };
    },
  },
  'webhook-of-latest-job': { webhookOf: ({ endpoint, webhook }) => endpoint.latest?.webhook ?? webhook },
  'webhook-origin-only': {
    attemptUrl: (url) =>
      changedUrl(url, (parts) => {
        parts.pathname = '/';
      }),
  },
  'webhook-url-cut-at-255': { attemptUrl: (url) => new URL(url.slice(0, 255)).href },
  'webhook-query-names-merged': {
    attemptUrl: (url) =>
      changedUrl(url, (parts) => {
        parts.search = new URLSearchParams([...new Map(parts.searchParams)]).toString();
      }),
  },
  'webhook-trailing-slash-lost': {
    attemptUrl: (url) =>
      changedUrl(url, (parts) => {
        parts.pathname = parts.pathname.replace(/\/$/, '');
      }),
  },
  'webhook-query-plus-decoded': {
    attemptUrl: (url) =>
      changedUrl(url, (parts) => {
        parts.search = parts.search.replaceAll('+', '%20');
      }),
  },
  'webhook-empty-parameters-lost': {
    attemptUrl: (url) =>
      changedUrl(url, (parts) => {
        const parameters = [...parts.searchParams].filter(([, value]) => value !== '');
        parts.search = new URLSearchParams(parameters).toString();
      }),
  },
  'webhook-query-sorted': { attemptUrl: (url) => changedUrl(url, (parts) => parts.searchParams.sort()) },
  'webhook-path-decoded': {
    attemptUrl: (url) =>
      changedUrl(url, (parts) => {
        parts.pathname = decodeURIComponent(parts.pathname);
      }),
  },
  'webhook-double-slashes-merged': {
    attemptUrl: (url) =>
      changedUrl(url, (parts) => {
        parts.pathname = parts.pathname.replace(/\/{2,}/g, '/');
      }),
  },
  'webhook-sticks': {
    with: () => {
      const previousOf = perEndpoint(() => ({ webhook: null as string | null }));
      return {
        submission(submission, _policy, endpoint) {
          const previous = previousOf(endpoint);
          previous.webhook = submission.webhook ??= previous.webhook;
        },
      };
    },
  },
} satisfies Faults;
