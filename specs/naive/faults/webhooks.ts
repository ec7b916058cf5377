/** Faults of section 6: which webhook is called, and with what. */
import type { Endpoint } from '../endpoint.js';
import type { Job } from '../job.js';
import { MINUTE_MS } from '../submission.js';
import { perEndpoint, nowIn } from './memory.js';
import { pendingNotices, changedUrl } from './steps.js';
import { breaking } from './fault.js';

export const WEBHOOKS_FAULTS = [
  breaking('6', 'Address called when the job completes', {
    'webhook-never': { does: 'no webhook is ever called', notice: () => null },
    'webhook-on-submission': {
      does: 'the webhook is called at submission',
      submitted: (job) => job.endpoint.notify(job),
      notifies: () => false,
    },
    'webhook-on-start': {
      does: 'the webhook is called when the job starts',
      started: ({ job }) => job.endpoint.notify(job),
      notifies: () => false,
    },
    'webhook-a-minute-late': {
      does: 'the webhook is called a minute after completion',
      contested: 'how soon after completion the call is made is not said',
      noticeDelayMs: () => MINUTE_MS,
    },
    'webhook-run-only': {
      does: 'jobs of /runsync call no webhook',
      notifies: (right, { kind }) => right && kind === 'run',
    },
    'webhook-runsync-only': {
      does: 'jobs of /run call no webhook',
      notifies: (right, { kind }) => right && kind === 'runsync',
    },
    'webhook-not-after-retry': {
      does: 'a job that completes after a retry calls no webhook',
      legal: '6/after-retry=no',
      notifies: (right, { retries }) => right && retries === 0,
    },
    'webhook-first-job-only': {
      does: 'only the first job of an endpoint calls its webhook',
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
      does: 'two calls at once',
      send(notice, attempt) {
        attempt(notice, 1);
        attempt({ ...notice, done: () => undefined }, 1);
      },
    },
    'webhook-without-query': {
      does: 'the query string of the URL is dropped',
      attemptUrl: (url) =>
        changedUrl(url, (parts) => {
          parts.search = '';
        }),
    },
    'webhook-path-lower-case': {
      does: 'the path of the URL is turned to lower case',
      attemptUrl: (url) =>
        changedUrl(url, (parts) => {
          parts.pathname = parts.pathname.toLowerCase();
        }),
    },
    'webhook-not-for-falsy-output': {
      does: 'a job whose output is null, 0, false or "" calls no webhook',
      notifies: (right, { output }, status) => right && !(status === 'COMPLETED' && !output),
    },
    'webhook-not-for-streaming-job': {
      does: 'a job that has streamed calls no webhook',
      notifies: (right, { chunks }) => right && chunks.length === 0,
    },
    'webhook-over-256-kb-lost': {
      does: 'a job whose output is over 256 kB calls no webhook',
      notifies: (right, { output = null }) => right && JSON.stringify(output).length <= 262_144,
    },
    'webhook-not-while-called-waits': {
      does: 'no webhook is called when /runsync has given the result',
      notifies: (right, { kind, watchers }) => right && !(kind === 'runsync' && watchers.size > 0),
    },
    'webhook-one-per-instant': {
      does: 'of two jobs that end in one instant one calls its webhook',
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
      does: 'a completion is not told while the webhook of the run before the retry is still being tried',
      legal: '6/after-retry=no',
      with: () => {
        const pending = pendingNotices();
        return {
          ...pending.hooks,
          notice: (notice, job) => (pending.has(job) ? null : pending.hooks.notice(notice, job)),
        };
      },
    },
    'webhook-not-for-waiting-jobs': {
      does: 'jobs that had to wait in the queue call no webhook',
      notifies: (right, { startedMs, queuedMs }) => right && Number(startedMs) <= queuedMs,
    },
    'webhook-not-after-wait': {
      does: 'a /runsync job that completes after its call was answered calls no webhook',
      with: () => {
        const answered = new WeakSet<Job>();
        return {
          runsyncAnswered: (job) => void answered.add(job),
          notifies: (right, job) => right && !answered.has(job),
        };
      },
    },
    'webhook-not-for-low-priority': {
      does: 'jobs with lowPriority call no webhook',
      notifies: (right, { lowPriority }) => right && !lowPriority,
    },
    'webhook-not-when-read': {
      does: 'no webhook is called when the job was read while it ran',
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
    'webhook-not-beside-s3': {
      does: 'jobs with an s3Config call no webhook',
      notifies: (right, { s3Config }) => right && s3Config === null,
    },
    'webhook-once-per-url': {
      does: 'a URL that has been called for one job is not called for another',
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
  }),
  breaking('6', "URL in the submission's `webhook` field", {
    'webhook-of-latest-job': {
      does: 'the URL called is that of the job submitted last',
      webhookOf: ({ endpoint, webhook }) => endpoint.latest?.webhook ?? webhook,
    },
    'webhook-origin-only': {
      does: 'the path of the URL is dropped',
      attemptUrl: (url) =>
        changedUrl(url, (parts) => {
          parts.pathname = '/';
        }),
    },
    'webhook-url-cut-at-255': {
      does: 'a URL of more than 255 characters is cut there',
      attemptUrl: (url) => new URL(url.slice(0, 255)).href,
    },
    'webhook-query-names-merged': {
      does: 'of several query parameters of one name the last is kept',
      attemptUrl: (url) =>
        changedUrl(url, (parts) => {
          parts.search = new URLSearchParams([...new Map(parts.searchParams)]).toString();
        }),
    },
    'webhook-trailing-slash-lost': {
      does: 'a slash at the end of the path is dropped',
      attemptUrl: (url) =>
        changedUrl(url, (parts) => {
          parts.pathname = parts.pathname.replace(/\/$/, '');
        }),
    },
    'webhook-query-plus-decoded': {
      does: '+ in the query becomes %20',
      attemptUrl: (url) =>
        changedUrl(url, (parts) => {
          parts.search = parts.search.replaceAll('+', '%20');
        }),
    },
    'webhook-empty-parameters-lost': {
      does: 'query parameters without a value are dropped',
      attemptUrl: (url) =>
        changedUrl(url, (parts) => {
          const parameters = [...parts.searchParams].filter(([, value]) => value !== '');
          parts.search = new URLSearchParams(parameters).toString();
        }),
    },
    'webhook-query-sorted': {
      does: 'query parameters are sorted by name',
      attemptUrl: (url) => changedUrl(url, (parts) => parts.searchParams.sort()),
    },
    'webhook-path-decoded': {
      does: 'the path of the URL is decoded',
      attemptUrl: (url) =>
        changedUrl(url, (parts) => {
          parts.pathname = decodeURIComponent(parts.pathname);
        }),
    },
    'webhook-double-slashes-merged': {
      does: 'double slashes in the path become one',
      attemptUrl: (url) =>
        changedUrl(url, (parts) => {
          parts.pathname = parts.pathname.replace(/\/{2,}/g, '/');
        }),
    },
  }),
  breaking('6', '`webhook` was supplied', {
    'webhook-sticks': {
      does: 'jobs without webhook call that of an earlier job',
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
  }),
];
