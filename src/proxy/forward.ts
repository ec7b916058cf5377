/** Passes one call on: streams both ways, with backpressure, and tells what was seen. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { KeptBody } from './kept-body.js';
import type { OnSeen, SeenMessage } from './seen.js';

export interface Upstream {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  /** What its paths begin with, before that of the call: empty, or without a slash at the end. */
  readonly prefix: string;
}

/** How a call is watched; null: it is none of the API. */
export interface Watched {
  readonly call: number;
  readonly onSeen: OnSeen;
  /** ms since 1970. */
  readonly nowMs: () => number;
}

/** Of one connection, not of the call (RFC 9110, 7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
  watched: Watched | null,
): void {
  const sent = watched === null ? null : new KeptBody();
  const received = watched === null ? null : new KeptBody();
  const target = request.url ?? '/';
  const method = request.method ?? 'GET';
  let reply: { readonly status: number; readonly headers: SeenMessage['headers'] } | null = null;
  let isOver = false;
  watched?.onSeen({ kind: 'begin', call: watched.call, atMs: Math.floor(watched.nowMs()), method, target });
  const over = (isAnswered: boolean): void => {
    if (isOver) return;
    isOver = true;
    watched?.onSeen({
      kind: 'end',
      call: watched.call,
      atMs: Math.ceil(watched.nowMs()),
      request: { headers: seenHeaders(request.rawHeaders), body: sent!.whole },
      reply: isAnswered && reply !== null ? { ...reply, body: received!.whole } : null,
    });
  };
  const fail = (error: Error): void => {
    over(false);
    if (response.destroyed) return;
    // What was begun cannot be taken back: the client sees that it is broken off, as the upstream did it.
    if (response.headersSent) return void response.destroy();
    const text = `${JSON.stringify({ error: `no answer from the upstream: ${error.message}` })}\n`;
    response.writeHead(502, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  };
  const body = hasBody(request) ? (sent === null ? request : tapped(request, sent)) : null;
  // The proxy says when, as the upstream would.
  response.sendDate = false;
  upstream.dispatcher.dispatch(
    {
      origin: upstream.origin,
      path: upstream.prefix + target,
      method: method as Dispatcher.HttpMethod,
      headers: passed(request.rawHeaders, connectionOf(request)),
      body: body as Readable | null,
    },
    {
      onRequestStart(controller) {
        // A client that goes away does not wait for an answer.
        response.once('close', () => {
          if (!response.writableFinished) {
            over(false);
            controller.abort(new Error('the client went away'));
          }
        });
        response.on('drain', () => controller.resume());
      },
      onResponseStart(controller, status, _headers, statusText) {
        if (status < 200) return;
        const raw = textsOf(controller.rawHeaders);
        reply = { status, headers: seenHeaders(raw) };
        response.writeHead(status, statusText ?? '', passed(raw, connectionIn(raw)));
      },
      onResponseData(controller, piece) {
        received?.add(piece);
        if (!response.write(piece)) controller.pause();
      },
      onResponseEnd() {
        over(true);
        response.end();
      },
      onResponseError(_, error) {
        fail(error);
      },
    },
  );
}

async function* tapped(body: AsyncIterable<Buffer>, kept: KeptBody): AsyncGenerator<Buffer> {
  for await (const piece of body) {
    kept.add(piece);
    yield piece;
  }
}

/** RFC 9112, 6.3. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const connectionOf = ({ headers }: IncomingMessage): ReadonlySet<string> =>
  listed(headers.connection ?? '', ['host', 'expect']);

function connectionIn(raw: readonly string[]): ReadonlySet<string> {
  const at = raw.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'connection');
  return listed(at < 0 ? '' : raw[at + 1]!, []);
}

/** What `connection` names is of the connection, too. */
const listed = (connection: string, more: readonly string[]): ReadonlySet<string> =>
  new Set([...more, ...connection.split(',').map((name) => name.trim().toLowerCase())]);

/** Names and values by turns, in their order and their spelling. */
function passed(raw: readonly string[], left: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    if (!OF_CONNECTION.has(name) && !left.has(name)) kept.push(raw[at]!, raw[at + 1]!);
  }
  return kept;
}

const SECRET: ReadonlySet<string> = new Set(['authorization', 'cookie', 'set-cookie', 'x-api-key']);

/** Keys are not told: of `Bearer abc` the form remains. */
function seenHeaders(raw: readonly string[]): SeenMessage['headers'] {
  const seen: (readonly [string, string])[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    const value = raw[at + 1]!;
    seen.push([name, SECRET.has(name) ? `${/^\S+(?=\s)/u.exec(value)?.[0] ?? ''} ***`.trim() : value]);
  }
  return seen;
}

const textsOf = (raw: Dispatcher.DispatchController['rawHeaders']): readonly string[] =>
  Array.isArray(raw) ? raw.map((one) => (typeof one === 'string' ? one : one.toString('latin1'))) : [];
