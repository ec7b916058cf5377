/** What passes the proxy passes as it is: byte by byte where HTTP lets it. */
import { describe, expect, it } from 'vitest';
import { proxy, rawClient, rawUpstream, wire } from './raw.js';

const OK = wire(['HTTP/1.1 200 OK', 'content-length: 2'], 'ok');

/** What the upstream gets, and what the client gets for it. */
async function passing(request: string, reply: string, prefix = '') {
  let got = '';
  const upstream = await rawUpstream((text, { socket }) => {
    got = text;
    socket.end(reply, 'latin1');
  });
  const through = await proxy(upstream.url + prefix);
  const client = await rawClient(through.port, request);
  return { got: () => got, client, through, host: new URL(upstream.url).host };
}

describe('heads', () => {
  it('pass to the upstream in their order, spelling and repetition', async () => {
    const { got, client, host } = await passing(
      wire(
        [
          'POST /run HTTP/1.1',
          'X-First: 1',
          'hOst: here',
          'x-twice: a',
          'Authorization: Bearer k',
          'Content-Length: 2',
          'X-Twice: b',
          'x-latin: \u00e9',
          'accept: */*',
        ],
        '{}',
      ),
      OK,
    );
    await client.has('ok');
    expect(got()).toBe(
      wire(
        [
          'POST /run HTTP/1.1',
          'X-First: 1',
          `hOst: ${host}`,
          'x-twice: a',
          'Authorization: Bearer k',
          'Content-Length: 2',
          'X-Twice: b',
          'x-latin: \u00e9',
          'accept: */*',
          // Of this connection.
          'Connection: keep-alive',
        ],
        '{}',
      ),
    );
  });

  it('pass to the client in their order, spelling and repetition, with nothing of ours', async () => {
    const reply = wire(
      [
        'HTTP/1.1 299 Quite \u00e9 fine',
        'Set-Cookie: a=1',
        'x-A: 1',
        'X-a: 2',
        'Content-Length: 2',
        'set-cookie: b=2',
      ],
      'ok',
    );
    const { client } = await passing(wire(['GET / HTTP/1.1', 'Host: x']), reply);
    await client.has('ok');
    expect(client.text).toBe(reply);
  });

  it('stay of their connection where they are of it', async () => {
    const { got, client } = await passing(
      wire([
        'GET / HTTP/1.1',
        'Host: x',
        'Connection: close, X-Mine',
        'X-Mine: 1',
        'Keep-Alive: 3',
        'X-B: 1',
      ]),
      wire([
        'HTTP/1.1 200 OK',
        'Connection: x-theirs',
        'x-theirs: 1',
        'content-length: 0',
        'keep-alive: timeout=1',
      ]),
    );
    expect(await client.all).toBe(wire(['HTTP/1.1 200 OK', 'content-length: 0', 'Connection: close']));
    expect(got()).not.toMatch(/x-mine|keep-alive: 3/iu);
    expect(got()).toContain('X-B: 1');
  });

  it('pass where they are large', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `x-${at}: ${'v'.repeat(20)}`);
    const { got, client } = await passing(
      wire(['GET / HTTP/1.1', 'Host: x', ...many]),
      wire(['HTTP/1.1 200 OK', ...many, 'content-length: 2'], 'ok'),
    );
    await client.has('ok');
    expect(got()).toContain(many.join('\r\n'));
    expect(client.text).toContain(many.join('\r\n'));
  });

  it.each(['GET', 'DELETE', 'OPTIONS'])('of %s without a body announce none', async (method) => {
    const { got, client } = await passing(wire([`${method} / HTTP/1.1`, 'Host: x']), OK);
    await client.has('ok');
    expect(got()).not.toMatch(/content-length|transfer-encoding/iu);
  });

  it('of POST without a body announce an empty one', async () => {
    const { got, client } = await passing(wire(['POST /cancel/1 HTTP/1.1', 'Host: x']), OK);
    await client.has('ok');
    expect(got()).toContain('Content-Length: 0');
    expect(got()).not.toMatch(/transfer-encoding/iu);
  });
});

describe('paths', () => {
  it.each([
    ['/v2/a/status/%2e%2e%2F?x=%zz&y=[1]|{2}', ''],
    ['/a//b/../c/./d', ''],
    ['/%e9?%FF="<>\\^`', ''],
    ['/?', '/pre/fix'],
    ['/run?a=1?b', '/pre/'],
  ])('%s passes byte by byte after %j', async (path, prefix) => {
    const { got, client } = await passing(wire([`GET ${path} HTTP/1.1`, 'Host: x']), OK, prefix);
    await client.has('ok');
    expect(got().split('\r\n')[0]).toBe(`GET ${prefix.replace(/\/$/u, '')}${path} HTTP/1.1`);
  });

  it.each([
    ['http://here:1/a?b', '/pre/a?b'],
    ['http://here', '/pre/'],
    ['http://here?b', '/pre/?b'],
    ['*', '*'],
  ])('%s is asked for as %s', async (target, path) => {
    const { got, client } = await passing(wire([`OPTIONS ${target} HTTP/1.1`, 'Host: x']), OK, '/pre');
    await client.has('ok');
    expect(got().split(' ')[1]).toBe(path);
  });
});

describe('replies', () => {
  const GET = wire(['GET / HTTP/1.1', 'Host: x']);
  it.each([
    ['HEAD', 'HEAD', wire(['HTTP/1.1 200 OK', 'Content-Length: 1234'])],
    ['HEAD in pieces', 'HEAD', wire(['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked'])],
    ['204', 'DELETE', wire(['HTTP/1.1 204 No Content', 'x: 1'])],
    ['304', 'GET', wire(['HTTP/1.1 304 Not Modified', 'Content-Length: 77', 'etag: "a"'])],
    ['no reason', 'GET', wire(['HTTP/1.1 200 ', 'content-length: 2'], 'ok')],
    ['pieces', 'GET', wire(['HTTP/1.1 200 OK', 'transfer-encoding: chunked'], '2\r\nok\r\n0\r\n\r\n')],
    [
      'trailers',
      'GET',
      wire(
        ['HTTP/1.1 200 OK', 'Trailer: X-End', 'transfer-encoding: chunked'],
        '2\r\nok\r\n0\r\nX-End: 1\r\nx-end: 2\r\n\r\n',
      ),
    ],
  ])('%s: the next reply of the connection comes right after it', async (_, method, reply) => {
    const upstream = await rawUpstream((text, { socket }) =>
      socket.write(text.startsWith('GET /next') ? OK : reply, 'latin1'),
    );
    const { port } = await proxy(upstream.url);
    const client = await rawClient(
      port,
      wire([`${method} / HTTP/1.1`, 'Host: x']) + wire(['GET /next HTTP/1.1', 'Host: x']),
    );
    await client.has(OK);
    expect(client.text).toBe(reply + OK);
    expect(upstream.peers).toHaveLength(1);
  });

  it('whose end is that of the connection end with it', async () => {
    const reply = wire(['HTTP/1.1 200 OK', 'x: 1'], 'until the end');
    const { client } = await passing(GET, reply);
    expect(await client.all).toBe(reply);
    expect(client.code).toBeNull();
  });

  it('reach a client of HTTP/1.0 without pieces', async () => {
    const { client } = await passing(
      wire(['GET / HTTP/1.0']),
      wire(['HTTP/1.1 200 OK', 'transfer-encoding: chunked'], '2\r\nok\r\n0\r\n\r\n'),
    );
    expect(await client.all).toBe(wire(['HTTP/1.1 200 OK', 'Connection: close'], 'ok'));
  });

  it('begin at the client before they end', async () => {
    const upstream = await rawUpstream((_, { socket }) =>
      socket.write(wire(['HTTP/1.1 200 OK', 'content-length: 6']), 'latin1'),
    );
    const { port } = await proxy(upstream.url);
    const client = await rawClient(port, GET);
    await client.has('\r\n\r\n');
    upstream.peers[0]!.socket.write('one');
    await client.has('one');
    upstream.peers[0]!.socket.write('two');
    await client.has('two');
  });

  it('of 1xx pass before the one that counts', async () => {
    const hints = wire(['HTTP/1.1 103 Early Hints', 'Link: </a>; rel=x']);
    const { client } = await passing(GET, wire(['HTTP/1.1 100 Continue']) + hints + OK);
    await client.has('ok');
    expect(client.text).toBe(wire(['HTTP/1.1 100 Continue']) + hints + OK);
  });

  it.each([
    ['nothing', ''],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2p1\r\n'],
    ['a head that breaks off', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['a status below all', wire(['HTTP/1.1 099 What', 'content-length: 0'])],
    ['two lengths', wire(['HTTP/1.1 200 OK', 'content-length: 1', 'content-length: 2'], 'ok')],
    ['a control in a header', wire(['HTTP/1.1 200 OK', 'x: \u0001', 'content-length: 2'], 'ok')],
    ['a switch of protocols', wire(['HTTP/1.1 101 Switching', 'upgrade: x', 'connection: upgrade'])],
  ])('of %s are answered with 502', async (_, reply) => {
    const { client, through } = await passing(GET, reply);
    await client.has('}');
    expect(client.text).toMatch(/^HTTP\/1\.1 502 /u);
    expect(JSON.parse(client.text.split('\r\n\r\n')[1]!)).toEqual({
      error: expect.stringMatching(/^no answer from the upstream: ./u),
    });
    expect((await through.told())[0]!.reply).toBeNull();
  });

  it.each([
    ['length', wire(['HTTP/1.1 200 OK', 'content-length: 20'], 'some')],
    ['pieces', wire(['HTTP/1.1 200 OK', 'transfer-encoding: chunked'], '4\r\nsome\r\n')],
  ])('that break off break off at the client: %s', async (_, reply) => {
    const { client, through } = await passing(GET, reply);
    expect(await client.all).toBe(reply);
    expect((await through.told())[0]!.reply).toBeNull();
  });

  it('whose end is that of the connection are reset where they were', async () => {
    const upstream = await rawUpstream((_, { socket }) => {
      socket.write(wire(['HTTP/1.1 200 OK', 'x: 1'], 'some'));
    });
    const { port } = await proxy(upstream.url);
    const client = await rawClient(port, GET);
    await client.has('some');
    upstream.peers[0]!.socket.resetAndDestroy();
    await client.all;
    expect(client.code).toBe('ECONNRESET');
  });
});

it('an upstream that refuses connections is answered with 502', async () => {
  const { port, told } = await proxy('http://127.0.0.1:1');
  const client = await rawClient(port, wire(['POST /run HTTP/1.1', 'Host: x', 'content-length: 2'], '{}'));
  await client.has('ECONNREFUSED');
  expect(client.text).toMatch(/^HTTP\/1\.1 502 [^]*"error"/u);
  expect((await told())[0]!.reply).toBeNull();
});

it('a connection that the upstream closes at its next call is closed at the client, too', async () => {
  const upstream = await rawUpstream((text, { socket }) => {
    if (text.startsWith('GET /first')) socket.write(OK);
    else socket.destroy();
  });
  const { port } = await proxy(upstream.url);
  const client = await rawClient(port, wire(['GET /first HTTP/1.1', 'Host: x']));
  await client.has('ok');
  client.socket.write(wire(['POST /run HTTP/1.1', 'Host: x', 'content-length: 0']));
  expect(await client.all).toBe(OK);
});

it('clients share no connection of the upstream, and each keeps its own', async () => {
  const upstream = await rawUpstream((_, { socket }) => socket.write(OK));
  const { port, told } = await proxy(upstream.url);
  const call = wire(['GET / HTTP/1.1', 'Host: x']);
  const clients = await Promise.all(Array.from({ length: 5 }, () => rawClient(port, call.repeat(40))));
  await told(200);
  await Promise.all(clients.map(({ has }) => has(OK.repeat(40))));
  expect(upstream.peers).toHaveLength(5);
  for (const { socket } of clients) socket.destroy();
  await Promise.all(upstream.peers.map(({ all }) => all));
});
