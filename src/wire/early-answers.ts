/** What is answered before anyone asks what a request means: malformed ones get a 4xx, or their connection is closed. */
import {
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** An answer whose body is a JSON value; null: it has none. */
export interface EarlyReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: unknown;
}

/** Puts a refusal into the words of who answers. */
export type Refuse = (status: number, detail: string) => EarlyReply;

/** How long to wait for a client to close its side. */
const LINGER_MAX_MS = 2_000;

/** A short unread body is read and dropped, so that the connection can be reused. */
const READ_PAST_BYTES = 64 * 1024;
/** If the socket were destroyed at once while data is unread, the system would discard the answer. */
const LINGER_MS = 1_000;

/** Answers requests, and refuses what is none. */
export function refuseEarly(server: Server, answer: RequestListener, refuse: Refuse): void {
  /** The response in progress on a connection. */
  const responses = new WeakMap<Duplex, ServerResponse>();
  const abandoned = new WeakSet<Duplex>();
  const take = (incoming: IncomingMessage, outgoing: ServerResponse & { req: IncomingMessage }): void => {
    responses.set(incoming.socket, outgoing);
    leaveUnread(incoming, outgoing);
    const wrong = wrongWith(incoming);
    if (wrong === null) answer(incoming, outgoing);
    else writeRefusal(outgoing, refuse(400, wrong));
  };
  server.on('request', take);
  server.on(
    'checkContinue',
    (incoming: IncomingMessage, outgoing: ServerResponse & { req: IncomingMessage }) => {
      // A client whose body is not wanted gets the answer instead of `100 Continue`.
      incoming.once('resume', () => {
        if (!outgoing.headersSent) outgoing.writeContinue();
      });
      take(incoming, outgoing);
    },
  );
  server.on('checkExpectation', (_incoming: IncomingMessage, outgoing: ServerResponse) => {
    writeRefusal(outgoing, refuse(417, 'the only supported expectation is 100-continue'));
  });
  server.on('connect', (_incoming: IncomingMessage, socket: Duplex) => {
    writeRaw(socket, refuse(400, 'this server is not a proxy'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Further data on an abandoned connection is garbage as well.
    if (abandoned.has(socket)) return;
    abandoned.add(socket);
    const answering = responses.get(socket);
    const half = answering !== undefined && answering.headersSent && !answering.writableFinished;
    // In the middle of another answer, this one would be read as part of it.
    if (half || error.code === 'ECONNRESET') socket.destroy();
    else writeRaw(socket, refuse(...reasonOf(error)));
  });
}

/** Null: nothing. */
function wrongWith({ httpVersion, headers, rawHeaders }: IncomingMessage): string | null {
  // Node accepts request lines of other versions, such as 0.9 and 2.0.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'the version of HTTP must be 1.1 or 1.0';
  // Checked here because Node's own refusal has no body.
  if (httpVersion === '1.1' && headers.host === undefined) return 'a host header is needed';
  // RFC 9112, section 3.2. Node keeps the first.
  return hasTwoHosts(rawHeaders) ? 'there must be one host header' : null;
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

/** Answers a request, and closes the connection after it. */
export function writeRefusal(outgoing: ServerResponse, reply: EarlyReply): void {
  const text = textOf(reply);
  outgoing.writeHead(reply.status, {
    ...reply.headers,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  outgoing.end(text);
}

/** Writes to a connection on which no request could be read, and closes it. */
function writeRaw(socket: Duplex, reply: EarlyReply): void {
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

const textOf = ({ body }: EarlyReply): string => (body === null ? '' : JSON.stringify(body));

/**
 * Stops reading a body once its request is answered: reading on through a body in one-byte chunks would be
 * expensive. A short body with a declared length is read and dropped.
 */
function leaveUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = incoming.headers;
  if (encoding === undefined && Number(length) <= READ_PAST_BYTES) return;
  const write = outgoing.writeHead.bind(outgoing) as (...head: readonly unknown[]) => ServerResponse;
  outgoing.writeHead = (...head: readonly unknown[]) => {
    if (incoming.complete || outgoing.headersSent) return write(...head);
    const { socket } = incoming;
    stopReading(socket);
    // Chunks that are already parsed are dropped.
    incoming.resume();
    // Node calls this after the answer, since the connection is not kept alive.
    socket.destroySoon = () => {
      socket.end();
      const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
      socket.once('close', () => clearTimeout(timer));
    };
    return write(head[0], { ...(head[1] as object | undefined), connection: 'close' });
  };
}

/**
 * Stops reading and returns a function that resumes it. The request stream would otherwise resume its socket
 * whenever more data is requested.
 */
export function stopReading(socket: Socket): () => void {
  const again = (): void => void socket.pause();
  socket.on('resume', again);
  socket.pause();
  return () => {
    socket.off('resume', again);
    socket.resume();
  };
}
