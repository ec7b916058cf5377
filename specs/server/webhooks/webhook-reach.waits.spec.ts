import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startServer, type ServerOptions } from '../../../src/server/index.js';
import { createKeyedSemaphore } from '../../../src/server/keyed-semaphore.js';
import { createWebhookCaller } from '../../../src/server/webhooks/webhook-caller.js';
import { mayReach, type WebhookReach } from '../../../src/server/webhooks/webhook-reach.js';
import { createCaller } from '../caller.js';
import { listen, type Listening } from '../../support/servers.js';

let port: number;
let called = 0;
let receiver: Listening;
beforeAll(async () => {
  receiver = await listen((_incoming, outgoing) => {
    called++;
    outgoing.end();
  });
  port = receiver.port;
});
beforeEach(() => void (called = 0));
afterAll(() => receiver[Symbol.asyncDispose]());

const PUBLIC = ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'];
const LOOPBACK = [
  '127.0.0.1',
  '127.255.255.254',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
];
const PRIVATE = `0.0.0.0 10.1.2.3 100.64.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1
  224.0.0.1 240.0.0.1 255.255.255.255 :: fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 ff02::1 ::ffff:10.0.0.1
  ::ffff:0.0.0.0 ::ffff:169.254.169.254 64:ff9b::a00:1 2002:7f00:1::1 2001:db8::1 ::127.0.0.1 ::ffff:0:127.0.0.1
  nonsense`.split(/\s+/);

it.each([
  ['public', PUBLIC, [true, true, true]],
  ['loopback', LOOPBACK, [false, true, true]],
  ['private', PRIVATE, [false, false, true]],
])('%s addresses', (_what, addresses, expected) => {
  const reaches: WebhookReach[] = ['public', 'loopback', 'anywhere'];
  for (const address of addresses) {
    expect([address, ...reaches.map((reach) => mayReach(address, reach))]).toEqual([address, ...expected]);
  }
});

const OUT_OF_REACH = { status: null, error: expect.stringContaining('is a private address') };

const call = (url: string) => ({ job: 'j', url, method: 'POST', headers: {}, body: null });

it('no spelling of a private address is accepted, nor a name that resolves to one', async () => {
  const told: string[] = [];
  const caller = createWebhookCaller({ reach: 'public', onOutOfReach: (host) => told.push(host) });
  const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]'];
  for (const host of [...hosts, 'localhost', 'LOCALHOST', '0.0.0.0', '0', '[::]']) {
    expect(await caller.call(call(`http://${host}:${port}/`)).ended, host).toEqual(OUT_OF_REACH);
  }
  expect(called).toBe(0);
  expect(new Set(told)).toEqual(
    new Set(['127.0.0.1', '[::1]', '[::ffff:7f00:1]', 'localhost', '0.0.0.0', '[::]']),
  );
  expect(told).toHaveLength(6);
  await caller.close();
});

it('loopback may be called only if the server listens there only', async () => {
  const caller = createWebhookCaller({ reach: 'loopback' });
  expect(await caller.call(call(`http://127.0.0.1:${port}/`)).ended).toEqual({ status: 200, error: null });
  expect(await caller.call(call(`http://localhost:${port}/`)).ended).toEqual({ status: 200, error: null });
  expect(await caller.call(call(`http://0.0.0.0:${port}/`)).ended).toEqual(OUT_OF_REACH);
  await caller.close();
});

it.each<[ServerOptions, number]>([
  [{ host: '127.0.0.1' }, 1],
  [{ host: '0.0.0.0' }, 0],
  [{ host: '0.0.0.0', webhookReach: 'anywhere' }, 1],
])('a server with %j', async (options, calls) => {
  const server = await startServer({ ...options, clock: 'controlled', apiKeys: ['k'] });
  const api = createCaller(`${server.url}/v2/test`, 'k');
  const webhook = `http://127.0.0.1:${port}/hook`;
  const { json } = await api.post('/run', { input: { plan: [{ return: 1 }] }, webhook });
  await createCaller(server.controlUrl!, 'k').post('/clock/advance', { byMs: 60_000 });
  expect(called).toBe(calls);
  expect((await api.get(`/status/${json.id}`)).json.status).toBe('COMPLETED');
  await server.close();
});

it('a semaphore admits the next caller when one releases it, or gives up waiting', async () => {
  const turnstiles = createKeyedSemaphore(1);
  const never = new AbortController().signal;
  const order: string[] = [];
  const first = await turnstiles.acquire('a', never);
  const impatient = new AbortController();
  const second = turnstiles.acquire('a', impatient.signal).catch(() => order.push('gave up'));
  const third = turnstiles.acquire('a', never).then((leave) => {
    order.push('third');
    return leave;
  });
  (await turnstiles.acquire('b', never))();
  order.push('other name');
  impatient.abort();
  await second;
  first();
  (await third)();
  (await turnstiles.acquire('a', never))();
  expect(order).toEqual(['other name', 'gave up', 'third']);
});
