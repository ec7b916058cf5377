import type { CoreInput, Effect, WorkerReport } from '../../core/api.js';

export type StartEffect = Extract<Effect, { readonly kind: 'start' }>;

/** What a remote worker does besides reporting. */
type OutsideAct = Extract<CoreInput, { readonly worker: string }>;

/** What the host offers to a runner: timers on the endpoint's clock, and receivers for reports. */
export interface RunnerPorts {
  /** Calls back on the endpoint's clock, never before this call has returned. */
  after(delayMs: number, callback: () => void, step: WorkStep): WorkTimer;
  /** Reports on attempts that have ended are ignored. */
  report(attempt: number, report: WorkerReport): void;
  act(act: OutsideAct): void;
  /** The attempt of this job that the remote worker is running; null when it is not running the job. */
  attemptOf(endpoint: string, worker: string, job: string): number | null;
}

/** What a worker does next with its job, for observers. */
export interface WorkStep {
  readonly endpoint: string;
  readonly worker: string;
  readonly job: string;
  /** What it reports then; `wake`: its handler continues; `start`, `fault`: as a fault on demand says. */
  readonly does: WorkerReport['kind'] | 'wake' | 'start' | 'fault';
  /** How the run ends, and how long after this step; null when that is not known, or when this is the end. */
  readonly end: { readonly does: WorkerReport['kind']; readonly afterMs: number } | null;
}

/** @param does what the worker of this run does next */
export const stepOf = (
  { endpoint, worker, job }: StartEffect,
  does: WorkStep['does'],
  end: WorkStep['end'] = null,
): WorkStep => ({ endpoint, worker, job, does, end });

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
