import { expect, it } from 'vitest';
import { type ServerOptions } from '../../src/server/index.js';
import { createCaller } from './caller.js';
import { forThisTest, listen, serveEndpoint } from '../support/servers.js';

async function serve(options: ServerOptions = {}) {
  const endpoint = await serveEndpoint({ metrics: true, ...options });
  const scrape = async (): Promise<Map<string, number>> => {
    const text = await (await fetch(`${endpoint.url}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith('runproof_'));
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    );
  };
  return { ...endpoint, scrape };
}

it('there are none unless requested', async () => {
  const { url } = await serve({ metrics: false });
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
});

it('counts calls, jobs, workers, queue waits and webhooks', async () => {
  const receiver = forThisTest(await listen((_incoming, outgoing) => void outgoing.writeHead(204).end()));
  const { api, control, advance, scrape } = await serve({ workers: 2 });
  await control.send('PUT', '/endpoints/other', { body: { workers: 3 } });
  const webhook = `${receiver.url}/`;
  await api.post('/run', { input: { plan: [{ sleepMs: 4_000 }] }, webhook });
  await api.post('/run', { input: { plan: [{ hang: true }] } });
  await api.post('/run', { input: { plan: [{ hang: true }] } });
  await api.post('/run', { input: { plan: [{ hang: true }] } });
  await api.post('/run', { input: 7 });
  await api.get('/status/<script>');
  await advance(5_000);

  const metrics = await scrape();
  const of = (name: string): number | undefined => metrics.get(`runproof_${name}`);
  expect(of('requests_total{operation="run",code="200"}')).toBe(4);
  expect(of('requests_total{operation="run",code="400"}')).toBe(1);
  expect(of('requests_total{operation="status",code="404"}')).toBe(1);
  expect(of('request_duration_seconds_count{operation="run"}')).toBe(5);
  expect(of('jobs{status="COMPLETED"}')).toBe(1);
  expect(of('jobs{status="IN_PROGRESS"}')).toBe(2);
  expect(of('jobs{status="IN_QUEUE"}')).toBe(1);
  expect(of('jobs{status="FAILED"}')).toBe(0);
  expect(of('workers{state="running"}')).toBe(2);
  expect(of('workers{state="idle"}')).toBe(3);
  expect(of('endpoints')).toBe(2);
  expect(of('queue_wait_seconds_count')).toBe(3);
  expect(of('queue_wait_seconds_bucket{le="1"}')).toBe(2);
  expect(of('queue_wait_seconds_bucket{le="5"}')).toBe(3);
  expect(of('webhook_calls_total{code="2xx"}')).toBe(1);
});

it('no label contains a value chosen by a client', async () => {
  const { url, server, scrape } = await serve();
  const control = createCaller(server.controlUrl!, 'k');
  const before = (await scrape()).size;
  const ask = async (n: number): Promise<void> => {
    const name = `made-up-${n}`;
    await control.send('PUT', `/endpoints/${name}`, { body: { workers: 1 } });
    await fetch(`${url}/v2/${name}/status/${name}`, { headers: { authorization: 'k' } });
    await fetch(`${url}/v2/${name}/${name}`, { method: 'POST', headers: { authorization: name } });
    await fetch(`${url}/${name}`, { headers: { authorization: 'k' } });
  };
  await ask(1);
  const after = (await scrape()).size;
  for (let n = 2; n < 30; n++) await ask(n);
  expect((await scrape()).size).toBe(after);
  expect(after).toBeGreaterThan(before);
  expect(await (await fetch(`${url}/metrics`)).text()).not.toContain('made-up');
});
