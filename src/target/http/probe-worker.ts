import { canBeNamed, segmentOf } from '../../history/job-path.js';
import { ENDED_STATUSES } from '../../spec/states.js';
import { randomBytes } from 'node:crypto';
import { membersOf } from './capability-probe.js';
import type { CapabilityProbe } from './capability-probe.js';
import type { CreatedJobs } from '../session/created-jobs.js';
import type { ClockControl } from './clock-control.js';
import type { HttpTargetOptions } from './options.js';

/** Real ms within which the jobs of the probe should have ended; a cold worker may take most of a minute. */
const PROBE_MS = 60_000;
/** The same in steps of a controlled clock, which stands for no cold start. */
const CONTROLLED_STEPS_MAX = 8;

interface ProbeEnd {
  readonly status: unknown;
  readonly output: unknown;
  /** Nothing was answered while anybody waited. */
  readonly unanswered: boolean;
}

interface FoundWorker {
  /** Null when the jobs did not end, so that nothing is known. */
  readonly scripted: boolean | null;
  /** How long the first of them to end took, in real ms; null where none did. */
  readonly dispatchMs: number | null;
  /** Both were in the queue to the end. */
  readonly stayedQueued: boolean;
  /** `/status` did not answer, and was not asked again. */
  readonly unanswered?: boolean;
  /** The code with which both jobs were refused; null where neither call was answered. */
  readonly refused?: number | null;
}

/**
 * Finds out whether the endpoint's worker follows plans, by two jobs: one that returns a random token and one
 * that fails. One sign is enough, because a target with a fault in the other must still be tested with plans.
 *
 * @param letTimePass waits between polls; tells how many polls have been made
 */
export async function probeScriptedWorker(
  probe: CapabilityProbe,
  authorization: string | null,
  letTimePass: (polls: number) => Promise<boolean>,
  createdJobs: CreatedJobs | null = null,
): Promise<FoundWorker> {
  const token = randomBytes(8).toString('hex');
  const { id: returning, code } = await submit(probe, authorization, [{ return: { token } }]);
  const { id: failing } = await submit(probe, authorization, [{ fail: 'probe' }]);
  if (returning === null && failing === null)
    return { scripted: null, dispatchMs: null, stayedQueued: false, refused: code };
  for (const id of [returning, failing]) if (id !== null) createdJobs?.created(probe.endpoint, id);
  const fromMs = performance.now();
  let dispatchMs: number | null = null;
  const watch = (): void => {
    if (dispatchMs === null && (isOver(returned) || isOver(failed))) dispatchMs = performance.now() - fromMs;
  };
  let returned = await poll(probe, authorization, returning);
  const unanswered = (): boolean => (returned?.unanswered ?? false) || (failed?.unanswered ?? false);
  let failed = returned?.unanswered ? null : await poll(probe, authorization, failing);
  watch();
  for (let polls = 0; !unanswered() && (!isOver(returned) || !isOver(failed)); polls += 1) {
    if (returned === null && failed === null)
      return { scripted: null, dispatchMs: null, stayedQueued: false };
    if (!(await letTimePass(polls))) break;
    if (!isOver(returned)) returned = await poll(probe, authorization, returning);
    if (!isOver(failed) && !unanswered()) failed = await poll(probe, authorization, failing);
    watch();
  }
  for (const id of [returning, failing]) {
    if (id === null) continue;
    const { reply } = await probe.ask('POST', `/cancel/${segmentOf(id)}`, authorization);
    if (reply !== null) createdJobs?.ended(probe.endpoint, id);
  }
  const followed = (returned?.output as { token?: unknown } | null | undefined)?.token === token;
  if (followed || (returned?.status === 'COMPLETED' && failed?.status === 'FAILED'))
    return { scripted: true, dispatchMs, stayedQueued: false };
  return {
    scripted: isOver(returned) && isOver(failed) ? false : null,
    dispatchMs,
    stayedQueued: [returned, failed].every((end) => end?.status === 'IN_QUEUE'),
    unanswered: unanswered(),
  };
}

/** Why the probe does not know the worker: the beginning of a sentence. */
export function whyUnknown({ unanswered, refused }: FoundWorker, timeoutMs: number): string {
  if (unanswered) return `/status has not answered the probe within ${Math.ceil(timeoutMs / 1000)} s`;
  if (refused === undefined) return 'The jobs of the probe did not end';
  return `/run ${refused === null ? 'did not answer' : `answered ${refused} to`} the jobs of the probe`;
}

export async function findWorker(
  asked: CapabilityProbe,
  authorization: string | null,
  options: HttpTargetOptions,
  clockControl: ClockControl | null,
  ownEndpoints: boolean,
  notes: string[],
): Promise<{
  readonly scripted: boolean;
  readonly dispatchMs: number | null;
  /** No job of the probe was taken by a worker on an endpoint that may have none. */
  readonly stayedQueued: boolean;
}> {
  if (options.worker === 'scripted' || options.worker === 'opaque')
    return { scripted: options.worker === 'scripted', dispatchMs: null, stayedQueued: false };
  const waitForNextPoll =
    clockControl !== null
      ? pollsUnderControl((ms) => clockControl.driver.pause(ms))
      : pollsInRealTime(options.signal, options.probeMs);
  const found = await probeScriptedWorker(
    asked,
    authorization,
    waitForNextPoll,
    ownEndpoints ? null : (options.createdJobs ?? null),
  );
  const { scripted, dispatchMs, stayedQueued } = found;
  if (scripted !== null) return { scripted, dispatchMs, stayedQueued };
  // An endpoint created by test control has scripted workers; if they fail, the run will show it.
  notes.push(
    `${whyUnknown(found, asked.timeoutMs)}, so the worker is taken to be ${ownEndpoints ? 'scripted' : 'opaque'}.`,
  );
  return { scripted: ownEndpoints, dispatchMs, stayedQueued: stayedQueued && !ownEndpoints };
}

/** Waits between polls, in real time; false when the time for the probe is over or the signal is aborted. */
function pollsInRealTime(signal?: AbortSignal, probeMs = PROBE_MS): (polls: number) => Promise<boolean> {
  const deadline = performance.now() + probeMs;
  return async (polls) => {
    await new Promise((resolve) => setTimeout(resolve, Math.min(1_000, 50 * (polls + 1))));
    return performance.now() < deadline && signal?.aborted !== true;
  };
}

/** Waiting between polls by moving a controlled clock. */
function pollsUnderControl(pass: (ms: number) => Promise<void>): (polls: number) => Promise<boolean> {
  return async (polls) => {
    await pass(polls === 0 ? 0 : 10 ** Math.min(polls, 4));
    return polls < CONTROLLED_STEPS_MAX;
  };
}

async function submit(
  probe: CapabilityProbe,
  authorization: string | null,
  plan: readonly object[],
): Promise<{ readonly id: string | null; readonly code: number | null }> {
  const body = { input: { plan }, policy: { executionTimeout: 30_000, ttl: 120_000 } };
  const { reply } = await probe.ask('POST', '/run', authorization, body);
  const { id } = membersOf(reply);
  return { id: typeof id === 'string' && canBeNamed(id) ? id : null, code: reply?.status ?? null };
}

async function poll(
  probe: CapabilityProbe,
  authorization: string | null,
  id: string | null,
): Promise<ProbeEnd | null> {
  if (id === null) return null;
  const { reply, lost } = await probe.ask('GET', `/status/${segmentOf(id)}`, authorization);
  const { status, output } = membersOf(reply);
  return { status, output, unanswered: lost === 'timeout' };
}

function isOver(end: ProbeEnd | null): boolean {
  return (
    end !== null &&
    typeof end.status === 'string' &&
    (ENDED_STATUSES as readonly string[]).includes(end.status)
  );
}

/** As many as `/health` shows; null where it does not tell. */
export async function askWorkers(
  probe: CapabilityProbe,
  authorization: string | null,
): Promise<number | null> {
  const { reply } = await probe.ask('GET', '/health', authorization);
  const workers = membersOf(reply)['workers'] as { idle?: unknown; running?: unknown } | null | undefined;
  const count = Number(workers?.idle) + Number(workers?.running);
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}
