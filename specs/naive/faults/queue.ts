/** Faults of section 1: the queue, and endpoints. */
import { refuse } from '../call.js';
import type { Endpoint } from '../endpoint.js';
import { purgeQueue } from '../operations/purge.js';
import { HOUR_MS, MINUTE_MS } from '../submission.js';
import { withJobsOf } from './counters.js';
import { RACE_MS, perEndpoint, nowIn } from './memory.js';
import { breaking } from './fault.js';

export const QUEUE_FAULTS = [
  breaking('1', 'When no worker is free, the job waits in a queue.', {
    'queue-of-one': {
      does: 'a job that arrives while another waits is dropped: its id is unknown from then on',
      enter(job, queue) {
        if (job.endpoint.workers.queue.length >= 1) job.endpoint.remove(job);
        else queue();
      },
    },
    'queue-refuses-when-busy': {
      does: 'no worker free: 429 instead of a place in the queue',
      runRefused: ({ workers }) => (workers.idle() === 0 ? refuse(429, 'busy') : null),
    },
    'one-worker-too-many': {
      does: 'one job more than there are workers runs at the same time',
      freeWorkers: (free, { workers }) => (workers.count - workers.lost > 0 ? free + 1 : free),
    },
    'queue-of-three-hundred': {
      does: 'a job that finds 300 waiting is answered 429',
      runRefused: ({ workers }) => (workers.queue.length >= 300 ? refuse(429, 'busy') : null),
    },
    'queue-of-fifty-drops-oldest': {
      does: 'of more than fifty waiting jobs the oldest is dropped',
      enter(job, queue) {
        const { endpoint } = job;
        const [oldest] = endpoint.workers.queue;
        if (endpoint.workers.queue.length >= 50 && oldest !== undefined) endpoint.remove(oldest);
        queue();
      },
    },
    'queue-of-three-drops-oldest': {
      does: 'of more than three waiting jobs the oldest is dropped',
      enter(job, queue) {
        const { endpoint } = job;
        const [oldest] = endpoint.workers.queue;
        if (endpoint.workers.queue.length >= 3 && oldest !== undefined) endpoint.remove(oldest);
        queue();
      },
    },
    'id-by-count': {
      does: 'ids count the jobs that exist: after a deletion one is given twice',
      jobId: (_id, _submission, { jobs }) => `job-${jobs.size + 1}`,
    },
    'first-job-after-idle-lost': {
      does: 'a job submitted after ten minutes without any is lost',
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
      does: 'workers that were idle for an hour do not wake up any more',
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
    'resize-does-not-wake': {
      does: 'jobs that wait when workers are added are taken at the next submission',
      wakesOnResize: () => false,
    },
    'start-race': {
      does: 'two submissions at once are given to one worker',
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
      does: 'jobs of /runsync start though no worker is free',
      enter(job, queue) {
        const { workers } = job.endpoint;
        if (job.kind === 'runsync' && workers.count > 0 && workers.free() <= 0) workers.start(job);
        else queue();
      },
    },
  }),
  breaking('1', '`<endpoint_id>` is a string identifying the endpoint.', {
    'endpoints-share-jobs': {
      does: 'a job of one endpoint can be read and changed through another',
      find({ service }, id, _operation, right) {
        const owner = [...service.endpoints.values()].find(({ jobs }) => jobs.has(id));
        return right ?? owner?.jobs.get(id) ?? null;
      },
    },
    'purge-reaches-all-endpoints': {
      does: '/purge-queue empties the queues of all endpoints',
      answerPurge({ service }, answer) {
        for (const other of service.endpoints.values()) purgeQueue(other);
        answer();
      },
    },
    'health-of-all-endpoints': {
      does: '/health adds up all endpoints',
      healthBody: (body, endpoint) => withJobsOf(body, endpoint, () => true),
    },
    'purge-by-beginning-of-endpoint': {
      does: '/purge-queue empties endpoints, too, whose ids begin with this one',
      answerPurge({ id, service }, answer) {
        for (const other of service.endpoints.values()) if (other.id.startsWith(id)) purgeQueue(other);
        answer();
      },
    },
    'health-by-beginning-of-endpoint': {
      does: '/health counts endpoints, too, whose ids begin with this one',
      healthBody: (body, endpoint) => withJobsOf(body, endpoint, ({ id }) => id.startsWith(endpoint.id)),
    },
  }),
  breaking('1', 'bodies are JSON (`content-type: application/json`)', {
    'charset-refused': {
      does: 'a content type that names a charset is refused',
      legal: '1/request-content-type-other=refused-415',
      bodyRefused: ({ contentType }) => (contentType.includes(';') ? refuse(415, 'unknown charset') : null),
    },
    'errors-in-words': {
      does: 'the body of a refusal is a sentence',
      written: (choices) => ({ ...choices, errorBody: 'text' }),
    },
  }),
];
