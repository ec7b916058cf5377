import type { StartEffect } from '../handlers/handler-runner.js';
import type { LongPoll } from './long-poll.js';

/** A worker's open poll for jobs. */
export interface ClaimPoll {
  readonly poll: LongPoll;
  readonly jobsMax: number;
  readonly inList: boolean;
}

/** The state of one remote worker: its open calls, and what it still has to receive. */
export interface RemoteWorker {
  readonly endpoint: string;
  readonly id: string;
  /** Oldest first. The newest is the one most probably still read. */
  readonly claimPolls: ClaimPoll[];
  readonly stopPolls: LongPoll[];
  /** Attempts assigned to it. */
  readonly attempts: Set<number>;
  /** Assigned jobs that still have to be handed to one of its polls. */
  outbox: StartEffect[];
  /** Jobs that it has to stop and has not been notified of. */
  readonly jobsToStop: Set<string>;
  /** It has announced that it stops after its present jobs. */
  leaving: boolean;
}

export interface RemoteWorkers {
  of(endpoint: string, id: string): RemoteWorker;
  all(): Iterable<RemoteWorker>;
  /** Forgets a worker without open calls or jobs. */
  forgetIfIdle(worker: RemoteWorker): void;
}

/** For a worker that never polls for stops, only the newest jobs to stop are remembered. */
const JOBS_TO_STOP_MAX = 1_000;

export function createRemoteWorkers(): RemoteWorkers {
  const workers = new Map<string, RemoteWorker>();
  const nameOf = (endpoint: string, id: string) => JSON.stringify([endpoint, id]);
  return {
    of(endpoint, id) {
      const name = nameOf(endpoint, id);
      let worker = workers.get(name);
      if (worker === undefined) {
        worker = {
          endpoint,
          id,
          claimPolls: [],
          stopPolls: [],
          attempts: new Set(),
          outbox: [],
          jobsToStop: new Set(),
          leaving: false,
        };
        workers.set(name, worker);
      }
      return worker;
    },
    all: () => workers.values(),
    forgetIfIdle(worker) {
      for (const job of worker.jobsToStop) {
        if (worker.jobsToStop.size <= JOBS_TO_STOP_MAX) break;
        worker.jobsToStop.delete(job);
      }
      const { claimPolls, stopPolls, attempts, outbox, jobsToStop } = worker;
      const open = claimPolls.length + stopPolls.length + attempts.size + outbox.length + jobsToStop.size;
      if (open === 0 && !worker.leaving) workers.delete(nameOf(worker.endpoint, worker.id));
    },
  };
}
