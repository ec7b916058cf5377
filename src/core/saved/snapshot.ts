/**
 * Snapshots of the service for observers: ids, states and times of jobs, never their inputs or outputs.
 */
import type { JobStatus } from '../../spec/types.js';
import type { Endpoint, Job, StatusCounts } from '../entities.js';

export interface EndpointSnapshot {
  readonly id: string;
  readonly workers: {
    readonly starting: number;
    readonly idle: number;
    readonly running: number;
    readonly restarting: number;
  };
  /** The most that it may have of its own. */
  readonly workersMax: number;
  /** The first of its own, and then of the others. */
  readonly pool: readonly WorkerSnapshot[];
  /** Jobs that exist now, by status. */
  readonly held: Readonly<StatusCounts>;
  /** Running jobs, then waiting ones from the oldest, then ended ones from the newest. */
  readonly jobs: readonly JobSnapshot[];
}

interface WorkerSnapshot {
  readonly id: string;
  readonly state: keyof EndpointSnapshot['workers'];
  /** Ids of the jobs that it runs. */
  readonly jobs: readonly string[];
}

/**
 * State and times of a job. Instants are null when they are still to come, or when the timer is not set. @public
 */
export interface JobSnapshot {
  readonly id: string;
  /** How it was submitted. */
  readonly op: 'run' | 'runsync' | 'openai';
  readonly status: JobStatus;
  readonly worker: string | null;
  readonly submittedMs: number;
  readonly startedMs: number | null;
  readonly endedMs: number | null;
  /** When its ttl deletes it; null too if its retention deletes it earlier. */
  readonly ttlEndMs: number | null;
  /** When its executionTimeout ends. */
  readonly runEndMs: number | null;
  /** When its retention ends. */
  readonly keptUntilMs: number | null;
}

/** @param jobsMax how many workers are listed, and running, waiting and ended jobs, each */
export function endpointSnapshot(endpoint: Endpoint, jobsMax: number): EndpointSnapshot {
  const { pool } = endpoint;
  const { starting, idle, running, restarting } = pool;
  return {
    id: endpoint.id,
    workers: { starting, idle, running, restarting },
    workersMax: endpoint.scaling.max,
    pool: jobsMax === 0 ? [] : poolOf(endpoint, jobsMax),
    held: { ...endpoint.held },
    jobs: jobsMax === 0 ? [] : jobsOf(endpoint, jobsMax).map(jobSnapshot),
  };
}

function poolOf({ pool }: Endpoint, max: number): readonly WorkerSnapshot[] {
  const shown: WorkerSnapshot[] = [];
  for (const { id, countedAs: state, jobs } of [...pool.own, ...pool.external.values()])
    if (state !== 'gone' && shown.length < max) shown.push({ id, state, jobs: jobs.map((job) => job.id) });
  return shown;
}

function jobsOf(endpoint: Endpoint, jobsMax: number): readonly Job[] {
  const running: Job[] = [];
  for (const worker of [...endpoint.pool.own, ...endpoint.pool.external.values()])
    for (const job of worker.jobs) if (running.length < jobsMax) running.push(job);
  const queued: Job[] = [];
  for (let job = endpoint.queue.first; job !== null && queued.length < jobsMax; job = job.after)
    queued.push(job);
  // There may be very many, so not all of them are sorted.
  let ended: Job[] = [];
  for (const job of endpoint.jobs) {
    if (job.endedMs === null) continue;
    ended.push(job);
    if (ended.length > 10 * jobsMax) ended = newest(ended, jobsMax);
  }
  return [...running, ...queued, ...newest(ended, jobsMax)];
}

function newest(ended: Job[], jobsMax: number): Job[] {
  return ended.sort((a, b) => b.endedMs! - a.endedMs!).slice(0, jobsMax);
}

export function jobSnapshot(job: Job): JobSnapshot {
  const { id, op, status, worker, submittedMs, startedMs, endedMs } = job;
  return {
    id,
    op,
    status,
    worker: status === 'IN_PROGRESS' ? worker : null,
    submittedMs,
    startedMs,
    endedMs,
    ttlEndMs: job.ttlTimer?.atMs ?? null,
    runEndMs: status === 'IN_PROGRESS' ? (job.executionTimer?.atMs ?? null) : null,
    keptUntilMs: endedMs === null ? null : (job.retentionTimer?.atMs ?? null),
  };
}
