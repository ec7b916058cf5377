import { canBeNamed, segmentOf } from '../../history/job-path.js';
import { ENDED_STATUSES } from '../../spec/states.js';
import { randomBytes } from 'node:crypto';
import type { Json } from '../../history/events.js';
import { isObject } from '../../util/json.js';
import { TargetError } from '../errors.js';
import type { TransportReply } from '../session/transport.js';
import { membersOf } from './capability-probe.js';
import type { CapabilityProbe } from './capability-probe.js';
import type { CreatedJobs } from '../session/created-jobs.js';
import type { ClockControl } from './clock-control.js';
import type { HttpTargetOptions } from './options.js';

/** Real ms within which the jobs of the probe should have ended; a cold worker may take most of a minute. */
const PROBE_MS = 60_000;
/** The same for a further one: a worker is there. */
const HANG_MS = 10_000;
/** The same in steps of a controlled clock, which stands for no cold start. */
const CONTROLLED_STEPS_MAX = 8;

interface ProbeEnd {
  readonly status: unknown;
  readonly output: unknown;
  readonly error: unknown;
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
  /** The answer with which both jobs were refused; null where neither call was answered. */
  readonly refused?: TransportReply | null;
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
  const { id: returning, reply } = await submit(probe, authorization, { plan: [{ return: { token } }] });
  const { id: failing } = await submit(probe, authorization, { plan: [{ fail: 'probe' }] });
  if (returning === null && failing === null)
    return { scripted: null, dispatchMs: null, stayedQueued: false, refused: reply };
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

/** How often the job that never ends is looked at while it runs: a worker that does not know the step ends it at once. */
const LOOKS = 2;

/**
 * Finds out whether a worker that follows plans stays in the step that never ends. Where it ends the job instead, verdicts
 * on `executionTimeout` and `ttl` would accuse the service of what its worker did. A crash is not tried: a worker
 * without that step fails the job too, and a deployed one may take a minute to start again.
 *
 * @param letTimePass waits between polls; false once it has taken too long
 * @returns what to tell of it; null where the job continued, or never ran
 * @throws TargetError where the worker says that it does not know the step
 */
export async function probeHang(
  probe: CapabilityProbe,
  authorization: string | null,
  letTimePass: (polls: number) => Promise<boolean>,
  createdJobs: CreatedJobs | null = null,
): Promise<string | null> {
  const { id } = await submit(probe, authorization, { plan: [{ hang: true }] });
  if (id === null) return null;
  createdJobs?.created(probe.endpoint, id);
  let end = await poll(probe, authorization, id);
  for (let polls = 0, looks = 0; end !== null && !end.unanswered && !isOver(end); polls += 1) {
    if (end.status === 'IN_PROGRESS' && looks++ === LOOKS) break;
    if (!(await letTimePass(polls))) break;
    end = await poll(probe, authorization, id);
  }
  const { reply } = await probe.ask('POST', `/cancel/${segmentOf(id)}`, authorization);
  if (reply !== null) createdJobs?.ended(probe.endpoint, id);
  if (end?.status !== 'FAILED' && end?.status !== 'COMPLETED') return null;
  const said = end.error ?? end.output ?? '';
  const told = shownOf(typeof said === 'string' ? said : JSON.stringify(said), authorization);
  const what = `The worker does not stay in the step {"hang": true}: the job ended as ${end.status}${told && `, ${told}`}`;
  if (end.status === 'FAILED' && /\bhang\b/i.test(told))
    throw new TargetError(
      'plan-refused',
      what,
      'Deploy a worker that follows docs/contracts/scripted-worker.md, or check with --worker opaque',
    );
  return `${what}. If the worker ended it, no verdict on executionTimeout or ttl is about the service.`;
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
const BODY_MAX = 200;

/** `400 {"detail":"input.prompt is required"}`; what a service repeats of the key is left out. */
function answerIn({ status, text }: TransportReply, authorization: string | null): string {
  const body = shownOf(text, authorization);
  return body === '' ? `${status}` : `${status} ${body}`;
}

function shownOf(text: string, authorization: string | null): string {
  const key = authorization?.replace(/^Bearer /, '') ?? '';
  const told = (key === '' ? text : text.replaceAll(key, '***')).trim();
  return told.length > BODY_MAX ? `${told.slice(0, BODY_MAX)}…` : told;
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
  const { id, reply } = await submit(probe, authorization, sample);
  if (id !== null) {
    createdJobs?.created(probe.endpoint, id);
    const { reply: ended } = await probe.ask('POST', `/cancel/${segmentOf(id)}`, authorization);
    if (ended !== null) createdJobs?.ended(probe.endpoint, id);
  } else if (reply !== null && INPUT_REFUSED.includes(reply.status)) {
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
  /** No job of the probe was taken by a worker on an endpoint that may have none. */
  readonly stayedQueued: boolean;
}> {
  const createdJobs = ownEndpoints ? null : (options.createdJobs ?? null);
  const sampled = async (): Promise<void> => {
    if (options.sampleInput !== undefined)
      await trySample(asked, authorization, options.sampleInput, createdJobs);
  };
  if (options.worker === 'scripted' || options.worker === 'opaque') {
    if (options.worker === 'opaque') await sampled();
    return { scripted: options.worker === 'scripted', dispatchMs: null, stayedQueued: false };
  }
  const pollsFor = (probeMs?: number): ((polls: number) => Promise<boolean>) =>
    clockControl !== null
      ? pollsUnderControl((ms) => clockControl.driver.pause(ms))
      : pollsInRealTime(options.signal, probeMs);
  const found = await probeScriptedWorker(asked, authorization, pollsFor(options.probeMs), createdJobs);
  const { scripted, dispatchMs, stayedQueued } = found;
  if (scripted !== true && !ownEndpoints) await sampled();
  if (scripted === true && !ownEndpoints) {
    const note = await probeHang(asked, authorization, pollsFor(HANG_MS), createdJobs);
    if (note !== null) notes.push(note);
  }
  if (scripted !== null) return { scripted, dispatchMs, stayedQueued };
  // An endpoint created by test control has scripted workers; if they fail, the run will show it.
  notes.push(
    `${whyUnknown(found, asked.timeoutMs, authorization)}, so the worker is taken to be ${ownEndpoints ? 'scripted' : 'opaque'}.` +
      (isRefusal(found.refused) && options.sampleInput === undefined
        ? ' Give an input that it accepts by --sample-input FILE.'
        : ''),
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
  input: unknown,
): Promise<{ readonly id: string | null; readonly reply: TransportReply | null }> {
  const body = { input, policy: { executionTimeout: 30_000, ttl: 120_000 } };
  const { reply } = await probe.ask('POST', '/run', authorization, body);
  const { id } = membersOf(reply);
  return { id: typeof id === 'string' && canBeNamed(id) ? id : null, reply };
}

async function poll(
  probe: CapabilityProbe,
  authorization: string | null,
  id: string | null,
): Promise<ProbeEnd | null> {
  if (id === null) return null;
  const { reply, lost } = await probe.ask('GET', `/status/${segmentOf(id)}`, authorization);
  const { status, output, error } = membersOf(reply);
  return { status, output, error, unanswered: lost === 'timeout' };
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
