/** A job as the naive server keeps it, and the record that clients see of it. */
import { UNITS_PER_MS, type Choices } from './choices.js';
import type { Timer } from './clock.js';
import type { FaultId } from './faults.js';
import { isObject, type Json, type JsonObject } from './json.js';
import type { Handler } from './script.js';
import type { Submission } from './submission.js';
import { wrongOutput } from './wrong-values.js';

export type Status = 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';

/** One stay of a job on a worker. */
export interface Run {
  readonly job: Job;
  over: boolean;
  handler?: Handler;
  overrunTimer?: Timer;
  /** When it is due to be stopped. */
  overrunMs?: number;
  /** Whether another job ran when it began. */
  readonly beside: boolean;
}

/** What wrong servers remember of a job. */
export interface WrongTraits {
  /** When its call of /runsync was answered. */
  answeredMs?: number;
  /** An old record that is shown for a while. */
  lag?: { readonly record: JsonObject; readonly untilMs: number };
  readWhileRunning?: boolean;
  readAtEnd?: boolean;
  statusTtl?: boolean;
  streamOver?: boolean;
  largeSeen?: boolean;
  chunkMs?: number;
  held?: Json[];
  executionShown?: Json;
  /** The worker that it was given, or that ran it first. */
  slot?: number;
  streamRead?: boolean;
  purged?: boolean;
  overran?: boolean;
  firstStartedMs?: number;
  firstExecutionMs?: number;
  endedRecord?: JsonObject;
  attempts?: number;
}

export interface Job extends Submission {
  readonly id: string;
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
  /** What only faults look at. */
  readonly wrong: WrongTraits;
  run: Run | null;
  /** Called whenever the job starts, ends, is deleted or streams. */
  watchers: Set<() => void>;
}

export function newJob(id: string, submission: Submission, nowMs: number): Job {
  return {
    ...submission,
    id,
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
    wrong: {},
    watchers: new Set(),
  };
}

export const hasEnded = (job: Job): boolean => job.endedMs !== null;

export const tell = (job: Job): void => {
  for (const watcher of job.watchers) watcher();
};

/** The job record of section 2.4. */
export function recordOf(job: Job, nowMs: number, choices: Choices, fault: FaultId | null): JsonObject {
  const record: JsonObject = { id: job.id, status: shownStatus(job, fault) };
  Object.assign(record, shownTimes(job, nowMs, choices, fault));
  const partial =
    choices.unfinishedOutput === 'chunks' && job.status !== 'COMPLETED' && job.chunks.length > 0;
  if (job.output !== undefined) record['output'] = shownOutput(job.output, fault);
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
  if (fault === 's3-in-record') record['s3Config'] = job.s3Config;
  if (isObject(job.output)) {
    const { output } = job;
    if (fault === 'output-spread-into-record') Object.assign(record, { ...output, ...record });
    if (fault === 'output-status-member-holds')
      record['status'] = output['status'] ?? record['status'] ?? null;
    if (fault === 'output-id-member-holds') record['id'] = output['id'] ?? record['id'] ?? null;
  }
  if (fault === 'id-is-number') record['id'] = Number(job.id.replace(/\D/g, '').slice(0, 12));
  if (fault === 'status-missing-at-end' && hasEnded(job)) delete record['status'];
  if (fault === 'delay-missing' && hasEnded(job)) delete record['delayTime'];
  if (fault === 'execution-missing' && hasEnded(job)) delete record['executionTime'];
  return record;
}

function shownStatus(job: Job, fault: FaultId | null): string {
  const { status } = job;
  if (fault === 'status-lower-case') return status.toLowerCase();
  if (fault === 'status-running' && status === 'IN_PROGRESS') return 'RUNNING';
  if (fault === 'status-queued' && status === 'IN_QUEUE') return 'QUEUED';
  if (fault === 'status-canceled' && status === 'CANCELLED') return 'CANCELED';
  if (fault === 'status-error' && status === 'FAILED') return 'ERROR';
  if (fault === 'progress-never-shown' && status === 'IN_PROGRESS') return 'IN_QUEUE';
  if (fault === 'progress-from-submission' && status === 'IN_QUEUE') return 'IN_PROGRESS';
  if (fault === 'cancel-marks-failed' && status === 'CANCELLED') return 'FAILED';
  if (fault === 'cancel-marks-completed' && status === 'CANCELLED') return 'COMPLETED';
  return status;
}

function shownTimes(job: Job, nowMs: number, choices: Choices, fault: FaultId | null): JsonObject {
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
  if (fault === 'delay-zero') delayMs = 0;
  if (fault === 'delay-includes-execution') delayMs = endMs - fromMs;
  if (fault === 'delay-keeps-growing') delayMs = nowMs - fromMs;
  if (fault === 'execution-zero') executionMs = 0;
  if (fault === 'execution-includes-delay') executionMs = endMs - fromMs;
  if (fault === 'execution-keeps-growing' && job.startedMs !== null) executionMs = nowMs - job.startedMs;
  if (fault === 'delay-negative-after-retry' && job.retries > 0) delayMs = job.submittedMs - job.queuedMs;
  if (fault === 'execution-modulo-second') executionMs %= 1000;
  if (fault === 'execution-modulo-minute') executionMs %= 60_000;
  if (fault === 'execution-of-16-bits') executionMs %= 65_536;
  if (fault === 'execution-zero-when-failed' && job.status === 'FAILED') executionMs = 0;
  if (fault === 'execution-zero-when-overrun' && job.error === 'executionTimeout exceeded') executionMs = 0;
  if (fault === 'delay-modulo-second') delayMs %= 1000;
  if (fault === 'delay-modulo-minute') delayMs %= 60_000;
  if (fault === 'delay-zero-when-failed' && job.status === 'FAILED') delayMs = 0;
  if (fault === 'execution-modulo-hour') executionMs %= 3_600_000;
  if (fault === 'delay-modulo-hour') delayMs %= 3_600_000;
  if (fault === 'execution-of-first-run') executionMs = job.wrong.firstExecutionMs ?? executionMs;
  if (fault === 'execution-from-first-start' && job.startedMs !== null)
    executionMs = endMs - (job.wrong.firstStartedMs ?? endMs);
  if (fault === 'delay-and-execution-swapped') [delayMs, executionMs] = [executionMs, delayMs];

  const shown = (ms: number): number => Math[choices.timeRounding](ms * UNITS_PER_MS[choices.timeUnit]);
  let delayTime: Json = shown(delayMs);
  let executionTime: Json = shown(executionMs);
  if (fault === 'delay-fractional') delayTime = delayMs + 0.5;
  if (fault === 'delay-as-string') delayTime = String(delayTime);
  if (fault === 'execution-as-string') executionTime = String(executionTime);

  const times: JsonObject = { delayTime, executionTime };
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

function shownOutput(output: Json, fault: FaultId | null): Json {
  if (fault === 'output-array-lost' && Array.isArray(output)) return null;
  if (fault === 'output-array-in-object' && Array.isArray(output)) return { items: output };
  if (fault === 'output-stringified') return JSON.stringify(output);
  if (fault === 'output-nested-twice') return { output };
  if (fault === 'output-unicode-mangled') return mapStrings(output, latinOnly);
  if (fault === 'output-keys-lost-when-null') return withoutNulls(output);
  if (fault === 'output-empty-array-as-object') return emptyArraysAsObjects(output);
  if (fault === 'output-floats-rounded') return mapNumbers(output, Math.trunc);
  if (fault === 'output-large-lost' && JSON.stringify(output).length > 65_536) return null;
  if (fault === 'output-large-cut') return mapStrings(output, (text) => text.slice(0, 65_536));
  return wrongOutput(output, fault);
}

/** What a store does that cannot tell an empty list from an empty table. */
const emptyArraysAsObjects = (value: Json): Json =>
  Array.isArray(value) && value.length === 0 ? {} : mapMembers(value, emptyArraysAsObjects);

export const latinOnly = (text: string): string => text.replace(/[\u0100-\u{10ffff}]/gu, '?');

export function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  return mapMembers(value, (member) => mapStrings(member, change));
}

export function mapNumbers(value: Json, change: (number: number) => Json): Json {
  if (typeof value === 'number') return change(value);
  return mapMembers(value, (member) => mapNumbers(member, change));
}

export function withoutNulls(value: Json): Json {
  return without(value, (member) => member === null);
}

export function without(value: Json, unwanted: (member: Json) => boolean): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => without(member, unwanted));
  const kept = Object.entries(value).filter(([, member]) => !unwanted(member));
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member, unwanted)]));
}

export function mapMembers(value: Json, change: (member: Json) => Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(change);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}
