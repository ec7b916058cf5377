/**
 * `wire/` promises the one server that listens: how a connection begins, is kept and ends, what is answered to what is no
 * request, and how the head and the body of one are read. It knows no call: what a path, a key or a body means is for who answers.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { localNameOf, urlOf } from '../util/address.js';
import { refuseEarly, type Refuse } from './early-answers.js';

/** Where to listen. */
export interface Address {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** With these, clients call it by HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

/** What answers. */
export interface Inner {
  /** Answers a request whose head has come. */
  readonly answer: http.RequestListener;
  /**
   * In whose words malformed requests are refused, as strictly as the endpoint does it. `passed`: all that Node can read is
   * answered, also to a client that waits to be told to send its body, and one that sends no more is no client that has gone.
   * Absent: as Node does it.
   */
  readonly refuse?: Refuse | 'passed';
  /** Told of each connection as it begins. */
  readonly connected?: (socket: Socket) => void;
}

/** Limits for one client. Times in ms; 0: none. */
export interface Limits {
  /** A client that has not sent its header fields by then is disconnected. */
  readonly headersTimeoutMs: number;
  /** For a whole request. */
  readonly requestTimeoutMs: number;
  /** How often these two are checked. */
  readonly checkEveryMs: number;
  /** How long an idle connection is kept. */
  readonly keepAliveMs: number;
  /** A silent client is probed (TCP keep-alive) after this time, and disconnected when it does not answer. */
  readonly probeAfterMs: number;
  /** Connections beyond this number are closed at once. */
  readonly connectionsMax: number;
  /** Of a request line with its header fields. */
  readonly headBytesMax: number;
}

export interface Listening {
  readonly port: number;
  /** The number of the host. */
  readonly address: string;
  /** By the host as it was given. */
  readonly url: string;
  /** As clients on this machine may call it. */
  readonly localUrl: string;
  /**
   * Takes no more calls, waits for those under way, at most so many ms, and frees the port.
   *
   * @param ends what ends calls under way; waited for before the time begins
   */
  close(waitMs: number, ends?: () => Promise<unknown>): Promise<void>;
}

/** @throws {Error} the system's, with a code such as `EADDRINUSE`, if it cannot be listened on */
export async function listen(
  { host, port, tls }: Address,
  inner: Inner,
  limits: Partial<Limits> = {},
): Promise<Listening> {
  const server = serverOf(inner, limits, tls);
  // The server itself counts a connection only once its handshake is done, and waits for all of them to close.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Rejects with the server's `error`.
  await once(server.listen(port, host), 'listening');
  const { port: bound, address } = server.address() as AddressInfo;
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    port: bound,
    address,
    url: urlOf(scheme, host, bound),
    localUrl: urlOf(scheme, localNameOf(host), bound),
    async close(waitMs, ends) {
      const closed = once(server, 'close');
      server.close();
      await ends?.();
      const cut = (): void => {
        for (const socket of sockets) socket.destroy();
      };
      if (waitMs > 0) server.closeIdleConnections();
      else cut();
      const cutOff = setTimeout(cut, waitMs);
      await closed;
      clearTimeout(cutOff);
    },
  };
}

function serverOf(
  { answer, refuse, connected }: Inner,
  limits: Partial<Limits>,
  tls: Address['tls'],
): http.Server {
  const { probeAfterMs, connectionsMax } = limits;
  const settings = {
    requireHostHeader: refuse === undefined,
    maxHeaderSize: limits.headBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    keepAliveTimeout: limits.keepAliveMs,
    keepAlive: probeAfterMs !== undefined,
    keepAliveInitialDelay: probeAfterMs,
  };
  const server: http.Server =
    tls === undefined ? http.createServer(settings) : https.createServer({ ...settings, ...tls });
  if (connected !== undefined) server.on('connection', connected);
  if (connectionsMax !== undefined) server.maxConnections = connectionsMax;
  if (refuse === 'passed') passAll(server, answer);
  else if (refuse !== undefined) refuseEarly(server, answer, refuse);
  else server.on('request', answer);
  return server;
}

function passAll(server: http.Server, answer: http.RequestListener): void {
  // Node would take the end of what a client sends for its going away.
  (server as http.Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.maxHeadersCount = 0;
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, answer);
}

/** Why it could not be listened there, in words; null for any other error. */
export function whyNotListening(error: unknown, { host, port }: Address): string | null {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `port ${port} is in use: choose another`;
    case 'EACCES':
      return `this user may not listen on port ${port}`;
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine`;
    case 'ENOTFOUND':
      return `there is no host ${host}`;
    default:
      return null;
  }
}
