/** Faults of sections 2.6 and 4.7: `/purge-queue`. */
import { refuse } from '../../call.js';
import type { Endpoint } from '../../endpoint.js';
import { isOver } from '../../job.js';
import { purgeQueue } from '../../operations/purge.js';
import { SECOND_MS } from '../../submission.js';
import { RACE_MS, perEndpoint, nowIn, later } from '../memory.js';
import { whileWanted } from '../steps.js';
import type { Faults } from '../fault.js';

export const PURGE_FAULTS = {
  'purge-counts-running': { removed: (taken, { workers }) => taken.length + workers.busy.size },
  'purge-counts-cancelled': {
    with: () => {
      const cancelledOf = perEndpoint(() => ({ count: 0 }));
      return {
        cancelsWaiting({ endpoint }) {
          cancelledOf(endpoint).count += 1;
          return false;
        },
        removed(taken, endpoint) {
          const removed = taken.length + cancelledOf(endpoint).count;
          cancelledOf(endpoint).count = 0;
          return removed;
        },
      };
    },
  },
  'purge-counts-nothing': { removed: () => 0 },
  'purge-counts-one-less': { removed: (taken) => Math.max(0, taken.length - 1) },
  'purge-counts-all-jobs': { removed: (_taken, { jobs }) => jobs.size },
  'purge-count-as-text': { removed: (taken) => String(taken.length) },
  'purge-answers-ids': { removed: (taken) => taken.map((job) => job.id) },
  'purge-counts-expired': {
    with: () => {
      const expiredOf = perEndpoint(() => ({ count: 0 }));
      return {
        ttlExpires({ endpoint, status }) {
          if (status === 'IN_QUEUE') expiredOf(endpoint).count += 1;
          return false;
        },
        removed(taken, endpoint) {
          const removed = taken.length + expiredOf(endpoint).count;
          expiredOf(endpoint).count = 0;
          return removed;
        },
      };
    },
  },
  'purge-counts-run-only': { removed: (taken) => taken.filter((job) => job.kind === 'run').length },
  'purge-race': {
    purgeCall(endpoint, _proceed, answer) {
      const count = endpoint.workers.queue.length;
      setTimeout(() => {
        purgeQueue(endpoint);
        answer(count);
      }, RACE_MS);
      return null;
    },
  },
  'purge-status-upper-case': { purgeBody: (body) => ({ ...body, status: 'COMPLETED' }) },
  'purge-status-ok': { purgeBody: (body) => ({ ...body, status: 'ok' }) },
  'purge-kills-running': {
    purged({ workers }) {
      for (const job of workers.running()) job.endpoint.remove(job);
    },
  },
  'purge-keeps-first': { purgeTaken: (taken) => taken.slice(1) },
  'purge-removes-every-other': { purgeTaken: (taken) => taken.filter((_, index) => index % 2 === 0) },
  'purge-spares-low-priority': { purgeTaken: (taken) => taken.filter((job) => !job.lowPriority) },
  'purge-at-most-ten': { purgeTaken: (taken) => taken.slice(0, 10) },
  'purge-does-nothing': { purges: () => true },
  'purge-removes-finished': {
    purged(endpoint) {
      for (const job of endpoint.ended()) endpoint.remove(job);
    },
  },
  'purge-leaves-record': { purgesJob: () => true },
  'purge-still-runs': {
    purged({ workers }, taken) {
      workers.queue = [...taken];
    },
  },
  'purge-closes-queue': {
    with: () => {
      const purged = new WeakSet<Endpoint>();
      return {
        purges: (endpoint) => void purged.add(endpoint),
        ready: (jobs, endpoint) => (purged.has(endpoint) ? [] : jobs),
      };
    },
  },
  'purge-marks-completed': {
    purgesJob(job) {
      job.endpoint.settle(job, 'COMPLETED');
      return true;
    },
  },
  'purge-lasts-a-second': {
    with: () => {
      const lastOf = perEndpoint(() => ({ purgedMs: -Infinity }));
      return {
        purges(endpoint) {
          lastOf(endpoint).purgedMs = nowIn(endpoint);
          return false;
        },
        enter(job, queue) {
          if (nowIn(job.endpoint) < lastOf(job.endpoint).purgedMs + SECOND_MS) job.endpoint.remove(job);
          else queue();
        },
      };
    },
  },
  'purge-drops-webhooks': {
    with: () => {
      const purgesOf = perEndpoint(() => ({ count: 0 }));
      return {
        purges: (endpoint) => void (purgesOf(endpoint).count += 1),
        notice(notice, { endpoint }) {
          const before = purgesOf(endpoint).count;
          return whileWanted(notice, () => purgesOf(endpoint).count === before);
        },
      };
    },
  },
  'purge-at-most-hundred': { purgeTaken: (taken) => taken.slice(0, 100) },
  'purge-of-empty-queue-is-404': {
    purgeCall(endpoint, proceed) {
      if (endpoint.workers.queue.length === 0) return refuse(404, 'nothing to remove');
      proceed();
      return null;
    },
  },
  'purge-stops-retried': {
    purges({ workers }) {
      for (const job of workers.running()) if (job.retries > 0) job.endpoint.remove(job);
      return false;
    },
  },
  'purge-ends-streams': {
    purges({ workers }) {
      for (const job of workers.running()) job.chunks = [];
      return false;
    },
  },
  'purge-frees-workers': {
    purges({ workers }) {
      workers.lost -= workers.busy.size;
      return false;
    },
  },
  'purge-spares-newest-second': {
    purgeTaken: (taken, endpoint) => taken.filter((job) => job.submittedMs <= nowIn(endpoint) - SECOND_MS),
  },
  'purge-waits-for-running': {
    answerPurge(endpoint, answer) {
      const running = endpoint.workers.running();
      const look = (): void => {
        if (running.every(isOver)) answer();
        else later(endpoint, 50, look);
      };
      look();
    },
  },
} satisfies Faults;
