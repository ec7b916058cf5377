/** Faults of sections 2.6 and 4.7: `/purge-queue`. */
import { refuse } from '../call.js';
import type { Endpoint } from '../endpoint.js';
import { isOver } from '../job.js';
import { purgeQueue } from '../operations/purge.js';
import { SECOND_MS } from '../submission.js';
import { RACE_MS, perEndpoint, nowIn, later } from './memory.js';
import { whileWanted } from './steps.js';
import { breaking } from './fault.js';

export const PURGE_FAULTS = [
  breaking('2.6', '| `removed` | integer (number of queued jobs removed) |', {
    'purge-counts-running': {
      does: 'running jobs are counted, though not removed',
      removed: (taken, { workers }) => taken.length + workers.busy.size,
    },
    'purge-counts-cancelled': {
      does: 'jobs cancelled in the queue are counted',
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
    'purge-counts-zero': { does: 'removed is always 0', removed: () => 0 },
    'purge-counts-one-less': {
      does: 'removed is one too low',
      removed: (taken) => Math.max(0, taken.length - 1),
    },
    'purge-counts-all-jobs': {
      does: 'removed is the number of all known jobs',
      removed: (_taken, { jobs }) => jobs.size,
    },
    'purge-counts-as-string': { does: 'removed is a string', removed: (taken) => String(taken.length) },
    'purge-answers-ids': {
      does: 'removed is the list of ids',
      removed: (taken) => taken.map((job) => job.id),
    },
    'purge-counts-expired': {
      does: 'jobs that expired in the queue are counted',
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
    'purge-counts-run-only': {
      does: 'jobs of /runsync are removed and not counted',
      removed: (taken) => taken.filter((job) => job.kind === 'run').length,
    },
    'purge-race': {
      does: 'of two purges at once both count the same jobs',
      purgeCall(endpoint, _proceed, answer) {
        const count = endpoint.workers.queue.length;
        setTimeout(() => {
          purgeQueue(endpoint);
          answer(count);
        }, RACE_MS);
        return null;
      },
    },
  }),
  breaking('2.6', '| `status` | string (the value `completed`, lower case) |', {
    'purge-status-upper-case': {
      does: 'status is COMPLETED',
      purgeBody: (body) => ({ ...body, status: 'COMPLETED' }),
    },
    'purge-status-ok': { does: 'status is ok', purgeBody: (body) => ({ ...body, status: 'ok' }) },
  }),
  breaking('4.7', 'Removes all jobs waiting in the queue; jobs in progress keep running.', {
    'purge-stops-running': {
      does: 'running jobs are removed too',
      purged({ workers }) {
        for (const job of workers.running()) job.endpoint.remove(job);
      },
    },
    'purge-keeps-first': { does: 'the first job of the queue stays', purgeTaken: (taken) => taken.slice(1) },
    'purge-removes-every-other': {
      does: 'every other waiting job stays',
      purgeTaken: (taken) => taken.filter((_, index) => index % 2 === 0),
    },
    'purge-keeps-low-priority': {
      does: 'jobs with lowPriority stay',
      purgeTaken: (taken) => taken.filter((job) => !job.lowPriority),
    },
    'purge-at-most-ten': { does: 'at most ten jobs are removed', purgeTaken: (taken) => taken.slice(0, 10) },
    'purge-does-nothing': { does: 'the jobs are counted but stay', purges: () => true },
    'purge-forgets-results': {
      does: 'ended jobs are removed too',
      purged(endpoint) {
        for (const job of endpoint.ended()) endpoint.remove(job);
      },
    },
    'purge-leaves-record': {
      does: 'the job leaves the queue but shows IN_QUEUE for good',
      purgesJob: () => true,
    },
    'purge-still-runs': {
      does: 'purged jobs are unknown to /status, yet workers still run them',
      purged({ workers }, taken) {
        workers.queue = [...taken];
      },
    },
    'purge-closes-queue': {
      does: 'jobs submitted after a purge are never run',
      with: () => {
        const purged = new WeakSet<Endpoint>();
        return {
          purges: (endpoint) => void purged.add(endpoint),
          ready: (jobs, endpoint) => (purged.has(endpoint) ? [] : jobs),
        };
      },
    },
    'purge-marks-completed': {
      does: 'purged jobs show COMPLETED',
      purgesJob(job) {
        job.endpoint.settle(job, 'COMPLETED');
        return true;
      },
    },
    'purge-lasts-a-second': {
      does: 'jobs submitted within a second after a purge are removed too',
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
      does: 'a purge forgets the webhooks that are to be called again',
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
    'purge-at-most-hundred': {
      does: 'at most a hundred jobs are removed',
      purgeTaken: (taken) => taken.slice(0, 100),
    },
    'purge-of-empty-queue-is-404': {
      does: 'a purge that finds nothing answers 404',
      purgeCall(endpoint, proceed) {
        if (endpoint.workers.queue.length === 0) return refuse(404, 'nothing to remove');
        proceed();
        return null;
      },
    },
    'purge-stops-retried': {
      does: 'retried jobs are removed while they run',
      purges({ workers }) {
        for (const job of workers.running()) if (job.retries > 0) job.endpoint.remove(job);
        return false;
      },
    },
    'purge-ends-streams': {
      does: 'a purge drops the chunks of running jobs',
      purges({ workers }) {
        for (const job of workers.running()) job.chunks = [];
        return false;
      },
    },
    'purge-frees-workers': {
      does: 'after a purge workers that are busy take another job',
      purges({ workers }) {
        workers.lost -= workers.busy.size;
        return false;
      },
    },
    'purge-spares-newest-second': {
      does: 'jobs submitted within the last second stay',
      purgeTaken: (taken, endpoint) => taken.filter((job) => job.submittedMs <= nowIn(endpoint) - SECOND_MS),
    },
  }),
  breaking('4.7', 'jobs in progress keep running', {
    'purge-waits-for-running': {
      does: 'the call is answered when the running jobs have ended',
      legal: 'how soon /purge-queue is answered is not said',
      answerPurge(endpoint, answer) {
        const running = endpoint.workers.running();
        const look = (): void => {
          if (running.every(isOver)) answer();
          else later(endpoint, 50, look);
        };
        look();
      },
    },
  }),
];
