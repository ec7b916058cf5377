/** Faults of section 6: how often and when a webhook is called. */
import { hasEnded, type Job } from '../job.js';
import { retryJob } from '../operations/retry.js';
import { MINUTE_MS, SECOND_MS } from '../submission.js';
import type { Notice } from '../webhooks.js';
import { perEndpoint, perJob, sharedTimer } from './memory.js';
import { whileWanted, changedUrl } from './steps.js';
import { breaking } from './fault.js';

export const WEBHOOK_ATTEMPTS_FAULTS = [
  breaking('6', 'The receiving server should answer with status 200.', {
    'webhook-retries-after-200': {
      does: 'all three calls are made, whatever the answer',
      isLastCall: () => false,
    },
    'webhook-stops-on-any-answer': {
      does: 'any HTTP answer counts as success',
      succeeded: (_right, answer) => answer !== null,
    },
    'webhook-200-is-failure': {
      does: 'only 204 counts as success',
      succeeded: (_right, answer) => answer === 204,
    },
  }),
  breaking(
    '6',
    'If the call fails, the service retries up to 2 more times, waiting 10 seconds between attempts.',
    {
      'webhook-one-attempt': { does: 'no retry', attemptsMax: () => 1 },
      'webhook-two-attempts': { does: 'one retry', attemptsMax: () => 2 },
      'webhook-four-attempts': { does: 'three retries', attemptsMax: () => 4 },
      'webhook-endless-attempts': { does: 'retries until the call succeeds', attemptsMax: () => Infinity },
      'webhook-pause-one-second': { does: 'the pause is 1 s', pauseMs: () => SECOND_MS },
      'webhook-pause-ten-milliseconds': { does: 'the pause is 10 ms', pauseMs: () => 10 },
      'webhook-pause-none': { does: 'the retries follow at once', pauseMs: () => 0 },
      'webhook-pause-one-minute': { does: 'the pause is 60 s', pauseMs: () => MINUTE_MS },
      'webhook-pause-doubles': {
        does: 'the pauses are 10 s and 20 s',
        pauseMs: (ms, number) => ms * 2 ** (number - 1),
      },
      'webhook-refused-not-retried': {
        does: 'a call that could not connect is not made again',
        attemptsMax: (max, answer) => (answer === null ? 1 : max),
      },
      'webhook-4xx-not-retried': {
        does: 'an answer 4xx is not retried',
        attemptsMax: (max, answer) => (answer !== null && answer >= 400 && answer < 500 ? 1 : max),
      },
      'webhook-5xx-not-retried': {
        does: 'an answer 5xx is not retried',
        attemptsMax: (max, answer) => (answer !== null && answer >= 500 ? 1 : max),
      },
      'webhook-holds-job': {
        does: 'the job stays IN_PROGRESS until the webhook is done',
        settles(run, status, settle) {
          const { job } = run;
          if (job.webhook === null || status !== 'COMPLETED') return false;
          job.endpoint.workers.stop(run);
          job.endpoint.notify(job, () => settle());
          job.webhook = null;
          return true;
        },
      },
      'webhook-holds-worker': {
        does: 'the worker is not free until the webhook is done',
        settles(run, _status, settle) {
          if (run.job.webhook === null) return false;
          settle(() => run.job.endpoint.workers.stop(run));
          return true;
        },
      },
      'webhook-failure-fails-job': {
        does: 'the job becomes FAILED when the webhook fails',
        noticeDone(job, succeeded) {
          if (!succeeded) job.status = 'FAILED';
        },
      },
      'webhook-failure-requeues-job': {
        does: 'the job is run again when the webhook fails',
        noticeDone(job, succeeded) {
          if (!succeeded && !job.deleted && hasEnded(job)) retryJob(job);
        },
      },
      'webhook-success-stops-others': {
        does: 'a call that succeeds stops the repeating of all others',
        with: () => {
          let successes = 0;
          return {
            answered(_notice, succeeded) {
              if (succeeded) successes += 1;
            },
            retriesLater() {
              const before = successes;
              return () => successes === before;
            },
          };
        },
      },
      'webhook-dropped-when-read': {
        does: 'reading the result stops the repeating',
        with: () => {
          const read = new WeakSet<Job>();
          return {
            statusRead(record, job) {
              if (hasEnded(job)) read.add(job);
              return record;
            },
            retries: (job) => void read.delete(job),
            notice: (notice, job) => whileWanted(notice, () => !read.has(job)),
          };
        },
      },
      'webhook-repeats-without-query': {
        does: 'repeated calls lack the query of the URL',
        attemptUrl: (url, number) =>
          number > 1
            ? changedUrl(url, (parts) => {
                parts.search = '';
              })
            : url,
      },
      'webhook-ten-pending-only': {
        does: 'of more than ten webhooks that are to be repeated the oldest are forgotten',
        with: () => {
          let pending: object[] = [];
          return {
            retriesLater() {
              const retry = {};
              pending = [...pending, retry].slice(-10);
              return () => {
                const isPending = pending.includes(retry);
                pending = pending.filter((other) => other !== retry);
                return isPending;
              };
            },
          };
        },
      },
      'webhook-dropped-by-next-submission': {
        does: 'a submission stops the repeating for jobs before it',
        with: () => {
          const submissionsOf = perEndpoint(() => ({ count: 0 }));
          return {
            submitted: ({ endpoint }) => void (submissionsOf(endpoint).count += 1),
            notice(notice, { endpoint }) {
              const before = submissionsOf(endpoint).count;
              return whileWanted(notice, () => submissionsOf(endpoint).count === before);
            },
          };
        },
      },
      'webhook-host-banned-after-failures': {
        does: 'a host that has failed three times is left alone for a minute',
        with: () => {
          const hosts = new Map<string, { failures: number; bannedUntilMs: number }>();
          const hostOf = ({ url }: Notice): string => new URL(url).host;
          return {
            attempts: (notice, _number, nowMs) => !(Number(hosts.get(hostOf(notice))?.bannedUntilMs) > nowMs),
            answered(notice, succeeded, nowMs) {
              const before = hosts.get(hostOf(notice));
              const failures = succeeded ? 0 : (before?.failures ?? 0) + 1;
              const bannedUntilMs = failures >= 3 ? nowMs + MINUTE_MS : (before?.bannedUntilMs ?? -Infinity);
              hosts.set(hostOf(notice), { failures, bannedUntilMs });
            },
          };
        },
      },
      'webhook-attempts-kept-over-retry': {
        does: 'attempts made before a retry count for the run after it',
        with: () => {
          const attemptsOf = perJob(() => ({ count: 0 }));
          return {
            notice: (notice, job) => ({
              ...notice,
              already: attemptsOf(job).count,
              attempted: () => void (attemptsOf(job).count += 1),
            }),
          };
        },
      },
    },
  ),
  breaking('6', 'If the call fails, the service retries up to 2 more times', {
    'webhook-repeats-to-latest-url': {
      does: 'repeated calls go to the URL of the webhook called last',
      with: () => {
        let latest: string | undefined;
        return {
          attemptUrl(url, number) {
            if (number === 1) latest = url;
            return latest ?? url;
          },
        };
      },
    },
    'webhook-timer-shared': {
      does: 'there is one timer: a call that fails takes it from the one that failed before',
      with: () => sharedTimer('webhook'),
    },
    'webhook-attempts-shared': {
      does: 'failed attempts are counted over all webhooks',
      with: () => {
        let failures = 0;
        return {
          attemptsMax(max) {
            failures = failures >= max ? 0 : failures + 1;
            return failures >= max ? 0 : max;
          },
        };
      },
    },
    'webhook-dropped-by-cancel': {
      does: 'a /cancel of any job stops the repeating of all webhooks',
      with: () => {
        const cancelsOf = perEndpoint(() => ({ count: 0 }));
        return {
          cancels: ({ endpoint }) => void (cancelsOf(endpoint).count += 1),
          notice(notice, { endpoint }) {
            const before = cancelsOf(endpoint).count;
            return whileWanted(notice, () => cancelsOf(endpoint).count === before);
          },
        };
      },
    },
  }),
];
