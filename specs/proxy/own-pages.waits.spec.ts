/** What is the proxy's own is for clients on this machine, by its names: a page from elsewhere may lead its name here. */
import { expect, it } from 'vitest';
import { proxy, rawClient, rawUpstream, wire } from './raw.js';

it.each([
  ...['localhost', 'LOCALHOST:8090', '127.0.0.1', '127.1.2.3:1', '[::1]', '[::1]:8090'].map(
    (host) => [host, 'own'] as const,
  ),
  ...['evil.example', 'evil.example:8090', '127.0.0.1.evil.example', 'localhost.evil.example', '[::2]'].map(
    (host) => [host, 'passed'] as const,
  ),
  ...['192.168.0.1', 'evil.example@127.0.0.1', '127.0.0.1:80:80', ''].map(
    (host) => [host, 'passed'] as const,
  ),
])('as %j: %s', async (host, expected) => {
  const upstream = await rawUpstream((_, { socket }) =>
    socket.write(wire(['HTTP/1.1 200 OK', 'content-length: 6'], 'passed')),
  );
  const { port } = await proxy(upstream.url);
  const client = await rawClient(
    port,
    wire(['GET /_runproof/state HTTP/1.1', `host: ${host}`, 'connection: close']),
  );
  const answer = await client.all;
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain(expected);
});

it('knows where clients on this machine find it, whatever it listens on', async () => {
  const own = (asked: Request) => new Response(`own ${new URL(asked.url).pathname}`);
  const { localUrl } = await proxy('http://127.0.0.1:9', { host: '0.0.0.0', own });
  expect(await (await fetch(`${localUrl}/_runproof`)).text()).toBe('own /_runproof');
});
