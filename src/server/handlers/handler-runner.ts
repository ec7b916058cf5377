import type { CoreInput, Effect, WorkerReport } from '../../core/api.js';

export type StartEffect = Extract<Effect, { readonly kind: 'start' }>;

/** What a worker from outside does besides reporting. */
type OutsideAct = Extract<CoreInput, { readonly worker: string }>;

/** What a runner may ask of the host: time on the endpoint's clock, and an ear for reports. */
export interface RunnerPorts {
  /** Calls back on the endpoint's clock, never before this call has returned. */
  after(delayMs: number, callback: () => void): WorkTimer;
  /** Reports on attempts that are over change nothing. */
  report(attempt: number, report: WorkerReport): void;
  act(act: OutsideAct): void;
  /** The attempt at that job which this worker from outside has under way; null when it has none. */
  attemptOf(endpoint: string, worker: string, job: string): number | null;
}

export interface WorkTimer {
  cancel(): void;
}

/** Runs handlers: one attempt per `start`, until it reports its end or is stopped. */
export interface HandlerRunner {
  start(effect: StartEffect): void;
  /** Ends the attempt; whatever it does afterwards is nobody's business. Unknown attempts are ignored. */
  stop(attempt: number): void;
  /** A promise of the moment when handlers have done what they can at this instant, or null when they have. */
  settling(): Promise<void> | null;
  /** The endpoint of a worker from outside that asks for jobs is gone. */
  askEnded?(endpoint: string, worker: string): void;
  close(): void;
}

export type CreateRunner = (ports: RunnerPorts) => HandlerRunner;
