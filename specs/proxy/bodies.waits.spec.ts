/** Bodies of any size pass in both directions, as fast as the slower side takes them, and calls end on both sides at once. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { forThisTest, listen } from '../support/servers.js';
import { until } from '../support/until.js';
import { NAMES, proxy, rawClient, rawUpstream, wire } from './raw.js';

const MB = 1 << 20;
const BIG = Buffer.alloc(20 * MB, 'some bytes that are told apart, of which there are many 0123456789');
BIG.forEach((_, at) => at % 4096 === 0 && BIG.writeUInt32LE(at, at));
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function read(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

it.each(['content-length', 'transfer-encoding'])(
  '20 MB arrive whole in both directions, by %s',
  async (by) => {
    const framing: { readonly [name: string]: string } =
      by === 'content-length' ? { [by]: String(BIG.length) } : { [by]: 'chunked' };
    const { url } = forThisTest(
      await listen((call, answer) => {
        void read(call).then((body) => {
          const got = { 'x-got': digest(body), 'x-by': call.headers[by] ?? 'none' };
          answer.writeHead(200, { ...got, ...framing }).end(body);
        });
      }),
    );
    const through = await proxy(url);
    const call = request(through.url, { method: 'POST', headers: framing }).end(BIG);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    expect(answer.headers).toMatchObject({ 'x-got': digest(BIG), 'x-by': framing[by], ...framing });
    expect(digest(await read(answer))).toBe(digest(BIG));
    const [end] = await through.told();
    expect(digest(Buffer.from(end!.request.body!))).toBe(digest(BIG));
    expect(digest(Buffer.from(end!.reply!.body!))).toBe(digest(BIG));
  },
);

/** Resolves when the count has stood still for a while. */
async function still(count: () => number): Promise<number> {
  for (let last = -1; last !== count() || last === 0; await sleep(100)) last = count();
  return count();
}

const ENDLESS = 400 * MB;

it('a client that does not read holds the upstream up', async () => {
  let written = 0;
  const { url } = forThisTest(
    await listen((_, answer) => {
      answer.writeHead(200, { 'content-length': ENDLESS });
      const more = (): void => {
        while (written < ENDLESS && !answer.destroyed) {
          written += MB;
          if (!answer.write(Buffer.alloc(MB))) return void answer.once('drain', more);
        }
      };
      more();
    }),
  );
  const { port } = await proxy(url);
  const client = await rawClient(port, wire(['GET / HTTP/1.1', 'host: x']));
  client.socket.pause();
  // What the kernel holds for two connections.
  expect(await still(() => written)).toBeLessThan(60 * MB);
});

it('an upstream that does not read holds the client up', async () => {
  const upstream = await rawUpstream(() => undefined);
  const { port } = await proxy(upstream.url);
  const client = await rawClient(port, wire(['POST / HTTP/1.1', 'host: x', `content-length: ${ENDLESS}`]));
  await until(() => upstream.peers.length > 0);
  upstream.peers[0]!.socket.pause();
  let written = 0;
  const more = (): void => {
    while (written < ENDLESS && !client.socket.destroyed) {
      written += MB;
      if (!client.socket.write(Buffer.alloc(MB))) return void client.socket.once('drain', more);
    }
  };
  more();
  expect(await still(() => written)).toBeLessThan(60 * MB);
});

it.each([
  ['before the reply', null],
  ['within the reply', wire(['HTTP/1.1 200 OK', 'content-length: 20'], 'some')],
])('a client that goes away %s ends the call of the upstream', async (_, reply) => {
  const upstream = await rawUpstream((__, { socket }) => reply !== null && socket.write(reply));
  const { port, told } = await proxy(upstream.url);
  const client = await rawClient(port, wire(['GET / HTTP/1.1', 'host: x']));
  if (reply === null) await until(() => upstream.peers.length > 0);
  else await client.has('some');
  client.socket.destroy();
  await upstream.peers[0]!.all;
  expect((await told())[0]!.reply).toBeNull();
});

it('a client that sends no more gets its answer, if the upstream gives one', async () => {
  const upstream = await rawUpstream((_, { socket }) => {
    // Before the socket ends by itself.
    socket.prependOnceListener('end', () => socket.end(wire(['HTTP/1.1 200 Done', 'content-length: 0'])));
  });
  const through = await proxy(upstream.url);
  const client = await rawClient(through.port, wire(['GET / HTTP/1.1', 'host: x']));
  client.socket.end();
  await client.has('200 Done');
  expect((await through.told())[0]).toMatchObject({ outcome: { kind: 'answer', status: 200 } });
});

it('what a client sends right before it sends no more arrives', async () => {
  const upstream = await rawUpstream((request, { socket }) =>
    socket.prependOnceListener('end', () =>
      socket.end(wire(['HTTP/1.1 200 OK', 'content-length: 4'], request.endsWith('body') ? 'body' : 'none')),
    ),
  );
  const through = await proxy(upstream.url);
  const client = await rawClient(
    through.port,
    wire(['POST / HTTP/1.1', 'host: x', 'content-length: 4'], 'body'),
  );
  client.socket.end();
  await client.has('\r\n\r\nbody');
});

it('a client that goes away within its upload ends the call of the upstream', async () => {
  const upstream = await rawUpstream(() => undefined);
  const { port, told } = await proxy(upstream.url);
  const client = await rawClient(port, wire(['POST / HTTP/1.1', 'host: x', 'content-length: 20'], 'some'));
  await until(() => upstream.peers[0]?.text.endsWith('some') === true);
  client.socket.resetAndDestroy();
  await upstream.peers[0]!.all;
  expect((await told())[0]!.reply).toBeNull();
});

it('an upstream that goes away within an upload ends it, and the next call passes', async () => {
  const upstream = await rawUpstream((_, { socket }) => socket.write(wire(['HTTP/1.1 204 Done'])));
  const { port } = await proxy(upstream.url);
  const client = await rawClient(port, wire(['POST / HTTP/1.1', 'host: x', 'content-length: 20'], 'some'));
  await until(() => upstream.peers[0]?.text.endsWith('some') === true);
  upstream.peers[0]!.socket.destroy();
  await client.has('502');
  client.socket.write(`${'x'.repeat(16)}${wire(['GET / HTTP/1.1', 'host: x'])}`);
  await client.has('204 Done');
});

it('the upstream says whether it wants a body that is asked about', async () => {
  const upstream = await rawUpstream(() => undefined);
  const { port } = await proxy(upstream.url);
  const ask = wire(['POST / HTTP/1.1', 'host: x', 'Expect: 100-continue', 'content-length: 2']);
  const client = await rawClient(port, ask);
  await until(() => upstream.peers[0]?.text.includes('Expect: 100-continue') === true);
  expect(client.text).toBe('');
  upstream.peers[0]!.socket.write(wire(['HTTP/1.1 100 Continue']));
  await client.has(wire(['HTTP/1.1 100 Continue']));
  client.socket.write('{}');
  await upstream.peers[0]!.has('{}');
  upstream.peers[0]!.socket.write(wire(['HTTP/1.1 200 OK', 'content-length: 2'], 'ok'));
  await client.has('ok');

  const refused = await rawClient(port, ask);
  await until(() => upstream.peers[1]?.text.includes('Expect: 100-continue') === true);
  upstream.peers[1]!.socket.write(wire(['HTTP/1.1 417 No', 'content-length: 0']));
  expect(await refused.all).toMatch(/^HTTP\/1\.1 417 No\r\n/u);
  await upstream.peers[1]!.all;
});

it('trailers of a request pass', async () => {
  let got = '';
  const upstream = await rawUpstream((text, { socket }) => {
    got = text;
    socket.write(wire(['HTTP/1.1 204 Done']));
  });
  const { port } = await proxy(upstream.url);
  const body = '2\r\n{}\r\n0\r\nX-End: 1\r\n\r\n';
  const client = await rawClient(
    port,
    wire(['POST / HTTP/1.1', 'host: x', 'Trailer: X-End', 'transfer-encoding: chunked'], body),
  );
  await client.has('204');
  expect(got).toContain('Trailer: X-End\r\ntransfer-encoding: chunked');
  expect(got.endsWith(body)).toBe(true);
});

it('what is seen is told in its order, with bodies and without keys', async () => {
  const upstream = await rawUpstream((_, { socket }) =>
    socket.write(wire(['HTTP/1.1 200 OK', 'Set-Cookie: sid=secret', 'X-B: 1', 'content-length: 4'], '{ } ')),
  );
  const through = await proxy(upstream.url);
  const client = await rawClient(
    through.port,
    wire(
      ['POST /v2/a/run?x=1 HTTP/1.1', 'host: x', 'Authorization: Bearer secret', 'content-length: 2'],
      '{}',
    ),
  );
  await client.has('{ }');
  await through.told();
  const [begin, end] = through.seen;
  const sent = { method: 'POST', target: '/v2/a/run?x=1' };
  const begun = { id: 0, fromMs: expect.any(Number), names: NAMES };
  expect(begin).toEqual({
    ...{ ...begun, byMs: null, outcome: { kind: 'open' } },
    request: { ...sent, headers: {}, body: undefined },
  });
  expect(end).toEqual({
    ...{ ...begun, byMs: expect.any(Number) },
    request: {
      ...sent,
      headers: { host: 'x', authorization: 'Bearer ***', 'content-length': '2' },
      body: Buffer.from('{}'),
    },
    outcome: {
      ...{ kind: 'answer', status: 200 },
      headers: { 'set-cookie': '***', 'x-b': '1', 'content-length': '4' },
      body: Buffer.from('{ } '),
    },
  });
  expect(end!.byMs).toBeGreaterThan(begin!.fromMs);
});

it('calls that are not watched pass untold, and whatever goes wrong beside a call leaves it alone', async () => {
  const upstream = await rawUpstream((_, { socket }) => socket.write(wire(['HTTP/1.1 204 Done'])));
  const broken = () => {
    throw new Error('broken');
  };
  for (const more of [{ namesOf: () => null }, { namesOf: broken }, { tap: broken }]) {
    const through = await proxy(upstream.url, more);
    const client = await rawClient(through.port, wire(['GET / HTTP/1.1', 'host: x']));
    await client.has('204 Done');
    expect(through.seen).toEqual([]);
  }
});

it('nothing of its own is where clients call', async () => {
  const upstream = await rawUpstream((_, { socket }) => socket.write(wire(['HTTP/1.1 204 Done'])));
  const through = await proxy(upstream.url);
  for (const path of ['/_runproof', '/_runproof/state?x', '/_runproof/metrics'])
    expect((await fetch(through.url + path)).status).toBe(204);
  expect(through.seen).toHaveLength(6);
});

it('ends with the calls under way, or without them after a while', async () => {
  const upstream = await rawUpstream(() => undefined);
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const through = await proxy(upstream.url);
  const client = await rawClient(through.port, wire(['GET / HTTP/1.1', 'host: x']));
  await until(() => upstream.peers.length > 0);
  await through.close(10);
  await client.all;
  await upstream.peers[0]!.all;
  expect((await through.told())[0]!.reply).toBeNull();
  expect(unhandled).toEqual([]);
});

it('a small body passes together with its head, so that each side is woken once for a call', async () => {
  const CALLS = 20;
  const upstream = await rawUpstream((_, { socket }) =>
    socket.write(wire(['HTTP/1.1 200 OK', 'content-length: 2'], '{}')),
  );
  const { port } = await proxy(upstream.url);
  const call = wire(['POST /v2/abc/run HTTP/1.1', 'host: x', 'content-length: 12'], '{"input":{}}');
  const client = await rawClient(port, call);
  await client.has('{}');
  const woken = { client: 0, upstream: 0 };
  client.socket.on('data', () => (woken.client += 1));
  upstream.peers[0]!.socket.on('data', () => (woken.upstream += 1));
  for (let nth = 2; nth <= CALLS + 1; nth += 1) {
    client.socket.write(call);
    await until(() => client.text.split('{}').length > nth);
  }
  expect(woken).toEqual({ client: CALLS, upstream: CALLS });
});
