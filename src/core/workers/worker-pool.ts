/**
 * The workers of an endpoint and their counts. A worker has slots, each for one job. The pool decides
 * nothing: `scaling.ts` starts and stops workers, `lifecycle.ts` gives them jobs.
 */
import type { Deadline } from '../deadlines.js';
import type { Job } from '../entities.js';

type WorkerCategory = 'starting' | 'idle' | 'running' | 'restarting' | 'gone';

export interface Worker {
  readonly id: string;
  /** True for a worker that runs elsewhere and asks for its jobs; false for the endpoint's own. */
  readonly external: boolean;
  /** Its jobs, in the order in which it got them. */
  readonly jobs: Job[];
  /** Slots in use. With some faults more than its jobs, as slots are never freed. */
  usedSlots: number;
  /** Slots that are free again after a restart of the worker. */
  restartingSlots: number;
  /** How many more jobs it can take: its free slots, or what an external worker asks for. */
  capacity: number;
  state: 'starting' | 'ready' | 'gone';
  /** The end of its cold start, of its idle time, or of its heartbeat timeout. */
  timer: Deadline | null;
  /** When an external worker last called, and what happens when it does not call again in time. */
  lastSeenMs: number;
  readonly onHeartbeatTimeout: (atMs: number) => void;
  /** Index among the free workers; -1 when it is not free. */
  freeIndex: number;
  countedAs: WorkerCategory;
}

/** The number of workers that are running a job, over all endpoints. */
export interface RunningWorkers {
  running: number;
}

export class WorkerPool {
  readonly external = new Map<string, Worker>();
  readonly #name: string;
  readonly #all: RunningWorkers;
  readonly #own = new Set<Worker>();
  /** Workers that can take a job. The one that became free last gets the next job. */
  readonly #nextFree: Worker[] = [];
  readonly #counts = { starting: 0, idle: 0, running: 0, restarting: 0, gone: 0 };
  #workersMade: number;
  #capacity = 0;

  /** @param workersMade how many workers of its own the endpoint has had so far: their names are numbered */
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
  /** The endpoint's own workers, including those that are starting or restarting. */
  get own(): ReadonlySet<Worker> {
    return this.#own;
  }
  /** The worker that gets the next job; undefined when none is free. */
  get nextFree(): Worker | undefined {
    return this.#nextFree.at(-1);
  }

  /** Adds a worker of the endpoint's own, which is starting. */
  add(): Worker {
    const worker = newWorker(`${this.#name}-worker-${++this.#workersMade}`, false, () => {});
    this.#own.add(worker);
    this.#counts.starting++;
    return worker;
  }

  /** @param onHeartbeatTimeout called when it has sent no heartbeat for too long */
  addExternal(id: string, onHeartbeatTimeout: (atMs: number) => void): Worker {
    const worker = newWorker(id, true, onHeartbeatTimeout);
    this.external.set(id, worker);
    this.#counts.starting++;
    this.setState(worker, 'ready');
    return worker;
  }

  setState(worker: Worker, state: Worker['state'], capacity = worker.capacity): void {
    this.#update(worker, state, worker.usedSlots, worker.restartingSlots, capacity);
  }

  setCapacity(worker: Worker, capacity: number): void {
    this.#update(worker, worker.state, worker.usedSlots, worker.restartingSlots, capacity);
  }

  setSlots(
    worker: Worker,
    usedSlots: number,
    restartingSlots = worker.restartingSlots,
    capacity = worker.capacity,
  ): void {
    this.#update(worker, worker.state, usedSlots, restartingSlots, capacity);
  }

  /** Changes a worker, and keeps the counts right. All changes go through here. */
  #update(
    worker: Worker,
    state: Worker['state'],
    usedSlots: number,
    restartingSlots: number,
    capacity: number,
  ): void {
    this.#capacity -= ownCapacity(worker);
    worker.state = state;
    worker.usedSlots = usedSlots;
    worker.restartingSlots = restartingSlots;
    worker.capacity = capacity;
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
    this.setState(worker, 'gone');
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

function newWorker(id: string, external: boolean, onHeartbeatTimeout: (atMs: number) => void): Worker {
  const counts = { usedSlots: 0, restartingSlots: 0, capacity: 0, lastSeenMs: 0, freeIndex: -1 };
  return {
    id,
    external,
    jobs: [],
    ...counts,
    state: 'starting',
    timer: null,
    onHeartbeatTimeout,
    countedAs: 'starting',
  };
}

const isFree = ({ state, capacity }: Worker): boolean => state === 'ready' && capacity > 0;
const ownCapacity = (worker: Worker): number => (!worker.external && isFree(worker) ? worker.capacity : 0);

function categoryOf({ state, usedSlots, restartingSlots }: Worker): WorkerCategory {
  if (state !== 'ready') return state;
  if (usedSlots > 0) return 'running';
  return restartingSlots > 0 ? 'restarting' : 'idle';
}
