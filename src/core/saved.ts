/** The service's memory as plain values: what has to be kept so that another service can go on from there. */
import type { Json } from '../history/events.js';
import type { Changes } from './changes.js';
import { isSet, type Deadline } from './deadlines.js';
import type { ServiceState } from './state.js';
import type { Scaling } from './scaling-settings.js';
import type { Delivery, Endpoint, Job, JobView, StatusCounts } from './entities.js';

/** When a timer strikes, and its place among those that strike at the same instant. */
export type SavedTimer = readonly [atMs: number, seq: number];

/** `output` is left out where there is none. Progress is told of a run under way only, and that is run again. */
export interface SavedJob extends Omit<JobView, 'output' | 'progress'> {
  readonly endpoint: string;
  readonly output?: Json;
  readonly ranBefore: boolean;
  /** Where it stands in the queue: the lowest is first. */
  readonly place: number;
  readonly ttlTimer: SavedTimer | null;
  readonly executionTimer: SavedTimer | null;
  readonly retentionTimer: SavedTimer | null;
}

export interface SavedEndpoint {
  readonly id: string;
  readonly workers: Scaling;
  readonly jobsPerWorker: number;
  /** Null where nobody named one. */
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
  /** The latest instant the service was told. */
  readonly latestMs: number;
  readonly attempts: number;
  readonly deliveries: number;
  /** Job ids made by the service's own counter. */
  readonly idsMade: number;
}

/** All of it. Endpoints and jobs are in the order in which they came. */
export interface SavedState {
  readonly counters: SavedCounters;
  readonly endpoints: readonly SavedEndpoint[];
  readonly jobs: readonly SavedJob[];
  readonly deliveries: readonly SavedDelivery[];
  /** Every id ever given, where a rule remembers them. */
  readonly ids: readonly string[];
  /** Of purged jobs, where a rule wants to know. */
  readonly purged: readonly string[];
}

/** What has changed, as it is now; null where it is gone. The lists inside a job go on living: read them at once. */
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

function saveEach<K, V, S>(keys: Iterable<K>, from: Map<K, V>, save: (value: V) => S): Map<K, S | null> {
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
    ...(job.output === undefined ? {} : { output: job.output }),
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

/** A timer that has struck or was dropped is none. */
const saveTimer = (timer: Deadline | null): SavedTimer | null =>
  isSet(timer) ? [timer.atMs, timer.seq] : null;
