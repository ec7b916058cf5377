import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CoreReply, CoreRequest } from '../core/api.js';
import type { Host, WaitingCall } from './host.js';
import { readFetchBody, readIncomingBody, type ReadBody } from './read-body.js';
import type { Refuse } from './refusals.js';
import { parseTarget } from './request-target.js';

export interface ApiCalls {
  /** A request that came over a socket; resolves when the answer was handed to the socket. */
  overSocket(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  /** A request of a caller in this process. */
  inProcess(request: Request): Promise<Response>;
}

export interface ApiCallOptions {
  readonly host: Host;
  readonly refuse: Refuse;
  /** Bodies above this are not read; the core is told their size and refuses them. */
  readonly bodyBytesMax: number;
}

/** A client that does not read its late answer holds up nobody for longer than that. */
const HAND_OVER_MAX_MS = 10_000;

/** Carries API calls between HTTP and the core. What the core answers is written as it stands. */
export function createApiCalls({ host, refuse, bodyBytesMax }: ApiCallOptions): ApiCalls {
  function pass(method: string, target: string, headers: CoreRequest['headers'], body: ReadBody) {
    const parsed = parseTarget(target);
    if (parsed === null) return refuse('malformed', 'the address is not percent-encoded UTF-8');
    if (body.kind === 'malformed') return refuse('malformed', body.detail);
    if (body.kind === 'gone') return null;
    return host.call({
      method,
      path: parsed.path,
      query: parsed.query,
      headers,
      // An oversize body is not there any more: what counts is how large it was.
      body: body.kind === 'too-large' ? '' : body.text,
      bodyBytes: body.bytes,
    });
  }

  return {
    async overSocket(incoming, outgoing) {
      const body = await readIncomingBody(incoming, bodyBytesMax);
      const headers = incoming.headers as CoreRequest['headers'];
      const answer = pass(incoming.method ?? 'GET', incoming.url ?? '/', headers, body);
      if (answer === null) return;
      if (isReply(answer)) return void writeReply(outgoing, answer);
      await writeLate(outgoing, answer);
    },

    async inProcess(request) {
      const body = await readFetchBody(request, bodyBytesMax);
      const { pathname, search } = new URL(request.url);
      const headers = Object.fromEntries(request.headers);
      const answer = pass(request.method, pathname + search, headers, body);
      if (answer === null) return nobodyReads();
      return isReply(answer) ? toResponse(answer) : lateResponse(request.signal, answer);
    },
  };
}

function isReply(answer: CoreReply | WaitingCall): answer is CoreReply {
  return 'status' in answer;
}

/** Holds the call open until the core answers, or tells the core that the client has gone. */
function writeLate(outgoing: ServerResponse, call: WaitingCall): Promise<void> {
  return new Promise((resolve) => {
    let givenUp: NodeJS.Timeout | undefined;
    outgoing.once('close', () => {
      clearTimeout(givenUp);
      call.hangUp();
      resolve();
    });
    // `finish` says that the last byte went to the operating system.
    outgoing.once('finish', call.done);
    void call.reply.then((reply) => {
      givenUp = setTimeout(call.done, HAND_OVER_MAX_MS).unref();
      writeReply(outgoing, reply);
    });
  });
}

async function lateResponse(signal: AbortSignal, call: WaitingCall): Promise<Response> {
  let abort: () => void = () => undefined;
  const aborted = new Promise<null>((resolve) => (abort = () => resolve(null)));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const reply = await Promise.race([call.reply, aborted]);
  signal.removeEventListener('abort', abort);
  if (reply === null) {
    call.hangUp();
    return nobodyReads();
  }
  call.done();
  return toResponse(reply);
}

/** Its client has gone; the code is the one that proxies log in such a case. */
function nobodyReads(): Response {
  return new Response(null, { status: 499 });
}

function writeReply(outgoing: ServerResponse, reply: CoreReply): void {
  if (outgoing.destroyed || outgoing.headersSent) return;
  const text = reply.body === null ? '' : JSON.stringify(reply.body);
  outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(text) });
  outgoing.end(text);
}

function toResponse(reply: CoreReply): Response {
  const text = reply.body === null ? null : JSON.stringify(reply.body);
  return new Response(text, { status: reply.status, headers: reply.headers });
}
