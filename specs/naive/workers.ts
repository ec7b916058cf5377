/** The queue of an endpoint, and the workers that take jobs from it and run them (sections 1 and 3). */
import { chunksOf } from './chunks.js';
import type { Timer } from './clock.js';
import type { Endpoint, Service } from './endpoint.js';
import { tell, type Job, type Run, type Status } from './job.js';
import { isObject, type Json } from './json.js';
import { runHandler } from './script.js';

export class Workers {
  queue: Job[] = [];
  /** Runs that have a worker. */
  readonly busy = new Set<Run>();
  /** Workers that a fault has lost; below zero where it has found some. */
  lost = 0;
  count: number;
  /** Jobs in the queue whose worker died, and which may not run yet. */
  private readonly paused = new Set<Job>();
  private readonly endpoint: Endpoint;
  private readonly service: Service;
  private readonly ranHere = new Set<string>();
  private starting = false;
  private tick: Timer | undefined;
  private picks = 0;

  constructor(endpoint: Endpoint, count: number) {
    this.endpoint = endpoint;
    this.service = endpoint.service;
    this.count = count;
  }

  idle(): number {
    return Math.max(0, this.count - this.lost - this.busy.size);
  }

  free(): number {
    return this.service.hooks.freeWorkers(this.count - this.lost - this.busy.size, this.endpoint);
  }

  running(): Job[] {
    return [...this.busy].map((run) => run.job);
  }

  resize(count: number): void {
    this.count = count;
    if (this.service.hooks.wakesOnResize()) this.wake('work');
  }

  close(): void {
    this.queue = [];
    this.service.clock.stop(this.tick);
  }

  // The queue

  enqueue(job: Job): void {
    this.queue.push(job);
    this.wake('work');
  }

  leaveQueue(job: Job): void {
    this.queue = this.queue.filter((other) => other !== job);
  }

  /** Gives the run up; its job waits as the last of the queue. */
  putBack(run: Run): void {
    const { job } = run;
    Object.assign(job, { status: 'IN_QUEUE', startedMs: null, run: null });
    this.queue.push(job);
    this.stop(run);
  }

  wake(why: 'work' | 'freed'): void {
    const { choices, clock, hooks } = this.service;
    if (this.endpoint.closed || !hooks.wakes(why)) return;
    if (choices.dispatchTickMs === 0) return this.startJobs();
    if (this.tick !== undefined && !this.tick.over) return;
    const atMs = (Math.floor(clock.now() / choices.dispatchTickMs) + 1) * choices.dispatchTickMs;
    this.tick = clock.at(atMs, () => this.startJobs());
  }

  private startJobs(): void {
    // Jobs that end at once free their worker while this loop runs: it goes on by itself.
    if (this.starting) return;
    const { hooks } = this.service;
    this.starting = true;
    this.endpoint.sweep();
    if (hooks.dispatches(this.endpoint)) {
      while (this.free() > 0) {
        const job = this.takeNext();
        if (job === undefined || !hooks.begin(job, () => this.start(job))) break;
      }
    }
    this.starting = false;
  }

  private takeNext(): Job | undefined {
    const { choices, hooks } = this.service;
    const waiting = this.paused.size === 0 ? this.queue : this.queue.filter((job) => !this.paused.has(job));
    const ready = hooks.ready(waiting, this.endpoint);
    if (ready.length === 0) return undefined;
    let index = 0;
    if (choices.queueOrder === 'lifo') index = ready.length - 1;
    if (choices.queueOrder === 'shuffled') {
      this.picks += 1;
      index = (this.picks * 7919) % ready.length;
    }
    if (choices.queueOrder === 'low-priority-last') {
      const first = ready.findIndex((job) => !job.lowPriority);
      index = Math.max(0, first);
    }
    const job = ready[index] as Job;
    this.queue.splice(this.queue.indexOf(job), 1);
    return job;
  }

  // A run

  start(job: Job): void {
    const { clock, hooks } = this.service;
    const run: Run = { job, over: false, beside: this.busy.size > 0 };
    hooks.starts(run);
    this.busy.add(run);
    job.run = run;
    job.status = 'IN_PROGRESS';
    job.startedMs = clock.now();
    this.watchOverrun(run);
    hooks.started(run);
    tell(job);
    const known = hooks.outputKnown(job);
    if (known !== undefined) return this.succeeded(run, known);
    const ranBefore = this.ranHere.has(job.id);
    this.ranHere.add(job.id);
    run.handler = runHandler(
      { input: hooks.input(job.input, job), s3Config: hooks.s3Config(job.s3Config, job), ranBefore },
      clock,
      {
        chunk: (result) => {
          for (const one of hooks.chunk(result)) this.produced(run, one);
        },
        success: (output) => this.succeeded(run, output),
        error: (message) => this.failed(run, message),
        crash: () => this.crashed(run),
      },
    );
    if (run.over && !this.busy.has(run)) run.handler.stop();
  }

  watchOverrun(run: Run): void {
    const { clock, choices, hooks } = this.service;
    const right = { ms: run.job.executionTimeoutMs, fromMs: clock.now() };
    const timeout = hooks.executionTimeout(right, run);
    if (timeout === null || !Number.isFinite(timeout.ms)) return;
    clock.stop(run.overrunTimer);
    const atMs = timeout.fromMs + timeout.ms + choices.overrunLateMs;
    const dueMs = this.endpoint.lifespans.swept(atMs, 'overrun');
    run.overrunTimer = clock.at(dueMs, () => this.overran(run));
    hooks.timerSet('overrun', run.overrunTimer, this.endpoint);
  }

  private produced(run: Run, result: Json): void {
    const { choices, hooks } = this.service;
    if (!hooks.keepsChunk(run, result) || run.over) return;
    const chunks = chunksOf(result, choices, hooks);
    const target = hooks.chunks(chunks, run);
    target.chunks.push(...chunks);
    tell(target);
  }

  succeeded(run: Run, output: Json): void {
    const { choices, hooks } = this.service;
    const { job } = run;
    const success = hooks.succeeds(run, output);
    if (success === null) return;
    let result = success.output;
    if (job.chunks.length > 0 && isObject(output) && output['ok'] === true) {
      if (choices.outputOfStreamingJob === 'aggregate') result = [...job.chunks];
      if (choices.outputOfStreamingJob === 'null') result = null;
    }
    this.finish(run, 'COMPLETED', result, null);
  }

  failed(run: Run, message: string): void {
    if (!this.service.hooks.fails(run, message)) this.finish(run, 'FAILED', undefined, message);
  }

  private crashed(run: Run): void {
    const { choices, hooks } = this.service;
    const { job } = run;
    if (run.over) return this.leave(run);
    if (hooks.crashes(run)) return;
    job.crashes += 1;
    if (choices.crash === 'redispatched-once' && job.crashes === 1) {
      this.after(choices.crashNoticedMs, () => this.rerun(run));
      return;
    }
    this.finish(run, 'FAILED', undefined, 'the worker crashed');
  }

  private rerun(run: Run): void {
    const { job } = run;
    if (run.over) return this.leave(run);
    this.endpoint.counts.redispatched += 1;
    Object.assign(job, { status: 'IN_QUEUE', startedMs: null, run: null, chunks: [], chunksRead: 0 });
    this.queue.unshift(job);
    if (this.service.choices.crashPauseMs > 0) {
      this.paused.add(job);
      this.after(this.service.choices.crashPauseMs, () => {
        this.paused.delete(job);
        this.wake('work');
      });
    }
    this.stop(run);
  }

  private after(ms: number, act: () => void): void {
    const { clock } = this.service;
    if (ms === 0) act();
    else clock.at(clock.now() + ms, act);
  }

  overran(run: Run): void {
    const { choices, hooks } = this.service;
    const { job } = run;
    if (hooks.overrunIs(run) || run.over || job.deleted || hooks.overruns(run)) return;
    job.error = 'executionTimeout exceeded';
    this.finish(run, choices.overrun, undefined, job.error);
  }

  /** Takes the job off its worker and gives it its final state. */
  finish(run: Run, status: Status, output: Json | undefined, error: string | null): void {
    const { hooks } = this.service;
    const { job } = run;
    if (run.over || (job.deleted && !hooks.revives(job))) return this.leave(run);
    job.output = output;
    job.error = error;
    hooks.finishes(run, status);
    if (hooks.settles(run, status, (done) => this.endpoint.settle(job, status, done))) return;
    // First the state, then the worker: the next job must not overtake this one's answer.
    this.endpoint.settle(job, status);
    this.stop(run);
  }

  /** Stops the run's handler and frees its worker. */
  stop(run: Run): void {
    run.over = true;
    run.handler?.stop();
    this.leave(run);
  }

  /** Frees the worker of a run that is over. */
  leave(run: Run): void {
    const { clock, hooks } = this.service;
    run.over = true;
    if (hooks.stopsOverrun()) clock.stop(run.overrunTimer);
    if (run.job.run === run && run.job.status !== 'IN_PROGRESS') run.job.run = null;
    if (!this.busy.delete(run)) return;
    hooks.left(run);
    this.wake('freed');
  }
}
