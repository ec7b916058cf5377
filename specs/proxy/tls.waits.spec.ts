/** With a certificate, clients call the proxy by HTTPS, and nothing else changes. */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { ROOT } from '../project/sources.js';
import { proxy, rawUpstream, wire } from './raw.js';

const pem = (name: string): string => readFileSync(join(ROOT, 'specs/cli/tls', name), 'utf8');

it('clients that trust the certificate are passed on', async () => {
  const upstream = await rawUpstream((_, { socket }) =>
    socket.write(wire(['HTTP/1.1 200 OK', 'content-length: 6'], 'passed')),
  );
  const { url, told } = await proxy(upstream.url, { tls: { cert: pem('cert.pem'), key: pem('key.pem') } });
  expect(url).toMatch(/^https:/);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}/v2/a/health`, { ca: pem('cert.pem') }, resolve)
      .on('error', reject)
      .end();
  });
  expect(await text(answer)).toBe('passed');
  expect(await told()).toMatchObject([{ reply: { status: 200 } }]);
});

it('the proxy closes in time although a client has connected and said nothing', async () => {
  const tls = { cert: pem('cert.pem'), key: pem('key.pem') };
  const { port, close } = await proxy('http://127.0.0.1:9', { tls });
  const silent = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(silent, 'connect');
  await Promise.all([once(silent, 'close'), close(50)]);
});
