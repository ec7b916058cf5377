/** The workers that an endpoint is created with. */
export interface WorkerSettings {
  /** A fixed number of them, or when to start and stop them. 0 where all workers come from outside. */
  readonly workers: number | Scaling;
  /** Jobs that each of its own workers runs at a time. Default 1. */
  readonly jobsPerWorker?: number;
  /** How long an external worker may be silent before its jobs are taken from it. Default: 44 s. */
  readonly heartbeatTimeoutMs?: number;
}

/** When an endpoint starts and stops workers of its own. */
export interface Scaling {
  /** Workers that are there whatever waits. */
  readonly min: number;
  readonly max: number;
  /** From the start of a worker until it can take a job. */
  readonly coldStartMs: number;
  /** A worker above the minimum is stopped after it has been idle that long; null: never. */
  readonly idleTimeoutMs: number | null;
  /** What makes it start workers above the minimum; null: nothing. */
  readonly scaler: Scaler | null;
}

export type Scaler =
  /** A worker is added for a job that has waited that long. */
  | { readonly kind: 'queue-delay'; readonly delayMs: number }
  /** So many jobs, waiting and running, are a worker's share. */
  | { readonly kind: 'request-count'; readonly jobsPerWorker: number };

/** What a scaler looks at. */
export interface ScalingInput {
  /** Workers of the endpoint's own, those that are starting included. */
  readonly own: number;
  readonly starting: number;
  /** Jobs that its own workers could take now: they may be about to be given some. */
  readonly capacity: number;
  /** Jobs that a worker runs at a time. */
  readonly slots: number;
  /** Jobs that wait and may wake workers: at least one. */
  readonly waiting: number;
  /** Of these, those that have waited for as long as the scaler bears. */
  readonly overdue: number;
  readonly running: number;
}
