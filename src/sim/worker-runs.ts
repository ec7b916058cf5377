import type { Effect, WorkerReport } from '../core/api.js';
import type { RandomStream } from '../time/random.js';
import type { TimedReport, WorkerJob, WorkerTimeline } from '../worker/scripted-worker.js';
import { drawDelay } from './delay.js';
import type { Delay } from './delay.js';

/** How the handler behaves: what it reports of a job, and when. */
export type Handler = (job: WorkerJob) => WorkerTimeline;

/** Plays timelines report by report, so that two reports of one run never change places on a tie. */
export class WorkerRuns {
  private readonly runs = new Map<
    number,
    { readonly timeline: WorkerTimeline; next: number; handle: number }
  >();
  private readonly handler: Handler;
  private readonly lateMs: Delay;
  private readonly random: () => RandomStream;
  private readonly schedule: (afterMs: number, attempt: number) => number;
  private readonly cancel: (handle: number) => void;

  constructor(options: {
    readonly handler: Handler;
    /** By how much every report comes later than the handler means it. */
    readonly lateMs: Delay;
    readonly random: () => RandomStream;
    /** Schedules the next report of an attempt, and gives the handle to cancel it by. */
    readonly schedule: (afterMs: number, attempt: number) => number;
    readonly cancel: (handle: number) => void;
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
    if (first === undefined) return; // It hangs: nothing will ever come of it.
    this.runs.set(attempt, { timeline, next: 0, handle: this.scheduleReport(first, attempt) });
  }

  stop(attempt: number): void {
    const run = this.runs.get(attempt);
    if (run === undefined) return;
    this.cancel(run.handle);
    this.runs.delete(attempt);
  }

  /** Forgets all runs, whose reports have been cancelled already. */
  forget(): void {
    this.runs.clear();
  }

  /** The report that is due now; schedules the one after it. */
  take(attempt: number): WorkerReport | undefined {
    const run = this.runs.get(attempt);
    if (run === undefined) return undefined;
    const { report } = run.timeline[run.next]!;
    run.next += 1;
    const following = run.timeline[run.next];
    if (following === undefined) this.runs.delete(attempt);
    else run.handle = this.scheduleReport(following, attempt);
    return report;
  }

  private scheduleReport(timed: TimedReport, attempt: number): number {
    return this.schedule(timed.afterMs + drawDelay(this.lateMs, this.random()), attempt);
  }
}
