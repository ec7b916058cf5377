/** A service without workers that starts one for the first job: the probe waits for it as long as it may. */
import { expect, it } from 'vitest';
import { hasNoWorkers, noWorkerTook } from '../../src/schedule/latency.js';
import { LOCAL_API_KEY, startServer } from '../../src/server/index.js';
import { httpTarget, type HttpTargetOptions } from '../../src/target/http/index.js';

const PROBE_MS = 200;

async function found(
  edition: 'document' | 'runpod',
  coldStartMs: number,
  options: Partial<HttpTargetOptions> = {},
) {
  const server = await startServer({
    edition,
    endpoints: ['cold'],
    workers: {
      min: 0,
      max: 1,
      coldStartMs,
      idleTimeoutMs: 5_000,
      scaler: { kind: 'request-count', jobsPerWorker: 1 },
    },
  });
  const url = `${server.url}/v2/cold`;
  const target = await httpTarget({ url, apiKey: LOCAL_API_KEY, probeMs: PROBE_MS, ...options });
  const { latency, notes, capabilities } = target;
  await target.close();
  await server.close();
  return { latency, notes, isScripted: capabilities.includes('scripted-worker') };
}

it('waits for one that /health shows to be starting', async () => {
  const { latency, notes, isScripted } = await found('runpod', 1_200);
  expect(hasNoWorkers(latency)).toBe(false);
  expect(isScripted, notes.join()).toBe(true);
});

it('waits where nothing shows it, if the budget allows', async () => {
  const { latency, notes, isScripted } = await found('document', 1_200, { workerStartMs: 20_000 });
  expect(hasNoWorkers(latency)).toBe(false);
  expect(isScripted, notes.join()).toBe(true);
});

it('says how long it has waited and what would help where it does not wait', async () => {
  for (const options of [{}, { workerStartMs: 500 }]) {
    const { latency, notes } = await found('document', 30_000, options);
    expect(hasNoWorkers(latency)).toBe(true);
    expect(notes.join()).toContain('none took a job of the probe within 1 s');
    expect(notes.join()).toContain('One may be starting: --budget 5m waits for it for longer');
  }
});

it('plans with what a job takes once the worker is there', async () => {
  const { latency } = await found('document', 2_600, { workerStartMs: 20_000 });
  expect(latency.dispatchMs).toBeLessThan(1_000);
});

it('advises a budget that waits for twice as long', () => {
  expect(noWorkerTook(60_400)).toContain('within 60 s');
  expect(noWorkerTook(60_400)).toContain('--budget 5m');
  expect(noWorkerTook(120_000)).toContain('--budget 10m');
});
