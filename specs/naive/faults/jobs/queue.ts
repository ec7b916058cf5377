/** Faults of section 1: the queue, and endpoints. */
import { refuse } from '../../call.js';
import type { Endpoint } from '../../endpoint.js';
import { purgeQueue } from '../../operations/purge.js';
import { HOUR_MS, MINUTE_MS } from '../../submission.js';
import { withJobsOf } from './counters.js';
import { RACE_MS, perEndpoint, nowIn } from '../memory.js';
import type { Faults } from '../fault.js';

export const QUEUE_FAULTS = {
  'queue-of-one': {
    enter(job, queue) {
      if (job.endpoint.workers.queue.length >= 1) job.endpoint.remove(job);
      else queue();
    },
  },
  'queue-refuses-when-busy': {
    runRefused: ({ workers }) => (workers.idle() === 0 ? refuse(429, 'busy') : null),
  },
  'one-worker-too-many': {
    freeWorkers: (free, { workers }) => (workers.count - workers.lost > 0 ? free + 1 : free),
  },
  'queue-of-three-hundred': {
    runRefused: ({ workers }) => (workers.queue.length >= 300 ? refuse(429, 'busy') : null),
  },
  'queue-of-fifty-drops-oldest': {
    enter(job, queue) {
      const { endpoint } = job;
      const [oldest] = endpoint.workers.queue;
      if (endpoint.workers.queue.length >= 50 && oldest !== undefined) endpoint.remove(oldest);
      queue();
    },
  },
  'queue-of-three-drops-oldest': {
    enter(job, queue) {
      const { endpoint } = job;
      const [oldest] = endpoint.workers.queue;
      if (endpoint.workers.queue.length >= 3 && oldest !== undefined) endpoint.remove(oldest);
      queue();
    },
  },
  'id-by-count': { jobId: (_id, _submission, { jobs }) => `job-${jobs.size + 1}` },
  'first-job-after-idle-lost': {
    with: () => {
      const latest = perEndpoint(() => ({ submittedMs: NaN }));
      return {
        enter(job, queue) {
          const before = latest(job.endpoint);
          const idleMs = nowIn(job.endpoint) - before.submittedMs;
          before.submittedMs = nowIn(job.endpoint);
          if (idleMs > 10 * MINUTE_MS) job.endpoint.remove(job);
          else queue();
        },
      };
    },
  },
  'workers-sleep-after-idle': {
    with: () => {
      const stateOf = perEndpoint(() => ({ activeMs: NaN, asleep: false }));
      return {
        left: ({ job }) => void (stateOf(job.endpoint).activeMs = nowIn(job.endpoint)),
        dispatches(endpoint) {
          const state = stateOf(endpoint);
          const nowMs = nowIn(endpoint);
          if (endpoint.workers.busy.size === 0 && nowMs - state.activeMs > HOUR_MS) state.asleep = true;
          state.activeMs = nowMs;
          return !state.asleep;
        },
      };
    },
  },
  'resize-does-not-wake': { wakesOnResize: () => false },
  'start-race': {
    with: () => {
      const sawFree = new Set<Endpoint>();
      return {
        run(endpoint, submit) {
          const free = endpoint.workers.idle() > 0;
          setTimeout(() => {
            if (free) sawFree.add(endpoint);
            submit();
            sawFree.delete(endpoint);
          }, RACE_MS);
        },
        enter(job, queue) {
          if (sawFree.has(job.endpoint)) job.endpoint.workers.start(job);
          else queue();
        },
      };
    },
  },
  'runsync-runs-beside': {
    enter(job, queue) {
      const { workers } = job.endpoint;
      if (job.kind === 'runsync' && workers.count > 0 && workers.free() <= 0) workers.start(job);
      else queue();
    },
  },
  'endpoints-share-jobs': {
    find({ service }, id, _operation, right) {
      const owner = [...service.endpoints.values()].find(({ jobs }) => jobs.has(id));
      return right ?? owner?.jobs.get(id) ?? null;
    },
  },
  'purge-everywhere': {
    answerPurge({ service }, answer) {
      for (const other of service.endpoints.values()) purgeQueue(other);
      answer();
    },
  },
  'health-of-all-endpoints': { healthBody: (body, endpoint) => withJobsOf(body, endpoint, () => true) },
  'purge-by-beginning-of-endpoint': {
    answerPurge({ id, service }, answer) {
      for (const other of service.endpoints.values()) if (other.id.startsWith(id)) purgeQueue(other);
      answer();
    },
  },
  'health-by-beginning-of-endpoint': {
    healthBody: (body, endpoint) => withJobsOf(body, endpoint, ({ id }) => id.startsWith(endpoint.id)),
  },
  'charset-refused': {
    bodyRefused: ({ contentType }) => (contentType.includes(';') ? refuse(415, 'unknown charset') : null),
  },
  'errors-in-words': { written: (choices) => ({ ...choices, errorBody: 'text' }) },
} satisfies Faults;
