/** A client of four styles that decides as its behaviour says. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientEnvironment } from '../../src/features/client/environment.js';
import { ENDED_STATUSES, type JobStatus } from '../../src/spec/index.js';
import { isObject } from '../../src/util/json.js';
import type { Behaviour, Style } from './behaviour.js';
import { CallFailed, callerOf, type Caller } from './caller.js';
import { startReceiver, type Receiver } from './receiver.js';

/** How a job ended for the client. */
type Outcome = JobStatus | 'gone' | 'late';

interface Work {
  readonly behaviour: Behaviour;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly receiver: Receiver | null;
}

/** @throws {Error} if a job did not succeed */
export async function runBase(
  style: Style,
  behaviour: Behaviour,
  environment: ClientEnvironment,
  signal: AbortSignal,
): Promise<void> {
  // A program that has ended makes no further calls.
  const ended = new AbortController();
  signal.addEventListener('abort', () => ended.abort(signal.reason), { once: true });
  const jobs = Array.from({ length: behaviour.jobs }, () =>
    runJob(style, behaviour, environment, ended.signal),
  );
  await Promise.all(jobs).finally(() => ended.abort());
}

async function runJob(
  style: Style,
  behaviour: Behaviour,
  environment: ClientEnvironment,
  signal: AbortSignal,
): Promise<void> {
  const caller = callerOf(environment, behaviour, signal);
  const submitFollowUp = () => caller.call('submission', '/run', behaviour.encode(behaviour.body));
  const receiver =
    style === 'webhook' && behaviour.listens
      ? await startReceiver(environment.webhookPort, behaviour, submitFollowUp)
      : null;
  const work: Work = { behaviour, caller, signal, receiver };
  try {
    const outcome = await outcomeOf(style, work, environment);
    if (behaviour.lingersMs > 0) await sleep(behaviour.lingersMs, undefined, { signal });
    await receiver?.followedUp();
    if (behaviour.hangs) await sleep(1e9, undefined, { signal });
    if (outcome !== null && !behaviour.successes.includes(outcome)) throw new Error(`the job is ${outcome}`);
  } finally {
    caller.close();
    await receiver?.close();
  }
}

/** Null: its submission failed, and the client does not mind. */
async function outcomeOf(style: Style, work: Work, environment: ClientEnvironment): Promise<Outcome | null> {
  const { behaviour, caller } = work;
  for (let purge = 0; purge < behaviour.purges; purge += 1)
    await caller.call('action', '/purge-queue').catch(ignoreFailedCall);
  const submitted = await submit(style, work, environment).catch((error: unknown) => {
    if (behaviour.ignoresFailedSubmission && error instanceof CallFailed) return null;
    throw error;
  });
  if (submitted === null) return null;
  const { id, status } = submitted;
  const startOver = () =>
    outcomeOf(style, { ...work, behaviour: { ...behaviour, startsOverAfter: [] } }, environment);
  try {
    const isSynchronous =
      style === 'runsync' && (isEnd(status, behaviour) || behaviour.unfinished !== 'follows');
    if (isSynchronous && status !== null)
      return behaviour.unfinished === 'follows' || isEnded(status) ? status : 'COMPLETED';
    const outcome = style === 'streaming' ? await stream(id, work) : await follow(id, work);
    if (behaviour.startsOverAfter.includes(outcome)) return await startOver();
    if ((outcome === 'late' && behaviour.cancels) || behaviour.cancelsEnded) await cancel(id, caller);
    if (outcome === 'late' && behaviour.purgesAtEnd) await caller.call('action', '/purge-queue');
    return outcome;
  } catch (error) {
    if (error instanceof CallFailed && behaviour.startsOverAfter.includes('unreadable')) return startOver();
    if (error instanceof CallFailed && behaviour.cancels) await cancel(id, caller);
    throw error;
  }
}

async function submit(
  style: Style,
  { behaviour, caller }: Work,
  { webhookUrl }: ClientEnvironment,
): Promise<{ id: string; status: JobStatus | null }> {
  const { body, wait, webhook } = behaviour;
  const address = webhook(`${webhookUrl}/done`);
  const text = behaviour.encode(style === 'webhook' ? { ...body, webhook: address } : body);
  const path = style === 'runsync' ? `/runsync${wait === null ? '' : `?wait=${wait}`}` : '/run';
  let record = recordOf((await caller.call('submission', path, text)).body);
  for (let again = 0; again < 3 && behaviour.unfinished === 'submits-again' && style === 'runsync'; again++) {
    if (isEnd(record.status, behaviour)) break;
    record = recordOf((await caller.call('submission', path, text)).body);
  }
  if (record.id === null) throw new Error('the submission was answered without an id');
  return { id: record.id, status: record.status };
}

/** Reads its status until it has ended. */
async function follow(id: string, work: Work): Promise<Outcome> {
  const { behaviour, signal, receiver, caller } = work;
  const beganMs = performance.now();
  const seen = { any: false, retries: 0 };
  for (;;) {
    if (receiver !== null)
      await receiver.delivered(id, behaviour.fallsBack ? 4 * behaviour.pollMs : null, signal);
    const status = behaviour.overlaps ? await overlapping(id, work) : await read(id, work);
    if (status === null) {
      const mayCome = !seen.any && performance.now() - beganMs < behaviour.unknownForMs;
      if (!mayCome && !behaviour.takesGoneForWaiting) return 'gone';
    } else {
      seen.any = true;
      if (behaviour.retries.includes(status) && seen.retries < behaviour.retriesMax) {
        seen.retries += 1;
        // After a reply that is lost it looks how the job is.
        await caller.call('retry', `/retry/${id}`).catch(ignoreFailedCall);
      } else if (isEnd(status, behaviour)) {
        for (let more = 0; more < behaviour.readsAfterFinal; more++) {
          await sleep(behaviour.pollMs, undefined, { signal });
          await read(id, work);
        }
        return status;
      }
    }
    if (performance.now() - beganMs > behaviour.deadlineMs) return 'late';
    if (receiver === null) await sleep(behaviour.pollMs, undefined, { signal });
  }
}

/** Null: 404. */
async function read(id: string, { behaviour, caller }: Work): Promise<JobStatus | null> {
  try {
    return recordOf((await caller.call('read', behaviour.statusPath(id))).body).status;
  } catch (error) {
    if (error instanceof CallFailed && error.failure === 404) return null;
    throw error;
  }
}

/** Starts a read by each tick of a timer, and takes the first answer. */
async function overlapping(id: string, work: Work): Promise<JobStatus | null> {
  const reads: Promise<JobStatus | null>[] = [];
  let isAnswered = false;
  while (!isAnswered) {
    const reading = read(id, work);
    reads.push(reading);
    void reading.then(
      () => (isAnswered = true),
      () => (isAnswered = true),
    );
    await sleep(work.behaviour.pollMs, undefined, { signal: work.signal });
  }
  return Promise.race(reads);
}

/** Reads chunks until a read of the status says that there will be no more. */
async function stream(id: string, work: Work): Promise<Outcome> {
  const { behaviour, signal } = work;
  const beganMs = performance.now();
  let isKnown = false;
  for (;;) {
    const count = await readChunks(id, work);
    isKnown ||= count !== null;
    const mayCome = !isKnown && performance.now() - beganMs < behaviour.unknownForMs;
    if (count === null && !mayCome) return 'gone';
    if (count === 0) {
      if (behaviour.streamEnds === 'at-empty-read') return 'COMPLETED';
      if (behaviour.streamEnds === 'at-empty-read-then-polls') return follow(id, work);
      const status = await read(id, work);
      if (status === null) return 'gone';
      if (isEnd(status, behaviour)) {
        await readChunks(id, work);
        return status;
      }
    }
    if (performance.now() - beganMs > behaviour.deadlineMs) return 'late';
    await sleep(behaviour.pollMs, undefined, { signal });
  }
}

/** How many there were; null: 404. */
async function readChunks(id: string, { caller }: Work): Promise<number | null> {
  try {
    const { body } = await caller.call('read', `/stream/${id}`);
    const chunks = isObject(body) ? body['stream'] : body;
    return Array.isArray(chunks) ? chunks.length : 0;
  } catch (error) {
    if (error instanceof CallFailed && error.failure === 404) return null;
    throw error;
  }
}

async function cancel(id: string, caller: Caller): Promise<void> {
  await caller.call('action', `/cancel/${id}`).catch(ignoreFailedCall);
}

function ignoreFailedCall(error: unknown): void {
  if (!(error instanceof CallFailed)) throw error;
}

const isEnded = (status: JobStatus): boolean => ENDED_STATUSES.includes(status);
const isEnd = (status: JobStatus | null, { finals }: Behaviour): boolean =>
  status !== null && finals.includes(status);

function recordOf(body: unknown): { id: string | null; status: JobStatus | null } {
  if (!isObject(body)) return { id: null, status: null };
  const { id, status } = body;
  return {
    id: typeof id === 'string' ? id : null,
    status: typeof status === 'string' ? (status as JobStatus) : null,
  };
}
