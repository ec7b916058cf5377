/** Faults of section 4.3: `/status`. */
import { refuse, Refused } from '../call.js';
import { hasEnded, isOver, type Job } from '../job.js';
import type { JsonObject } from '../json.js';
import { cached } from '../operations/common.js';
import { SECOND_MS } from '../submission.js';
import { stillCounted } from './jobs/counters.js';
import { nowIn, whenever, cutTo } from './memory.js';
import { forgetRunning, crossedAnswers } from './steps.js';
import type { Faults } from './fault.js';

export const STATUS_FAULTS = {
  'status-ttl-ignored': { statusTtl: () => null },
  'status-ttl-in-seconds': { statusTtl: (ms) => ms * 1000 },
  'status-ttl-for-later-jobs': {
    statusTtl(ms, { endpoint }) {
      endpoint.defaults.ttlMs = ms;
      return ms;
    },
  },
  'status-ttl-for-all-jobs': {
    statusTtl(ms, { endpoint, submittedMs }) {
      const isFromSubmission = endpoint.service.choices.statusTtlFrom === 'submission';
      const fromMs = isFromSubmission ? submittedMs : nowIn(endpoint);
      for (const other of endpoint.jobs.values()) endpoint.lifespans.expireAt(other, fromMs + ms);
      return ms;
    },
  },
  'status-ttl-deletes-at-once': {
    statusTtl(_ms, job) {
      job.endpoint.remove(job);
      return null;
    },
  },
  'status-ttl-min-ten-seconds': {
    statusTtlGiven(ttl) {
      if (Number(ttl) < 10 * SECOND_MS) throw new Refused('ttl is out of range');
      return ttl;
    },
  },
  'status-ttl-not-while-running': { statusTtl: (ms, job) => (job.status === 'IN_PROGRESS' ? null : ms) },
  'status-ttl-once-finished-only': { statusTtl: (ms, job) => (hasEnded(job) ? ms : null) },
  'status-ttl-any-text': { statusTtlGiven: (ttl) => (/^\d{1,15}$/.test(ttl) ? ttl : null) },
  'status-ttl-not-for-runsync': { statusTtl: (ms, job) => (job.kind === 'runsync' ? null : ms) },
  'status-ttl-ignored-after-retry': { statusTtl: (ms, job) => (job.retries > 0 ? null : ms) },
  'status-ttl-keeps-worker': {
    with: () => {
      const set = new WeakSet<Job>();
      return {
        statusTtl(ms, job) {
          set.add(job);
          return ms;
        },
        ttlExpires: (job) => set.has(job) && forgetRunning(job),
      };
    },
  },
  'status-ttl-still-runs': {
    with: () => {
      const set = new WeakSet<Job>();
      return {
        statusTtl(ms, job) {
          set.add(job);
          return ms;
        },
        ttlExpires(job) {
          if (job.status !== 'IN_QUEUE' || !set.has(job)) return false;
          job.endpoint.forget(job);
          return true;
        },
      };
    },
  },
  'status-ttl-leaks-in-health': {
    with: () => {
      const set = new WeakSet<Job>();
      return {
        ...stillCounted((job) => set.has(job)),
        statusTtl(ms, job) {
          set.add(job);
          return ms;
        },
      };
    },
  },
  'status-ttl-cut-to-ten-seconds': {
    statusTtl: (ms) => (ms > 10 * SECOND_MS ? cutTo(10 * SECOND_MS, ms) : ms),
  },
  'status-ttl-only-when-shorter-than-policy': { statusTtl: (ms, job) => Math.min(ms, job.ttlMs) },
  'status-ttl-restarts-on-plain-read': {
    with: () => {
      const set = new WeakSet<Job>();
      return {
        statusTtl(ms, job) {
          set.add(job);
          return ms;
        },
        statusRead(record, job, ttl) {
          if (ttl === null && set.has(job)) job.endpoint.lifespans.restartTtl(job);
          return record;
        },
      };
    },
  },
  'status-stale': {
    answerStatus: ({ body }, job, answer) =>
      answer({ code: 200, body: cached(job.endpoint, job.id, 5 * SECOND_MS, body as JsonObject) }),
  },
  'status-waits': {
    answerStatus(reply, job, answer) {
      if (hasEnded(job)) return answer(reply);
      whenever(job, isOver, () =>
        answer(job.deleted ? refuse(404, 'the job is gone') : { code: 200, body: job.endpoint.record(job) }),
      );
    },
  },
  'status-never-answered': { answerStatus: () => undefined },
  'status-404-until-ended': { statusRefused: (job) => (hasEnded(job) ? null : refuse(404, 'no result yet')) },
  'status-404-while-queued': {
    statusRefused: (job) => (job.status === 'IN_QUEUE' ? refuse(404, 'not started') : null),
  },
  'status-deletes-ended-job': {
    statusRead(record, job) {
      if (hasEnded(job)) job.endpoint.remove(job);
      return record;
    },
  },
  'status-of-latest-job': {
    find: (endpoint, _id, operation, right) =>
      operation === 'status' && right !== null ? endpoint.latest : right,
  },
  'status-ttl-lost-at-start': {
    keepsStatusTtl: () => false,
    started: ({ job }) => job.endpoint.lifespans.watchTtl(job, job.submittedMs),
  },
  'status-ttl-lost-at-end': {
    keepsStatusTtl: () => false,
    counted: (job) => job.endpoint.lifespans.watchTtl(job, job.submittedMs),
  },
  'status-ttl-lost-on-retry': {
    keepsStatusTtl: () => false,
    retried: (job) => job.endpoint.lifespans.watchTtl(job, job.submittedMs),
  },
  'status-404-at-first': {
    hidden: (endpoint, job, operation) =>
      operation === 'status' && nowIn(endpoint) < job.submittedMs + 200 ? refuse(404, 'no such job') : null,
  },
  'status-answers-crossed': { with: () => ({ answerStatus: crossedAnswers() }) },
} satisfies Faults;
