/** Sections 2.4 to 2.6, 4: what the answers hold. */
import type { Json } from '../../history/events.js';
import type { JobStatus, Operation } from '../../spec/types.js';
import type { JobView } from '../state.js';
import { PURGE_STATUS } from '../../spec/operations.js';
import { STREAM_CHUNK_MAX } from '../../spec/limits.js';
import type { Is } from './is.js';

/** Where a job record stands. */
export type View =
  | 'run'
  | 'runsync'
  /** `/runsync` whose wait was over before the job was. */
  | 'elapsed'
  | 'status'
  | 'cancel'
  | 'retry'
  | 'webhook'
  | 'requests';

/** The fields a job record can have, in the order in which they are written. */
export const RECORD_FIELDS = [
  'delayTime',
  'executionTime',
  'id',
  'output',
  'error',
  'status',
  'workerId',
  'retries',
  'input',
  'webhook',
] as const;
export type RecordField = (typeof RECORD_FIELDS)[number];

const SHORT: ReadonlySet<View> = new Set<View>(['run', 'cancel', 'retry', 'requests']);
const ENDED: ReadonlySet<JobStatus> = new Set<JobStatus>(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);

/** Edition `runpod`: which times a record shows depends on how far the job has come. */
function runpodShows(field: RecordField, view: View, job: JobView): boolean {
  if (field === 'delayTime') return job.status !== 'IN_QUEUE';
  if (field === 'executionTime') return ENDED.has(job.status);
  if (field === 'workerId') return job.status !== 'IN_QUEUE' && job.worker !== null;
  if (field === 'input' || field === 'webhook') return view === 'webhook';
  return field !== 'retries';
}

export const replyRules = (is: Is, runpod: boolean) => ({
  /** §2.4, §4: the fields of a record. Those without a value are left out in any case. */
  shows: (field: RecordField, view: View, job: JobView): boolean => {
    if (field === 'id' || field === 'status') return true;
    if (SHORT.has(view)) return false;
    if (runpod) return runpodShows(field, view, job);
    if (field === 'delayTime' || field === 'executionTime') return true;
    if (field === 'input' || field === 'webhook')
      return view === 'webhook' && is('6/payload', 'record-and-submission');
    return field === 'output' || field === 'error';
  },

  /** §2.4: the job's id, as every answer shows it. */
  idShown: (job: JobView, _view: View): string => job.id,

  /** §3: the job's state, as every answer shows it. */
  statusShown: (job: JobView, _view: View): string => job.status,

  /** §4.3: output when available; while the job runs, edition `runpod` shows the last progress update. */
  outputShown: (job: JobView, _view: View): Json | undefined => {
    if (job.status === 'IN_PROGRESS') return runpod ? job.progress : undefined;
    return job.output;
  },

  /** Not in the document: words for people about a failure. */
  errorShown: (job: JobView): string | null => job.error,

  /** §4: success codes. The document names none; official clients insist on 200. */
  successCode: (_view: View | 'stream' | 'purge-queue' | 'health' | 'openai'): number => 200,

  /** §1: bodies are JSON and say so. */
  contentType: (_code: number): string => 'application/json',

  /** §4.3: reading a result changes nothing: this names the reads after which the job would be forgotten. */
  readConsumes: (_job: JobView, _op: Operation): boolean => false,

  /** §2.2, §4.1, §4.2: reading restarts no timer. */
  readSetsTimersAnew: (): boolean => false,

  /** §4.1: a waiting call is answered as soon as its job has ended. */
  endsWait: (status: JobStatus): boolean => ENDED.has(status),

  /** §4.4: which of the chunks a read delivers: all so far, or those that no read has delivered yet. */
  chunksFrom: (job: JobView): number => (runpod || is('4.4/reads', 'drain') ? job.chunksRead : 0),

  /** §4.4: an array of chunks; deployed services wrap it. */
  streamBody: (job: JobView, chunks: readonly Json[]): Json =>
    runpod ? { status: job.status, stream: chunks } : chunks,

  /** §2.5: one element of the array. */
  chunkOf: (output: Json): Json => ({ output }),

  /** §4.4, §8: largest chunk in bytes of its JSON. */
  chunkBytesMax: (): number =>
    is('8/megabyte', 'binary') ? STREAM_CHUNK_MAX.binaryBytes : STREAM_CHUNK_MAX.decimalBytes,

  /** §4.4: larger outputs are split. */
  splitsChunks: (): boolean => true,

  /** §2.6. */
  purgeBody: (removed: number): Json => ({ removed, status: PURGE_STATUS }),

  /** §4.9: not shown. */
  requestsBody: (jobs: readonly Json[]): Json => ({ requests: jobs }),
});
