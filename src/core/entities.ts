/** What the service holds: endpoints, jobs, waiting calls and webhook deliveries. */
import type { Json } from '../history/events.js';
import type { JobStatus } from '../spec/types.js';
import type { Deadline } from './deadlines.js';
import type { WorkerPool, Worker } from './workers/worker-pool.js';
import type { ConcurrencySlot } from './meters.js';
import type { JobList } from './job-list.js';
import type { JobQueue } from './queue.js';
import type { Scaling } from './workers/scaling-settings.js';

/** A validated submission (section 2.1); null for what was left out. */
export interface Submission {
  readonly input: Json;
  readonly webhook: string | null;
  readonly s3Config: Json | null;
  readonly policy: {
    readonly executionTimeoutMs: number | null;
    readonly lowPriority: boolean | null;
    readonly ttlMs: number | null;
  };
}

/** Why an attempt or a job ends other than by a report of its worker. */
export type StopReason =
  | 'cancel'
  | 'timeout'
  | 'ttl'
  | 'retention'
  | 'purge'
  | 'endpoint-gone'
  | 'worker-lost';

/** Why a worker no longer has its job: its report, its death, or an action of the service. */
export type ReleaseReason = StopReason | 'report' | 'crash';

/** The read-only view of a job that rules get. */
export interface JobView {
  readonly id: string;
  readonly op: 'run' | 'runsync' | 'openai';
  readonly submission: Submission;
  /** `wait` of the submission, in ms; null when it was left out. */
  readonly waitMs: number | null;
  readonly status: JobStatus;
  readonly submittedMs: number;
  /** When it last entered the queue: at submission, or at the last retry. */
  readonly queuedMs: number;
  /** When a worker started it; null when none has since `queuedMs`. */
  readonly startedMs: number | null;
  readonly endedMs: number | null;
  /** Undefined without an output. */
  readonly output: Json | undefined;
  /** The last progress update of the present attempt. */
  readonly progress: Json | undefined;
  readonly error: string | null;
  readonly chunks: readonly Json[];
  /** The incremental results of the present attempt as the handler produced them, before splitting. */
  readonly streamed: readonly Json[];
  /** How many chunks `/stream` has delivered. */
  readonly chunksRead: number;
  /** Accepted calls of `/retry`. */
  readonly retries: number;
  /** How many times the service ran it again by itself. */
  readonly redispatches: number;
  /** Whether its worker died in the last run. */
  readonly crashed: boolean;
  /** Whether a call that waited for it was answered before it ended. */
  readonly outlivedWait: boolean;
  /** Total wait and run time before the present or last wait and run, for retried jobs. */
  readonly waitedBeforeMs: number;
  readonly ranBeforeMs: number;
  readonly worker: string | null;
  /** When `/status` or `/stream` last returned it. */
  readonly readMs: number | null;
  /** The last `/status?ttl=`, and when it was given; null when there was none. */
  readonly ttlSet: { readonly ttlMs: number; readonly atMs: number } | null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface Job extends Mutable<Omit<JobView, 'chunks' | 'streamed' | 'worker'>> {
  endpoint: Endpoint;
  /** `NO_RESULTS` before the first one. */
  chunks: Json[];
  streamed: Json[];
  worker: string | null;
  /** The worker that runs it; null unless it is running. */
  heldBy: Worker | null;
  /** When that worker was last known to run it. */
  heartbeatMs: number;
  /** The last attempt; null before the first one, and between a retry and the next start. */
  attempt: number | null;
  /** Whether a worker has run the job before. */
  ranBefore: boolean;
  /** False once the job is deleted. */
  present: boolean;
  /** Calls that wait for it. `NO_CALLS` where none ever did. */
  waiting: Set<WaitingCall>;
  /** Null also where its retention ends earlier. */
  ttlTimer: Deadline | null;
  executionTimer: Deadline | null;
  retentionTimer: Deadline | null;
  /** Set while it waits and may still make the endpoint start a worker. */
  scaleTimer: Deadline | null;
  /** Set while it is held by a worker that will never report. */
  lossTimer: Deadline | null;
  /** Its neighbours among the jobs of its endpoint. */
  older: Job | null;
  newer: Job | null;
  /** The jobs before and after it in the queue. */
  before: Job | null;
  after: Job | null;
  /** Its place in the queue; the lowest is first. */
  place: number;
  /** Where it is among the jobs that the table has not yet entered; -1 once it is entered. Only the table writes it. */
  newIndex: number;
}

/** Most jobs have no incremental results and no call that waits for them: these share one empty list and one empty set. */
export const NO_RESULTS: Json[] = Object.freeze([] as Json[]) as Json[];
export const NO_CALLS: Set<WaitingCall> = new Set();

/** A call that waits for its answer: `/runsync`, or others in some readings. */
export interface WaitingCall {
  readonly callId: number;
  readonly endpoint: Endpoint;
  /** Counts the call as in flight. */
  readonly slot: ConcurrencySlot;
  readonly job: Job;
  /** `record`: the end of the job; `chunk`: a new chunk; `stream-end`: the end of its stream. */
  readonly waitsFor: 'record' | 'chunk' | 'stream-end';
  timer: Deadline | null;
}

/** Numbers of jobs by status. */
export type StatusCounts = { [S in JobStatus]: number };

export interface Endpoint {
  readonly id: string;
  readonly jobs: JobList;
  readonly queue: JobQueue;
  readonly pool: WorkerPool;
  scaling: Scaling;
  /** Jobs that each of its own workers runs at the same time. */
  readonly jobsPerWorker: number;
  /** Waiting jobs that trigger scaling; of these, the jobs that have waited for the delay of the scaler. */
  readonly scalingJobs: Set<Job>;
  readonly overdueJobs: Set<Job>;
  /** Assigns waiting jobs after workers have become free. */
  readonly offer: (nowMs: number) => void;
  /** After this time without a heartbeat, a job of an external worker is lost; null for the default. */
  readonly heartbeatTimeoutMs: number | null;
  /** Jobs that exist now, by status. */
  readonly held: StatusCounts;
  /** How many times each status was entered since the endpoint was created. */
  readonly entered: StatusCounts;
  /** How many times each status was left by `/retry`. */
  readonly retriedFrom: StatusCounts;
  redispatched: number;
  /** Jobs that have not ended, by operation. */
  readonly live: { run: number; runsync: number; openai: number };
  readonly waiting: Set<WaitingCall>;
  readonly deliveries: Set<Delivery>;
  /** Set while a dispatch is delayed; see the rule `dispatchDelayMs`. */
  dispatchTimer: Deadline | null;
  /** Scopes of the rate meters in use for this endpoint. */
  readonly meters: Set<string>;
}

/** The webhook calls for one end of a job: the first attempt and its retries. */
export interface Delivery {
  readonly id: number;
  readonly endpoint: Endpoint;
  readonly job: { readonly id: string; readonly present: boolean };
  readonly url: string;
  readonly body: Json;
  attempt: number;
  /** When the present attempt started. */
  calledMs: number;
  /** Set while the next attempt is not yet due. */
  timer: Deadline | null;
}

export const zeroCounts = (): StatusCounts => ({
  IN_QUEUE: 0,
  IN_PROGRESS: 0,
  COMPLETED: 0,
  FAILED: 0,
  CANCELLED: 0,
  TIMED_OUT: 0,
});
