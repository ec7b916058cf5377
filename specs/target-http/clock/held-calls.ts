/** A client of a server made by hand, and the calls that it holds back together. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OutgoingCall } from '../../../src/runner/api.js';
import { Connection } from '../../../src/target/http/connection.js';
import { HttpClient, type InFlightRequest } from '../../../src/target/session/http-client.js';

/** @param ends gets what closes server and client, to be called from the last to the first */
export async function clientOf(
  take: RequestListener,
  ends: (() => unknown)[],
  isFarAway = false,
): Promise<HttpClient> {
  const server: Server = createServer(take).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const connection = await Connection.to(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  ends.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => server.closeAllConnections(),
    () => connection.close(),
  );
  return new HttpClient(connection, { prefix: '', apiKey: 'k', isFarAway });
}

export function sendTogether(
  client: HttpClient,
  count: number,
  atATime: number,
  method = 'POST',
): readonly InFlightRequest[] {
  const held = { first: 0, count, atATime };
  return Array.from({ length: count }, (_, call) => {
    const named = { call, lane: `main#${call}`, op: 'run', label: null, endpoint: 'e', method };
    const rest = { query: {}, auth: 'bare', contentType: 'application/json', bodyText: '{"input":{}}' };
    return client.send(
      { ...named, path: '/v2/e/run', ...rest, illegal: null, mayWait: false, held } as OutgoingCall,
      0,
      20_000,
    );
  });
}
