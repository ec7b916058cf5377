import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../../src/history/events.js';
import { runScriptedWorker, WorkerCrash } from '../../../src/worker/run-scripted-worker.js';
import { createSdkWorker, type SdkWorker } from './sdk-worker.js';

interface TakenJob {
  readonly id: string;
  readonly input: Json;
  readonly s3Config?: Json;
}

/** Remote workers that are kept running. */
export interface ScriptedWorkers {
  /** Resolves when every worker has ended its present job, or abandoned it. */
  close(): Promise<void>;
}

const PING_MS = 10_000;

/**
 * Starts `count` scripted workers (contract `scripted-worker`) that fetch their jobs over the pull protocol.
 */
export function startScriptedWorkers(base: string, apiKey: string, count: number): ScriptedWorkers {
  const closing = new AbortController();
  const ranBefore = new Set<string>();
  let made = 0;

  /** Keeps one worker running: a worker that crashes is replaced. */
  async function keepOneWorker(): Promise<void> {
    while (!closing.signal.aborted) await runWorker(createSdkWorker(base, `pod-${++made}`, apiKey));
  }

  async function runWorker(worker: SdkWorker): Promise<void> {
    const lifetime = new AbortController();
    const signal = AbortSignal.any([closing.signal, lifetime.signal]);
    const running = new Map<string, AbortController>();
    const background = [
      forever(signal, () => stopJobs(worker, running, signal)),
      forever(signal, () => sendHeartbeat(worker, running, signal)),
    ];
    await forever(signal, async () => {
      const answer = await worker.take({ signal });
      if (answer.status !== 200) return;
      const job = answer.json as TakenJob;
      const stop = new AbortController();
      running.set(job.id, stop);
      await work(worker, job, AbortSignal.any([closing.signal, stop.signal]), lifetime);
      running.delete(job.id);
    });
    await Promise.all(background);
  }

  async function work(
    worker: SdkWorker,
    job: TakenJob,
    signal: AbortSignal,
    lifetime: AbortController,
  ): Promise<void> {
    const again = ranBefore.has(job.id);
    ranBefore.add(job.id);
    let sent: Promise<unknown> = Promise.resolve();
    let streams = false;
    const emit = (output: Json) => {
      streams = true;
      // In the order in which they were produced, as one connection brings them.
      for (const part of inParts(output)) sent = sent.then(() => worker.stream(job.id, { output: part }));
    };
    try {
      const output = await runScriptedWorker({ ...job, ranBefore: again }, { signal, emit });
      await sent;
      await worker.done(job.id, { output }, streams);
    } catch (error) {
      if (signal.aborted) return;
      await sent;
      const died = error instanceof WorkerCrash;
      await worker.done(job.id, { error: (error as Error).message, ...(died && { stopPod: true }) }, streams);
      if (died) lifetime.abort();
    }
  }

  const slots = Array.from({ length: count }, keepOneWorker);
  return {
    async close() {
      closing.abort();
      await Promise.all(slots);
    },
  };
}

async function stopJobs(
  worker: SdkWorker,
  running: ReadonlyMap<string, AbortController>,
  signal: AbortSignal,
) {
  const answer = await worker.stops({ signal });
  if (answer.status !== 200) return;
  const { jobsToStop } = answer.json as { readonly jobsToStop: readonly string[] };
  for (const id of jobsToStop) running.get(id)?.abort();
}

async function sendHeartbeat(worker: SdkWorker, running: ReadonlyMap<string, unknown>, signal: AbortSignal) {
  await worker.ping(running.size === 0 ? null : [...running.keys()].join(','), { signal });
  await sleep(PING_MS, undefined, { signal });
}

/** Repeats like a deployed worker, even after errors. */
async function forever(signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await act().catch(async () => {
      if (!signal.aborted) await sleep(50);
    });
  }
}

/** The SDK sends what the handler yields; a string that is too long for one chunk is the handler's to cut. */
function inParts(output: Json): readonly Json[] {
  const CHUNK = 900_000;
  if (typeof output !== 'string' || output.length <= CHUNK) return [output];
  return Array.from({ length: Math.ceil(output.length / CHUNK) }, (_, at) =>
    output.slice(at * CHUNK, (at + 1) * CHUNK),
  );
}
