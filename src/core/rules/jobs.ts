/** Section 3: the transitions that a job may make, and their consequences. */
import type { Json } from '../../history/events.js';
import type { JobStatus, Operation } from '../../spec/types.js';
import { isObject } from '../../util/json.js';
import type { WorkerReport } from '../api.js';
import type { JobView } from '../entities.js';
import type { ReadingOf } from './reads.js';

/** How a job ends. */
export interface Ending {
  readonly status: JobStatus;
  readonly output: Json | undefined;
  readonly error: string | null;
}

/** The events after which waiting jobs are assigned to free workers. */
export type DispatchTrigger = 'submission' | 'retry' | 'worker-free' | 'more-workers';

/**
 * An answer that the document does not specify: a status code of a refusal, the present record, or a feigned
 * success.
 */
export type UnspecifiedAnswer = number | 'as-it-is' | 'done';

const OUTPUT_BYTES_MAX = 2_000_000;

const REFUSALS = {
  'refused-400': 400,
  'refused-404': 404,
  'refused-409': 409,
  'refused-422': 422,
  'other-error': 410,
};

export function jobRules(readingOf: ReadingOf, runpod: boolean) {
  const idShape = readingOf('2.4/id-shape');
  const idPrefix = readingOf('2.4/runsync-id-prefix') === 'sync' ? 'sync-' : '';
  const queueOrder = readingOf('1/queue-order');
  const lowPriorityOrder = readingOf('2.2/low-priority-order');
  const finalOutput = readingOf('4.4/final-output');
  const outputSizeLimit = readingOf('2.4/output-size-limit');
  const timedOut = readingOf('3/timed-out-state');
  const afterCancel = readingOf('3/status-after-cancel');
  const cancelEndedAnswer = readingOf('4.5/cancel-ended-answer');
  const cancelEndedEffect = readingOf('4.5/cancel-ended-effect');
  const cancelTwice = readingOf('4.5/cancel-twice');
  const retryOfOther = {
    IN_QUEUE: readingOf('4.6/wrong-state-answer-in-queue'),
    IN_PROGRESS: readingOf('4.6/wrong-state-answer-in-progress'),
    COMPLETED: readingOf('4.6/wrong-state-answer-completed'),
    CANCELLED: readingOf('4.6/wrong-state-answer-cancelled'),
    FAILED: 'refused-400',
    TIMED_OUT: 'refused-400',
  } as const;
  const queuePosition = readingOf('4.6/queue-position');
  const purged = readingOf('4.7/purged-job-status');

  return {
    /** §2.4: the job id, from one made by the service. */
    newId: (made: string, sync: boolean): string => {
      const id =
        idShape === 'uuid'
          ? made
          : idShape === 'uuid-with-suffix'
            ? `${made}-u1`
            : `job_${made.replaceAll('-', '')}`;
      return sync ? idPrefix + id : id;
    },

    /** §7: whether a text has the form of a job id. */
    couldBeId: (text: string): boolean =>
      idShape === 'other'
        ? text.startsWith('job_') || text.startsWith(`${idPrefix}job_`)
        : /^(sync-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.test(text),

    /** §1, §3: a free worker takes the oldest waiting job. */
    nextOf: <J extends JobView>(oldest: J, newest: J, waiting: Iterable<J>): J => {
      if (queueOrder === 'other-order') return newest;
      if (lowPriorityOrder === 'same-queue') return oldest;
      for (const job of waiting) if (job.submission.policy.lowPriority !== true) return job;
      return oldest;
    },

    /** §1: a waiting job starts on any free worker; `lowPriority` concerns scaling only. */
    mayStart: (_job: JobView, _runningHere: number, _runningInAll: number): boolean => true,

    /** §1, §3: waiting jobs are assigned after each of these events. */
    dispatchesOn: (_occasion: DispatchTrigger): boolean => true,

    /** §1: the handler gets the input of the submission. */
    inputForHandler: (job: JobView): Json => job.submission.input,

    /** §2.3: the handler gets s3Config unchanged. */
    s3ConfigForHandler: (job: JobView): Json | null => job.submission.s3Config,

    /** §3: a report counts only while its attempt runs; late reports of a stopped handler are ignored. */
    reportCounts: (job: JobView, _report: WorkerReport): boolean => job.status === 'IN_PROGRESS',

    /** §3: success ends in COMPLETED, a handler or worker error in FAILED. Null: the run goes on. */
    endingOf: (report: WorkerReport): Ending | null => {
      if (report.kind === 'success') {
        if (runpod && isObject(report.output) && 'error' in report.output) return failureIn(report.output);
        return limited({ status: 'COMPLETED', output: report.output, error: null });
      }
      if (report.kind === 'error') return { status: 'FAILED', output: report.output, error: report.message };
      if (report.kind === 'crash') {
        return { status: 'FAILED', output: undefined, error: 'the worker died while it ran the job' };
      }
      return null;
    },

    /** §4.4: the output of a job whose handler streams; not shown. */
    outputAtEnd: (job: JobView, ending: Ending): Json | undefined => {
      if (ending.status !== 'COMPLETED' || job.streamed.length === 0) return ending.output;
      switch (finalOutput) {
        case 'all-chunks':
          return [...job.streamed];
        case 'last-chunk':
          return job.streamed.at(-1);
        case 'handler-return':
          return ending.output;
        case 'absent':
          return undefined;
        case 'other':
          return { chunks: job.streamed.length };
      }
    },

    /** §2.4: a job keeps its own output. */
    outputKept: (_job: JobView, output: Json | undefined): Json | undefined => output,

    /** §3: the state after `executionTimeout`; the document names TIMED_OUT at `/retry`. */
    timeoutEnding: (): Ending => ({
      status: timedOut,
      output: undefined,
      error: 'executionTimeout exceeded',
    }),

    /** §3, §4.5: waiting and running jobs can be cancelled. */
    mayCancel: (status: JobStatus, _job: JobView): boolean =>
      status === 'IN_QUEUE' || status === 'IN_PROGRESS',

    /** §3, §4.5: the state of a cancelled job. */
    cancelEnding: (_job: JobView): Ending => ({ status: 'CANCELLED', output: undefined, error: null }),

    /** §3: whether a cancelled job is deleted at once. */
    forgetsCancelled: (): boolean => afterCancel === 'not-found',

    /** §4.5: the answer to `/cancel` of a job that has ended; not shown. */
    cancelOfEnded: (job: JobView): UnspecifiedAnswer => {
      const answer = job.status === 'CANCELLED' ? cancelTwice : cancelEndedAnswer;
      if (answer === 'status-as-it-is') return 'as-it-is';
      return answer === 'status-cancelled' ? 'done' : REFUSALS[answer];
    },

    /** §4.5: the effect of such a `/cancel`. */
    cancelOfEndedDoes: (_job: JobView): 'nothing' | 'cancels' | 'removes' =>
      cancelEndedEffect === 'none' ? 'nothing' : cancelEndedEffect === 'cancelled' ? 'cancels' : 'removes',

    /** §3, §4.6: only FAILED and TIMED_OUT jobs can be retried. */
    mayRetry: (status: JobStatus, _retries: number, _job: JobView): boolean =>
      status === 'FAILED' || status === 'TIMED_OUT',

    /** §4.6: the answer to `/retry` in other states; not shown. */
    retryOfOther: (job: JobView): UnspecifiedAnswer => {
      const answer = retryOfOther[job.status];
      return answer === 'success-without-effect' ? 'as-it-is' : REFUSALS[answer];
    },

    /** §2.4, §4.6: a retried job keeps its id. */
    idOnRetry: (job: JobView, _fresh: () => string): string => job.id,

    /** §3, §4.6: `/retry` removes the previous output and error. */
    clearsOutputOnRetry: (): boolean => true,

    /** §4.6: streamed chunks are part of the output. */
    clearsChunksOnRetry: (): boolean => true,

    /** §4.6: the place of a retried job in the queue; not shown. */
    retryGoes: (): 'back' | 'front' | 'by-submission' => queuePosition,

    /** §4.7: removes all waiting jobs, and no others. */
    purgeRemoves: (job: JobView): boolean => job.status === 'IN_QUEUE',

    /** §4.7: only jobs of this endpoint. */
    purgeReaches: (endpoint: string, purged: string): boolean => endpoint === purged,

    /** §2.6: the number of removed jobs. */
    purgeCount: (removed: number, _running: number): number => removed,

    /** §4.7: whether purged jobs are answered otherwise than other deleted jobs. */
    remembersPurged: (): boolean => purged === 'other',

    /** §3: a purged job is removed; what `/status` answers afterwards is not shown. */
    purgedIs: (): Ending | 'gone' =>
      purged === 'CANCELLED' || purged === 'FAILED'
        ? { status: purged, output: undefined, error: 'the queue was purged' }
        : 'gone',

    /** §1, §8: a job is visible at its own endpoint only. */
    jobVisibleFrom: (jobEndpoint: string, endpoint: string, _op: Operation): boolean =>
      jobEndpoint === endpoint,

    /** §4.3: reading a result does not delete the job. */
    readConsumes: (_job: JobView, _op: Operation): boolean => false,
  };

  /** §2.4: the ending of a job whose output may be too large. */
  function limited(ending: Ending): Ending {
    if (outputSizeLimit === 'kept' || JSON.stringify(ending.output ?? null).length <= OUTPUT_BYTES_MAX)
      return ending;
    if (outputSizeLimit === 'dropped') return { ...ending, output: undefined };
    return { status: 'FAILED', output: undefined, error: 'the output is too large' };
  }

  /** Edition `runpod`: a result with a member `error` is a failure; its other members are the output. */
  function failureIn(output: { readonly [key: string]: Json }): Ending {
    const { error, ...rest } = output;
    return {
      status: 'FAILED',
      output: Object.keys(rest).length > 0 ? rest : undefined,
      error: typeof error === 'string' ? error : JSON.stringify(error),
    };
  }
}
