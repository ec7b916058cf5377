/** A job as the naive server keeps it, and the record that clients see of it. */
import { UNITS_PER_MS, type Choices } from './choices.js';
import type { Timer } from './clock.js';
import type { Endpoint } from './endpoint.js';
import type { Hooks } from './hooks.js';
import type { Json, JsonObject } from './json.js';
import type { Handler } from './script.js';
import type { Submission } from './submission.js';

export type Status = 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';

/** One stay of a job on a worker. */
export interface Run {
  readonly job: Job;
  over: boolean;
  handler?: Handler;
  overrunTimer?: Timer;
  /** Whether another job ran when it began. */
  readonly beside: boolean;
}

export interface Job extends Submission {
  readonly id: string;
  readonly endpoint: Endpoint;
  status: Status;
  readonly submittedMs: number;
  queuedMs: number;
  startedMs: number | null;
  endedMs: number | null;
  output: Json | undefined;
  error: string | null;
  chunks: Json[];
  /** How many chunks have been delivered. */
  chunksRead: number;
  /** Time spent in runs before the last retry. */
  earlierExecutionMs: number;
  retries: number;
  crashes: number;
  deleted: boolean;
  ttlAtMs: number;
  ttlTimer?: Timer;
  /** When the retention ends; infinite while the job has not ended. */
  retainedUntilMs: number;
  retentionTimer?: Timer;
  run: Run | null;
  /** Called whenever the job starts, ends, is deleted or streams. */
  watchers: Set<() => void>;
}

export function newJob(id: string, submission: Submission, nowMs: number, endpoint: Endpoint): Job {
  return {
    ...submission,
    id,
    endpoint,
    status: 'IN_QUEUE',
    submittedMs: nowMs,
    queuedMs: nowMs,
    startedMs: null,
    endedMs: null,
    output: undefined,
    error: null,
    chunks: [],
    chunksRead: 0,
    earlierExecutionMs: 0,
    retries: 0,
    crashes: 0,
    deleted: false,
    ttlAtMs: Infinity,
    retainedUntilMs: Infinity,
    run: null,
    watchers: new Set(),
  };
}

export const hasEnded = (job: Job): boolean => job.endedMs !== null;

/** Ended or deleted: nothing more becomes of it. */
export const isOver = (job: Job): boolean => hasEnded(job) || job.deleted;

export const tell = (job: Job): void => {
  for (const watcher of job.watchers) watcher();
};

/** The job record of section 2.4. */
export function recordOf(job: Job, nowMs: number, choices: Choices, hooks: Hooks): JsonObject {
  const record: JsonObject = { id: job.id, status: hooks.status(job.status, job) };
  Object.assign(record, shownTimes(job, nowMs, choices, hooks));
  const partial =
    choices.unfinishedOutput === 'chunks' && job.status !== 'COMPLETED' && job.chunks.length > 0;
  if (job.output !== undefined) record['output'] = hooks.output(job.output);
  else if (partial) record['output'] = [...job.chunks];
  else if (choices.missingOutput === 'null') record['output'] = null;
  if (job.error !== null) {
    if (choices.failure === 'error') record['error'] = job.error;
    if (choices.failure === 'output') record['output'] = { error: job.error };
    if (choices.failure === 'error-object') record['error'] = { type: 'HandlerError', message: job.error };
  }
  if (choices.extraFields) {
    record['workerId'] = job.startedMs === null ? null : 'w-0001';
    record['createdAt'] = job.submittedMs;
    record['retries'] = job.retries;
    record['input'] = job.input;
    record['_links'] = { self: `status/${job.id}` };
  }
  return hooks.record(record, job);
}

function shownTimes(job: Job, nowMs: number, choices: Choices, hooks: Hooks): JsonObject {
  const ended = hasEnded(job);
  const endMs = job.endedMs ?? nowMs;
  const fromMs = choices.delayAfterRetry === 'from-submission' ? job.submittedMs : job.queuedMs;
  let delayMs = (job.startedMs ?? endMs) - fromMs;
  let executionMs = job.startedMs === null ? 0 : endMs - job.startedMs;
  if (choices.executionAfterRetry === 'all-runs') executionMs += job.earlierExecutionMs;
  if (job.startedMs !== null) {
    delayMs += choices.timesSkewMs;
    executionMs += choices.timesSkewMs;
  }
  ({ delayMs, executionMs } = hooks.times({ delayMs, executionMs }, job, { nowMs, fromMs, endMs }));
  const shown = (ms: number): number => Math[choices.timeRounding](ms * UNITS_PER_MS[choices.timeUnit]);
  const times: JsonObject = { delayTime: shown(delayMs), executionTime: shown(executionMs) };
  const unstartedEnd = ended && job.startedMs === null;
  if (unstartedEnd && choices.executionOfUnstarted === 'absent') delete times['executionTime'];
  if (ended || choices.unfinishedTimes === 'elapsed') return times;
  const placeholder = choices.unfinishedTimes === 'zero' ? 0 : null;
  if (choices.unfinishedTimes === 'absent') {
    delete times['executionTime'];
    if (job.startedMs === null) delete times['delayTime'];
    return times;
  }
  times['executionTime'] = placeholder;
  if (job.startedMs === null) times['delayTime'] = placeholder;
  return times;
}
