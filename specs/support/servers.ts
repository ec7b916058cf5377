/** Servers of a spec, at free ports of this machine. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { startServer, type RunningServer, type ServerOptions } from '../../src/server/index.js';
import { createCaller } from '../server/caller.js';
import { until } from './until.js';

/** It ends with the test. */
export function forThisTest<T extends AsyncDisposable>(server: T): T {
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

export interface Listening extends AsyncDisposable {
  readonly server: Server;
  readonly port: number;
  /** Without a `/` at its end. */
  readonly url: string;
}

/** A server that answers as the spec says. */
export async function listen(answer: RequestListener | Server): Promise<Listening> {
  const server = (typeof answer === 'function' ? createServer(answer) : answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((closed) => server.close(closed));
    },
  };
}

/** Our own server under controlled time, for this test. */
export async function serve(options: ServerOptions = {}): Promise<RunningServer> {
  return forThisTest(await startServer({ clock: 'controlled', apiKeys: ['k'], ...options }));
}

/** Our own endpoint under controlled time, with callers of its API and of its test control, for this test. */
export async function serveEndpoint(options: ServerOptions = {}) {
  const server = await serve(options);
  const control = createCaller(server.controlUrl ?? '', server.apiKeys[0]!);
  return {
    server,
    url: server.url,
    api: createCaller(`${server.url}/v2/test`, server.apiKeys[0]!),
    control,
    advance: (byMs: number) => control.post('/clock/advance', { byMs }),
    /** Resolves once the endpoint has received this many calls. */
    arrived: (calls: number, endpoint = 'test') =>
      until(async () => (await control.get(`/endpoints/${endpoint}`)).json.received >= calls),
  };
}
