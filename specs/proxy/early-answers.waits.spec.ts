/** A service may answer before it has read a body, and close the connection. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { forThisTest, listen } from '../support/servers.js';
import { until } from '../support/until.js';
import { proxy, rawClient, rawUpstream, wire } from './raw.js';

const BIG = Buffer.alloc(20 << 20, 'x');

it('an answer that does not wait for the upload passes, and the next call after the upload', async () => {
  const upstream = await rawUpstream((_, { socket }) => socket.write(wire(['HTTP/1.1 204 Done'])));
  const { port } = await proxy(upstream.url);
  const client = await rawClient(port, wire(['POST / HTTP/1.1', 'host: x', 'content-length: 20'], 'some'));
  await until(() => upstream.peers[0]?.text.endsWith('some') === true);
  const [first] = upstream.peers;
  first!.socket.end(wire(['HTTP/1.1 413 Too large', 'content-length: 0', 'connection: close']));
  await client.has('413 Too large');
  client.socket.write('x'.repeat(16) + wire(['GET / HTTP/1.1', 'host: x']));
  await client.has('204 Done');
});

it('a body that was not all there when the answer came is not told', async () => {
  const upstream = await rawUpstream(() => undefined);
  const through = await proxy(upstream.url);
  const client = await rawClient(
    Number(new URL(through.url).port),
    wire(['POST / HTTP/1.1', 'host: x', 'content-length: 6'], '{}'),
  );
  await until(() => upstream.peers[0]?.text.endsWith('{}') === true);
  const answer = wire(['HTTP/1.1 401 No', 'content-length: 0']);
  upstream.peers[0]!.socket.write(answer);
  await client.has('401 No');
  expect((await through.told())[0]).toMatchObject({ request: { body: undefined }, reply: { status: 401 } });
});

it(
  'what a service answers that refuses an upload and closes the connection passes',
  { timeout: 60_000 },
  async () => {
    const { url } = forThisTest(
      await listen((_, response) => {
        response.writeHead(413, { connection: 'close', 'content-length': 2 }).end('{}', () => {
          response.socket?.destroy();
        });
      }),
    );
    const through = await proxy(url);
    const codes = [];
    for (let call = 0; call < 10; call += 1) {
      const upload = request(through.url, {
        method: 'POST',
        headers: { 'content-length': BIG.length },
        agent: false,
      });
      upload.on('error', () => undefined);
      upload.end(BIG);
      const [answer] = (await once(upload, 'response')) as [IncomingMessage];
      codes.push(answer.statusCode);
      answer.resume();
    }
    expect(codes.filter((code) => code !== 413).length).toBeLessThan(2);
  },
);
