/** Sections 1, 2.2, 3: workers come and go, are lost, and are free again. */
import type { WorkerReport } from '../api.js';
import type { ScalingInput, Scaling } from '../scaling-settings.js';
import type { JobView, ReleaseReason, StopReason } from '../entities.js';
import type { Ending } from './jobs.js';
import type { ReadingOf } from './reads.js';

/** How often a job is run again whose worker died, where it is run again at all. */
const REDISPATCHES_MAX = 1;
/** How long a worker needs that is restarted after a cancel. */
const RESTART_MS = 2_000;
/** How long deployed services bear a silent worker: 42 to 46 s. */
const SILENCE_MS = 44_000;

export function workerRules(readingOf: ReadingOf, runpod: boolean) {
  const workerCrash = readingOf('3/worker-crash');
  const workerAfterCancel = readingOf('4.5/worker-after-cancel');
  const again = (job: JobView): boolean =>
    workerCrash === 're-dispatched' && job.redispatches < REDISPATCHES_MAX;

  return {
    /** §3: an error is final; whether the job of a dead worker is run again is not shown. */
    redispatchesAfter: (job: JobView, report: WorkerReport): boolean => report.kind === 'crash' && again(job),

    /** §3: the same holds of a job whose worker is lost: it fell silent, left, or died of another job. */
    redispatchesWhenLost: (job: JobView): boolean => again(job),

    lostEnding: (job: JobView): Ending => ({
      status: 'FAILED',
      output: undefined,
      error: runpod
        ? `job timed out after ${job.redispatches} retries`
        : 'the worker that ran the job is lost',
    }),

    /** Not in the document: deployed workers never report on an empty input (`runpod`, `empty-input-never-runs`). */
    losesWorker: ({ submission: { input } }: JobView): boolean =>
      runpod && typeof input === 'object' && input !== null && Object.keys(input).length === 0,

    /** Not in the document: how long an external worker may be silent before its jobs are taken from it. */
    heartbeatTimeoutMs: (asked: number | null): number => asked ?? SILENCE_MS,

    /** §3: a job that is cancelled, deleted or timed out stops its handler. */
    stopsHandlerOn: (_reason: StopReason): boolean => true,

    /** §3: and its worker is free for the next job. */
    freesWorkerOn: (_reason: ReleaseReason): boolean => true,

    /** §3: one job's end is one slot. */
    slotsReleased: (_reason: ReleaseReason): number => 1,

    /** §1: a worker runs one job at a time, or as many as its endpoint says. */
    jobsPerWorker: (asked: number): number => asked,

    /** §3: a worker that dies takes with it what it ran itself. */
    lostWith: (other: JobView, worker: string): boolean => other.worker === worker,

    /** §4.5: how long its worker is away first. */
    restartMs: (reason: ReleaseReason): number =>
      reason === 'cancel' && workerAfterCancel === 'later' ? RESTART_MS : 0,

    /** §3: a worker that died is replaced, so that the number of workers stays. */
    replacesCrashedWorker: (): boolean => true,

    /** §2.2: a job with `lowPriority` triggers no scaling. */
    triggersScaling: (job: JobView): boolean => job.submission.policy.lowPriority !== true,

    /** Not in the document: when jobs that wait make an endpoint start workers, and how many. */
    workersToStart: ({ scaler, max }: Scaling, demand: ScalingInput): number => {
      const more = max - demand.own;
      if (scaler?.kind === 'request-count')
        return Math.min(
          more,
          Math.ceil((demand.waiting + demand.running) / scaler.jobsPerWorker) - demand.own,
        );
      return Math.min(more, Math.ceil((demand.overdue - demand.capacity) / demand.slots) - demand.starting);
    },

    coldStartMs: (asked: number): number => asked,

    idleTimeoutMs: (asked: number | null): number | null => asked,
  };
}
