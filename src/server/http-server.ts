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

/** Limits for one client. Times in ms. */
export interface ConnectionLimits {
  /** A client that has not sent its header fields by then is disconnected. */
  readonly headersTimeoutMs: number;
  /** For a whole request; allows 20 MB over a slow line. */
  readonly requestTimeoutMs: number;
  /** How often these two are checked. */
  readonly checkEveryMs: number;
  /** Longer than clients usually keep idle connections, so that the client closes them first. */
  readonly keepAliveMs: number;
  /** A silent client is probed (TCP keep-alive) after this time, and disconnected when it does not answer. */
  readonly probeAfterMs: number;
  /** Connections beyond this number are closed at once. */
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
  /** Default: every `host` is accepted. */
  readonly hostHeaderCheck?: HostHeaderCheck;
}

/** `rawHeaders` holds names and values in turns. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** An HTTP server that answers malformed requests with a 4xx in JSON, or closes the connection. */
export function createHttpServer(
  app: App,
  { hostHeaderCheck = () => null, ...limits }: HttpServerOptions = {},
): Server {
  const { headersTimeoutMs, requestTimeoutMs, checkEveryMs, keepAliveMs, probeAfterMs, connectionsMax } = {
    ...LIMITS,
    ...limits,
  };
  const listener = getRequestListener((request, env) => app.fetch(request, env as HttpBindings), {
    // The global Request and Response belong to the embedding program.
    overrideGlobalObjects: false,
    // Unread bodies are handled in unread.ts.
    autoCleanupIncoming: false,
    errorHandler: () =>
      toResponse(app.refusal(400, 'the request line and the host header make no valid address')),
  });
  /** The response in progress on a connection. */
  const responses = new WeakMap<Duplex, ServerResponse>();
  const abandoned = new WeakSet<Duplex>();

  function handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    responses.set(incoming.socket, outgoing);
    leaveUnread(incoming, outgoing);
    // Node accepts request lines of other versions, such as 0.9 and 2.0.
    if (incoming.httpVersion !== '1.1' && incoming.httpVersion !== '1.0') {
      return writeReply(outgoing, app.refusal(400, 'the version of HTTP must be 1.1 or 1.0'));
    }
    // Checked here because Node's own refusal has no body.
    if (incoming.httpVersion === '1.1' && incoming.headers.host === undefined) {
      return writeReply(outgoing, app.refusal(400, 'a host header is needed'));
    }
    // RFC 9112, section 3.2. Node keeps the first.
    if (hasTwoHosts(incoming.rawHeaders))
      return writeReply(outgoing, app.refusal(400, 'there must be one host header'));
    const wrongHost = hostHeaderCheck(incoming.url ?? '/', incoming.headers.host);
    if (wrongHost !== null) return writeReply(outgoing, app.refusal(403, wrongHost));
    if (isPlainCall(incoming)) void app.callOverSocket(incoming, outgoing);
    else void listener(incoming, outgoing);
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
    handle,
  );
  server.maxConnections = connectionsMax;
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // A client whose body is not wanted gets the answer instead of `100 Continue`.
    incoming.once('resume', () => {
      if (!outgoing.headersSent) outgoing.writeContinue();
    });
    handle(incoming, outgoing);
  });
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    writeReply(outgoing, app.refusal(417, 'the only supported expectation is 100-continue'));
  });
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    writeRaw(socket, app.refusal(400, 'this server is not a proxy'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Further data on an abandoned connection is garbage as well.
    if (abandoned.has(socket)) return;
    abandoned.add(socket);
    const answering = responses.get(socket);
    const half = answering !== undefined && answering.headersSent && !answering.writableFinished;
    // In the middle of another answer, this one would be read as part of it.
    if (half || error.code === 'ECONNRESET') socket.destroy();
    else writeRaw(socket, app.refusal(...reasonOf(error)));
  });
  return server;
}

/**
 * Whether this is a call of the API whose address needs no parsing to know that. It goes to the same `overSocket` as
 * those that Hono routes there. This second way stays because without it a `/run` costs the server 1.2 times the CPU
 * time: Hono needs a `Request`.
 */
const isPlainCall = ({ method, url = '', headers: { host = '' } }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'POST') && PLAIN_TARGET.test(url) && PLAIN_HOST.test(host);

/** Without percent-encoding and segments of dots. */
const PLAIN_TARGET = /^\/v2\/[\w/-]+(?:\?[\w=&-]*)?$/;
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-9]\d{3,4})?$/;

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

function writeReply(outgoing: ServerResponse, reply: CoreReply): void {
  const text = textOf(reply);
  outgoing.writeHead(reply.status, {
    ...reply.headers,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  outgoing.end(text);
}

/** Writes to a connection on which no request could be read, and closes it. */
function writeRaw(socket: Duplex, reply: CoreReply): void {
  socket.on('error', () => undefined);
  if (!socket.writable) return void socket.destroy();
  const text = textOf(reply);
  const fields = { ...reply.headers, 'content-length': Buffer.byteLength(text), connection: 'close' };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const line = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n`;
  socket.end(`${line}${head.join('')}\r\n${text}`);
  // If the socket were destroyed at once while unread data is pending, the system would discard the answer.
  const timer = setTimeout(() => socket.destroy(), LINGER_MAX_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** How long to wait for a client to close its side. */
const LINGER_MAX_MS = 2_000;

const textOf = ({ body }: CoreReply): string => (body === null ? '' : JSON.stringify(body));
