/** How often each operation is tried on a job in each state, before steering by coverage. */
import type { ModelState, Work } from './endpoint-model.js';

export const JOB_OPERATIONS = ['status', 'stream', 'cancel', 'retry'] as const;
export type JobOperation = (typeof JOB_OPERATIONS)[number];

/** A factor for an operation on a job in that state; `none` for calls without a job. @internal */
export type Steering = (state: ModelState | 'none', op: string) => number;

export const UNSTEERED: Steering = () => 1;

/** Operations that the state does not allow are rare here; invalid requests cover them. */
export const JOB_WEIGHTS: { readonly [state in ModelState]: { readonly [op in JobOperation]: number } } = {
  IN_QUEUE: { status: 2, stream: 0.7, cancel: 2, retry: 0.1 },
  IN_PROGRESS: { status: 2, stream: 1, cancel: 2, retry: 0.1 },
  COMPLETED: { status: 2, stream: 1, cancel: 0.3, retry: 0.3 },
  FAILED: { status: 1.5, stream: 0.7, cancel: 0.3, retry: 5 },
  CANCELLED: { status: 2, stream: 0.5, cancel: 0.5, retry: 0.4 },
  TIMED_OUT: { status: 1.5, stream: 0.7, cancel: 0.3, retry: 5 },
  GONE: { status: 0.8, stream: 0.3, cancel: 0.4, retry: 0.6 },
};

/** A defective stream is visible only where there is something to read, and mostly at a second read. */
export const worthWhile = (op: JobOperation, { work }: { readonly work: Work }): number =>
  op === 'stream' && work.streams === true ? 4 : 1;

export const ENDPOINT_WEIGHTS = {
  purge: { IN_QUEUE: 2, none: 0.5 },
  health: 1.5,
  requests: 0.1,
  workers: 1,
  burst: 0.1,
  pause: 1,
} as const;
