/** A client's test: the endpoint itself in this process, a clock that the test moves, and faults on demand. */
import { LOCAL_API_KEY, startServer } from 'runproof';
import { expect, test } from 'vitest';
import { runJob } from './run-job.js';

/** An endpoint of its own for each test, and the client's view of it. */
async function begin(workers = 1) {
  const server = await startServer({ clock: 'controlled', workers });
  const wait = (ms: number) => server.advance(ms);
  return { server, service: { baseUrl: server.url, endpoint: 'test', apiKey: LOCAL_API_KEY, wait } };
}

test('a job of nine minutes is waited for', async () => {
  const { server, service } = await begin();
  const output = await runJob(service, { plan: [{ sleepMs: 540_000 }, { return: { sum: 6 } }] });
  expect(output).toEqual({ sum: 6 });
  expect(server.nowMs()).toBeGreaterThanOrEqual(540_000);
  await server.close();
});

test('a job that expires in the queue is reported, not asked for until the end of time', async () => {
  const { server, service } = await begin(0);
  await expect(runJob(service, { plan: [] }, { ttl: 60_000 })).rejects.toThrow('the job has expired');
  expect(server.nowMs()).toBeLessThan(65_000);
  await server.close();
});

test('a 503 is tried again, and the job is submitted once', async () => {
  const { server, service } = await begin();
  server.addFault('run:#1=503');
  expect(await runJob(service, { plan: [{ return: 1 }] })).toBe(1);
  expect(
    server
      .calls()
      .filter(({ path }) => path.endsWith('/run'))
      .map(({ status }) => status),
  ).toEqual([503, 200]);
  expect(server.jobs()).toHaveLength(1);
  await server.close();
});

test('a refused read is repeated after the time that the service asks for', async () => {
  const { server, service } = await begin();
  // The faults reach calls to the endpoint of this id only: other tests can use the same server.
  const faults = server.faultsForTest({ status: ['503', '429:2s'] });
  expect(await runJob({ ...service, endpoint: faults.id }, { plan: [{ return: 1 }] })).toBe(1);
  expect(faults.pending()).toEqual({}); // without this line, a client that never reads would pass
  await server.close();
});

test('the reason of a failed job reaches the caller', async () => {
  const { server, service } = await begin();
  await expect(runJob(service, { plan: [{ fail: 'out of memory' }] })).rejects.toThrow(
    'FAILED: out of memory',
  );
  await server.close();
});
