/** What the service remembers: endpoints, their workers, their jobs, and the calls that wait for a job. */
import type { Json } from '../history/events.js';
import type { JobStatus } from '../spec/types.js';
import type { Deadline } from './deadlines.js';
import type { WorkerPool, Worker } from './worker-pool.js';
import type { ConcurrencySlot } from './meters.js';
import type { JobQueue } from './queue.js';
import type { Scaling } from './scaling-settings.js';

/** A submission after validation (section 2.1), with `null` for what was not given. */
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

/** How an attempt or a job may come to its end other than by the worker's own report. */
export type StopReason =
  'cancel' | 'timeout' | 'ttl' | 'retention' | 'purge' | 'endpoint-gone' | 'worker-lost';

/** How a worker may come to be rid of its job: its own report, its own death, or the service's doing. */
export type ReleaseReason = StopReason | 'report' | 'crash';

/** A job as the rules see it. */
export interface JobView {
  readonly id: string;
  readonly op: 'run' | 'runsync' | 'openai';
  readonly submission: Submission;
  /** `wait` of the submission in ms; null when it was not given. */
  readonly waitMs: number | null;
  readonly status: JobStatus;
  readonly submittedMs: number;
  /** When it last entered the queue: at the submission, or at the last retry. */
  readonly queuedMs: number;
  /** When a worker last took it; null while that has not happened since `queuedMs`. */
  readonly startedMs: number | null;
  readonly endedMs: number | null;
  /** Undefined where the handler has produced none. */
  readonly output: Json | undefined;
  /** The handler's last progress update of the present attempt. */
  readonly progress: Json | undefined;
  readonly error: string | null;
  readonly chunks: readonly Json[];
  /** The incremental results of the present attempt as the handler produced them, not split. */
  readonly streamed: readonly Json[];
  /** How many chunks earlier reads of `/stream` have delivered. */
  readonly chunksRead: number;
  /** Accepted calls of `/retry`. */
  readonly retries: number;
  /** Runs begun again by the service itself. */
  readonly redispatches: number;
  /** The worker died under its last run. */
  readonly crashed: boolean;
  /** A call that waited for it was answered before it ended. */
  readonly outlivedWait: boolean;
  /** Waits and runs before the present or last ones, after retries. */
  readonly waitedBeforeMs: number;
  readonly ranBeforeMs: number;
  readonly worker: string | null;
  /** When `/status` or `/stream` last read it. */
  readonly readMs: number | null;
  /** The last `/status?ttl=`, and when it was asked for; null when there was none. */
  readonly ttlSet: { readonly ttlMs: number; readonly atMs: number } | null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface Job extends Mutable<Omit<JobView, 'chunks' | 'streamed' | 'worker'>> {
  endpoint: Endpoint;
  chunks: Json[];
  streamed: Json[];
  worker: string | null;
  /** The worker that holds it, null unless it runs. */
  heldBy: Worker | null;
  /** The last attempt; null before the first, and after a retry until the next. */
  attempt: number | null;
  /** True once a worker has run this job's id. */
  ranBefore: boolean;
  /** False once it was deleted. */
  present: boolean;
  readonly waiting: Set<WaitingCall>;
  ttlTimer: Deadline | null;
  executionTimer: Deadline | null;
  retentionTimer: Deadline | null;
  /** Set while it waits and may yet make the endpoint start a worker. */
  scaleTimer: Deadline | null;
  /** Set while it runs on a worker that will never report. */
  lossTimer: Deadline | null;
  /** Neighbours in the queue. */
  before: Job | null;
  after: Job | null;
  /** Its place in the queue as a number: lower ones are before it. */
  place: number;
}

/** A call that has not been answered yet: `/runsync`, or one of those that some readings let wait. */
export interface WaitingCall {
  readonly callId: number;
  readonly endpoint: Endpoint;
  /** Counts it as under way. */
  readonly slot: ConcurrencySlot;
  readonly job: Job;
  /** `record`: for the end of the job; `chunk`, `stream-end`: for its stream. */
  readonly waitsFor: 'record' | 'chunk' | 'stream-end';
  timer: Deadline | null;
}

/** Jobs by status, kept as they move. */
export type StatusCounts = { [S in JobStatus]: number };

export interface Endpoint {
  readonly id: string;
  readonly jobs: Map<string, Job>;
  readonly queue: JobQueue;
  readonly pool: WorkerPool;
  scaling: Scaling;
  /** Jobs that a worker of its own runs at a time. */
  readonly jobsPerWorker: number;
  /** Jobs that wait and may make it start workers; of these, those that have waited too long. */
  readonly scalingJobs: Set<Job>;
  readonly overdueJobs: Set<Job>;
  /** Lets workers that have become free take waiting jobs. */
  readonly offer: (nowMs: number) => void;
  /** How long an external worker may be silent; null for what is usual. */
  readonly heartbeatTimeoutMs: number | null;
  /** Jobs held now, by status. */
  readonly held: StatusCounts;
  /** How often each status was entered since the endpoint was made. */
  readonly entered: StatusCounts;
  /** How often each status was left by `/retry`. */
  readonly retriedFrom: StatusCounts;
  redispatched: number;
  /** Jobs that have not ended, by operation. */
  readonly live: { run: number; runsync: number; openai: number };
  readonly waiting: Set<WaitingCall>;
  readonly deliveries: Set<Delivery>;
  /** Set while a free worker takes its time; see the rule `dispatchDelayMs`. */
  dispatchTimer: Deadline | null;
  /** Names of the rate meters that were used here. */
  readonly meters: Set<string>;
}

/** The webhook call of one job's end, with its repetitions. */
export interface Delivery {
  readonly id: number;
  readonly endpoint: Endpoint;
  readonly job: { readonly id: string; readonly present: boolean };
  readonly url: string;
  readonly body: Json;
  attempt: number;
  /** When the present attempt was called for. */
  calledMs: number;
  /** Set while it pauses before the next attempt. */
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
