/** Faults of section 6: how often and when a webhook is called. */
import { hasEnded, type Job } from '../job.js';
import { retryJob } from '../operations/retry.js';
import { MINUTE_MS, SECOND_MS } from '../submission.js';
import type { Notice } from '../webhooks.js';
import { perEndpoint, perJob, sharedTimer } from './memory.js';
import { whileWanted, changedUrl } from './steps.js';
import type { Faults } from './fault.js';

export const WEBHOOK_ATTEMPTS_FAULTS = {
  'webhook-retries-after-200': { isLastCall: () => false },
  'webhook-error-is-success': { succeeded: (_right, answer) => answer !== null },
  'webhook-200-is-failure': { succeeded: (_right, answer) => answer === 204 },
  'webhook-one-attempt': { attemptsMax: () => 1 },
  'webhook-two-attempts': { attemptsMax: () => 2 },
  'webhook-four-attempts': { attemptsMax: () => 4 },
  'webhook-endless-attempts': { attemptsMax: () => Infinity },
  'webhook-pause-one-second': { pauseMs: () => SECOND_MS },
  'webhook-pause-ten-milliseconds': { pauseMs: () => 10 },
  'webhook-pause-none': { pauseMs: () => 0 },
  'webhook-pause-one-minute': { pauseMs: () => MINUTE_MS },
  'webhook-pause-doubles': { pauseMs: (ms, number) => ms * 2 ** (number - 1) },
  'webhook-refused-not-retried': { attemptsMax: (max, answer) => (answer === null ? 1 : max) },
  'webhook-4xx-is-success': {
    attemptsMax: (max, answer) => (answer !== null && answer >= 400 && answer < 500 ? 1 : max),
  },
  'webhook-5xx-not-retried': { attemptsMax: (max, answer) => (answer !== null && answer >= 500 ? 1 : max) },
  'webhook-holds-job': {
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
    settles(run, _status, settle) {
      if (run.job.webhook === null) return false;
      settle(() => run.job.endpoint.workers.stop(run));
      return true;
    },
  },
  'webhook-failure-fails-job': {
    noticeDone(job, succeeded) {
      if (!succeeded) job.status = 'FAILED';
    },
  },
  'webhook-failure-requeues-job': {
    noticeDone(job, succeeded) {
      if (!succeeded && !job.deleted && hasEnded(job)) retryJob(job);
    },
  },
  'webhook-success-stops-others': {
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
    attemptUrl: (url, number) =>
      number > 1
        ? changedUrl(url, (parts) => {
            parts.search = '';
          })
        : url,
  },
  'webhook-ten-pending-only': {
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
  'webhook-repeats-to-latest-url': {
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
  'webhook-timer-shared': { with: () => sharedTimer('webhook') },
  'webhook-attempts-shared': {
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
} satisfies Faults;
