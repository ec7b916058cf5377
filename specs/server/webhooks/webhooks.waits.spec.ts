import { type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../../src/server/index.js';
import { createWebhookCaller } from '../../../src/server/webhooks/webhook-caller.js';
import { createCaller, type Caller } from '../caller.js';
import { listen, type Listening } from '../../support/servers.js';

type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

let server: RunningServer;
let api: Caller;
let advance: (byMs: number) => Promise<unknown>;
let receiver: Listening;
let hook: string;
let answer: Answer;
let bodies: string[];
let contentTypes: (string | undefined)[];

beforeEach(async () => {
  server = await startServer({ clock: 'controlled', apiKeys: ['k'] });
  api = createCaller(`${server.url}/v2/test`, 'k');
  advance = (byMs) => createCaller(server.controlUrl!, 'k').post('/clock/advance', { byMs });
  bodies = [];
  contentTypes = [];
  receiver = await listen((incoming, outgoing) => {
    let body = '';
    incoming.on('data', (chunk) => (body += chunk));
    incoming.on('end', () => {
      bodies.push(body);
      contentTypes.push(incoming.headers['content-type']);
      answer(incoming, outgoing);
    });
  });
  hook = `${receiver.url}/hook?token=t`;
});
afterEach(async () => {
  await server.close();
  await receiver[Symbol.asyncDispose]();
});

const post = (url: string) => ({
  job: 'j',
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: {},
});

const run = async (plan: unknown[], webhook = hook): Promise<string> =>
  (await api.post('/run', { input: { plan }, webhook })).json.id as string;

it('is a POST of JSON that describes the job', async () => {
  answer = (incoming, outgoing) => {
    expect([incoming.method, incoming.url]).toEqual(['POST', '/hook?token=t']);
    outgoing.end();
  };
  const id = await run([{ return: { a: 1 } }]);
  await advance(60_000);
  expect(contentTypes).toEqual(['application/json']);
  expect(JSON.parse(bodies[0]!)).toMatchObject({ id, status: 'COMPLETED', output: { a: 1 } });
});

it('is called once when it answers 200, whatever else it answers', async () => {
  answer = (_incoming, outgoing) => outgoing.end('x'.repeat(5_000_000));
  await run([{ return: 1 }]);
  await advance(60_000);
  expect(bodies).toHaveLength(1);
});

const failures: readonly (readonly [string, Answer])[] = [
  ['500', (_incoming, outgoing) => outgoing.writeHead(500).end()],
  [
    'a redirect, which is not followed',
    (incoming, outgoing) => outgoing.writeHead(302, { location: hook }).end(),
  ],
  ['a closed connection', (incoming) => incoming.socket.destroy()],
  ['garbage', (incoming) => incoming.socket.end('garbage\r\n\r\n')],
];
it.each(failures)('is called three times, 10 s apart, when it answers with %s', async (_what, failing) => {
  answer = failing;
  const id = await run([{ return: 1 }]);
  const counts = [];
  for (const byMs of [0, 9_999, 1, 9_999, 1, 60_000]) {
    await advance(byMs);
    counts.push(bodies.length);
  }
  expect(counts).toEqual([1, 1, 2, 2, 3, 3]);
  expect((await api.get(`/status/${id}`)).json).toMatchObject({ status: 'COMPLETED' });
});

it('ends with the first success', async () => {
  answer = (_incoming, outgoing) => outgoing.writeHead(bodies.length === 1 ? 500 : 200).end();
  await run([{ return: 1 }]);
  await advance(60_000);
  expect(bodies).toHaveLength(2);
});

it('without a receiver is given up after three calls', async () => {
  await receiver[Symbol.asyncDispose]();
  const id = await run([{ return: 1 }]);
  await advance(60_000);
  expect((await api.get(`/status/${id}`)).json).toMatchObject({ status: 'COMPLETED' });
});

it('may read the API before it answers', async () => {
  let seen: unknown;
  let id = '';
  answer = (_incoming, outgoing) => {
    void api.get(`/status/${id}`).then(({ json }) => {
      seen = json.status;
      outgoing.end();
    });
  };
  id = await run([{ sleepMs: 10 }, { return: 1 }]);
  await advance(10);
  expect(seen).toBe('COMPLETED');
});

it('a slow receiver delays no job', async () => {
  const held: ServerResponse[] = [];
  answer = (_incoming, outgoing) => void held.push(outgoing);
  const real = await startServer({ apiKeys: ['k'], workers: 1 });
  const calls = createCaller(`${real.url}/v2/test`, 'k');
  const startMs = performance.now();
  for (let job = 0; job < 3; job++) {
    const reply = await calls.post('/runsync', { input: { plan: [{ sleepMs: 20 }] }, webhook: hook });
    expect(reply.json).toMatchObject({ status: 'COMPLETED' });
  }
  expect(performance.now() - startMs).toBeLessThan(2_000);
  for (const outgoing of held) outgoing.end();
  await real.close();
});

it('a receiver that never answers counts as failed after the timeout', async () => {
  answer = () => undefined;
  const caller = createWebhookCaller({ timeoutMs: 100 });
  const startMs = performance.now();
  expect(await caller.call(post(hook)).ended).toEqual({ status: null, error: 'no answer within 0.1 s' });
  expect(performance.now() - startMs).toBeLessThan(1_000);
  await caller.close();
});

it('an answer that begins and never ends counts as given', async () => {
  answer = (_incoming, outgoing) => void outgoing.writeHead(200).write('x');
  const caller = createWebhookCaller({ timeoutMs: 1_000 });
  expect(await caller.call(post(hook)).ended).toEqual({ status: 200, error: null });
  await caller.close();
});

it('an address that cannot be called is a failed call, not an error', async () => {
  const caller = createWebhookCaller({ timeoutMs: 500 });
  for (const url of [
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'ftp://x/',
    'nonsense',
    'http://does-not-exist.invalid/',
  ]) {
    expect(await caller.call(post(url)).ended).toEqual({ status: null, error: expect.stringMatching('.') });
  }
  await caller.close();
});

it('is called as the dialect says: method, content type, signature', async () => {
  const seen: unknown[] = [];
  answer = ({ method, headers }, outgoing) => {
    seen.push([method, headers['content-type'], headers['x-webhook-signature']]);
    outgoing.end();
  };
  const dialect = { '6/method': 'other', '6/content-type': 'other', '6/signature': 'header' };
  const other = await startServer({ clock: 'controlled', apiKeys: ['k'], dialect });
  await createCaller(`${other.url}/v2/test`, 'k').post('/run', { input: {}, webhook: hook });
  await createCaller(other.controlUrl!, 'k').post('/clock/advance', { byMs: 0 });
  expect(seen).toEqual([['PUT', 'text/plain', 'v1=0']]);
  await other.close();
});

it('in the edition runpod sends the record, input and webhook, and pauses 5 s, then 15 s', async () => {
  answer = (_incoming, outgoing) => outgoing.writeHead(500).end();
  const other = await startServer({ clock: 'controlled', apiKeys: ['k'], edition: 'runpod' });
  const input = { plan: [{ sleepMs: 7 }, { return: { a: 1 } }] };
  const { json } = await createCaller(`${other.url}/v2/test`, 'k').post('/run', { input, webhook: hook });
  const control = createCaller(other.controlUrl!, 'k');
  const counts = [];
  for (const byMs of [7, 4_999, 1, 14_999, 1, 60_000]) {
    await control.post('/clock/advance', { byMs });
    counts.push(bodies.length);
  }
  expect(counts).toEqual([1, 1, 2, 2, 3, 3]);
  const status = (await createCaller(`${other.url}/v2/test`, 'k').get(`/status/${json.id}`)).json;
  expect(JSON.parse(bodies[0]!)).toEqual({ ...status, input, webhook: hook });
  await other.close();
});

it('is forwarded to another address, which learns the one of the job', async () => {
  const forwarding = await startServer({ forwardWebhooks: hook });
  const received = new Promise<IncomingMessage>((resolve) => {
    answer = (incoming, outgoing) => {
      outgoing.end();
      resolve(incoming);
    };
  });
  await createCaller(`${forwarding.url}/v2/test`, 'runproof-local').post('/run', {
    input: { plan: [{ return: 1 }] },
    webhook: 'https://app.example.invalid/hook',
  });
  expect((await received).headers['x-runproof-webhook']).toBe('https://app.example.invalid/hook');
  expect(bodies).toHaveLength(1);
  await forwarding.close();
  for (const forwardWebhooks of ['hook', 'ftp://a.test/'])
    await expect(startServer({ forwardWebhooks })).rejects.toThrow('forwarded to an http(s) address');
});
