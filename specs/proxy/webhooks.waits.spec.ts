/** The service calls webhooks at the proxy, which passes them on to the receiver; nothing else of a submission changes. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { Webhooks } from '../../src/proxy/webhooks.js';
import { reachOf } from '../../src/server/webhooks/webhook-reach.js';
import { forThisTest, listen } from '../support/servers.js';
import { proxy, rawClient, rawUpstream, wire } from './raw.js';
import {
  given,
  KEY,
  OWN,
  own,
  reach,
  rewritten,
  service,
  SUBMISSION,
  submit,
  WEBHOOK,
  webhooks,
} from './submissions.js';

it('replaces the address alone, byte for byte', () => {
  const address = own(WEBHOOK);
  expect(address).toMatch(/^http:\/\/proxy\.example\/_runproof\/webhook\/[\w-]{43}\/[\w-]+$/);
  const around = (webhook: string): Buffer =>
    Buffer.concat([
      Buffer.from(
        `\n{ "input" : {"webhook":"${WEBHOOK}", "x":["]","\\\\"], "é\\"": 1.0e+01}, "webhook"\t:\r\n `,
      ),
      Buffer.from(`"${webhook}"`),
      Buffer.from(',"policy":{"ttl":10000}, "emoji":"\\ud83d\\ude00 ☃", "broken":"'),
      Buffer.from([0xff, 0xe2, 0x22]),
      Buffer.from(' }\n'),
    ]);
  expect(rewritten(around(WEBHOOK)).equals(around(address))).toBe(true);
  expect(rewritten(around(WEBHOOK.replaceAll('/', '\\/'))).equals(around(address))).toBe(true);
});

it.each([
  '',
  '[]',
  'null',
  '{"input":{}}',
  '{"input":{"webhook":"http://x/"}}',
  '["webhook","http://x/"]',
  '{"webhook":null}',
  '{"webhook":{"webhook":"http://x/"}}',
  '{"webhook":"http://x/","webhook":"http://y/"}',
  '{"webhook":"http://x/"',
  '\ufeff{"webhook":"http://x/"}',
  ...['', 'x', 'ftp://x/', ' http://x/', 'http:/x/', 'http://x/a b', 'HTTP://x/', 'http://x/é'].map(
    (webhook) => JSON.stringify({ webhook }),
  ),
  ...['http://me:secret@x/', 'http://x/#there', `http://x/${'a'.repeat(1_000)}`].map((webhook) =>
    JSON.stringify({ webhook }),
  ),
])('leaves %j as it is', (body) => {
  expect(rewritten(body).toString()).toBe(body);
});

it('knows its own addresses, and no others', () => {
  const { pathname } = new URL(own(WEBHOOK));
  expect(webhooks.receiverOf(pathname)?.webhook).toBe(WEBHOOK);
  expect(webhooks.receiverOf(`/prefix${pathname}?c=2`)?.url.href).toBe(`${WEBHOOK}&c=2`);
  expect(webhooks.receiverOf(new URL(own('http://x')).pathname)?.webhook).toBe('http://x');
  expect(new Webhooks('another', OWN, reach).receiverOf(pathname)).toBeNull();
  const [, , , signature = '', address = ''] = pathname.split('/');
  const forged = Buffer.from('http://127.0.0.1/admin').toString('base64url');
  expect(webhooks.receiverOf(`/_runproof/webhook/${signature}/${forged}`)).toBeNull();
  expect(webhooks.receiverOf(`/_runproof/webhook/${'A'.repeat(43)}/${address}`)).toBeNull();
});

it.each(['/v2/abc/run', '/v2/abc/runsync?wait=1000'])('a submission to %s is rewritten', async (path) => {
  const { url, got } = await service();
  const through = await proxy(url, { webhooks: given });
  expect(await submit(through.url + path, SUBMISSION)).toBe(200);
  const passed = rewritten(SUBMISSION).toString();
  expect(got).toMatchObject([
    { body: passed, headers: { 'content-length': String(Buffer.byteLength(passed)) } },
  ]);
  const [end] = await through.told();
  // The judge is to see what the client has sent.
  expect(Buffer.from(end!.request.body!).toString()).toBe(SUBMISSION);
  expect(end!.isWebhookSeen).toBe(true);
});

it('a submission that is refused is told as the service has seen it', async () => {
  const { url } = await service(400);
  const through = await proxy(url, { webhooks: given });
  expect(await submit(`${through.url}/v2/abc/run`, SUBMISSION)).toBe(400);
  const [end] = await through.told();
  expect(Buffer.from(end!.request.body!).toString()).toBe(rewritten(SUBMISSION).toString());
  expect(end!.isWebhookSeen).toBeUndefined();
});

it('pieces and trailers pass with a new address', async () => {
  const { url, got } = await service();
  const { port } = await proxy(url, { webhooks: given });
  const headers = { 'transfer-encoding': 'chunked', trailer: 'x-sum' };
  const call = httpRequest({ port, method: 'POST', path: '/v2/abc/run', headers });
  call.write(SUBMISSION.slice(0, 20));
  call.write(SUBMISSION.slice(20));
  call.addTrailers({ 'x-sum': '1' });
  call.end();
  const answer = await new Promise<IncomingMessage>((resolve) => call.once('response', resolve));
  expect(await json(answer)).toEqual({ id: 'a' });
  expect(got).toMatchObject([
    {
      ...{ body: rewritten(SUBMISSION).toString(), rawTrailers: ['x-sum', '1'] },
      headers: { 'transfer-encoding': 'chunked' },
    },
  ]);
});

it.each([
  ['another path', '/v2/abc/runs', SUBMISSION, {}],
  ['a packed body', '/v2/abc/run', gzipSync(SUBMISSION), { 'content-encoding': 'gzip' }],
  ['no body', '/v2/abc/run', '', {}],
])('%s passes as it is', async (_, path, body, headers) => {
  let got = Buffer.alloc(0);
  const { url } = forThisTest(
    await listen((call, answer) => {
      void call.toArray().then((pieces) => {
        got = Buffer.concat(pieces);
        answer.end();
      });
    }),
  );
  const through = await proxy(url, { webhooks: given });
  expect(await submit(through.url + path, body, headers)).toBe(200);
  expect(got.equals(Buffer.from(body as string))).toBe(true);
});

it('a client that waits for the service to ask for its body is not kept waiting', async () => {
  const upstream = await rawUpstream((_, { socket }) =>
    socket.write(wire(['HTTP/1.1 200 OK', 'content-length: 0'])),
  );
  const { port } = await proxy(upstream.url, { webhooks: given });
  const head = [
    'POST /v2/abc/run HTTP/1.1',
    'host: x',
    'expect: 100-continue',
    `content-length: ${SUBMISSION.length}`,
  ];
  await rawClient(port, wire(head));
  await expect.poll(() => upstream.peers[0]?.text).toContain('expect: 100-continue');
});

it('of a client that goes away before its body has come, nothing is passed or told', async () => {
  const { url, got } = await service();
  const through = await proxy(url, { webhooks: given });
  const { socket } = await rawClient(
    through.port,
    wire(['POST /v2/abc/run HTTP/1.1', 'host: x', 'content-length: 100'], '{"webhook":'),
  );
  socket.destroy();
  expect(await submit(`${through.url}/v2/abc/run`, '{}')).toBe(200);
  expect(got.map(({ body }) => body)).toEqual(['{}']);
  expect(await through.told()).toHaveLength(1);
});

it('the call of the service reaches the receiver, and its answer the service', async () => {
  const hook = await rawUpstream((_, { socket }) =>
    socket.write(wire(['HTTP/1.1 418 Teapot', 'X-Mine: 1', 'content-length: 2'], 'no')),
  );
  const through = await proxy('http://127.0.0.1:9', { webhooks: given });
  const { pathname } = new URL(own(`${hook.url}/in?a=1`));
  const service = await rawClient(
    through.port,
    wire(
      [`POST ${pathname} HTTP/1.1`, 'host: proxy.example', 'X-Signature: abc', 'content-length: 8'],
      '{"id":1}',
    ),
  );
  await service.has('418 Teapot\r\nX-Mine: 1\r\ncontent-length: 2\r\n\r\nno');
  expect(hook.peers[0]!.text).toMatch(
    new RegExp(
      `^POST /in\\?a=1 HTTP/1\\.1\r\nhost: ${new URL(hook.url).host}\r\nX-Signature: abc\r\ncontent-length: 8\r\n`,
    ),
  );
  const [end] = await through.told();
  expect(end).toMatchObject({ reply: { status: 418 } });
  expect(through.seen[0]).toMatchObject({ request: { method: 'POST' }, webhook: `${hook.url}/in?a=1` });
});

it('is no open relay, and answers when the receiver does not', async () => {
  let called = 0;
  const hook = forThisTest(await listen((_, answer) => void answer.end(String((called += 1)))));
  const through = await proxy('http://127.0.0.1:9', { webhooks: given });
  const { pathname } = new URL(own(hook.url));
  const forged = pathname.replace(/[^/]+$/, Buffer.from(`${hook.url}/x`).toString('base64url'));
  expect(await submit(through.url + forged, '{}')).toBe(404);
  expect(called).toBe(0);
  expect(await submit(through.url + pathname, '{}')).toBe(200);
  expect(await submit(through.url + new URL(own('http://127.0.0.1:9/')).pathname, '{}')).toBe(502);
  const ends = await through.told(2);
  expect(
    ends.map(({ outcome, reply }) => [outcome.kind === 'lost' && outcome.why === 'refused', reply?.status]),
  ).toEqual([
    [false, 200],
    [true, undefined],
  ]);
});

it('a call whose answer is broken off is not told as refused', async () => {
  const hook = await rawUpstream((_, { socket }) =>
    socket.end(wire(['HTTP/1.1 200 OK', 'content-length: 9'], 'ok')),
  );
  const through = await proxy('http://127.0.0.1:9', { webhooks: given });
  await submit(through.url + new URL(own(hook.url)).pathname, '{}').catch(() => null);
  expect(await through.told()).toMatchObject([{ outcome: { kind: 'lost', why: 'lost' } }]);
});

it.each(['http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data', 'http://[::ffff:a00:1]/'])(
  'calls no private address: %s',
  async (webhook) => {
    const submission = JSON.stringify({ input: {}, webhook });
    expect(rewritten(submission).toString()).toBe(submission);
    const anywhere = rewritten(submission, new Webhooks(KEY, OWN, reachOf('anywhere'))).toString();
    const { pathname } = new URL(JSON.parse(anywhere).webhook);
    const through = await proxy('http://127.0.0.1:9', { webhooks: given });
    const answer = await fetch(through.url + pathname, { method: 'POST', body: '{}' });
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('a private address')]);
  },
);

it('calls this machine only where it is permitted, by name as well', async () => {
  let called = 0;
  const hook = forThisTest(await listen((_, answer) => void answer.end(String((called += 1)))));
  const byName = own(hook.url.replace('127.0.0.1', 'localhost'));
  const through = await proxy('http://127.0.0.1:9', { webhooks: { ...given, reach: reachOf('public') } });
  expect(await submit(through.url + new URL(byName).pathname, '{}')).toBe(502);
  expect(called).toBe(0);
});

it('addresses stay valid where no more are made', async () => {
  const hook = forThisTest(await listen((_, answer) => void answer.end('here')));
  const { url, got } = await service();
  const through = await proxy(url, { webhooks: { key: KEY, publicUrl: null, reach } });
  expect(await submit(through.url + new URL(own(hook.url)).pathname, '{}')).toBe(200);
  await submit(`${through.url}/v2/abc/run`, SUBMISSION);
  expect(got[0]!.body).toBe(SUBMISSION);
});

it('is called at its own address if no other is given', async () => {
  const { url, got } = await service();
  const through = await proxy(url, { webhooks: { key: KEY, publicUrl: undefined, reach } });
  await submit(`${through.url}/v2/abc/run`, SUBMISSION);
  expect(JSON.parse(got[0]!.body).webhook).toContain(`${through.url}/_runproof/webhook/`);
});
