/** A message with two host headers means two servers: whoever stands between may take the other one (RFC 9112, 3.2). */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';

async function say(url: string, ...headers: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(
    ['GET /v2/test/health HTTP/1.1', ...headers, 'authorization: k', 'connection: close', '', ''].join(
      '\r\n',
    ),
  );
  return text(socket);
}

it('two host headers are refused, whether they agree or not', async () => {
  const server = await startServer({ apiKeys: ['k'], endpoints: ['test'] });
  try {
    expect(await say(server.url, 'host: localhost')).toMatch(/^HTTP\/1\.1 200 /);
    for (const second of ['host: localhost', 'HOST: evil.example', 'Host:'])
      expect([second, await say(server.url, 'host: localhost', second)]).toEqual([
        second,
        expect.stringMatching(/^HTTP\/1\.1 400 [^]*there must be one host header/),
      ]);
  } finally {
    await server.close();
  }
});
