/**
 * A small model of the jobs' states, for planning: first come, first served, workers without delay, timers
 * exact to the millisecond. It decides nothing; where the target behaves differently, a step merely meets
 * another state.
 */
import { JOB_STATUSES } from '../spec/states.js';
import type { JobStatus } from '../spec/types.js';
import type { Milestone } from '../scenario/script.js';
import { RUN_RETENTION_MS, RUNSYNC_RETENTION_MS } from '../spec/limits.js';

/** A `JobStatus`, or `GONE` for a job that the service no longer knows. */
export type ModelState = JobStatus | 'GONE';

export const MODEL_STATES: readonly ModelState[] = [...JOB_STATUSES, 'GONE'];

/** What a worker does with a job. */
export interface Work {
  /** Duration; Infinity: it hangs. */
  readonly forMs: number;
  readonly ends: 'COMPLETED' | 'FAILED';
  /** It produces results before its end. */
  readonly streams?: true;
}

export interface PlannedJob {
  readonly label: string;
  readonly synchronous: boolean;
  readonly submittedMs: number;
  ttlMs: number;
  readonly executionTimeoutMs: number;
  /** Of `/runsync`. */
  readonly waitMs: number | null;
  readonly work: Work;
  readonly workOnRetry: Work;
  state: ModelState;
  startedMs: number | null;
  endedMs: number | null;
  retries: number;
  /** Milestones that the script runner will have observed, to which times may refer, and when. */
  readonly observedMilestones: Map<Milestone, number>;
  /** The state that the script runner last observed, and when. */
  lastObserved: ModelState | null;
  lastObservedMs: number;
}

export interface NewJob extends Pick<
  PlannedJob,
  'label' | 'synchronous' | 'ttlMs' | 'executionTimeoutMs' | 'waitMs' | 'work' | 'workOnRetry'
> {}

export class EndpointModel {
  readonly jobs: PlannedJob[] = [];
  nowMs = 0;
  workers: number;
  /** In queue order. */
  private queue: PlannedJob[] = [];

  constructor(workers: number) {
    this.workers = workers;
  }

  advanceTo(ms: number): void {
    for (;;) {
      const next = this.next(ms);
      if (next === null) break;
      this.nowMs = next.atMs;
      this.move(next.job, next.to);
    }
    this.nowMs = Math.max(this.nowMs, ms);
  }

  submit(job: NewJob): PlannedJob {
    const planned: PlannedJob = {
      ...job,
      submittedMs: this.nowMs,
      state: 'IN_QUEUE',
      startedMs: null,
      endedMs: null,
      retries: 0,
      observedMilestones: new Map([['submitted', this.nowMs]]),
      lastObserved: null,
      lastObservedMs: this.nowMs,
    };
    this.jobs.push(planned);
    this.queue.push(planned);
    this.dispatch();
    return planned;
  }

  cancel(job: PlannedJob): void {
    if (job.state === 'IN_QUEUE' || job.state === 'IN_PROGRESS') {
      this.move(job, 'CANCELLED');
      this.reachMilestone(job, 'cancelled');
      this.reachMilestone(job, 'ended');
      this.recordObservation(job);
    }
  }

  retry(job: PlannedJob): void {
    if (job.state !== 'FAILED' && job.state !== 'TIMED_OUT') return;
    job.state = 'IN_QUEUE';
    job.startedMs = job.endedMs = null;
    job.retries += 1;
    for (const milestone of ['started', 'ended', 'cancelled'] as const)
      job.observedMilestones.delete(milestone);
    job.observedMilestones.set('retried', this.nowMs);
    this.recordObservation(job);
    this.queue.push(job);
    this.dispatch();
  }

  purge(): void {
    for (const job of [...this.queue]) this.move(job, 'GONE');
  }

  setWorkers(count: number): void {
    this.workers = count;
    this.dispatch();
  }

  /** A read shows the job's present state. */
  observe(job: PlannedJob): void {
    this.recordObservation(job);
    if (job.state === 'GONE') return;
    if (job.startedMs !== null && job.state !== 'CANCELLED') this.reachMilestone(job, 'started');
    if (job.endedMs !== null) this.reachMilestone(job, 'ended');
  }

  /** `/status?ttl=`: its starting point is an open question; the model counts from the call. */
  setTtl(job: PlannedJob, ttlMs: number): void {
    job.ttlMs = this.nowMs - job.submittedMs + ttlMs;
  }

  /** When its work ends by itself or by `executionTimeout`; null unless it is running and will end. */
  workEndsMs(job: PlannedJob): number | null {
    if (job.state !== 'IN_PROGRESS' || job.startedMs === null) return null;
    const endMs = job.startedMs + Math.min(this.workOf(job).forMs, job.executionTimeoutMs);
    return Number.isFinite(endMs) ? endMs : null;
  }

  retentionMs(job: PlannedJob): number {
    return job.synchronous ? RUNSYNC_RETENTION_MS : RUN_RETENTION_MS;
  }

  /** Advances until the job has ended or is gone, at most to `ms`. */
  advanceToEndOf(job: PlannedJob, ms: number): void {
    for (;;) {
      const next = this.next(ms);
      if (next === null || isOver(job)) break;
      this.advanceTo(next.atMs);
    }
    if (!isOver(job)) this.advanceTo(ms);
  }

  private reachMilestone(job: PlannedJob, milestone: Milestone): void {
    if (!job.observedMilestones.has(milestone)) job.observedMilestones.set(milestone, this.nowMs);
  }

  private recordObservation(job: PlannedJob): void {
    job.lastObserved = job.state;
    job.lastObservedMs = this.nowMs;
  }

  private workOf(job: PlannedJob): Work {
    return job.retries === 0 ? job.work : job.workOnRetry;
  }

  private next(
    upToMs: number,
  ): { readonly job: PlannedJob; readonly atMs: number; readonly to: ModelState } | null {
    let first: { readonly job: PlannedJob; readonly atMs: number; readonly to: ModelState } | null = null;
    for (const job of this.jobs) {
      const own = this.nextOf(job);
      if (own !== null && own.atMs <= upToMs && (first === null || own.atMs < first.atMs))
        first = { job, ...own };
    }
    return first;
  }

  private nextOf(job: PlannedJob): { readonly atMs: number; readonly to: ModelState } | null {
    if (job.state === 'GONE') return null;
    let atMs = job.submittedMs + job.ttlMs;
    let to: ModelState = 'GONE';
    const workEndsMs = this.workEndsMs(job);
    if (workEndsMs !== null && workEndsMs < atMs) {
      atMs = workEndsMs;
      to = this.workOf(job).forMs <= job.executionTimeoutMs ? this.workOf(job).ends : 'TIMED_OUT';
    }
    if (job.endedMs !== null && job.endedMs + this.retentionMs(job) < atMs) {
      atMs = job.endedMs + this.retentionMs(job);
      to = 'GONE';
    }
    return { atMs: Math.max(atMs, this.nowMs), to };
  }

  private move(job: PlannedJob, to: ModelState): void {
    this.queue = this.queue.filter((other) => other !== job);
    job.state = to;
    if (to !== 'GONE') job.endedMs = this.nowMs;
    this.dispatch();
  }

  private dispatch(): void {
    let free = this.workers - this.jobs.filter(({ state }) => state === 'IN_PROGRESS').length;
    while (free > 0 && this.queue.length > 0) {
      const job = this.queue.shift()!;
      job.state = 'IN_PROGRESS';
      job.startedMs = this.nowMs;
      free -= 1;
    }
  }
}

export function isOver({ state }: PlannedJob): boolean {
  return state !== 'IN_QUEUE' && state !== 'IN_PROGRESS';
}
