/** Section 4: the operations, their methods, paths and answers, in words. */
import type { Operation } from './types.js';

export const API_VERSION = 'v2';

export interface OperationSpec {
  readonly op: Operation;
  readonly section: string;
  readonly method: 'GET' | 'POST';
  /** Path template; `<endpoint_id>` and `<job_id>` stand for one segment each, `*` for the rest. */
  readonly path: string;
  /** True when the path ends in a job id. */
  readonly takesJob: boolean;
  /** `submission` is the body of section 2.1; `none` is the document's "No body". */
  readonly body: 'submission' | 'none' | 'not-shown';
  readonly query: readonly ('wait' | 'ttl')[];
  /** What a successful answer contains, in words. The document gives no success code: any 2xx is accepted. */
  readonly success: string;
}

/** The eight operations of sections 4.1 to 4.8, in the order of the table of section 4. */
export const OPERATIONS = [
  {
    op: 'runsync',
    section: '4.1',
    method: 'POST',
    path: '/v2/<endpoint_id>/runsync',
    takesJob: false,
    body: 'submission',
    query: ['wait'],
    success: 'job record with id, status, output, delayTime, executionTime',
  },
  {
    op: 'run',
    section: '4.2',
    method: 'POST',
    path: '/v2/<endpoint_id>/run',
    takesJob: false,
    body: 'submission',
    query: [],
    success: 'id and status, status IN_QUEUE',
  },
  {
    op: 'status',
    section: '4.3',
    method: 'GET',
    path: '/v2/<endpoint_id>/status/<job_id>',
    takesJob: true,
    body: 'none',
    query: ['ttl'],
    success: 'job record with id, status, delayTime, executionTime and, when available, output',
  },
  {
    op: 'stream',
    section: '4.4',
    method: 'GET',
    path: '/v2/<endpoint_id>/stream/<job_id>',
    takesJob: true,
    body: 'none',
    query: [],
    success: 'array of chunks, each with output and optionally metrics',
  },
  {
    op: 'cancel',
    section: '4.5',
    method: 'POST',
    path: '/v2/<endpoint_id>/cancel/<job_id>',
    takesJob: true,
    body: 'none',
    query: [],
    success: 'id and status, status CANCELLED',
  },
  {
    op: 'retry',
    section: '4.6',
    method: 'POST',
    path: '/v2/<endpoint_id>/retry/<job_id>',
    takesJob: true,
    body: 'none',
    query: [],
    success: 'id and status, status IN_QUEUE',
  },
  {
    op: 'purge-queue',
    section: '4.7',
    method: 'POST',
    path: '/v2/<endpoint_id>/purge-queue',
    takesJob: false,
    body: 'none',
    query: [],
    success: 'removed (integer) and status completed',
  },
  {
    op: 'health',
    section: '4.8',
    method: 'GET',
    path: '/v2/<endpoint_id>/health',
    takesJob: false,
    body: 'none',
    query: [],
    success: 'jobs.{completed,failed,inProgress,inQueue,retried}, workers.{idle,running}, all integers',
  },
] as const satisfies readonly OperationSpec[];

/** The two paths of section 4.9, of which only method and rate are shown. */
export const OTHER_OPERATIONS = [
  {
    op: 'openai',
    section: '4.9',
    method: 'POST',
    path: '/v2/<endpoint_id>/openai/*',
    takesJob: false,
    body: 'not-shown',
    query: [],
    success: 'not shown',
  },
  {
    op: 'requests',
    section: '4.9',
    method: 'GET',
    path: '/v2/<endpoint_id>/requests',
    takesJob: false,
    body: 'not-shown',
    query: [],
    success: 'not shown',
  },
] as const satisfies readonly OperationSpec[];

/** The eight operations whose answers the document shows. */
export type MainOperation = (typeof OPERATIONS)[number]['op'];

/** All ten operations, those of section 4.9 last. */
export const ALL_OPERATIONS: readonly OperationSpec[] = [...OPERATIONS, ...OTHER_OPERATIONS];

/** The method of each operation. */
export const METHOD_OF = Object.fromEntries(ALL_OPERATIONS.map(({ op, method }) => [op, method])) as {
  readonly [O in Operation]: 'GET' | 'POST';
};

/** A job id in the form that deployed services use; no service issues it. */
export const UNKNOWN_JOB_ID = '00000000-0000-4000-8000-000000000000-u1';

// Lists of operations that have something in common; `idsFor` makes an id for each of them.

export const MAIN_OPERATIONS: readonly MainOperation[] = OPERATIONS.map(({ op }) => op);

/** The operations that create a job. */
export const SUBMISSIONS = ['run', 'runsync'] as const satisfies readonly Operation[];

/** The operations whose path ends in a job id. */
export const JOB_OPERATIONS = ['status', 'stream', 'cancel', 'retry'] as const satisfies readonly Operation[];

/** The operations that answer with a job record. */
export const RECORD_OPERATIONS = [
  'runsync',
  'run',
  'status',
  'cancel',
  'retry',
] as const satisfies readonly Operation[];

/** The operations with a rate in the table of section 8. */
export const RATED_OPERATIONS = [
  'runsync',
  'run',
  'status',
  'stream',
  'cancel',
  'purge-queue',
  'openai',
  'requests',
] as const satisfies readonly Operation[];
export type RatedOperation = (typeof RATED_OPERATIONS)[number];

/** The operations with a number in the column Concurrency of that table. */
export const CONCURRENT_OPERATIONS = [
  'runsync',
  'run',
  'status',
  'stream',
  'cancel',
  'openai',
  'requests',
] as const satisfies readonly Operation[];
export type ConcurrentOperation = (typeof CONCURRENT_OPERATIONS)[number];

/** Value of `status` in a purge result (2.6). */
export const PURGE_STATUS = 'completed';

/** The counters of a health record (2.7). */
export const HEALTH_JOB_COUNTERS = ['completed', 'failed', 'inProgress', 'inQueue', 'retried'] as const;
export const HEALTH_WORKER_COUNTERS = ['idle', 'running'] as const;

/** The fields of `s3Config` (2.3); which are required is not shown. */
export const S3_CONFIG_FIELDS = ['accessId', 'accessSecret', 'bucketName', 'endpointUrl'] as const;

/** The codes by which servers answer paths and methods that they do not have. */
export const MISSING_OPERATION_CODES: readonly number[] = [404, 405, 501];
