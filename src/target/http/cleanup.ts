import { CLEANUP_AT_ONCE } from '../../history/cleanup.js';
import { servedPath, type BasePath } from '../../history/served-path.js';
import { canBeNamed, segmentOf } from '../../history/job-path.js';
import { SHORT_FORM_MARK } from '../../history/long-text.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientRateLimiter } from '../../schedule/rate-limiter.js';
import { saysEnded } from '../session/job-record.js';
import type { TransportResult } from '../session/transport.js';
import type { Connection } from './connection.js';

/** Tries per job, and the real pause after a 429 or a lost call. */
const TRIES = 4;
const PAUSE_MS = 1_500;
/** A shorter pause once the run is aborted. */
const PAUSE_AT_END_MS = 100;

export interface CleanupOptions {
  readonly connection: Connection;
  readonly prefix: string;
  readonly basePath: BasePath | null;
  /** Value of the header; null for none. */
  readonly authorization: string | null;
  readonly timeoutMs: number;
  readonly rateLimiter: ClientRateLimiter | null;
  /** How many times as fast as real time the clock of the rate limiter runs. */
  readonly speed: number;
}

/** What came of it. */
export interface Cancelled {
  /** Jobs that could not be ended. */
  readonly left: readonly string[];
  /** Calls of `/cancel`, those that were repeated included. */
  readonly cancels: number;
  /** How many of them were answered with 429. */
  readonly limited: number;
}

/**
 * Cancels jobs that a script left alive.
 *
 * @param signal once aborted, calls no longer wait for the rate limiter
 */
export async function cancelJobs(
  options: CleanupOptions,
  endpoint: string,
  jobIds: readonly string[],
  signal?: AbortSignal,
): Promise<Cancelled> {
  const left: string[] = [];
  const counts = { cancels: 0, limited: 0 };
  const queue = [...jobIds];
  const cancelNext = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      if (!(await endJob(options, endpoint, id, signal, counts))) left.push(id);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CLEANUP_AT_ONCE, queue.length) }, cancelNext));
  return { left, ...counts };
}

export interface JobOnEndpoint {
  readonly endpoint: string;
  readonly job: string;
}

/** Of jobs that could not be ended, those that have not ended a moment later either: a service may stop a job after its answer. */
export async function stillAlive(
  options: CleanupOptions,
  jobs: readonly JobOnEndpoint[],
  signal?: AbortSignal,
): Promise<readonly JobOnEndpoint[]> {
  if (jobs.length === 0) return [];
  await pause(PAUSE_MS, signal, PAUSE_AT_END_MS);
  const ended = new Set<JobOnEndpoint>();
  for (const one of jobs.filter(({ job }) => isNamed(job))) {
    const { reply } = await ask(options, 'status', one.endpoint, one.job);
    if (reply === null) break;
    if (saysEnded('status', reply)) ended.add(one);
  }
  return jobs.filter((one) => !ended.has(one));
}

/** A path can hold the id: of what is called in its place, "not found" says nothing. */
const isNamed = (id: string): boolean => canBeNamed(id) && !id.startsWith(SHORT_FORM_MARK);

/** True when the target says that the job has ended: a refused `/cancel` does not say so, and `/status` is asked. */
async function endJob(
  options: CleanupOptions,
  endpoint: string,
  id: string,
  signal: AbortSignal | undefined,
  counts: { cancels: number; limited: number },
): Promise<boolean> {
  if (id.startsWith(SHORT_FORM_MARK)) return false;
  for (let tries = 0; tries < TRIES && !options.connection.isStopped; tries += 1) {
    if (tries > 0) await pause(PAUSE_MS, signal, PAUSE_AT_END_MS);
    await waitForRoom(options, signal);
    const { reply } = await ask(options, 'cancel', endpoint, id);
    counts.cancels += 1;
    const status = reply?.status ?? 0;
    if (status === 429) counts.limited += 1;
    if (status === 0 || status === 429 || status === 401 || (status >= 500 && status !== 501)) continue;
    if (!isNamed(id) || saysEnded('cancel', reply)) return status < 300;
    const { reply: seen } = await ask(options, 'status', endpoint, id);
    if (seen !== null && seen.status < 500 && seen.status !== 429) return saysEnded('status', seen);
  }
  return false;
}

/** Other calls may take the place that was waited for. Once the run is aborted, nothing is waited for. */
async function waitForRoom(
  { rateLimiter, speed }: CleanupOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  while (signal?.aborted !== true) {
    const waitMs = (rateLimiter?.waitMs('cancel') ?? 0) / speed;
    if (!(waitMs > 0)) return;
    await pause(waitMs, signal, 0);
  }
}

async function ask(
  { rateLimiter, connection, prefix, basePath, authorization, timeoutMs }: CleanupOptions,
  op: 'cancel' | 'status',
  endpoint: string,
  id: string,
): Promise<TransportResult> {
  const sentMs = rateLimiter?.begin(op) ?? 0;
  const result = await connection.send({
    method: op === 'cancel' ? 'POST' : 'GET',
    path: prefix + servedPath(`/v2/${encodeURIComponent(endpoint)}/${op}/${segmentOf(id)}`, basePath),
    headers: authorization !== null ? { authorization } : {},
    body: null,
    timeoutMs,
  });
  rateLimiter?.end(op);
  const status = result.reply?.status;
  if (status !== undefined) rateLimiter?.answered({ op, sentMs, isRefused: status === 429 });
  return result;
}

/** Waits `ms`, or less once the signal is aborted. */
async function pause(ms: number, signal: AbortSignal | undefined, atEndMs: number): Promise<void> {
  if (signal?.aborted !== true)
    return sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  if (atEndMs > 0) await sleep(atEndMs);
}
