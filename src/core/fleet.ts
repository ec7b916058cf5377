/**
 * The workers of an endpoint, counted as they come, take jobs, give them back and go. A worker has slots, one job
 * each. It decides nothing: who starts and stops workers is `scaling.ts`, who gives them jobs is `lifecycle.ts`.
 */
import type { Deadline } from './deadlines.js';
import type { Job } from './state.js';

type Shown = 'starting' | 'idle' | 'running' | 'restarting' | 'gone';

export interface Worker {
  readonly id: string;
  /** It lives outside and asks for its jobs; all others are the endpoint's own. */
  readonly external: boolean;
  /** What it runs now, each with the instant at which the worker was last heard of about it. */
  readonly jobs: Map<Job, number>;
  /** Slots in use. More than its jobs where a slot was never given back. */
  used: number;
  /** Slots that come back later. */
  away: number;
  /** Jobs that may still be given to it: free slots, or what an external worker asks for. */
  room: number;
  state: 'starting' | 'there' | 'gone';
  /** The end of its cold start, of its idle time, or of its silence. */
  timer: Deadline | null;
  /** When an external worker last called, and what its timer does. */
  seenMs: number;
  readonly fallsSilent: (atMs: number) => void;
  /** Place among those that have room; -1 when it has none. */
  place: number;
  shown: Shown;
}

/** Workers that run a job, over all endpoints. */
export interface AllWorkers {
  running: number;
}

export class Fleet {
  readonly external = new Map<string, Worker>();
  readonly #name: string;
  readonly #all: AllWorkers;
  readonly #own = new Set<Worker>();
  /** Those with room; the one that came to have some last is the first to be given a job. */
  readonly #free: Worker[] = [];
  readonly #counts = { starting: 0, idle: 0, running: 0, restarting: 0, gone: 0 };
  #made: number;
  #room = 0;

  /** @param made how many workers of its own the endpoint has had before */
  constructor(endpoint: string, all: AllWorkers, made = 0) {
    this.#name = endpoint;
    this.#all = all;
    this.#made = made;
  }

  /** How many workers of its own the endpoint has ever had. */
  get made(): number {
    return this.#made;
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
  get room(): number {
    return this.#room;
  }
  get restarting(): number {
    return this.#counts.restarting;
  }
  /** The endpoint's own, those that are starting or restarting included. */
  get own(): ReadonlySet<Worker> {
    return this.#own;
  }
  /** A worker that can take a job now. */
  get free(): Worker | undefined {
    return this.#free.at(-1);
  }

  /** A worker of the endpoint's own, without room yet. */
  add(): Worker {
    const worker = newWorker(`${this.#name}-worker-${++this.#made}`, false, () => {});
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
  update(worker: Worker, change: Partial<Pick<Worker, 'state' | 'used' | 'away' | 'room'>>): void {
    this.#room -= ownRoom(worker);
    Object.assign(worker, change);
    this.#room += ownRoom(worker);
    const shown = shownAs(worker);
    if (shown !== worker.shown) {
      this.#counts[worker.shown]--;
      this.#counts[shown]++;
      if (worker.shown === 'running') this.#all.running--;
      if (shown === 'running') this.#all.running++;
      worker.shown = shown;
    }
    const free = isFree(worker);
    if (free && worker.place < 0) worker.place = this.#free.push(worker) - 1;
    if (!free && worker.place >= 0) this.#takeOut(worker);
  }

  remove(worker: Worker): void {
    this.update(worker, { state: 'gone' });
    if (worker.external) this.external.delete(worker.id);
    else this.#own.delete(worker);
  }

  #takeOut(worker: Worker): void {
    const last = this.#free.pop()!;
    if (last !== worker) {
      this.#free[worker.place] = last;
      last.place = worker.place;
    }
    worker.place = -1;
  }
}

function newWorker(id: string, external: boolean, fallsSilent: (atMs: number) => void): Worker {
  const jobs = new Map<Job, number>();
  const counts = { used: 0, away: 0, room: 0, seenMs: 0, place: -1 };
  return { id, external, jobs, ...counts, state: 'starting', timer: null, fallsSilent, shown: 'starting' };
}

const isFree = ({ state, room }: Worker): boolean => state === 'there' && room > 0;
const ownRoom = (worker: Worker): number => (!worker.external && isFree(worker) ? worker.room : 0);

function shownAs({ state, used, away }: Worker): Shown {
  if (state !== 'there') return state;
  if (used > 0) return 'running';
  return away > 0 ? 'restarting' : 'idle';
}
