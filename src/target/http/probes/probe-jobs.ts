/** The jobs that the probe of the worker submits, and how long it waits for them. */
import { canBeNamed, segmentOf } from '../../../history/job-path.js';
import { ENDED_STATUSES } from '../../../spec/states.js';
import type { CreatedJobs } from '../../session/created-jobs.js';
import { saysEnded } from '../../session/job-record.js';
import type { TransportReply } from '../../session/transport.js';
import { membersOf } from './capability-probe.js';
import type { CapabilityProbe } from './capability-probe.js';
import type { HttpTargetOptions } from '../options.js';
import type { WorkerCounts } from './worker-counts.js';

/** Real ms within which the jobs of the probe should have ended; a cold worker may take most of a minute. */
const PROBE_MS = 60_000;
/** The same for a worker that `/health` shows to be starting, where no budget says how long the run may wait. */
const STARTING_MS = 5 * 60_000;
/** How long the jobs may take once it has started. */
const STARTED_MS = 10_000;
/** How long jobs of the probe may exist, ms. */
export const TTL_MS = 120_000;
/** The same in steps of a controlled clock, which stands for no cold start. */
const CONTROLLED_STEPS_MAX = 8;
const BODY_MAX = 200;

export interface ProbeEnd {
  readonly status: unknown;
  readonly output: unknown;
  readonly error: unknown;
  /** Nothing was answered while anybody waited. */
  readonly unanswered: boolean;
}

/**
 * Submits a job and writes it down, unless the run is interrupted: what is sent then may be answered too late to be ended.
 *
 * @returns no `reply` where none came, no `id` where it names no job
 */
export async function submit(
  probe: CapabilityProbe,
  authorization: string | null,
  input: unknown,
  createdJobs: CreatedJobs | null,
  { ttlMs = TTL_MS, path = '/run' }: { readonly ttlMs?: number; readonly path?: string } = {},
): Promise<{ readonly id: string | null; readonly reply: TransportReply | null }> {
  if (probe.isInterrupted) return { id: null, reply: null };
  const body = { input, policy: { executionTimeout: 30_000, ttl: ttlMs } };
  const { reply, lost } = await probe.ask('POST', path, authorization, body);
  const { id: named } = membersOf(reply);
  const id = typeof named === 'string' && canBeNamed(named) ? named : null;
  if (id !== null) createdJobs?.created(probe.endpoint, id);
  if (lost === 'aborted') createdJobs?.unanswered();
  return { id, reply };
}

/** Cancels a job of the probe, and writes down that it has ended if an answer says so. */
export async function cancel(
  probe: CapabilityProbe,
  authorization: string | null,
  id: string,
  createdJobs: CreatedJobs | null,
): Promise<void> {
  const { reply } = await probe.ask('POST', `/cancel/${segmentOf(id)}`, authorization);
  const look = () => probe.ask('GET', `/status/${segmentOf(id)}`, authorization);
  if (saysEnded('cancel', reply) || saysEnded('status', (await look()).reply))
    createdJobs?.ended(probe.endpoint, id);
}

export async function poll(
  probe: CapabilityProbe,
  authorization: string | null,
  id: string | null,
): Promise<ProbeEnd | null> {
  if (id === null) return null;
  const { reply, lost } = await probe.ask('GET', `/status/${segmentOf(id)}`, authorization);
  const { status, output, error } = membersOf(reply);
  return { status, output, error, unanswered: lost === 'timeout' };
}

export function isOver(end: ProbeEnd | null): boolean {
  return (
    end !== null &&
    typeof end.status === 'string' &&
    (ENDED_STATUSES as readonly string[]).includes(end.status)
  );
}

/** What a service or a worker said, shortened; what it repeats of the key is left out. */
export function shownOf(text: string, authorization: string | null): string {
  const key = authorization?.replace(/^Bearer /, '') ?? '';
  const told = (key === '' ? text : text.replaceAll(key, '***')).trim();
  return told.length > BODY_MAX ? `${told.slice(0, BODY_MAX)}…` : told;
}

/** False when the time for the probe is over. */
export type LetTimePass = (polls: number, areQueued: boolean) => Promise<boolean>;

/** How long the probe may wait for a worker to start, real ms. */
export const longestWaitMs = ({
  probeMs = PROBE_MS,
  workerStartMs = STARTING_MS,
}: HttpTargetOptions): number => Math.max(probeMs, workerStartMs);

/**
 * Waits between polls, in real time; false when the time for the probe is over or the signal is aborted. That time is
 * longer while the jobs wait for a worker that may be starting: one that `/health` shows, or any where a budget says so.
 */
export function pollsInRealTime(
  options: HttpTargetOptions,
  askCounts?: () => Promise<WorkerCounts>,
): LetTimePass {
  const { signal, probeMs = PROBE_MS, workerStartMs } = options;
  const fromMs = performance.now();
  /** When the jobs were last seen to wait for a worker to start. */
  let startingMs = -Infinity;
  return async (polls, areQueued) => {
    await new Promise((resolve) => setTimeout(resolve, Math.min(1_000, 50 * (polls + 1))));
    const passedMs = performance.now() - fromMs;
    if (signal?.aborted === true) return false;
    if (passedMs < probeMs) return true;
    if (areQueued && askCounts !== undefined) {
      if (passedMs >= longestWaitMs(options)) return false;
      const { atWork, starting } = await askCounts();
      if (atWork === 0 && starting === 0 && workerStartMs === undefined) return false;
      if (atWork === 0) startingMs = passedMs;
    }
    return passedMs < startingMs + STARTED_MS;
  };
}

/** Waiting between polls by moving a controlled clock. */
export function pollsUnderControl(pass: (ms: number) => Promise<void>): LetTimePass {
  return async (polls) => {
    await pass(polls === 0 ? 0 : 10 ** Math.min(polls, 4));
    return polls < CONTROLLED_STEPS_MAX;
  };
}
