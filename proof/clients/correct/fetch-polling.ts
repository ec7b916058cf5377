/** Polls with growing pauses. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientEnvironment } from '../../../src/features/client/environment.js';
import { fetchApi, FINAL, type FetchApi } from './fetch-api.js';

const DEADLINE_MS = 20_000;
const MAY_BE_UNKNOWN_MS = 2_000;
const POLL_MAX_MS = 1_000;

export async function pollOnce(environment: ClientEnvironment, signal: AbortSignal): Promise<void> {
  await runToEnd(fetchApi(environment, signal), { prompt: 'a heron' }, signal);
}

const JOBS = 5;

/** Submits five jobs and waits for all of them. */
export async function pollFive(environment: ClientEnvironment, signal: AbortSignal): Promise<void> {
  const api = fetchApi(environment, signal);
  const runs = Array.from({ length: JOBS }, (_, index) =>
    runToEnd(api, { prompt: 'a heron', index }, signal),
  );
  const ends = await Promise.allSettled(runs);
  const failed = ends.filter((end) => end.status === 'rejected');
  if (failed.length > 0) throw new Error(`${failed.length} of ${JOBS} jobs failed: ${failed[0]!.reason}`);
}

/** @throws {Error} unless the job completes */
async function runToEnd(api: FetchApi, input: object, signal: AbortSignal): Promise<void> {
  const { id } = await api.run(input);
  const acceptedMs = Date.now();
  let wasKnown = false;
  try {
    for (
      let pauseMs = 100;
      Date.now() - acceptedMs < DEADLINE_MS;
      pauseMs = Math.min(POLL_MAX_MS, pauseMs * 1.5)
    ) {
      const job = await api.status(id);
      wasKnown ||= job !== null;
      if (job === null && (wasKnown || Date.now() - acceptedMs > MAY_BE_UNKNOWN_MS)) break;
      if (job !== null && FINAL.includes(job.status)) {
        if (job.status === 'COMPLETED') return;
        break;
      }
      await sleep(pauseMs, undefined, { signal });
    }
  } catch (error) {
    signal.throwIfAborted();
    await api.cancel(id).catch(() => undefined);
    throw error;
  }
  if (Date.now() - acceptedMs >= DEADLINE_MS) await api.cancel(id).catch(() => undefined);
  throw new Error('the job did not complete');
}
