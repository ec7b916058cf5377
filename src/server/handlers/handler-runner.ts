import type { CoreInput, Effect, WorkerReport } from '../../core/api.js';

export type StartEffect = Extract<Effect, { readonly kind: 'start' }>;

/** What a remote worker does besides reporting. */
type OutsideAct = Extract<CoreInput, { readonly worker: string }>;

/** What the host offers to a runner: timers on the endpoint's clock, and receivers for reports. */
export interface RunnerPorts {
  /** Calls back on the endpoint's clock, never before this call has returned. */
  after(delayMs: number, callback: () => void): WorkTimer;
  /** Reports on attempts that have ended are ignored. */
  report(attempt: number, report: WorkerReport): void;
  act(act: OutsideAct): void;
  /** The attempt of this job that the remote worker is running; null when it is not running the job. */
  attemptOf(endpoint: string, worker: string, job: string): number | null;
}

export interface WorkTimer {
  cancel(): void;
}

/** Runs handlers: one attempt per `start`, until it reports its end or is stopped. */
export interface HandlerRunner {
  start(effect: StartEffect): void;
  /** Ends the attempt; whatever it does afterwards is ignored, and so are unknown attempts. */
  stop(attempt: number): void;
  /** Resolves when handlers have done what they can at this instant; null when they have. */
  settling(): Promise<void> | null;
  /** The endpoint that a remote worker polls was deleted. */
  askEnded?(endpoint: string, worker: string): void;
  close(): void;
}

export type CreateRunner = (ports: RunnerPorts) => HandlerRunner;
