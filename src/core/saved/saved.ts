/**
 * The state of the service as plain values, from which a new process can continue. `serve --data` stores
 * these values by the names of their members, so the names must not change.
 */
import type { Json } from '../../history/events.js';
import type { Changes } from './changes.js';
import { isSet, type Deadline } from '../deadlines.js';
import type { ServiceState } from '../state.js';
import type { Scaling } from '../workers/scaling-settings.js';
import type { Delivery, Endpoint, Job, JobView, StatusCounts } from '../entities.js';

/** When a timer fires, and its order among the timers of that instant. */
export type SavedTimer = readonly [atMs: number, seq: number];

/** Without `progress`: it belongs to a run, and a restart runs the job again. */
export interface SavedJob extends Omit<JobView, 'output' | 'progress'> {
  readonly endpoint: string;
  readonly output?: Json | undefined;
  readonly ranBefore: boolean;
  /** Its place in the queue; the lowest is first. */
  readonly place: number;
  readonly ttlTimer: SavedTimer | null;
  readonly executionTimer: SavedTimer | null;
  readonly retentionTimer: SavedTimer | null;
}

export interface SavedEndpoint {
  readonly id: string;
  readonly workers: Scaling;
  readonly jobsPerWorker: number;
  /** The heartbeat timeout of external workers; null for the default. */
  readonly silenceMs: number | null;
  readonly workersMade: number;
  readonly entered: Readonly<StatusCounts>;
  readonly retriedFrom: Readonly<StatusCounts>;
  readonly redispatched: number;
}

export interface SavedDelivery {
  readonly id: number;
  readonly endpoint: string;
  readonly job: string;
  readonly url: string;
  readonly body: Json;
  readonly attempt: number;
  readonly calledMs: number;
  /** Null while it is being called. */
  readonly timer: SavedTimer | null;
}

export interface SavedCounters {
  /** The last `nowMs` given to `apply`. */
  readonly latestMs: number;
  readonly attempts: number;
  readonly deliveries: number;
  /** Job ids made by the counter of the service. */
  readonly idsMade: number;
}

/** The whole state. Endpoints and jobs are in order of creation. */
export interface SavedState {
  readonly counters: SavedCounters;
  readonly endpoints: readonly SavedEndpoint[];
  readonly jobs: readonly SavedJob[];
  readonly deliveries: readonly SavedDelivery[];
  /** All job ids ever assigned, where a rule needs them. */
  readonly ids: readonly string[];
  /** Ids of purged jobs, where a rule needs them. */
  readonly purged: readonly string[];
}

/**
 * The present values of what has changed; null when deleted. Read them at once: the lists of a job are not
 * copies.
 */
export interface SavedChanges {
  readonly counters: SavedCounters;
  readonly endpoints: ReadonlyMap<string, SavedEndpoint | null>;
  readonly jobs: ReadonlyMap<string, SavedJob | null>;
  readonly deliveries: ReadonlyMap<number, SavedDelivery | null>;
  readonly ids: ReadonlySet<string>;
  readonly purged: ReadonlySet<string>;
}

export function saveChanges(state: ServiceState, changes: Changes, counters: SavedCounters): SavedChanges {
  return {
    counters,
    endpoints: saveEach(changes.endpoints, state.endpoints, saveEndpoint),
    jobs: saveEach(changes.jobs, state.jobs, saveJob),
    deliveries: saveEach(changes.deliveries, state.deliveries, saveDelivery),
    ids: changes.ids,
    purged: changes.purged,
  };
}

function saveEach<K, V, S>(
  keys: Iterable<K>,
  from: { get(key: K): V | undefined },
  save: (value: V) => S,
): Map<K, S | null> {
  const saved = new Map<K, S | null>();
  for (const key of keys) {
    const value = from.get(key);
    saved.set(key, value === undefined ? null : save(value));
  }
  return saved;
}

function saveEndpoint(endpoint: Endpoint): SavedEndpoint {
  const { id, scaling, jobsPerWorker, heartbeatTimeoutMs, pool, entered, retriedFrom, redispatched } =
    endpoint;
  const wanted = { workers: scaling, jobsPerWorker, silenceMs: heartbeatTimeoutMs, workersMade: pool.made };
  return { id, ...wanted, entered, retriedFrom, redispatched };
}

function saveJob(job: Job): SavedJob {
  return {
    id: job.id,
    endpoint: job.endpoint.id,
    op: job.op,
    submission: job.submission,
    waitMs: job.waitMs,
    status: job.status,
    submittedMs: job.submittedMs,
    queuedMs: job.queuedMs,
    startedMs: job.startedMs,
    endedMs: job.endedMs,
    output: job.output,
    error: job.error,
    chunks: job.chunks,
    streamed: job.streamed,
    chunksRead: job.chunksRead,
    retries: job.retries,
    redispatches: job.redispatches,
    crashed: job.crashed,
    outlivedWait: job.outlivedWait,
    waitedBeforeMs: job.waitedBeforeMs,
    ranBeforeMs: job.ranBeforeMs,
    worker: job.worker,
    readMs: job.readMs,
    ttlSet: job.ttlSet,
    ranBefore: job.ranBefore,
    place: job.place,
    ttlTimer: saveTimer(job.ttlTimer),
    executionTimer: saveTimer(job.executionTimer),
    retentionTimer: saveTimer(job.retentionTimer),
  };
}

function saveDelivery(delivery: Delivery): SavedDelivery {
  const { id, endpoint, job, url, body, attempt, calledMs, timer } = delivery;
  const saved = { id, endpoint: endpoint.id, job: job.id, url, body, attempt, calledMs };
  return { ...saved, timer: saveTimer(timer) };
}

const saveTimer = (timer: Deadline | null): SavedTimer | null =>
  isSet(timer) ? [timer.atMs, timer.seq] : null;
