import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../spec/types.js';
import { expectedWaitMs, type InFlightRequest } from '../session/http-client.js';

/** How long a run may take to end after it was interrupted, in ms. */

/** Real ms in which jobs are ended, from the signal on: then no call is waited for any more. */
const ENDING_MS = 1_350;
/** Of these: how long answers are waited for that tell which jobs there are. The shortest `wait` is a second. */
const LEARNING_MS = 1_050;

/** Calls `stop` so long after the signal. Returns the way to forget it. */
export function stopAfter(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal === undefined) return () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    timer ??= setTimeout(stop, ENDING_MS);
  };
  if (signal.aborted) start();
  signal.addEventListener('abort', start);
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', start);
  };
}

/** How long an answer that is due may take, where a script is given up. */
const ANSWER_MS = 10_000;

const STARTS_JOBS: readonly Operation[] = ['run', 'runsync', 'retry', 'openai'];

/**
 * Waits for the answers of calls on their way that set a job going: only these tell the ids by which jobs can be
 * ended, and whether a retry has come through. A `/runsync` answers when its job has ended or its `wait` is over.
 *
 * @param speed how many times as fast as real time the clock of `nowMs` runs
 * @param signal once aborted, the wait is short
 */
export async function awaitSubmissionReplies(
  requests: Iterable<InFlightRequest>,
  nowMs: number,
  speed: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const starting = [...requests].filter(({ call: { op } }) => op !== null && STARTS_JOBS.includes(op));
  if (starting.length === 0) return;
  const dueMs = starting.map((request) => (request.sentMs + expectedWaitMs(request.call) - nowMs) / speed);
  const timeLimit = new AbortController();
  const wait = (ms: number): Promise<void> => sleep(ms, undefined, { signal: timeLimit.signal });
  let hurry = (): void => undefined;
  const hurried = new Promise<void>((resolve) => {
    hurry = resolve;
  });
  if (signal?.aborted === true) hurry();
  signal?.addEventListener('abort', hurry);
  await Promise.race([
    Promise.all(starting.map((request) => request.settled)),
    // Counted from now, not from when they were sent: answers may have arrived and not been read yet.
    wait(Math.max(0, ...dueMs) + ANSWER_MS).catch(() => undefined),
    hurried.then(() => wait(LEARNING_MS)).catch(() => undefined),
  ]);
  signal?.removeEventListener('abort', hurry);
  timeLimit.abort();
}
