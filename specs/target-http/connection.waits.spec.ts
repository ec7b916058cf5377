import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Connection } from '../../src/target/http/connection.js';
import type { ConnectionOptions } from '../../src/target/http/connection.js';
import type { TransportRequest, TransportResult } from '../../src/target/session/transport.js';
import { listen } from '../support/servers.js';

const REQUEST: TransportRequest = { method: 'GET', path: '/', headers: {}, body: null, timeoutMs: 5_000 };

async function ask(
  listener: RequestListener,
  request: Partial<TransportRequest> = {},
  options: ConnectionOptions = {},
): Promise<TransportResult> {
  await using server = await listen(listener);
  const connection = await Connection.to(server.url, options);
  try {
    return await connection.send({ ...REQUEST, ...request });
  } finally {
    await connection.close();
  }
}

describe('a connection', () => {
  it('does not follow a redirect', async () => {
    const { reply } = await ask(
      (_, response) => void response.writeHead(302, { location: '/x' }).end('moved'),
    );
    expect(reply).toMatchObject({ status: 302, text: 'moved', headers: { location: '/x' } });
  });

  it('sends a request on a connection of its own where that is asked for', async () => {
    const ports: (number | undefined)[] = [];
    await using server = await listen((request, response) => {
      ports.push(request.socket.remotePort);
      response.end('{}');
    });
    const connection = await Connection.to(server.url);
    for (const fresh of [{}, {}, { fresh: true as const }, {}])
      await connection.send({ ...REQUEST, ...fresh });
    await connection.close();
    expect([ports.indexOf(ports[2]), ports.lastIndexOf(ports[2])]).toEqual([2, 2]);
    expect(ports.slice(0, 2)).toContain(ports[3]);
  });

  it.each<[string, RequestListener, Partial<TransportRequest>, string]>([
    ['the target closes', (_, response) => void response.destroy(), {}, 'reset'],
    ['the target is silent', () => undefined, { timeoutMs: 50 }, 'timeout'],
    ['we give up', () => undefined, { signal: AbortSignal.timeout(50) }, 'aborted'],
    ['we gave up before', () => undefined, { signal: AbortSignal.abort() }, 'aborted'],
    ['the path is impossible', () => undefined, { path: '/ä b' }, 'refused'],
    [
      'the target stops in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-length': '10' }).write('half');
        setTimeout(() => response.destroy(), 20);
      },
      {},
      'reset',
    ],
  ])('tells why there is no reply when %s', async (_, listener, request, lost) => {
    expect(await ask(listener, request)).toMatchObject({ reply: null, lost });
  });

  it('sends a call once, also when it is lost', async () => {
    let requests = 0;
    await ask((_, response) => {
      requests += 1;
      response.destroy();
    });
    expect(requests).toBe(1);
  });

  it('sends a body in chunks, without its length, where that is asked for', async () => {
    const told: (string | undefined)[] = [];
    const body = 'x'.repeat(100_000);
    const listener: RequestListener = (request, response) => {
      told.push(request.headers['content-length'], request.headers['transfer-encoding']);
      let bytes = 0;
      request.on('data', (chunk: Buffer) => (bytes += chunk.length));
      request.on('end', () => response.end(String(bytes)));
    };
    for (const chunked of [{}, { chunked: true as const }])
      expect((await ask(listener, { method: 'POST', body, ...chunked })).reply?.text).toBe('100000');
    expect(told).toEqual(['100000', undefined, undefined, 'chunked']);
  });

  it('sends and reads large bodies', async () => {
    const body = 'x'.repeat(21_000_000);
    const { reply } = await ask(
      (request, response) => {
        let bytes = 0;
        request.on('data', (chunk: Buffer) => (bytes += chunk.length));
        request.on('end', () => response.end(`${bytes} ${'y'.repeat(21_000_000)}`));
      },
      { method: 'POST', body },
    );
    expect(reply?.text.length).toBe(21_000_009);
    expect(reply?.text.slice(0, 10)).toBe('21000000 y');
  });

  it('is refused, and throws nothing, where an agent for a proxy takes no such header', async () => {
    const proxy = { proxy: 'http://127.0.0.1:9' };
    const headers = { 'proxy-authorization': 'Basic eDp5' };
    expect(await ask(() => undefined, { headers }, proxy)).toMatchObject({ reply: null, lost: 'refused' });
  });

  it('says who calls and what it can read, unless the user says otherwise', async () => {
    const { reply } = await ask(
      (request, response) => void response.end(JSON.stringify(request.headers)),
      {},
      { headers: { Accept: 'application/*' } },
    );
    expect(JSON.parse(reply?.text ?? '')).toMatchObject({
      'user-agent': 'runproof',
      accept: 'application/*',
      'accept-encoding': 'identity',
    });
  });

  it('adds the headers of the user, which never replace those of the call', async () => {
    const { reply } = await ask(
      (request, response) => void response.end(JSON.stringify(request.headers)),
      { headers: { authorization: 'call' } },
      { headers: { Authorization: 'user', 'X-One': '1' } },
    );
    expect(JSON.parse(reply?.text ?? '')).toMatchObject({ authorization: 'call', 'x-one': '1' });
  });
});
