/** Faults of section 4.3: `/status`. */
import { refuse, Refused } from '../call.js';
import { hasEnded, isOver, type Job } from '../job.js';
import type { JsonObject } from '../json.js';
import { cached } from '../operations/common.js';
import { SECOND_MS } from '../submission.js';
import { stillCounted } from './counters.js';
import { nowIn, whenever, cutTo } from './memory.js';
import { forgetRunning, crossedAnswers } from './steps.js';
import { breaking } from './fault.js';

export const STATUS_FAULTS = [
  breaking('4.3', 'sets the time-to-live of the individual job (a value of 6000 means 6 seconds)', {
    'status-ttl-ignored': { does: 'the parameter has no effect', statusTtl: () => null },
    'status-ttl-in-seconds': { does: 'the value is taken as seconds', statusTtl: (ms) => ms * 1000 },
    'status-ttl-default-of-later-jobs': {
      does: 'the ttl given to /status is the default of jobs submitted later',
      statusTtl(ms, { endpoint }) {
        endpoint.defaults.ttlMs = ms;
        return ms;
      },
    },
    'status-ttl-for-all-jobs': {
      does: 'the parameter changes all jobs of the endpoint',
      statusTtl(ms, { endpoint, submittedMs }) {
        const isFromSubmission = endpoint.service.choices.statusTtlFrom === 'submission';
        const fromMs = isFromSubmission ? submittedMs : nowIn(endpoint);
        for (const other of endpoint.jobs.values()) endpoint.lifespans.expireAt(other, fromMs + ms);
        return ms;
      },
    },
    'status-ttl-deletes-at-once': {
      does: 'any value deletes the job after this read',
      statusTtl(_ms, job) {
        job.endpoint.remove(job);
        return null;
      },
    },
    'status-ttl-min-ten-seconds': {
      does: 'values under 10000 are refused',
      statusTtlGiven(ttl) {
        if (Number(ttl) < 10 * SECOND_MS) throw new Refused('ttl is out of range');
        return ttl;
      },
    },
    'status-ttl-not-while-running': {
      does: 'the parameter has no effect on running jobs',
      statusTtl: (ms, job) => (job.status === 'IN_PROGRESS' ? null : ms),
    },
    'status-ttl-once-finished-only': {
      does: 'the parameter works on ended jobs only',
      statusTtl: (ms, job) => (hasEnded(job) ? ms : null),
    },
    'status-ttl-malformed-accepted': {
      does: 'ttl=abc is ignored',
      contested: 'which malformed parameters must be refused is not listed',
      statusTtlGiven: (ttl) => (/^\d{1,15}$/.test(ttl) ? ttl : null),
    },
    'status-ttl-not-for-runsync': {
      does: 'the parameter has no effect on jobs of /runsync',
      statusTtl: (ms, job) => (job.kind === 'runsync' ? null : ms),
    },
    'status-ttl-ignored-after-retry': {
      does: 'the parameter has no effect on retried jobs',
      statusTtl: (ms, job) => (job.retries > 0 ? null : ms),
    },
    'status-ttl-keeps-worker': {
      does: 'a running job deleted by it keeps its worker',
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
      does: 'a waiting job deleted by it is still run',
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
      does: 'a job deleted by it still counts as waiting or running',
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
      does: 'what is beyond whole ten seconds is cut off',
      statusTtl: (ms) => (ms > 10 * SECOND_MS ? cutTo(10 * SECOND_MS, ms) : ms),
    },
    'status-ttl-only-when-shorter-than-policy': {
      does: 'it cannot go beyond the ttl of the policy',
      statusTtl: (ms, job) => Math.min(ms, job.ttlMs),
    },
    'status-ttl-restarts-on-plain-read': {
      does: 'once set, it starts anew with every /status',
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
  }),
  breaking(
    '4.3',
    'Response: job record with `id`, `status`, `delayTime`, `executionTime` and, when available, `output`.',
    {
      'status-stale': {
        does: 'the record is cached for five seconds',
        contested: 'no freshness is promised in words',
        answerStatus: ({ body }, job, answer) =>
          answer({ code: 200, body: cached(job.endpoint, job.id, 5 * SECOND_MS, body as JsonObject) }),
      },
      'status-waits': {
        does: 'the call answers when the job has ended',
        answerStatus(reply, job, answer) {
          if (hasEnded(job)) return answer(reply);
          whenever(job, isOver, () =>
            answer(
              job.deleted ? refuse(404, 'the job is gone') : { code: 200, body: job.endpoint.record(job) },
            ),
          );
        },
      },
      'status-never-answered': { does: 'the call is never answered', answerStatus: () => undefined },
      'status-404-until-ended': {
        does: 'a job can be read only when it has ended',
        statusRefused: (job) => (hasEnded(job) ? null : refuse(404, 'no result yet')),
      },
      'status-404-while-queued': {
        does: 'a waiting job cannot be read',
        statusRefused: (job) => (job.status === 'IN_QUEUE' ? refuse(404, 'not started') : null),
      },
      'status-deletes-ended-job': {
        does: 'an ended job can be read once',
        statusRead(record, job) {
          if (hasEnded(job)) job.endpoint.remove(job);
          return record;
        },
      },
      'status-of-latest-job': {
        does: 'the record shown is that of the job submitted last',
        find: (endpoint, _id, operation, right) =>
          operation === 'status' && right !== null ? endpoint.latest : right,
      },
    },
  ),
  breaking('4.3', 'sets the time-to-live of the individual job', {
    'status-ttl-lost-at-start': {
      does: 'the ttl of the policy is back when the job starts',
      keepsStatusTtl: () => false,
      started: ({ job }) => job.endpoint.lifespans.watchTtl(job, job.submittedMs),
    },
    'status-ttl-lost-at-end': {
      does: 'the ttl of the policy is back when the job ends',
      keepsStatusTtl: () => false,
      counted: (job) => job.endpoint.lifespans.watchTtl(job, job.submittedMs),
    },
    'status-ttl-lost-on-retry': {
      does: 'the ttl of the policy is back when the job is retried',
      keepsStatusTtl: () => false,
      retried: (job) => job.endpoint.lifespans.watchTtl(job, job.submittedMs),
    },
  }),
  breaking('4.3', 'Response: job record with `id`, `status`', {
    'status-404-at-first': {
      does: 'a job cannot be read in the first 200 ms',
      hidden: (endpoint, job, operation) =>
        operation === 'status' && nowIn(endpoint) < job.submittedMs + 200 ? refuse(404, 'no such job') : null,
    },
    'status-answers-crossed': {
      does: 'of two reads under way both are answered with the job of the later',
      with: () => ({ answerStatus: crossedAnswers() }),
    },
  }),
];
