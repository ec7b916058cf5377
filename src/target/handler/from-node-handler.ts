import { IncomingMessage, ServerResponse } from 'node:http';
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { FetchHandler } from './handler.js';

/** What `createServer` of node:http takes; an Express or Koa app (`app.callback()`) is one. @public */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

const STATUS_WITHOUT_BODY = new Set([101, 204, 205, 304]);

/**
 * A listener for node:http, such as an Express app, as a fetch handler. There is no socket: what a listener reads
 * from `request.socket` beyond its existence is not there.
 *
 * @public
 */
export function fromNodeHandler(handler: NodeHandler): FetchHandler {
  return async (request) => {
    const body = Buffer.from(await request.arrayBuffer());
    const incoming = incomingOf(request, body);
    const outgoing = new ServerResponse(incoming);
    const replied = captured(outgoing);
    request.signal.addEventListener('abort', () => {
      incoming.destroy();
      outgoing.destroy();
    });
    await handler(incoming, outgoing);
    return replied;
  };
}

function incomingOf(request: Request, body: Buffer): IncomingMessage {
  const { pathname, search } = new URL(request.url);
  const incoming = new IncomingMessage(new Socket());
  incoming.method = request.method;
  incoming.url = pathname + search;
  incoming.httpVersion = '1.1';
  incoming.httpVersionMajor = 1;
  incoming.httpVersionMinor = 1;
  for (const [name, value] of request.headers) {
    incoming.headers[name] = value;
    incoming.rawHeaders.push(name, value);
  }
  if (body.length > 0) incoming.push(body);
  incoming.push(null);
  incoming.complete = true;
  return incoming;
}

/**
 * Resolves with what the listener has written, when it has ended its response. The methods are replaced on the
 * object itself, because frameworks (Express) give it a prototype of their own.
 */
function captured(outgoing: ServerResponse): Promise<Response> {
  const chunks: Buffer[] = [];
  // A place to write to, or `finish` never comes.
  outgoing.assignSocket(new Writable({ write: (_chunk, _encoding, done) => done() }) as Socket);
  const { write, end, writeHead } = outgoing;
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') {
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    } else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  outgoing.write = function (this: ServerResponse, ...args: unknown[]) {
    keep(args[0], args[1]);
    return (write as (...all: unknown[]) => boolean).apply(this, args);
  } as ServerResponse['write'];
  // `end` writes its chunk by itself, past `write`.
  outgoing.end = function (this: ServerResponse, ...args: unknown[]) {
    if (!outgoing.writableEnded) keep(args[0], args[1]);
    return (end as (...all: unknown[]) => ServerResponse).apply(this, args);
  } as ServerResponse['end'];
  outgoing.writeHead = function (this: ServerResponse, status: number, ...more: unknown[]) {
    const headers = more.find((part) => typeof part === 'object' && part !== null);
    setHeaders(outgoing, headers as OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined);
    return writeHead.call(this, status);
  };

  return new Promise((resolve, reject) => {
    outgoing.once('finish', () => resolve(responseOf(outgoing, Buffer.concat(chunks))));
    outgoing.once('close', () => reject(new Error('the response was closed before its end')));
  });
}

/** `writeHead` keeps its headers to itself; `getHeaders` knows only those that were set. */
function setHeaders(
  outgoing: ServerResponse,
  headers: OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined,
): void {
  if (headers === undefined) return;
  const pairs = Array.isArray(headers)
    ? Array.from({ length: headers.length / 2 }, (_, i) => [headers[2 * i], headers[2 * i + 1]] as const)
    : Object.entries(headers);
  for (const [name, value] of pairs) if (value !== undefined) outgoing.setHeader(String(name), value);
}

function responseOf(outgoing: ServerResponse, body: Buffer): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(outgoing.getHeaders())) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) headers.append(name, String(one));
    }
  }
  const { statusCode: status } = outgoing;
  const bytes = STATUS_WITHOUT_BODY.has(status) ? null : new Uint8Array(body);
  return new Response(bytes, { status, headers });
}
