import { DAY_MS } from '../../../spec/limits.js';
import { randomBytes } from 'node:crypto';
import type { Json } from '../../../history/events.js';
import { isObject } from '../../../util/json.js';
import { TargetError } from '../../errors.js';
import type { TransportReply } from '../../session/transport.js';
import { askWorkerCounts } from './worker-counts.js';
import { probeHang } from './probe-hang.js';
import {
  cancel,
  isOver,
  longestWaitMs,
  poll,
  pollsInRealTime,
  pollsUnderControl,
  shownOf,
  submit,
  TTL_MS,
  type LetTimePass,
} from './probe-jobs.js';
import type { CapabilityProbe } from './capability-probe.js';
import type { CreatedJobs } from '../../session/created-jobs.js';
import type { ClockControl } from '../clock/clock-control.js';
import type { HttpTargetOptions } from '../options.js';

/** What takes so long may have waited for a worker to start: then the jobs of the run will be quicker. */
const COLD_MS = 2_000;
/** How long the worker is waited for that the first jobs have found, real ms. */
const HANG_MS = 10_000;

interface FoundWorker {
  /** Null when the jobs did not end, so that nothing is known. */
  readonly scripted: boolean | null;
  /** How long the first of them to end took, in real ms; null where none did. */
  readonly dispatchMs: number | null;
  /** Both were in the queue to the end. */
  readonly stayedQueued: boolean;
  /** How long they were looked at, real ms. */
  readonly lookedMs?: number;
  /** `/status` did not answer, and was not asked again. */
  readonly unanswered?: boolean;
  /** The answer with which both jobs were refused; null where neither call was answered. */
  readonly refused?: TransportReply | null;
}

/**
 * Finds out whether the endpoint's worker follows plans, by two jobs: one that returns a random token and one
 * that fails. One sign is enough, because a target with a fault in the other must still be tested with plans.
 *
 * @param letTimePass waits between polls, and says whether to go on; it is told how many polls have been made, and whether
 *   both jobs wait in the queue
 * @param ttlMs how long the jobs may exist
 */
export async function probeScriptedWorker(
  probe: CapabilityProbe,
  authorization: string | null,
  letTimePass: LetTimePass,
  createdJobs: CreatedJobs | null = null,
  ttlMs = TTL_MS,
): Promise<FoundWorker> {
  const token = randomBytes(8).toString('hex');
  const { id: returning, reply } = await submit(
    probe,
    authorization,
    { plan: [{ return: { token } }] },
    createdJobs,
    { ttlMs },
  );
  const { id: failing } = await submit(probe, authorization, { plan: [{ fail: 'probe' }] }, createdJobs, {
    ttlMs,
  });
  if (returning === null && failing === null)
    return { scripted: null, dispatchMs: null, stayedQueued: false, refused: reply };
  const fromMs = performance.now();
  let dispatchMs: number | null = null;
  const watch = (): void => {
    if (dispatchMs === null && (isOver(returned) || isOver(failed))) dispatchMs = performance.now() - fromMs;
  };
  let returned = await poll(probe, authorization, returning);
  const areQueued = (): boolean => [returned, failed].every((end) => end?.status === 'IN_QUEUE');
  const unanswered = (): boolean => (returned?.unanswered ?? false) || (failed?.unanswered ?? false);
  let failed = returned?.unanswered ? null : await poll(probe, authorization, failing);
  watch();
  for (let polls = 0; !unanswered() && (!isOver(returned) || !isOver(failed)); polls += 1) {
    if (returned === null && failed === null)
      return { scripted: null, dispatchMs: null, stayedQueued: false };
    if (!(await letTimePass(polls, areQueued()))) break;
    if (!isOver(returned)) returned = await poll(probe, authorization, returning);
    if (!isOver(failed) && !unanswered()) failed = await poll(probe, authorization, failing);
    watch();
  }
  for (const id of [returning, failing]) if (id !== null) await cancel(probe, authorization, id, createdJobs);
  const followed = (returned?.output as { token?: unknown } | null | undefined)?.token === token;
  if (followed || (returned?.status === 'COMPLETED' && failed?.status === 'FAILED'))
    return { scripted: true, dispatchMs, stayedQueued: false };
  return {
    scripted: isOver(returned) && isOver(failed) ? false : null,
    dispatchMs,
    stayedQueued: areQueued(),
    lookedMs: performance.now() - fromMs,
    unanswered: unanswered(),
  };
}

/** Why the probe does not know the worker: the beginning of a sentence. */
export function whyUnknown(
  { unanswered, refused }: FoundWorker,
  timeoutMs: number,
  authorization: string | null,
): string {
  if (unanswered) return `/status has not answered the probe within ${Math.ceil(timeoutMs / 1000)} s`;
  if (refused === undefined) return 'The jobs of the probe did not end';
  return `/run ${refused === null ? 'did not answer' : `answered ${answerIn(refused, authorization)} to`} the jobs of the probe`;
}

const isRefusal = (refused: FoundWorker['refused']): boolean =>
  refused !== null && refused !== undefined && INPUT_REFUSED.includes(refused.status);

/** What a service answers whose worker does not like the input. */
const INPUT_REFUSED: readonly number[] = [400, 422];

/** `400 {"detail":"input.prompt is required"}`; what a service repeats of the key is left out. */
function answerIn({ status, text }: TransportReply, authorization: string | null): string {
  const body = shownOf(text, authorization);
  return body === '' ? `${status}` : `${status} ${body}`;
}

/**
 * A sample that is refused would have the service accused of what its worker rightly refuses.
 *
 * @throws TargetError with what the service says of it
 */
async function trySample(
  probe: CapabilityProbe,
  authorization: string | null,
  sample: Json,
  createdJobs: CreatedJobs | null,
): Promise<void> {
  const { id, reply } = await submit(probe, authorization, sample, createdJobs);
  if (id !== null) await cancel(probe, authorization, id, createdJobs);
  else if (reply !== null && INPUT_REFUSED.includes(reply.status)) {
    const isWrapped = isObject(sample) && Object.keys(sample).join() === 'input';
    throw new TargetError(
      'sample-refused',
      `The sample input is refused: /run answers ${answerIn(reply, authorization)}`,
      isWrapped
        ? 'The file of --sample-input holds what stands in `input`, without `{"input": …}` around it'
        : 'Give an input that your worker accepts by --sample-input FILE, without `{"input": …}` around it',
    );
  }
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
  /** How long both jobs of the probe waited in the queue of an endpoint that may have no worker, real ms; null where not. */
  readonly queuedMs: number | null;
}> {
  const createdJobs = ownEndpoints ? null : (options.createdJobs ?? null);
  const sampled = async (): Promise<void> => {
    if (options.sampleInput !== undefined)
      await trySample(asked, authorization, options.sampleInput, createdJobs);
  };
  if (options.worker === 'scripted' || options.worker === 'opaque') {
    if (options.worker === 'opaque') await sampled();
    return { scripted: options.worker === 'scripted', dispatchMs: null, queuedMs: null };
  }
  const isReal = clockControl === null;
  const underControl = (): LetTimePass => pollsUnderControl((ms) => clockControl!.driver.pause(ms));
  const letTimePass = isReal
    ? pollsInRealTime(options, () => askWorkerCounts(asked, authorization))
    : underControl();
  // Jobs that wait for a worker must not be deleted meanwhile.
  const ttlMs = Math.min(DAY_MS, Math.max(TTL_MS, TTL_MS / 2 + longestWaitMs(options)));
  const found = await probeScriptedWorker(asked, authorization, letTimePass, createdJobs, ttlMs);
  const { scripted } = found;
  if (scripted !== true && !ownEndpoints) await sampled();
  const isCold = isReal && (found.dispatchMs ?? 0) > COLD_MS;
  const dispatchMs = isCold
    ? await probeWarmWorker(asked, authorization, found.dispatchMs!, options, createdJobs)
    : found.dispatchMs;
  if (scripted === true && !ownEndpoints) {
    const polls = isReal
      ? pollsInRealTime({ ...options, probeMs: HANG_MS, workerStartMs: 0 })
      : underControl();
    const note = await probeHang(asked, authorization, polls, createdJobs);
    if (note !== null) notes.push(note);
  }
  if (scripted !== null) return { scripted, dispatchMs, queuedMs: null };
  // An endpoint created by test control has scripted workers; if they fail, the run will show it.
  notes.push(
    `${whyUnknown(found, asked.timeoutMs, authorization)}, so the worker is taken to be ${ownEndpoints ? 'scripted' : 'opaque'}.` +
      (isRefusal(found.refused) && options.sampleInput === undefined
        ? ' Give an input that it accepts by --sample-input FILE.'
        : ''),
  );
  const isQueued = found.stayedQueued && !ownEndpoints;
  return { scripted: ownEndpoints, dispatchMs, queuedMs: isQueued ? (found.lookedMs ?? 0) : null };
}

/** How long a job takes that need not wait for a worker to start, real ms: at most `coldMs`. */
async function probeWarmWorker(
  probe: CapabilityProbe,
  authorization: string | null,
  coldMs: number,
  options: HttpTargetOptions,
  createdJobs: CreatedJobs | null,
): Promise<number> {
  const letTimePass = pollsInRealTime({ ...options, probeMs: coldMs, workerStartMs: 0 });
  const { dispatchMs } = await probeScriptedWorker(probe, authorization, letTimePass, createdJobs);
  return Math.min(coldMs, dispatchMs ?? coldMs);
}
