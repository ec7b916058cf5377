/** `trigger`: what a running emulator is made to produce, and what is refused. */
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { EVENTS } from '../../../src/features/trigger/events.js';
import { startServer, type ServerOptions } from '../../../src/server/index.js';
import { runCli } from '../../../src/shell/program.js';
import { EXAMPLES } from '../../../src/worker/examples.js';
import { createFakeIo } from '../../cli/fake-io.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serving(options: ServerOptions = {}): Promise<string> {
  const server = await startServer({ clock: 'controlled', ...options });
  closers.push(() => server.close());
  return `${server.url}/v2/test`;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A user's receiver, which answers the first calls with 500, and the jobs with which it was called. */
async function receiving(refuses = 0): Promise<{ url: string; called: unknown[] }> {
  const called: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      called.push(JSON.parse(body));
      response.writeHead(called.length > refuses ? 204 : 500).end();
    });
  });
  return { url: await listening(server), called };
}

async function triggering(args: readonly string[], io = createFakeIo()) {
  const code = await runCli(['trigger', ...args], io);
  return { code, io, record: (io.printed() === '' ? null : JSON.parse(io.printed())) as unknown };
}

it('lists the events, each with what an application sees', async () => {
  const io = createFakeIo();
  expect(await runCli(['trigger'], io)).toBe(0);
  expect(io.printed().trim().split('\n')).toHaveLength(EVENTS.size);
  expect(io.printed()).toMatch(/^timed-out +after 10 s, \/status says TIMED_OUT: /m);
});

it('has an event for each example of the page but the last, which is any input', () => {
  const shown = new Set([...EVENTS.values()].map(({ example }) => example));
  expect([...shown].sort()).toEqual(Object.keys(EXAMPLES).sort());
  expect(Object.keys(EXAMPLES).filter((name) => !EVENTS.has(name))).toEqual(['input']);
});

it.each([
  [
    'completed',
    { status: 'COMPLETED', output: 'done', executionTime: 5_000 },
    ['0 ms  IN_PROGRESS', '5 s  COMPLETED'],
  ],
  ['stream', { status: 'COMPLETED' }, ['4 s  /stream answered [{"output":"one"},{"output":"two"},']],
  ['failed', { status: 'FAILED', error: 'out of memory' }, ['0 ms  FAILED']],
  ['crashed', { status: 'FAILED', error: expect.stringContaining('died') }, ['2 s  FAILED']],
  ['cancelled', { status: 'CANCELLED' }, ['0 ms  IN_PROGRESS', '0 ms  CANCELLED']],
  ['timed-out', { status: 'TIMED_OUT' }, ['10 s  TIMED_OUT']],
  ['expired', { error: expect.stringContaining('not found') }, ['10 s  answered 404']],
  ['rate-limited', { status: 'COMPLETED' }, ['/status answered 429']],
])('makes an emulator with a controlled clock produce %s', async (event, record, lines) => {
  const done = await triggering([event, await serving()]);
  expect([done.io.complained(), done.code]).toEqual([expect.stringContaining(`${event} happened: `), 0]);
  expect(done.record).toMatchObject(record);
  for (const line of lines) expect(done.io.complained()).toContain(line);
});

it.each([
  ['webhook', 1],
  ['webhook-retried', 2],
])('%s calls the receiver', async (event, times) => {
  const { url, called } = await receiving();
  const done = await triggering([event, await serving(), '--webhook', url]);
  expect([done.io.complained(), done.code]).toEqual([expect.stringContaining(`${event} happened: `), 0]);
  expect(called).toEqual(Array.from({ length: times }, () => done.record));
  expect(done.io.complained().includes('which the emulator does not get')).toBe(times === 2);
});

it.each(['controlled', 'real'] as const)(
  'webhook follows an emulator that forwards: %s clock',
  async (clock) => {
    const { url, called } = await receiving(clock === 'real' ? 0 : 1);
    const emulator = await serving({ clock, forwardWebhooks: url });
    for (const how of [[], ['--webhook', 'http://127.0.0.1:9/']]) {
      const done = await triggering(['webhook', emulator, ...how]);
      expect([done.io.complained(), done.code]).toEqual([expect.stringContaining('webhook happened: '), 0]);
      expect(done.io.complained()).toContain(`webhook, forwarded to ${url}: answered 204`);
      expect(called.at(-1)).toEqual(done.record);
      const { id } = done.record as { readonly id: string };
      const again = await triggering(['resend-webhook', emulator, '--job', id]);
      expect([again.io.complained(), again.code]).toEqual([
        expect.stringContaining('webhook answered 204'),
        0,
      ]);
    }
    expect(called).toHaveLength(clock === 'real' ? 4 : 5);
  },
);

it('webhook says when nobody answers where the emulator forwards, and whose answers it cannot lose', async () => {
  const emulator = await serving({ forwardWebhooks: 'http://127.0.0.1:9/' });
  const deaf = await triggering(['webhook', emulator]);
  expect([deaf.io.complained(), deaf.code]).toEqual([
    expect.stringContaining('webhook did not happen: your receiver did not answer'),
    1,
  ]);
  expect(deaf.io.complained()).toContain('forwarded to http://127.0.0.1:9/: ');
  const { url, called } = await receiving();
  const lost = await triggering([
    'webhook',
    await serving({ forwardWebhooks: url, faults: ['webhook:#1=lost'] }),
  ]);
  expect([lost.io.complained(), lost.code]).toEqual([
    expect.stringMatching(/: lost by a fault\n[^]*: answered 204\n[^]*webhook happened/),
    0,
  ]);
  expect(called).toEqual([lost.record]);
  const retried = await triggering(['webhook-retried', emulator]);
  expect([retried.io.complained(), retried.code]).toEqual([expect.stringContaining('webhook:#1=lost'), 2]);
});

it('webhook wants an address of an emulator that does not forward', async () => {
  const { code, io } = await triggering(['webhook', await serving()]);
  expect([code, io.complained()]).toEqual([2, expect.stringContaining('add --webhook URL, or start serve ')]);
});

it('listens until the receiver has accepted the webhook', async () => {
  const { url, called } = await receiving(2);
  const done = await triggering(['webhook', await serving(), '--webhook', url]);
  expect([done.io.complained(), done.code]).toEqual([expect.stringContaining('webhook happened: '), 0]);
  expect(called).toHaveLength(3);
});

it.each(['webhook', 'resend-webhook'])('%s waits for a rate that an event before used up', async (event) => {
  const { url, called } = await receiving();
  const emulator = await serving();
  const { record } = await triggering(['completed', emulator, '--webhook', url]);
  expect((await triggering(['rate-limited', emulator])).code).toBe(0);
  const { id } = record as { readonly id: string };
  const how = event === 'webhook' ? ['--webhook', url] : ['--job', id];
  const done = await triggering([event, emulator, ...how]);
  expect([done.io.complained(), done.code]).toEqual([expect.stringContaining(`${event} happened: `), 0]);
  expect(called).toEqual([record, done.record]);
});

it('rate-limited lasts on a controlled clock until the printed line advances it', async () => {
  const emulator = await serving({ apiKeys: ['mine'] });
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'mine' } });
  const { record } = await triggering(['rate-limited', emulator], io);
  const look = async (): Promise<number> => {
    const path = `${emulator}/status/${(record as { id: string }).id}`;
    return (await fetch(path, { headers: { authorization: 'mine' } })).status;
  };
  expect(await look()).toBe(429);
  const line = /stands until you advance it:\n {2}(curl .*)\n$/.exec(io.complained())![1]!;
  expect(line).toContain('"authorization: $RUNPROOF_API_KEY"');
  await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, RUNPROOF_API_KEY: 'mine' } });
  expect(await look()).toBe(200);
});

it('resend-webhook calls the receiver of a job again, and says why it cannot', async () => {
  const { url, called } = await receiving();
  const emulator = await serving();
  const { record } = await triggering(['completed', emulator, '--webhook', url]);
  const { id } = record as { readonly id: string };
  expect(called).toEqual([record]);
  const done = await triggering(['resend-webhook', emulator, '--job', id]);
  expect([done.io.complained(), done.code]).toEqual([
    expect.stringMatching(/webhook answered 204\nresend-webhook happened: your receiver is called again /),
    0,
  ]);
  expect(called).toEqual([record, record]);
  expect(done.record).toEqual(record);
  const none = await triggering(['resend-webhook', emulator, '--job', 'none']);
  expect([none.io.complained(), none.code]).toEqual([expect.stringContaining('there is no job none at '), 1]);
  const { record: without } = await triggering(['failed', emulator]);
  const failed = await triggering(['resend-webhook', emulator, '--job', (without as { id: string }).id]);
  expect([failed.io.complained(), failed.code]).toEqual([
    expect.stringMatching(/resend-webhook did not happen: job \S+ has no webhook\n/),
    1,
  ]);
});

it('resend-webhook takes the beginning of an id, if only one job has it', async () => {
  const { url, called } = await receiving();
  const emulator = await serving();
  const ids: string[] = [];
  // More jobs than first characters of an id.
  for (let nth = 0; nth < 17; nth += 1) {
    const { record } = await triggering(['completed', emulator, '--webhook', url]);
    ids.push((record as { readonly id: string }).id);
  }
  const [first] = ids;
  const done = await triggering(['resend-webhook', emulator, '--job', first!.slice(0, 8)]);
  expect([done.io.complained(), done.code]).toEqual([expect.stringContaining(`job ${first} at `), 0]);
  expect(called.at(-1)).toMatchObject({ id: first });
  const shared = ids.map((id) => id[0]!).find((start, at, all) => all.indexOf(start) < at)!;
  const several = await triggering(['resend-webhook', emulator, '--job', shared]);
  expect([several.io.complained(), several.code]).toEqual([
    expect.stringMatching(`--job ${shared}: \\d+ ids begin so: ${shared}.*, ${shared}`),
    2,
  ]);
});

it.each([
  ['controlled', ' on its clock'],
  ['real', ''],
] as const)('resend-webhook says at once that the job has not ended: %s clock', async (clock, on) => {
  const emulator = await serving({ clock });
  const submitted = async (body: object): Promise<string> => {
    const headers = { authorization: 'runproof-local' };
    const reply = await fetch(`${emulator}/run`, { method: 'POST', headers, body: JSON.stringify(body) });
    return ((await reply.json()) as { readonly id: string }).id;
  };
  const webhook = 'http://127.0.0.1:9/';
  const why = async (id: string): Promise<string> => {
    const { code, io } = await triggering(['resend-webhook', emulator, '--job', id]);
    expect(code).toBe(1);
    return io.complained().replace(/^[^]*not happen: /, '');
  };
  const running = await submitted({
    input: { plan: [{ sleepMs: 3_600 }, { sleepMs: 60_000 }, { return: 1 }] },
    webhook,
  });
  const waiting = await submitted({ input: {}, policy: { ttl: 7_200_000 }, webhook });
  expect(await why(running)).toMatch(
    new RegExp(`^the job has not ended: it is IN_PROGRESS and ends in 1 min [34] s${on}\\n$`),
  );
  expect(await why(waiting)).toBe(
    `the job has not ended: it is IN_QUEUE and ends at the latest in 2 h${on}\n`,
  );
});

it('resend-webhook says that the receiver did not answer', async () => {
  const emulator = await serving();
  const { record } = await triggering(['completed', emulator, '--webhook', 'http://127.0.0.1:9/']);
  const deaf = await triggering(['resend-webhook', emulator, '--job', (record as { id: string }).id]);
  expect([deaf.io.complained(), deaf.code]).toEqual([
    expect.stringContaining('your receiver did not answer'),
    1,
  ]);
});

it('happens in real time, and in edition runpod', async () => {
  const { url, called } = await receiving();
  const emulator = await serving({ clock: 'real', edition: 'runpod' });
  const done = await triggering(['failed', emulator, '--webhook', url, '--quiet']);
  expect([done.io.complained(), done.code]).toEqual(['', 0]);
  expect(done.record).toMatchObject({ status: 'FAILED' });
  await expect.poll(() => called.length).toBe(1);
  const streamed = await triggering(['stream', await serving({ edition: 'runpod' })]);
  expect(streamed.io.complained()).toContain('{"output":"three"}');
  expect(streamed.code).toBe(0);
});

it('says why it did not happen', async () => {
  const own = await triggering(['failed', await serving({ handler: () => Promise.resolve('fine') })]);
  expect(own.code).toBe(1);
  expect(own.io.complained()).toMatch(/failed did not happen: the job is COMPLETED, not FAILED\. Its worker/);
  const none = await triggering(['completed', await serving({ workers: 0 })]);
  expect(none.code).toBe(1);
  expect(none.io.complained()).toContain('IN_QUEUE: no worker takes it');
  const deaf = await triggering(['webhook', await serving(), '--webhook', 'http://127.0.0.1:9/']);
  expect(deaf.code).toBe(1);
  expect(deaf.io.complained()).toContain('your receiver did not answer');
  const emulator = await serving();
  const unknown = await triggering(['failed', emulator.replace('/test', '/other')]);
  expect(unknown.code).toBe(1);
  expect(unknown.io.complained()).toContain('/run answered 404');
});

it('gives a handler of the user its input', async () => {
  const io = createFakeIo();
  writeFileSync(join(io.cwd, 'mine.json'), '{"text":"mine"}');
  const handler: ServerOptions['handler'] = ({ input }) => Promise.reject(new Error(JSON.stringify(input)));
  const done = await triggering(['failed', await serving({ handler }), '--input', 'mine.json'], io);
  expect(done.code).toBe(0);
  expect(JSON.stringify(done.record)).toContain('mine');
});

it('submits jobs to nothing but an emulator', async () => {
  const asked: (string | undefined)[] = [];
  const other = await listening(
    createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'no key'}`);
      response.end('{"id":"1","status":"IN_QUEUE"}');
    }),
  );
  const refused = await triggering(['completed', other]);
  expect(refused.code).toBe(3);
  expect(refused.io.complained()).toContain('does not say at /_ready that it is an emulator of Runproof');
  expect(asked).toEqual(['GET /_ready no key']);
  expect((await triggering(['completed', 'http://127.0.0.1:9/v2/test'])).code).toBe(3);
  const wrongKey = await triggering(['completed', await serving(), '--api-key', 'wrong-key']);
  expect([wrongKey.code, wrongKey.io.complained()]).toEqual([
    3,
    expect.stringContaining('rejects the API key'),
  ]);
});

it.each([
  [['nothing'], 'the event must be one of completed, stream, '],
  [['resend-webhook'], 'requires the id of a job that has ended and has a webhook: add --job ID'],
  [['failed', '--job', 'x'], 'trigger failed submits a job of its own'],
  [['resend-webhook', '--job', 'x', '--webhook', 'http://127.0.0.1:9/'], 'leave out --webhook'],
  [['completed', 'https://api.example.test/v2/mine'], 'the API key is missing'],
  [['completed', 'here'], 'is not an address'],
])('refuses %j', async (args, why) => {
  const { code, io } = await triggering(args);
  expect([code, io.complained()]).toEqual([2, expect.stringContaining(why)]);
});
