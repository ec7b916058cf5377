import type { Effect, WorkerReport } from '../core/api.js';
import type { EventHandle } from '../time/event-queue.js';
import type { RandomStream } from '../time/random.js';
import type { TimedReport, WorkerJob, WorkerTimeline } from '../worker/scripted-worker.js';
import { drawDelay } from './delay.js';
import type { Delay } from './delay.js';

/** Simulates a handler: what it reports about a job, and when. */
export type Handler = (job: WorkerJob) => WorkerTimeline;

interface Run {
  readonly timeline: WorkerTimeline;
  next: number;
  handle: EventHandle | null;
  /** How late the last scheduled report is. */
  lateMs: number;
}

/** Schedules the reports of a run one after the other, so that two of them never swap at the same instant. */
export class WorkerRuns {
  private readonly runs = new Map<number, Run>();
  private readonly handler: Handler;
  private readonly lateMs: Delay;
  private readonly random: () => RandomStream;
  private readonly schedule: (afterMs: number, attempt: number) => EventHandle;
  private readonly cancel: (handle: EventHandle) => void;

  constructor(options: {
    readonly handler: Handler;
    /** How late each report may be; lateness does not add up over a run. */
    readonly lateMs: Delay;
    readonly random: () => RandomStream;
    /** Schedules the next report of an attempt. Returns the handle for `cancel`. */
    readonly schedule: (afterMs: number, attempt: number) => EventHandle;
    readonly cancel: (handle: EventHandle) => void;
  }) {
    this.handler = options.handler;
    this.lateMs = options.lateMs;
    this.random = options.random;
    this.schedule = options.schedule;
    this.cancel = options.cancel;
  }

  start(effect: Extract<Effect, { kind: 'start' }>): void {
    const { attempt, input, s3Config, ranBefore } = effect;
    const timeline = this.handler({ input, s3Config, ranBefore });
    const first = timeline[0];
    if (first === undefined) return; // The handler hangs.
    const run: Run = { timeline, next: 0, handle: null, lateMs: 0 };
    this.runs.set(attempt, run);
    this.scheduleReport(run, first, attempt);
  }

  stop(attempt: number): void {
    const run = this.runs.get(attempt);
    if (run === undefined) return;
    if (run.handle !== null) this.cancel(run.handle);
    this.runs.delete(attempt);
  }

  /** Drops all runs. Their scheduled reports have to be cancelled before. */
  clear(): void {
    this.runs.clear();
  }

  /** The report that is due now; schedules the one after it. */
  nextReport(attempt: number): WorkerReport | undefined {
    const run = this.runs.get(attempt);
    if (run === undefined) return undefined;
    const { report } = run.timeline[run.next]!;
    run.next += 1;
    const following = run.timeline[run.next];
    if (following === undefined) this.runs.delete(attempt);
    else this.scheduleReport(run, following, attempt);
    return report;
  }

  private scheduleReport(run: Run, { afterMs }: TimedReport, attempt: number): void {
    // Never before the previous report.
    const lateMs = Math.max(drawDelay(this.lateMs, this.random()), run.lateMs - afterMs);
    run.handle = this.schedule(afterMs + lateMs - run.lateMs, attempt);
    run.lateMs = lateMs;
  }
}
