/** The pull protocol without a port: a worker and a client in the process of the endpoint. */
import { expect, it } from 'vitest';
import { createApp } from '../../../src/server/index.js';

const headers = { authorization: 'k' };
const app = createApp({ apiKeys: ['k'], workers: 0, pollMs: 100 });
const call = async (method: string, path: string, body?: unknown, signal?: AbortSignal) =>
  app.fetch(
    new Request(`http://app.test/v2/test${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }),
  );
const submit = async (): Promise<string> =>
  ((await (await call('POST', '/run', { input: {} })).json()) as { id: string }).id;

it('a job is taken, run and read', async () => {
  const taken = call('GET', '/job-take/pod?gpu=SIM');
  const id = await submit();
  const answer = await taken;
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(await answer.json()).toEqual({ id, input: {} });
  expect((await call('POST', `/job-done/pod/${id}?gpu=SIM`, { output: 1 })).status).toBe(200);
  expect(await (await call('GET', `/status/${id}`)).json()).toMatchObject({ status: 'COMPLETED', output: 1 });
});

it('a call that gives up gets no job, and a call without a job is answered', async () => {
  const controller = new AbortController();
  const given = call('GET', '/job-take/pod?gpu=SIM', undefined, controller.signal);
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  expect((await given).status).toBe(499);
  const id = await submit();
  expect(await (await call('GET', '/job-take/other?gpu=SIM')).json()).toEqual({ id, input: {} });
  const none = await call('GET', '/job-take/other?gpu=SIM');
  expect([none.status, await none.text()]).toEqual([204, '']);
});
