/** `scenarios/worker/handler.mjs` does what our own scripted worker does, plan by plan. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/history/events.js';
import { loadHandler } from '../../src/server/handlers/load-handler.js';
import type { HandlerJob } from '../../src/server/index.js';
import type { WorkerJob } from '../../src/worker/scripted-worker.js';
import { expected, JOBS } from './plans.js';

const handler = await loadHandler(
  fileURLToPath(new URL('../../scenarios/worker/handler.mjs', import.meta.url)),
);

/** Runs a job on a virtual clock, and returns what was done when. */
async function runJob(job: WorkerJob): Promise<Json> {
  const log: Json[] = [];
  const over = new AbortController();
  let sleptMs = 0;
  let died = false;
  const tell = (kind: string, ...more: readonly Json[]) => {
    log.push([sleptMs, kind, ...more]);
    sleptMs = 0;
  };
  const context = {
    signal: over.signal,
    progress: () => undefined,
    produce: (output: unknown, metrics: Json) => tell('stream', output as Json, metrics),
    sleep: async (ms: number) => void (sleptMs += ms),
    crash: () => {
      died = true;
      tell('crash', null);
    },
  };
  const whole: HandlerJob = { ...job, id: 'job', endpointId: 'test', workerId: 'worker' };
  const run = (async () => {
    const steps = handler(whole, context) as AsyncGenerator<Json, Json>;
    try {
      for (;;) {
        const { done, value } = await steps.next();
        if (over.signal.aborted || died) return;
        tell(done === true ? 'success' : 'stream', value);
        if (done === true) return;
      }
    } catch {
      tell('error', null);
    }
  })();
  const giveUp = setTimeout(() => over.abort(), 200);
  await run;
  clearTimeout(giveUp);
  return log;
}

describe('handler.mjs', () => {
  it(`follows ${JOBS.length} plans as our scripted worker does`, async () => {
    const log = await Promise.all(JOBS.map(runJob));
    for (const [index, job] of JOBS.entries()) expect([job, log[index]]).toEqual([job, expected(job)]);
  });

  it('splits a long string into pieces that add up to it', async () => {
    const text = 'é😀x'.repeat(300_001);
    const parts = (await runJob({
      input: { plan: [{ stream: text }] },
      s3Config: null,
      ranBefore: false,
    })) as [number, string, string][];
    const streamed = parts.filter(([, kind]) => kind === 'stream').map(([, , output]) => output);
    expect(streamed.join('')).toBe(text);
    for (const part of streamed) {
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(1_000_000);
      expect(Buffer.from(part).toString()).toBe(part);
    }
  });

  it('does not end a process that does not allow it: there, a crash is a handler error', async () => {
    const steps = (handler as (job: unknown) => AsyncGenerator)({
      id: 'crashes',
      input: { plan: [{ crash: true }] },
    });
    await expect(steps.next()).rejects.toThrow('RUNPROOF_WORKER_MAY_EXIT=1');
  });
});
