/** Section 3: which moves a job may make, and what a move takes with it. */
import type { Json } from '../../history/events.js';
import type { JobStatus, Operation } from '../../spec/types.js';
import type { WorkerReport } from '../api.js';
import type { JobView, StatusCounts, StopReason } from '../state.js';
import type { Is } from './is.js';

/** How a worker's final report ends the job. */
export interface Ending {
  readonly status: JobStatus;
  readonly output: Json | undefined;
  readonly error: string | null;
}

/** What can bring a waiting job and a free worker together. */
export type Occasion = 'submission' | 'retry' | 'worker-free' | 'more-workers';

/** What the service answers where the document shows no answer. */
export type Instead = 'refuse' | 'not-found' | 'answer-as-it-stands' | 'say-done';

export interface EndpointCounts {
  /** Jobs held now. */
  readonly held: Readonly<StatusCounts>;
  /** Moves into each status since the endpoint was made. */
  readonly entered: Readonly<StatusCounts>;
  readonly retried: number;
  readonly idle: number;
  readonly running: number;
}

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const jobRules = (is: Is, runpod: boolean) => ({
  /** §2.4: the id is assigned by the service. */
  newId: (made: string, sync: boolean): string => (runpod ? `${sync ? 'sync-' : ''}${made}-u1` : made),

  /** §1, §3: a free worker takes the oldest waiting job. */
  nextOf: <J extends JobView>(oldest: J, _newest: J): J => oldest,

  /** §1: a free worker and a waiting job are all it takes; `lowPriority` concerns scaling only. */
  mayStart: (_job: JobView, _runningHere: number, _runningInAll: number): boolean => true,

  /** §1, §3: every change that makes a job or a worker available brings them together. */
  dispatchesOn: (_occasion: Occasion): boolean => true,

  /** §1: the handler works on the submission's input. */
  inputForHandler: (job: JobView): Json => job.submission.input,

  /** §2.3: passed along as it came. */
  s3ConfigForHandler: (job: JobView): Json | null => job.submission.s3Config,

  /** §3: a report counts only while its attempt runs. Late reports of a stopped handler change nothing. */
  reportCounts: (job: JobView, _report: WorkerReport): boolean => job.status === 'IN_PROGRESS',

  /** §1, §3: an error is final; a service may run the job of a dead worker again. */
  runsAgainAfter: (_job: JobView, _report: WorkerReport): boolean => false,

  /** §3: success ends in COMPLETED, a handler or worker error in FAILED. */
  endingOf: (report: WorkerReport): Ending | null => {
    if (report.kind === 'success') {
      if (runpod && isObject(report.output) && 'error' in report.output) {
        const { error, ...rest } = report.output;
        return {
          status: 'FAILED',
          output: Object.keys(rest).length > 0 ? rest : undefined,
          error: typeof error === 'string' ? error : JSON.stringify(error),
        };
      }
      return { status: 'COMPLETED', output: report.output, error: null };
    }
    if (report.kind === 'error') return { status: 'FAILED', output: report.output, error: report.message };
    if (report.kind === 'crash')
      return { status: 'FAILED', output: undefined, error: 'the worker died while it ran the job' };
    return null;
  },

  /** §3: which state follows when `executionTimeout` is over; the document names TIMED_OUT at `/retry`. */
  timeoutEnding: (): Ending => ({
    status: runpod || is('3/timeout-status', 'failed') ? 'FAILED' : 'TIMED_OUT',
    output: undefined,
    error: 'executionTimeout exceeded',
  }),

  /** §3, §4.5: cancelling works while the job waits and while it runs. */
  mayCancel: (status: JobStatus): boolean => status === 'IN_QUEUE' || status === 'IN_PROGRESS',

  /** §4.5: cancelling a job that has ended: not shown. */
  cancelOfEnded: (job: JobView): Instead =>
    job.status === 'CANCELLED' && is('4.5/cancel-cancelled', 'ok') ? 'answer-as-it-stands' : 'refuse',

  /** §4.5: the state that a cancelled job is in. */
  statusAfterCancel: (_job: JobView): JobStatus => 'CANCELLED',

  /** §3, §4.6: only FAILED and TIMED_OUT. */
  mayRetry: (status: JobStatus): boolean => status === 'FAILED' || status === 'TIMED_OUT',

  /** §4.6: retrying a job in another state: not shown. */
  retryOfOther: (_job: JobView): Instead => 'refuse',

  /** §2.4, §4.6: the id stays. */
  idOnRetry: (job: JobView, _fresh: () => string): string => job.id,

  /** §3, §4.6: previous output removed: the record's output and error. */
  clearsOutputOnRetry: (): boolean => true,

  /** §4.6: streamed output is output. */
  clearsChunksOnRetry: (): boolean => true,

  /** §4.6: requeues; at which end of the queue is not shown. */
  retryGoesFirst: (): boolean => is('4.6/retry-queue-place', 'front'),

  /** §4.7: removes all jobs that wait, and no other. */
  purgeRemoves: (job: JobView): boolean => job.status === 'IN_QUEUE',

  /** §4.7: of this endpoint only. */
  purgeReaches: (endpoint: string, purged: string): boolean => endpoint === purged,

  /** §2.6: how many were removed. */
  purgeCount: (removed: number, _waitingAfter: number): number => removed,

  /** §3: a purged job is removed, not cancelled. */
  purgedIs: (): 'gone' | 'cancelled' => (is('4.7/purged-job', 'cancelled') ? 'cancelled' : 'gone'),

  /** §3: a job that is cancelled, deleted or timed out stops its handler. */
  stopsHandlerOn: (_reason: StopReason): boolean => true,

  /** §3: and its worker is free for the next job. */
  freesWorkerOn: (_reason: StopReason | 'report'): boolean => true,

  /** §3: a worker that died is replaced at once, so that the number of workers stays. */
  replacesCrashedWorker: (): boolean => true,

  /** §1, §8: jobs, results and limits belong to one endpoint. */
  jobVisibleFrom: (jobEndpoint: string, endpoint: string, _op: Operation): boolean =>
    jobEndpoint === endpoint,

  /** §2.7: the health record. Finished jobs are counted since the endpoint was made, unless read otherwise. */
  healthOf: (counts: EndpointCounts, _everywhere: () => readonly EndpointCounts[]): Json => {
    const ended = is('2.7/ended-counters', 'held') ? counts.held : counts.entered;
    const failed = ended.FAILED + (is('2.7/failed-counts-timed-out', 'no') ? 0 : ended.TIMED_OUT);
    const workers = { idle: counts.idle, running: counts.running };
    return {
      jobs: {
        completed: ended.COMPLETED,
        failed,
        inProgress: counts.held.IN_PROGRESS,
        inQueue: counts.held.IN_QUEUE,
        retried: counts.retried,
      },
      workers: runpod
        ? { ...workers, initializing: 0, ready: counts.idle, throttled: 0, unhealthy: 0 }
        : workers,
    };
  },
});
