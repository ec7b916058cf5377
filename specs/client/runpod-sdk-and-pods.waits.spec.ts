import runpodSdk from 'runpod-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../src/server/index.js';
import { startScriptedWorkers, type ScriptedWorkers } from '../server/pull/scripted-workers.js';

/** The official JavaScript client, unmodified, at one end, and workers that pull their jobs at the other. */

let server: RunningServer;
let pods: ScriptedWorkers;
let endpoint: NonNullable<ReturnType<ReturnType<typeof runpodSdk>['endpoint']>>;

beforeAll(async () => {
  server = await startServer({ edition: 'runpod', apiKeys: ['client-key'], workers: 0 });
  pods = startScriptedWorkers(`${server.url}/v2/test`, 'client-key', 2);
  endpoint = runpodSdk('client-key', { baseUrl: `${server.url}/v2` }).endpoint('test')!;
});
afterAll(async () => {
  await pods.close();
  await server.close();
});

it('runSync', async () => {
  const result = await endpoint.runSync({ input: { plan: [{ sleepMs: 30 }, { return: { answer: 42 } }] } });
  expect(result).toMatchObject({ status: 'COMPLETED', output: { answer: 42 }, succeeded: true });
});

it('runSync of a job that fails', async () => {
  const result = await endpoint.runSync({ input: { plan: [{ fail: 'no luck' }] } });
  expect(result).toMatchObject({ status: 'FAILED', error: 'no luck', succeeded: false });
});

it('stream yields every chunk once, and ends', async () => {
  const plan = [{ stream: 'a' }, { sleepMs: 40 }, { stream: { b: 2 } }, { sleepMs: 40 }, { return: 'end' }];
  const { id } = await endpoint.run({ input: { plan } });
  const chunks = [];
  for await (const chunk of endpoint.stream(id)) chunks.push((chunk as { output: unknown }).output);
  expect(chunks).toEqual(['a', { b: 2 }]);
});

it('cancel stops the worker, which takes the next job', async () => {
  const hanging = await Promise.all([1, 2].map(() => endpoint.run({ input: { plan: [{ hang: true }] } })));
  for (const { id } of hanging) {
    expect(await endpoint.cancel(id)).toEqual({ id, status: 'CANCELLED' });
    expect(await endpoint.status(id)).toMatchObject({ status: 'CANCELLED', succeeded: false });
  }
  const result = await endpoint.runSync({ input: { plan: [{ return: 'next' }] } });
  expect(result).toMatchObject({ status: 'COMPLETED', output: 'next' });
});
