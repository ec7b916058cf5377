/** The webhook of an ended job, sent again: by the page and by a test. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ServerOptions } from '../../../src/server/index.js';
import { askPage, tokenOf } from '../page/page-caller.js';
import { listen, serveEndpoint, type Listening } from '../../support/servers.js';

const bodies: string[] = [];
let receiver: Listening;
let webhook: string;
beforeAll(async () => {
  receiver = await listen((incoming, outgoing) => {
    let body = '';
    incoming.on('data', (chunk) => (body += String(chunk)));
    incoming.on('end', () => {
      bodies.push(`${incoming.method} ${incoming.url} ${body}`);
      outgoing.writeHead(500).end();
    });
  });
  webhook = `${receiver.url}/hook`;
});
beforeEach(() => void (bodies.length = 0));
afterAll(() => receiver[Symbol.asyncDispose]());

async function serve(options: ServerOptions = {}) {
  const { server, api } = await serveEndpoint(options);
  const headers = { 'x-runproof-page': await tokenOf(server.port), authorization: 'k' };
  const ask = async (path: string, method = 'GET') => {
    const { status, text } = await askPage(server.port, `/_page/${path}`, headers, method);
    return { status, body: JSON.parse(text) as object };
  };
  return {
    server,
    run: async (body: object) => (await api.post('/run', { input: {}, ...body })).json.id as string,
    resend: (id: string) => ask(`webhook?endpoint=test&id=${id}`, 'POST'),
    seen: async (id: string) => [(await ask(`job?endpoint=test&id=${id}`)).body, (await ask('state')).body],
  };
}

it('the job and its attempts stay as they are', async () => {
  const { server, run, resend, seen } = await serve();
  const id = await run({ input: { plan: [{ sleepMs: 5_000 }] }, webhook });
  expect((await resend(id)).status).toBe(404);
  await server.advance(7_000);
  expect(bodies).toHaveLength(1);
  const [job, state] = await seen(id);
  expect(job).toMatchObject({ next: [{ kind: 'webhook', atMs: 15_000 }, { kind: 'retention' }] });
  expect(await resend(id)).toEqual({ status: 200, body: { status: 500 } });
  expect(await server.resendWebhook(id)).toBe(500);
  expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
  expect(bodies[0]).toContain(`"id":"${id}"`);
  const resent = { attempt: null, atMs: 7_000, url: webhook, forwardedTo: null, status: 500 };
  const webhooks = [{ ...resent, attempt: 1, atMs: 5_000 }, resent, resent];
  expect(await seen(id)).toEqual([{ ...job, webhooks }, state]);
  await server.advance(8_000);
  expect(bodies).toHaveLength(4);
});

it('there are no faults on demand, and the reach of webhooks holds', async () => {
  const { server, run, resend } = await serve({ faults: ['webhook=lost'] });
  const lost = await run({ webhook });
  const far = await run({ webhook: webhook.replace('127.0.0.1', '10.0.0.1') });
  const none = await run({});
  await server.advance(0);
  expect(bodies).toEqual([]);
  expect((await resend(lost)).body).toEqual({ status: 500 });
  expect((await resend(far)).body).toEqual({ status: null });
  expect((await resend(none)).status).toBe(404);
  await expect(server.resendWebhook(none)).rejects.toThrow('not ended, or without a webhook');
  expect(bodies).toHaveLength(1);
});
