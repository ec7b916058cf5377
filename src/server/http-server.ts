import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { CoreReply } from '../core/api.js';
import { toResponse } from './api-call.js';
import type { App } from './app.js';
import type { HostHeaderCheck } from './host-header-check.js';
import { leaveUnread } from './unread.js';

/** What one client may take of the server. Times in ms. */
export interface ConnectionLimits {
  /** A client that does not send its header fields within that is cut off. */
  readonly headersTimeoutMs: number;
  /** For a whole request, 20 MB over a slow line included. */
  readonly requestTimeoutMs: number;
  /** How often those two are looked at. */
  readonly checkEveryMs: number;
  /** Idle connections are kept longer than clients keep them: they should be the ones to end them. */
  readonly keepAliveMs: number;
  /** A client of which nothing is heard is asked whether it is still there, and cut off when it is not. */
  readonly probeAfterMs: number;
  /** Further connections are closed at once. */
  readonly connectionsMax: number;
}

const LIMITS: ConnectionLimits = {
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 300_000,
  checkEveryMs: 5_000,
  keepAliveMs: 65_000,
  probeAfterMs: 30_000,
  connectionsMax: 10_000,
};

export interface HttpServerOptions extends Partial<ConnectionLimits> {
  /** Default: every `host` is answered. */
  readonly hostHeaderCheck?: HostHeaderCheck;
}

/** An HTTP server that answers what is no proper request with a clear 4xx in JSON, or closes the connection. */
export function createHttpServer(
  app: App,
  { hostHeaderCheck = () => null, ...limits }: HttpServerOptions = {},
): Server {
  const { headersTimeoutMs, requestTimeoutMs, checkEveryMs, keepAliveMs, probeAfterMs, connectionsMax } = {
    ...LIMITS,
    ...limits,
  };
  const listener = getRequestListener((request, env) => app.fetch(request, env as HttpBindings), {
    // The global Request and Response belong to the program that hosts us.
    overrideGlobalObjects: false,
    // What is left of a request is our business.
    autoCleanupIncoming: false,
    errorHandler: () => toResponse(app.refusal(400, 'the request line or the host makes no address')),
  });
  /** The answer that is being given on a connection. */
  const underWay = new WeakMap<Duplex, ServerResponse>();
  const givenUp = new WeakSet<Duplex>();

  function take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    underWay.set(incoming.socket, outgoing);
    leaveUnread(incoming, outgoing);
    // Node takes a request line of 0.9 or 2.0 for one of its own.
    if (incoming.httpVersion !== '1.1' && incoming.httpVersion !== '1.0') {
      return writeWhole(outgoing, app.refusal(400, 'the version of HTTP must be 1.1 or 1.0'));
    }
    // Asked for here and not by Node, whose refusal has no body.
    if (incoming.httpVersion === '1.1' && incoming.headers.host === undefined) {
      return writeWhole(outgoing, app.refusal(400, 'a host header is needed'));
    }
    const misled = hostHeaderCheck(incoming.url ?? '/', incoming.headers.host);
    if (misled !== null) return writeWhole(outgoing, app.refusal(403, misled));
    void listener(incoming, outgoing);
  }

  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: checkEveryMs,
      keepAliveTimeout: keepAliveMs,
      keepAlive: true,
      keepAliveInitialDelay: probeAfterMs,
      requireHostHeader: false,
    },
    take,
  );
  server.maxConnections = connectionsMax;
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // Whose body nobody wants to read gets the answer in place of the go-ahead.
    incoming.once('resume', () => {
      if (!outgoing.headersSent) outgoing.writeContinue();
    });
    take(incoming, outgoing);
  });
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    writeWhole(outgoing, app.refusal(417, 'the only expectation that is met is 100-continue'));
  });
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    writeRaw(socket, app.refusal(400, 'this is no proxy'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // What else comes over a connection that was given up is garbage, too.
    if (givenUp.has(socket)) return;
    givenUp.add(socket);
    const answering = underWay.get(socket);
    const half = answering !== undefined && answering.headersSent && !answering.writableFinished;
    // In the middle of another answer, this one would be read as a part of it.
    if (half || error.code === 'ECONNRESET') socket.destroy();
    else writeRaw(socket, app.refusal(...reasonOf(error)));
  });
  return server;
}

function reasonOf({ code }: NodeJS.ErrnoException): [status: number, detail: string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'the header fields are too large'];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return [413, 'the extensions of a chunk are too large'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'the request did not arrive in time'];
    default:
      return [400, 'this is not a valid HTTP request'];
  }
}

function writeWhole(outgoing: ServerResponse, reply: CoreReply): void {
  const text = textOf(reply);
  outgoing.writeHead(reply.status, {
    ...reply.headers,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  outgoing.end(text);
}

/** To a connection that no request was read from, and that is given up. */
function writeRaw(socket: Duplex, reply: CoreReply): void {
  socket.on('error', () => undefined);
  if (!socket.writable) return void socket.destroy();
  const text = textOf(reply);
  const fields = { ...reply.headers, 'content-length': Buffer.byteLength(text), connection: 'close' };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const line = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n`;
  socket.end(`${line}${head.join('')}\r\n${text}`);
  // Destroyed at once, what it has sent meanwhile would make the system withdraw the answer.
  const timer = setTimeout(() => socket.destroy(), LINGER_MAX_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** A client that does not close its side, or does not read, is waited for no longer. */
const LINGER_MAX_MS = 2_000;

const textOf = ({ body }: CoreReply): string => (body === null ? '' : JSON.stringify(body));
