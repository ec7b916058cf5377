/** The workers that an endpoint is created with. */
export interface WorkerSettings {
  /** A fixed number of workers, or when to start and stop them. 0 when all workers are external. */
  readonly workers: number | Scaling;
  /** Jobs that each of its own workers runs at the same time, from 1. Default 1. */
  readonly jobsPerWorker?: number;
  /** After this time without a heartbeat, a job of an external worker counts as lost. Default 44 s. */
  readonly heartbeatTimeoutMs?: number;
}

/** When an endpoint starts and stops workers of its own. @public */
export interface Scaling {
  /** Workers that always run. */
  readonly min: number;
  readonly max: number;
  /** Time from the start of a worker until it can take a job. */
  readonly coldStartMs: number;
  /** A worker above the minimum stops after this idle time; null: never. */
  readonly idleTimeoutMs: number | null;
  /** What makes it start workers above the minimum; null: nothing. */
  readonly scaler: Scaler | null;
}

/** What makes an endpoint start workers above its minimum. @public */
export type Scaler =
  /** A worker is started for each job that has waited for `delayMs`. */
  | { readonly kind: 'queue-delay'; readonly delayMs: number }
  /** One worker for every `jobsPerWorker` jobs, waiting or running. */
  | { readonly kind: 'request-count'; readonly jobsPerWorker: number };

/** The numbers from which a scaler decides. */
export interface ScalingInput {
  /** The endpoint's own workers, including those that are starting. */
  readonly own: number;
  readonly starting: number;
  /** Jobs that its own workers could take now. */
  readonly capacity: number;
  /** Jobs that a worker runs at the same time. */
  readonly slots: number;
  /** Waiting jobs that trigger scaling; at least 1. */
  readonly waiting: number;
  /** Of these, the jobs that have waited for `delayMs` of the scaler. */
  readonly overdue: number;
  readonly running: number;
}
