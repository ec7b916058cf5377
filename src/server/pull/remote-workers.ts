import type { StartEffect } from '../handlers/handler-runner.js';
import type { LongPoll } from './long-poll.js';

/** A worker's open question for jobs. */
export interface ClaimPoll {
  readonly poll: LongPoll;
  readonly jobsMax: number;
  readonly inList: boolean;
}

/** What is known here of one worker: its open calls, and what it has to be told. */
export interface RemoteWorker {
  readonly endpoint: string;
  readonly id: string;
  /** From the oldest to the newest: the newest is the one most probably still read. */
  readonly claimPolls: ClaimPoll[];
  readonly stopPolls: LongPoll[];
  /** Attempts in its hands. */
  readonly attempts: Set<number>;
  /** What it was given, and what still has to be handed to one of its calls. */
  outbox: StartEffect[];
  /** Jobs that it has to stop, and has not been told of. */
  readonly jobsToStop: Set<string>;
  /** It has said that it stops after its present jobs. */
  leaving: boolean;
}

export interface RemoteWorkers {
  of(endpoint: string, id: string): RemoteWorker;
  all(): Iterable<RemoteWorker>;
  /** Forgets it when there is nothing to remember. */
  forgetIfIdle(worker: RemoteWorker): void;
}

/** A worker that never asks what to stop has so many jobs remembered for it, the newest ones. */
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
      const { claimPolls, stopPolls: stops, attempts: held, outbox, jobsToStop: toStop } = worker;
      const things = claimPolls.length + stops.length + held.size + outbox.length + toStop.size;
      if (things === 0 && !worker.leaving) workers.delete(nameOf(worker.endpoint, worker.id));
    },
  };
}
