/**
 * The workers of an endpoint, counted as they come, take jobs, give them back and go. A worker has slots, one job
 * each. It decides nothing: who starts and stops workers is `scaling.ts`, who gives them jobs is `lifecycle.ts`.
 */
import type { Deadline } from './deadlines.js';
import type { Job } from './entities.js';

type WorkerCategory = 'starting' | 'idle' | 'running' | 'restarting' | 'gone';

export interface Worker {
  readonly id: string;
  /** It lives outside and asks for its jobs; all others are the endpoint's own. */
  readonly external: boolean;
  /** What it runs now, each with the instant at which the worker was last heard of about it. */
  readonly jobs: Map<Job, number>;
  /** Slots in use. More than its jobs where a slot was never given back. */
  usedSlots: number;
  /** Slots that come back later. */
  restartingSlots: number;
  /** Jobs that may still be given to it: free slots, or what an external worker asks for. */
  capacity: number;
  state: 'starting' | 'there' | 'gone';
  /** The end of its cold start, of its idle time, or of its silence. */
  timer: Deadline | null;
  /** When an external worker last called, and what its timer does. */
  lastSeenMs: number;
  readonly onHeartbeatTimeout: (atMs: number) => void;
  /** Place among those that have room; -1 when it has none. */
  freeIndex: number;
  countedAs: WorkerCategory;
}

/** Workers that run a job, over all endpoints. */
export interface RunningWorkers {
  running: number;
}

export class WorkerPool {
  readonly external = new Map<string, Worker>();
  readonly #name: string;
  readonly #all: RunningWorkers;
  readonly #own = new Set<Worker>();
  /** Those with room; the one that came to have some last is the first to be given a job. */
  readonly #nextFree: Worker[] = [];
  readonly #counts = { starting: 0, idle: 0, running: 0, restarting: 0, gone: 0 };
  #workersMade: number;
  #capacity = 0;

  /** @param workersMade how many workers of its own the endpoint has had before */
  constructor(endpoint: string, all: RunningWorkers, workersMade = 0) {
    this.#name = endpoint;
    this.#all = all;
    this.#workersMade = workersMade;
  }

  /** How many workers of its own the endpoint has ever had. */
  get made(): number {
    return this.#workersMade;
  }
  get starting(): number {
    return this.#counts.starting;
  }
  get idle(): number {
    return this.#counts.idle;
  }
  get running(): number {
    return this.#counts.running;
  }
  /** Jobs that the endpoint's own workers could take now. */
  get capacity(): number {
    return this.#capacity;
  }
  get restarting(): number {
    return this.#counts.restarting;
  }
  /** The endpoint's own, those that are starting or restarting included. */
  get own(): ReadonlySet<Worker> {
    return this.#own;
  }
  /** A worker that can take a job now. */
  get nextFree(): Worker | undefined {
    return this.#nextFree.at(-1);
  }

  /** A worker of the endpoint's own, without room yet. */
  add(): Worker {
    const worker = newWorker(`${this.#name}-worker-${++this.#workersMade}`, false, () => {});
    this.#own.add(worker);
    this.#counts.starting++;
    return worker;
  }

  /** @param fallsSilent what happens when it has not been heard of for too long */
  addExternal(id: string, fallsSilent: (atMs: number) => void): Worker {
    const worker = newWorker(id, true, fallsSilent);
    this.external.set(id, worker);
    this.#counts.starting++;
    this.update(worker, { state: 'there' });
    return worker;
  }

  /** Every change of a worker goes through here, so that the counts stay true. */
  update(
    worker: Worker,
    change: Partial<Pick<Worker, 'state' | 'usedSlots' | 'restartingSlots' | 'capacity'>>,
  ): void {
    this.#capacity -= ownCapacity(worker);
    Object.assign(worker, change);
    this.#capacity += ownCapacity(worker);
    const shown = categoryOf(worker);
    if (shown !== worker.countedAs) {
      this.#counts[worker.countedAs]--;
      this.#counts[shown]++;
      if (worker.countedAs === 'running') this.#all.running--;
      if (shown === 'running') this.#all.running++;
      worker.countedAs = shown;
    }
    const free = isFree(worker);
    if (free && worker.freeIndex < 0) worker.freeIndex = this.#nextFree.push(worker) - 1;
    if (!free && worker.freeIndex >= 0) this.#takeOut(worker);
  }

  remove(worker: Worker): void {
    this.update(worker, { state: 'gone' });
    if (worker.external) this.external.delete(worker.id);
    else this.#own.delete(worker);
  }

  #takeOut(worker: Worker): void {
    const last = this.#nextFree.pop()!;
    if (last !== worker) {
      this.#nextFree[worker.freeIndex] = last;
      last.freeIndex = worker.freeIndex;
    }
    worker.freeIndex = -1;
  }
}

function newWorker(id: string, external: boolean, fallsSilent: (atMs: number) => void): Worker {
  const jobs = new Map<Job, number>();
  const counts = { usedSlots: 0, restartingSlots: 0, capacity: 0, lastSeenMs: 0, freeIndex: -1 };
  return {
    id,
    external,
    jobs,
    ...counts,
    state: 'starting',
    timer: null,
    onHeartbeatTimeout: fallsSilent,
    countedAs: 'starting',
  };
}

const isFree = ({ state, capacity }: Worker): boolean => state === 'there' && capacity > 0;
const ownCapacity = (worker: Worker): number => (!worker.external && isFree(worker) ? worker.capacity : 0);

function categoryOf({ state, usedSlots, restartingSlots }: Worker): WorkerCategory {
  if (state !== 'there') return state;
  if (usedSlots > 0) return 'running';
  return restartingSlots > 0 ? 'restarting' : 'idle';
}
