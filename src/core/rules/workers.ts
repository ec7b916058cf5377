/** Sections 1, 2.2, 3: scaling, lost workers, and freed slots. */
import type { WorkerReport } from '../api.js';
import type { ScalingInput, Scaling } from '../workers/scaling-settings.js';
import type { JobView, ReleaseReason, StopReason } from '../entities.js';
import type { Ending } from './jobs.js';
import type { ReadingOf } from './reads.js';

/** How many times the job of a dead worker is run again, in the reading that it is. */
const REDISPATCHES_MAX = 1;
/** How long a worker restarts after a cancel, in the reading that it does. */
const RESTART_MS = 2_000;
/** The default heartbeat timeout. Deployed services: 42 to 46 s. */
const HEARTBEAT_TIMEOUT_MS = 44_000;

export function workerRules(readingOf: ReadingOf, runpod: boolean) {
  const workerCrash = readingOf('3/worker-crash');
  const workerAfterCancel = readingOf('4.5/worker-after-cancel');
  const again = (job: JobView): boolean =>
    workerCrash === 're-dispatched' && job.redispatches < REDISPATCHES_MAX;

  return {
    /** §3: an error is final. Whether the job of a dead worker runs again is not shown. */
    redispatchesAfter: (job: JobView, report: WorkerReport): boolean => report.kind === 'crash' && again(job),

    /** §3: the same for a job whose worker was lost: it sent no heartbeat, left, or died of another job. */
    redispatchesWhenLost: (job: JobView): boolean => again(job),

    lostEnding: (job: JobView): Ending => ({
      status: 'FAILED',
      output: undefined,
      error: runpod
        ? `job timed out after ${job.redispatches} retries`
        : 'the worker that ran the job is lost',
    }),

    /**
     * Not in the document: deployed workers never report on an empty input (`runpod`,
     * `empty-input-never-runs`).
     */
    losesWorker: ({ submission: { input } }: JobView): boolean =>
      runpod && typeof input === 'object' && input !== null && Object.keys(input).length === 0,

    /** Not in the document: after this time without a heartbeat, a job of an external worker is lost. */
    heartbeatTimeoutMs: (given: number | null): number => given ?? HEARTBEAT_TIMEOUT_MS,

    /** §3: cancelling, deleting or timing out a job stops its handler. */
    stopsHandlerOn: (_reason: StopReason): boolean => true,

    /** §3: the worker of a job that ends is free for the next one. */
    freesWorkerOn: (_reason: ReleaseReason): boolean => true,

    /** §3: the end of a job frees one slot. */
    slotsReleased: (_reason: ReleaseReason): number => 1,

    /** §1: a worker runs one job at a time, or as many as the endpoint was created with. */
    jobsPerWorker: (given: number): number => given,

    /** §3: when a worker dies, only its own jobs are lost. */
    lostWith: (other: JobView, worker: string): boolean => other.worker === worker,

    /** §4.5: how long the worker restarts before it is free. */
    restartMs: (reason: ReleaseReason): number =>
      reason === 'cancel' && workerAfterCancel === 'later' ? RESTART_MS : 0,

    /** §3: a dead worker is replaced. */
    replacesCrashedWorker: (): boolean => true,

    /** §2.2: a job with `lowPriority` triggers no scaling. */
    triggersScaling: (job: JobView): boolean => job.submission.policy.lowPriority !== true,

    /** Not in the document: how many workers to start for the waiting jobs. */
    workersToStart: ({ scaler, max }: Scaling, input: ScalingInput): number => {
      const more = max - input.own;
      if (scaler?.kind === 'request-count')
        return Math.min(more, Math.ceil((input.waiting + input.running) / scaler.jobsPerWorker) - input.own);
      return Math.min(more, Math.ceil((input.overdue - input.capacity) / input.slots) - input.starting);
    },

    coldStartMs: (given: number): number => given,

    idleTimeoutMs: (given: number | null): number | null => given,
  };
}
