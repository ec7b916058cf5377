import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../../src/history/events.js';
import { runScriptedWorker, WorkerCrash } from '../../../src/worker/run-scripted-worker.js';
import { createPod, type Pod } from './pod.js';

interface TakenJob {
  readonly id: string;
  readonly input: Json;
  readonly s3Config?: Json;
}

/** What the platform does with its pods. */
export interface Pods {
  /** Resolves when every pod has ended its present job, or given it up. */
  close(): Promise<void>;
}

const PING_MS = 10_000;

/** Scripted workers (contract `scripted-worker`) that fetch their jobs over the pull protocol, so many at a time. */
export function startScriptedPods(base: string, apiKey: string, count: number): Pods {
  const closing = new AbortController();
  const ranBefore = new Set<string>();
  let made = 0;

  /** One process after the other in the same place: a worker that dies is replaced by a fresh one. */
  async function place(): Promise<void> {
    while (!closing.signal.aborted) await livePod(createPod(base, `pod-${++made}`, apiKey));
  }

  async function livePod(pod: Pod): Promise<void> {
    const life = new AbortController();
    const signal = AbortSignal.any([closing.signal, life.signal]);
    const running = new Map<string, AbortController>();
    const beside = [
      forever(signal, () => stopJobs(pod, running, signal)),
      forever(signal, () => beat(pod, running, signal)),
    ];
    await forever(signal, async () => {
      const answer = await pod.take({ signal });
      if (answer.status !== 200) return;
      const job = answer.json as TakenJob;
      const stop = new AbortController();
      running.set(job.id, stop);
      await work(pod, job, AbortSignal.any([closing.signal, stop.signal]), life);
      running.delete(job.id);
    });
    await Promise.all(beside);
  }

  async function work(pod: Pod, job: TakenJob, signal: AbortSignal, life: AbortController): Promise<void> {
    const again = ranBefore.has(job.id);
    ranBefore.add(job.id);
    let sent: Promise<unknown> = Promise.resolve();
    let streams = false;
    const emit = (output: Json) => {
      streams = true;
      // In the order in which they were produced, as one connection brings them.
      for (const part of inParts(output)) sent = sent.then(() => pod.stream(job.id, { output: part }));
    };
    try {
      const output = await runScriptedWorker({ ...job, ranBefore: again }, { signal, emit });
      await sent;
      await pod.done(job.id, { output }, streams);
    } catch (error) {
      if (signal.aborted) return;
      await sent;
      const died = error instanceof WorkerCrash;
      await pod.done(job.id, { error: (error as Error).message, ...(died && { stopPod: true }) }, streams);
      if (died) life.abort();
    }
  }

  const places = Array.from({ length: count }, place);
  return {
    async close() {
      closing.abort();
      await Promise.all(places);
    },
  };
}

async function stopJobs(pod: Pod, running: ReadonlyMap<string, AbortController>, signal: AbortSignal) {
  const answer = await pod.stops({ signal });
  if (answer.status !== 200) return;
  const { jobsToStop } = answer.json as { readonly jobsToStop: readonly string[] };
  for (const id of jobsToStop) running.get(id)?.abort();
}

async function beat(pod: Pod, running: ReadonlyMap<string, unknown>, signal: AbortSignal) {
  await pod.ping(running.size === 0 ? null : [...running.keys()].join(','), { signal });
  await sleep(PING_MS, undefined, { signal });
}

/** As deployed workers do, whatever comes: an error, and it asks again. */
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
