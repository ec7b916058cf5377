/** Everything known of one job, for those who may see its content. */
import type { Json } from '../history/events.js';
import type { Job } from './entities.js';
import { jobSnapshot, type JobSnapshot } from './saved/snapshot.js';

/** A job that exists, with its content. Instants are ms of the endpoint's clock. @public */
export interface JobDetail extends JobSnapshot {
  readonly endpoint: string;
  readonly input: Json;
  /** Null: left out. */
  readonly policy: {
    readonly executionTimeoutMs: number | null;
    readonly lowPriority: boolean | null;
    readonly ttlMs: number | null;
  };
  /** Of the submission; null when it was left out. */
  readonly waitMs: number | null;
  readonly webhook: string | null;
  /** Whether the submission had `s3Config`, which holds secrets and is not shown. */
  readonly hasS3Config: boolean;
  /** Null without an output; an output may also be null. */
  readonly output: Json;
  readonly hasOutput: boolean;
  readonly progress: Json;
  readonly error: string | null;
  readonly chunks: readonly Json[];
  /** How many of the chunks `/stream` has delivered. */
  readonly chunksRead: number;
  /** Whether it runs on an external worker. */
  readonly external: boolean;
  readonly retries: number;
  /** How many times the service ran it again by itself. */
  readonly redispatches: number;
  /** When it last entered the queue. */
  readonly queuedMs: number;
  /** Its place in the queue, from 1; null when it is not waiting. */
  readonly place: number | null;
  /** Calls that wait for it. */
  readonly waitingCalls: number;
}

export function jobDetail(job: Job): JobDetail {
  const { submission, endpoint, output, progress, error, chunks, chunksRead } = job;
  return {
    ...jobSnapshot(job),
    endpoint: endpoint.id,
    input: submission.input,
    policy: submission.policy,
    waitMs: job.waitMs,
    webhook: submission.webhook,
    hasS3Config: submission.s3Config !== null,
    output: output ?? null,
    hasOutput: output !== undefined,
    progress: progress ?? null,
    error,
    chunks: [...chunks],
    chunksRead,
    external: job.heldBy?.external ?? false,
    retries: job.retries,
    redispatches: job.redispatches,
    queuedMs: job.queuedMs,
    place: job.status === 'IN_QUEUE' ? placeOf(job) : null,
    waitingCalls: job.waiting.size,
  };
}

function placeOf(job: Job): number {
  let place = 1;
  for (let { before } = job; before !== null; before = before.before) place++;
  return place;
}
