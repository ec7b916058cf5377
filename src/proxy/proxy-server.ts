/** The server that clients call instead of the service. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { forward } from './forward.js';
import type { OnSeen } from './seen.js';
import { isReadable, readBody, type ReadBody } from './read-body.js';
import { createUpstream, HEAD_BYTES_MAX, receiverAt } from './upstream.js';
import { Webhooks } from './webhooks.js';

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
  /** Absent: webhooks go past the proxy. */
  readonly webhooks?: WebhookOptions | undefined;
}

export interface WebhookOptions {
  /** Signs the addresses that the service calls; with the same one they stay valid after a restart. */
  readonly key: string;
  /** The proxy, as the service reaches it; undefined: its address on this machine; null: only addresses given out before are valid. */
  readonly publicUrl: string | null | undefined;
}

export interface RunningProxy {
  readonly url: string;
  /** The same, as clients on this machine may call it; by it alone they get what is its own. */
  readonly localUrl: string;
  /** Takes no more calls, and waits for those under way, at most so many ms. */
  close(waitMs: number): Promise<void>;
}

export const OWN_PATH = '/_runproof';

/** Of the addresses that mean every interface. */
const LOOPBACK: { readonly [host: string]: string } = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Before it is asked whether it is still there. */
const SILENT_MS_MAX = 60_000;

/** @throws {Error} if the port cannot be listened on */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { upstream: url, host, port, onSeen, isWatched, own } = options;
  let webhooks: Webhooks | null = null;
  const upstream = createUpstream(url);
  const listener = getRequestListener((request) => own(request), { overrideGlobalObjects: false });
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
  const answer: RequestListener = (request, response) => {
    const method = request.method ?? '';
    const target = pathOf(request.url ?? '/');
    if (webhooks?.isOne(target) === true) {
      const found = webhooks.receiverOf(target);
      if (found === null) return notOurs(response);
      const { webhook, url: to } = found;
      const watched = { call: calls++, onSeen: told, nowMs, webhook };
      return forward(request, response, to.pathname + to.search, receiverAt(to), watched);
    }
    if (isOwn(target) && isLocal(request)) {
      void listener(request, response);
      return;
    }
    const watched = isWatchedSafely(isWatched, method, target)
      ? { call: calls++, onSeen: told, nowMs }
      : null;
    const pass = (read: ReadBody | null): void => forward(request, response, target, upstream, watched, read);
    if (webhooks?.mayRewrite(method, target) !== true || !isReadable(request)) return pass(null);
    readBody(request, (sent) => pass(sent && { sent, passed: rewrittenSafely(webhooks!, sent) }));
  };
  const server = createServer({
    requireHostHeader: false,
    maxHeaderSize: HEAD_BYTES_MAX,
    // Clients that went away without a word.
    keepAlive: true,
    keepAliveInitialDelay: SILENT_MS_MAX,
  });
  server.on('request', answer);
  // The upstream says whether it wants the body.
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  server.maxHeadersCount = 0;
  // A client may take its time with an upload, wait for hours, and keep its connection.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.keepAliveTimeout = 0;
  await listening(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  const urlOf = (name: string): string => `http://${name.includes(':') ? `[${name}]` : name}:${bound}`;
  const localUrl = urlOf(LOOPBACK[host] ?? host);
  if (options.webhooks !== undefined) {
    const { key, publicUrl = localUrl } = options.webhooks;
    webhooks = new Webhooks(key, publicUrl);
  }
  return {
    ...{ url: urlOf(host), localUrl },
    async close(waitMs) {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), waitMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Clients may name the whole URL (RFC 9112, 3.2.2). */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/iu, '');
  return path === '' || path.startsWith('?') ? `/${path}` : path;
}

const isOwn = (target: string): boolean => /^\/_runproof(?:[/?]|$)/u.test(target);

/** From this machine, and by a name that leads nowhere else: a page from elsewhere may lead one of its own here. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/u, '');
  return (address === '::1' || address.startsWith('127.')) && LOCAL_HOST.test(headers.host ?? '');
}

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/iu;

function isWatchedSafely(isWatched: ProxyOptions['isWatched'], method: string, target: string): boolean {
  try {
    return isWatched(method, target);
  } catch {
    return false;
  }
}

function rewrittenSafely(webhooks: Webhooks, body: Buffer): Buffer {
  try {
    return webhooks.rewrite(body);
  } catch {
    return body;
  }
}

function notOurs(response: ServerResponse): void {
  const text = `${JSON.stringify({ error: 'this is no address that the proxy has given out: is its --state file another one?' })}\n`;
  response.writeHead(404, { 'content-type': 'application/json' }).end(text);
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
