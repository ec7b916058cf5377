/**
 * The jobs of one endpoint: a queue, some workers, and a plain `setTimeout` for everything that ends by itself.
 * Written from the document alone, as an example of an implementation that is checked in process.
 */
import { runScriptedWorker, type JobStatus, type Json } from 'runproof';
import { callWebhook } from './webhook.js';

type Timer = ReturnType<typeof setTimeout>;

export interface Submission {
  readonly input: Json;
  readonly webhook: string | null;
  readonly s3Config: Json | null;
  readonly executionTimeoutMs: number;
  readonly ttlMs: number;
  /** How long the result is kept after the end. */
  readonly retentionMs: number;
}

export interface Job extends Submission {
  readonly id: string;
  readonly submittedAt: number;
  status: JobStatus;
  /** Of the present run: a retry starts anew. */
  queuedAt: number;
  startedAt: number | null;
  endedAt: number | null;
  output: Json | undefined;
  error: string | undefined;
  chunks: Json[];
  runs: number;
  /** Stops the worker that runs it. */
  stop: AbortController | null;
  /** Called once, when it ends or is deleted. */
  readonly watchers: Set<() => void>;
  readonly timers: { ttl?: Timer; execution?: Timer; retention?: Timer };
}

const CHUNK_CHARACTERS_MAX = 900_000;

export class Jobs {
  readonly #jobs = new Map<string, Job>();
  readonly #queue: Job[] = [];
  readonly #running = new Set<Job>();
  readonly #counts = { completed: 0, failed: 0, retried: 0 };
  workers: number;

  constructor(workers: number) {
    this.workers = workers;
  }

  get(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  submit(submission: Submission): Job {
    const nowMs = Date.now();
    const job: Job = {
      ...submission,
      id: crypto.randomUUID(),
      submittedAt: nowMs,
      status: 'IN_QUEUE',
      queuedAt: nowMs,
      startedAt: null,
      endedAt: null,
      output: undefined,
      error: undefined,
      chunks: [],
      runs: 0,
      stop: null,
      watchers: new Set(),
      timers: {},
    };
    this.#jobs.set(job.id, job);
    this.#queue.push(job);
    this.expireAt(job, job.submittedAt + job.ttlMs);
    this.dispatch();
    return job;
  }

  /** From now on the job is deleted at this time, whatever its state. */
  expireAt(job: Job, atMs: number): void {
    clearTimeout(job.timers.ttl);
    job.timers.ttl = setTimeout(() => this.delete(job), Math.max(0, atMs - Date.now()));
  }

  /** Gives waiting jobs to free workers, the oldest first. */
  dispatch(): void {
    while (this.#running.size < this.workers) {
      const job = this.#queue.shift();
      if (job === undefined) return;
      this.start(job);
    }
  }

  cancel(job: Job): void {
    if (job.endedAt === null) this.#end(job, 'CANCELLED');
  }

  retry(job: Job): void {
    clearTimeout(job.timers.retention);
    this.#counts.retried += 1;
    job.status = 'IN_QUEUE';
    job.queuedAt = Date.now();
    job.startedAt = job.endedAt = null;
    job.output = job.error = undefined;
    job.chunks = [];
    this.#queue.push(job);
    this.dispatch();
  }

  purge(): number {
    const waiting = [...this.#queue];
    for (const job of waiting) this.delete(job);
    return waiting.length;
  }

  health(): Json {
    const inProgress = this.#running.size;
    return {
      jobs: { ...this.#counts, inProgress, inQueue: this.#queue.length },
      workers: { idle: Math.max(0, this.workers - inProgress), running: inProgress },
    };
  }

  /** Deletes them all, with their timers. */
  clear(): void {
    this.workers = 0;
    for (const job of [...this.#jobs.values()]) this.delete(job);
  }

  protected start(job: Job): void {
    const stop = new AbortController();
    this.#running.add(job);
    job.status = 'IN_PROGRESS';
    job.startedAt = Date.now();
    job.stop = stop;
    job.timers.execution = setTimeout(() => this.#end(job, 'TIMED_OUT'), job.executionTimeoutMs);
    const { input, s3Config } = job;
    const emit = (output: Json): void => void job.chunks.push(...split(output));
    runScriptedWorker({ input, s3Config, ranBefore: job.runs > 0 }, { signal: stop.signal, emit }).then(
      (output) => !stop.signal.aborted && this.#end(job, 'COMPLETED', { output }),
      (error: Error) => !stop.signal.aborted && this.#end(job, 'FAILED', { error: error.message }),
    );
    job.runs += 1;
  }

  protected delete(job: Job): void {
    this.#jobs.delete(job.id);
    clearTimeout(job.timers.ttl);
    clearTimeout(job.timers.retention);
    this.#release(job);
  }

  #end(job: Job, status: JobStatus, result: { output?: Json; error?: string } = {}): void {
    job.status = status;
    job.endedAt = Date.now();
    job.output = result.output;
    job.error = result.error;
    if (status === 'COMPLETED') this.#counts.completed += 1;
    if (status === 'FAILED' || status === 'TIMED_OUT') this.#counts.failed += 1;
    job.timers.retention = setTimeout(() => this.delete(job), job.retentionMs);
    if (job.webhook !== null && status !== 'CANCELLED') void callWebhook(job.webhook, recordOf(job));
    this.#release(job);
  }

  /** Takes the job out of the queue and from its worker. */
  #release(job: Job): void {
    clearTimeout(job.timers.execution);
    job.stop?.abort();
    const place = this.#queue.indexOf(job);
    if (place >= 0) this.#queue.splice(place, 1);
    this.#running.delete(job);
    for (const watch of [...job.watchers]) watch();
    job.watchers.clear();
    this.dispatch();
  }
}

/** The job record of section 2.4. */
export function recordOf(job: Job): { readonly [name: string]: Json } {
  const { id, status, queuedAt, startedAt, endedAt, output, error } = job;
  const nowMs = Date.now();
  return {
    id,
    status,
    delayTime: (startedAt ?? endedAt ?? nowMs) - queuedAt,
    executionTime: startedAt === null ? 0 : (endedAt ?? nowMs) - startedAt,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
  };
}

/** A chunk holds at most 1 MB (section 4.4); characters beyond ASCII may take three bytes each. */
function split(output: Json): readonly Json[] {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  if (Buffer.byteLength(JSON.stringify(text)) <= CHUNK_CHARACTERS_MAX) return [output];
  const isAscii = /^[ !#-[\]-~]*$/.test(text);
  const characters = [...text];
  const size = isAscii ? CHUNK_CHARACTERS_MAX : CHUNK_CHARACTERS_MAX / 6;
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, part) =>
    characters.slice(part * size, (part + 1) * size).join(''),
  );
}
