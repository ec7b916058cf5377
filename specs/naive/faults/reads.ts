/** Faults of calls that only read: they start a timer of a job anew. Each pair of an operation and a timer once. */
import type { Endpoint } from '../endpoint.js';
import { hasEnded, type Job } from '../job.js';
import type { Faults } from './fault.js';

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

export const READS_FAULTS = {
  'ttl-restarts-on-health': ofAllByHealth(ttlAnew),
  'ttl-restarts-on-requests': { requestsRead: ofAll(ttlAnew) },
  'execution-timeout-restarts-on-stream': { streamRead: runAnew },
  'execution-timeout-restarts-on-health': ofAllByHealth(runAnew),
  'execution-timeout-restarts-on-requests': { requestsRead: ofAll(runAnew) },
  'retention-restarts-on-health': ofAllByHealth(retentionAnew),
  'retention-restarts-on-requests': { requestsRead: ofAll(retentionAnew) },
} satisfies Faults;
