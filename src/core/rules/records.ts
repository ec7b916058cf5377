/** Sections 2.4 to 2.7, 4: the contents of job records and other answers, and their status codes. */
import type { Json } from '../../history/events.js';
import { PURGE_STATUS } from '../../spec/operations.js';
import type { JobView } from '../entities.js';
import type { ReadingOf } from './reads.js';

/** The answer or webhook that holds a job record. */
export type RecordKind =
  | 'run'
  | 'runsync'
  /** `/runsync` whose wait ended before the job. */
  | 'elapsed'
  | 'status'
  | 'cancel'
  | 'retry'
  | 'webhook'
  | 'requests';

/** The fields of a job record. */
export type RecordField =
  | 'delayTime'
  | 'executionTime'
  | 'id'
  | 'output'
  | 'error'
  | 'failureReason'
  | 'status'
  | 'workerId'
  | 'retries'
  | 'input'
  | 'webhook';

/** Answers that show the id and the status alone. */
const isShort = (view: RecordKind): boolean =>
  view === 'run' || view === 'cancel' || view === 'retry' || view === 'requests';
const OTHER_2XX = 203;

export function recordRules(readingOf: ReadingOf, runpod: boolean) {
  const elapsedBody = readingOf('4.1/wait-elapsed-body');
  const elapsedCode = readingOf('4.1/wait-elapsed-code');
  const failedCode = readingOf('4.1/failed-job-code');
  const crashCode = readingOf('7/crash-code');
  const statesShown = readingOf('3/status-operation-states');
  const otherFields = readingOf('2.4/other-fields') === 'some';
  const beforeEnd = readingOf('2.4/output-before-end');
  const afterRetry = readingOf('4.6/output-after-retry');
  const ofFailed = readingOf('2.4/output-of-failed');
  const ofNull = readingOf('2.4/output-of-null');
  const reason = readingOf('2.4/failure-reason');
  const payload = readingOf('6/payload-shape');
  const requestsAnswer = readingOf('4.9/requests-answer');
  const contentType =
    readingOf('1/response-charset') === 'charset' ? 'application/json; charset=utf-8' : 'application/json';
  const codes: { readonly [answer: string]: string } = {
    run: readingOf('4/success-code-run'),
    runsync: readingOf('4/success-code-runsync'),
    status: readingOf('4/success-code-status'),
    stream: readingOf('4/success-code-stream'),
    cancel: readingOf('4/success-code-cancel'),
    retry: readingOf('4/success-code-retry'),
    'purge-queue': readingOf('4/success-code-purge-queue'),
    health: readingOf('4/success-code-health'),
  };

  return {
    /** §2.4, §4: whether a record has this field. A field without a value is always left out. */
    shows: (field: RecordField, view: RecordKind, _job: JobView): boolean => {
      if (field === 'id' || field === 'status') return true;
      if (isShort(view) || (view === 'elapsed' && elapsedBody === 'id-and-status')) return false;
      if (field === 'workerId' || field === 'retries') return otherFields;
      if (field === 'input' || field === 'webhook')
        return view === 'webhook' && payload === 'record-with-input';
      return true;
    },

    /** §2.4: the id in answers. */
    idShown: (job: JobView, _view: RecordKind): string => job.id,

    /** §3: the status in answers. `/run` and `/retry` answer before a worker can take the job. */
    statusShown: (job: JobView, view: RecordKind): string =>
      view === 'status' && statesShown === 'first-four' && job.status === 'TIMED_OUT' ? 'FAILED' : job.status,

    /** §3: whether `/status` does not find the job. */
    hiddenFromStatus: (job: JobView, _nowMs: number): boolean =>
      statesShown === 'first-four' && job.status === 'CANCELLED',

    /** §2.4, §4.3: the output when available; undefined leaves it out. */
    outputShown: (job: JobView, _view: RecordKind): Json | undefined => {
      if (job.status === 'COMPLETED')
        return job.output === null && ofNull === 'absent' ? undefined : job.output;
      if (job.endedMs === null) {
        if (beforeEnd === 'progress' && job.progress !== undefined) return job.progress;
        return beforeEnd === 'null' || (job.retries > 0 && afterRetry === 'null') ? null : undefined;
      }
      if (job.error !== null && (reason === 'in-output' || ofFailed === 'error')) return { error: job.error };
      if (ofFailed === 'partial')
        return job.output ?? (job.streamed.length > 0 ? [...job.streamed] : undefined);
      return ofFailed === 'null' ? null : undefined;
    },

    /** §2.4: where a record says why the job failed; not shown. */
    errorShown: (job: JobView): Json | undefined => {
      if (job.error === null) return undefined;
      if (reason === 'error-string') return job.error;
      return reason === 'error-object' ? { message: job.error } : undefined;
    },

    /** §2.4: the reason of a failure in a field of another name, in the reading `elsewhere`. */
    reasonShown: (job: JobView): Json | undefined =>
      reason === 'elsewhere' && job.error !== null ? job.error : undefined,

    /** Only with further fields: edition `runpod`, and one reading of 2.4/other-fields. */
    workerIdShown: (job: JobView): string | undefined => job.worker ?? undefined,

    /** Edition `runpod`: how many times the service has run the job again by itself; left out when 0. */
    retriesShown: (job: JobView): number | undefined => (job.redispatches > 0 ? job.redispatches : undefined),

    /** §4: success codes. The document names none; official clients require 200. */
    successCode: (answer: RecordKind | 'stream' | 'purge-queue' | 'health'): number => {
      const code = codes[answer];
      return code === undefined ? 200 : code === 'other-2xx' ? OTHER_2XX : Number(code);
    },

    /** §4.1, §7: the status code of `/runsync` when its job has ended. */
    endedCode: (job: JobView, success: number): number => {
      if (job.crashed && crashCode !== 'record') return crashCode === '500' ? 500 : 502;
      if (job.status !== 'FAILED' && job.status !== 'TIMED_OUT') return success;
      return failedCode === '200' ? success : failedCode === 'other' ? 422 : Number(failedCode);
    },

    /** §4.1: the status code of `/runsync` when `wait` is over. */
    elapsedCode: (): number => {
      if (elapsedBody === 'error' && elapsedCode === '200') return 408;
      return elapsedCode === 'other' ? 206 : Number(elapsedCode);
    },

    /** §4.1: whether that answer is an error instead of a record. */
    elapsedIsError: (): boolean => elapsedBody === 'error',

    /** §1: the content type of answers. */
    contentType: (_code: number): string => contentType,

    /** §2.6. */
    purgeBody: (removed: number): Json => ({ removed, status: PURGE_STATUS }),

    /** §4.9: not shown. */
    requestsBody: (jobs: readonly Json[]): Json =>
      requestsAnswer === 'other' ? { count: jobs.length } : { requests: jobs },

    /** Edition `runpod`: `/status-sync/<job_id>?wait=` exists. */
    hasStatusSync: (): boolean => runpod,
  };
}
