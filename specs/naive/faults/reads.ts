/** Faults of calls that only read: they start a timer of a job anew. Each pair of an operation and a timer once. */
import type { Endpoint } from '../endpoint.js';
import { hasEnded, type Job } from '../job.js';
import { breaking } from './fault.js';

type Anew = (job: Job) => void;

const ttlAnew: Anew = (job) => job.endpoint.lifespans.restartTtl(job);

const runAnew: Anew = ({ endpoint, run }) => {
  if (run !== null) endpoint.workers.watchOverrun(run);
};

const retentionAnew: Anew = (job) => {
  if (hasEnded(job)) job.endpoint.lifespans.retain(job);
};

const ofAll =
  (anew: Anew) =>
  ({ jobs }: Endpoint): void => {
    for (const job of jobs.values()) anew(job);
  };

const ofAllByHealth = (anew: Anew) => ({
  healthRefused(endpoint: Endpoint): null {
    ofAll(anew)(endpoint);
    return null;
  },
});

export const READS_FAULTS = [
  breaking(
    '2.2',
    'The timer starts at submission and covers queue time, execution time and anything between.',
    {
      'ttl-restarts-on-health': {
        does: 'every /health starts the ttl of all jobs anew',
        ...ofAllByHealth(ttlAnew),
      },
      'ttl-restarts-on-requests': {
        does: 'every /requests starts the ttl of all jobs anew',
        requestsRead: ofAll(ttlAnew),
      },
    },
  ),
  breaking('2.2', 'Maximum time a job may run once a worker has picked it up.', {
    'execution-timeout-restarts-on-stream': {
      does: 'every /stream of a running job starts its executionTimeout anew',
      streamRead: runAnew,
    },
    'execution-timeout-restarts-on-health': {
      does: 'every /health starts the executionTimeout of all running jobs anew',
      ...ofAllByHealth(runAnew),
    },
    'execution-timeout-restarts-on-requests': {
      does: 'every /requests starts the executionTimeout of all running jobs anew',
      requestsRead: ofAll(runAnew),
    },
  }),
  breaking('4.2', 'Result retention: 30 minutes after completion.', {
    'retention-restarts-on-health': {
      does: 'every /health starts the retention of all results anew',
      ...ofAllByHealth(retentionAnew),
    },
    'retention-restarts-on-requests': {
      does: 'every /requests starts the retention of all results anew',
      requestsRead: ofAll(retentionAnew),
    },
  }),
];
