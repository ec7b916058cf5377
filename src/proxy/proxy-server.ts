/** The server that clients call instead of the service. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Agent } from 'undici';
import { forward, type Upstream } from './forward.js';
import type { OnSeen } from './seen.js';

export interface ProxyOptions {
  /** The service: its origin, and what the paths begin with that are put before those of calls. */
  readonly upstream: URL;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Told of each call that is one of the API. */
  readonly onSeen: OnSeen;
  /** Whether a call is to be told. It is called once for each call, and passes whatever it says. */
  readonly isWatched: (method: string, target: string) => boolean;
  /** Answers `/_runproof…` for clients on this machine. */
  readonly own: (request: Request) => Response | Promise<Response>;
}

export interface RunningProxy {
  readonly url: string;
  /** Takes no more calls, and waits for those under way, at most so many ms. */
  close(waitMs: number): Promise<void>;
}

export const OWN_PATH = '/_runproof';

/** @throws {Error} if the port cannot be listened on */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { upstream: url, host, port, onSeen, isWatched, own } = options;
  // How long a call may take is the client's and the upstream's business.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: null, pipelining: 1 });
  const upstream: Upstream = {
    dispatcher,
    origin: url.origin,
    prefix: url.pathname.replace(/\/+$/u, ''),
  };
  const listener = getRequestListener((request) => own(request));
  const startMs = Date.now() - performance.now();
  // Steady: the machine's time may be set while the proxy runs.
  const nowMs = (): number => startMs + performance.now();
  // Whatever goes wrong here, the call passes.
  const told: OnSeen = (seen) => {
    try {
      onSeen(seen);
    } catch {
      // It is not told, and so not judged.
    }
  };
  let calls = 0;
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    const target = request.url ?? '/';
    if (isOwn(target) && isLoopback(request.socket.remoteAddress ?? '')) {
      void listener(request, response);
      return;
    }
    const watched = isWatchedSafely(isWatched, request.method ?? '', target);
    forward(request, response, upstream, watched ? { call: calls++, onSeen: told, nowMs } : null);
  });
  // A client may take its time with an upload, and wait for hours.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
  });
  await listening(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async close(waitMs) {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), waitMs);
      await closed;
      clearTimeout(timer);
      await dispatcher.destroy();
    },
  };
}

const isOwn = (target: string): boolean => /^\/_runproof(?:[/?]|$)/u.test(target);

const isLoopback = (address: string): boolean =>
  address === '::1' || address.replace(/^::ffff:/u, '').startsWith('127.');

function isWatchedSafely(isWatched: ProxyOptions['isWatched'], method: string, target: string): boolean {
  try {
    return isWatched(method, target);
  } catch {
    return false;
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
