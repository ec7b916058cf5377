import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { CoreReply, CoreRequest } from '../core/api.js';
import type { Rules } from '../core/rules.js';
import type { Host } from './host.js';
import type { ServerObserver } from './observer.js';
import { createBodyBudget } from './body-budget.js';
import { createSmallChunkThrottle } from './small-chunk-throttle.js';
import { declaredBytes, readFetchBody, readIncomingBody, type ReadBody } from './read-body.js';
import type { PullCalls } from './pull/pull-calls.js';
import type { Refusal, Refuse } from './refusals.js';
import { parseTarget } from './request-target.js';
import type { WaitingCall } from './waiting-calls.js';

export interface ApiCalls {
  /** A request that came over a socket; resolves when the answer was handed to the socket. */
  overSocket(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  /** A request of a caller in this process. */
  inProcess(request: Request): Promise<Response>;
}

export interface ApiCallOptions {
  readonly host: Host;
  readonly observer: Required<ServerObserver>;
  readonly refuse: Refuse;
  readonly refusal: Refusal;
  /** Answers workers that fetch their jobs. */
  readonly pull: PullCalls;
  /** Bodies above this are not read; the core is told their size and refuses them. */
  readonly bodyBytesMax: number;
  /** What every call is told from the moment that the server stops; null until then. */
  readonly refusedAsStopping: () => CoreReply | null;
  /** Readings in which only who holds the connection and knows the date can make the difference. */
  readonly rules: Pick<Rules, 'hangsUpOnOversize' | 'retryAfterIsDate'>;
}

/** A client that does not read its late answer holds up nobody for longer than that. */
const HAND_OVER_MAX_MS = 10_000;
/** Who takes longer to read a large answer is cut off, as the answer takes memory meanwhile. */
const UNREAD_MAX_MS = 300_000;
const LARGE_LENGTH = 64 * 1024;
/** What a body may have above the limit and still be read, so that the core sees how it begins. */
const BODY_SLACK_BYTES = 1024 * 1024;

/** Reads a body, of no more than so many bytes. */
type Read = (bytesMax: number) => Promise<ReadBody>;
type Answer = CoreReply | WaitingCall;

const NO_BODY: ReadBody = { kind: 'read', text: null, bytes: 0 };

/** Carries API calls between HTTP and the core. What the core answers is written as it stands. */
export function createApiCalls(options: ApiCallOptions): ApiCalls {
  const { host, observer, refuse, refusal, pull, bodyBytesMax, rules } = options;
  const readLimits = { budget: createBodyBudget(), smallChunks: createSmallChunkThrottle() };

  /** `bodyBytes`: what the header fields tell, 0 where they tell nothing. */
  function headOf(
    method: string,
    target: string,
    headers: CoreRequest['headers'],
    bodyBytes: number,
  ): CoreRequest | null {
    const parsed = parseTarget(target);
    return parsed === null
      ? null
      : { method, path: parsed.path, query: parsed.query, headers, body: null, bodyBytes };
  }

  /** What the core is not asked for, where there is no whole request to ask it with. */
  function answered(head: CoreRequest | null, body: ReadBody): CoreReply | null | undefined {
    if (body.kind === 'gone') return null;
    const stopping = options.refusedAsStopping();
    if (stopping !== null) return stopping;
    if (body.kind === 'stalled') return closing(refusal(408, 'the body did not arrive in time'));
    if (head === null) return refuse('malformed', 'the address is not percent-encoded UTF-8');
    return body.kind === 'malformed' ? refuse('malformed', body.detail) : undefined;
  }

  /** Has a call answered: at once where its header fields decide it, otherwise when its body was read. */
  async function passed(head: CoreRequest | null, hasBody: boolean, read: Read): Promise<Answer | null> {
    if (head === null || !hasBody) return whole(head, head === null ? NO_BODY : await read(bodyBytesMax));
    const refused = pull.refused(head);
    if (refused !== undefined)
      return refused === null ? whole(head, await read(bodyBytesMax)) : host.whenPersisted(refused);
    const callId = host.arrive(head);
    const wanted = host.bodyWanted(callId, head);
    if (wanted === null) return host.call(head, callId);
    return whole(head, await read(Math.min(bodyBytesMax, wanted + BODY_SLACK_BYTES)), callId);
  }

  function whole(head: CoreRequest | null, body: ReadBody, callId?: number): Answer | null {
    const early = answered(head, body);
    if (early !== undefined || head === null || !('bytes' in body)) {
      if (callId !== undefined) host.abandon(callId);
      return early ?? null;
    }
    // An oversize body is not there any more: what counts is how large it was.
    const request = { ...head, body: body.kind === 'too-large' ? '' : body.text, bodyBytes: body.bytes };
    const pulled = pull.answer(request);
    return pulled === null ? host.call(request, callId) : host.whenPersisted(pulled);
  }

  return {
    async overSocket(incoming, outgoing) {
      const { method = 'GET', url = '/' } = incoming;
      const told = observer.called(method, url);
      outgoing.once('close', () => told(outgoing.headersSent ? outgoing.statusCode : null));
      const headers = incoming.headers as CoreRequest['headers'];
      const head = headOf(method, url, headers, declaredBytes(incoming) ?? 0);
      const read: Read = (bytesMax) => readIncomingBody(incoming, bytesMax, readLimits);
      const answer = await passed(head, hasBody(incoming), read);
      if (answer === null) return;
      if (isReply(answer)) {
        if (answer.status === 413 && rules.hangsUpOnOversize()) return void outgoing.destroy();
        return writeReply(outgoing, rules.retryAfterIsDate() ? withDate(answer) : answer);
      }
      await writeLate(outgoing, answer);
    },

    async inProcess(request) {
      const { pathname, search } = new URL(request.url);
      const told = observer.called(request.method, pathname + search);
      const declared = Number(request.headers.get('content-length') ?? 0);
      const head = headOf(request.method, pathname + search, Object.fromEntries(request.headers), declared);
      const read: Read = (bytesMax) => readFetchBody(request, bytesMax);
      const answer = await passed(head, request.body !== null, read);
      const response = answer === null ? nobodyReads() : await responseTo(request.signal, answer);
      told(response.status);
      return response;
    },
  };
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The core knows how long to wait, and not what day it is. */
function withDate(reply: CoreReply): CoreReply {
  const seconds = reply.headers['retry-after'];
  if (seconds === undefined) return reply;
  const date = new Date(Date.now() + Number(seconds) * 1000).toUTCString();
  return { ...reply, headers: { ...reply.headers, 'retry-after': date } };
}

/** With the rest of the request still to come, the connection is of no more use. */
function closing(reply: CoreReply): CoreReply {
  return { ...reply, headers: { ...reply.headers, connection: 'close' } };
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
      if (!outgoing.writableFinished) call.hangUp();
      resolve();
    });
    // `finish` says that the last byte went to the operating system.
    outgoing.once('finish', () => {
      call.done();
      watchForReset(outgoing.req.socket, call.hangUp);
    });
    void call.reply.then((reply) => {
      givenUp = setTimeout(call.done, HAND_OVER_MAX_MS).unref();
      writeReply(outgoing, reply);
    });
  });
}

/** A connection that is reset so soon after an answer was reset by it: its client had gone before. */
const RESET_WITHIN_MS = 2_000;
const unwatch = new WeakMap<Duplex, () => void>();

function watchForReset(socket: Duplex, onReset: () => void): void {
  // A client that calls again has read the answer before.
  unwatch.get(socket)?.();
  const stop = () => {
    clearTimeout(timer);
    socket.off('error', onReset);
    unwatch.delete(socket);
  };
  const timer = setTimeout(stop, RESET_WITHIN_MS).unref();
  socket.once('error', onReset);
  unwatch.set(socket, stop);
}

async function responseTo(signal: AbortSignal, call: CoreReply | WaitingCall): Promise<Response> {
  if (isReply(call)) return toResponse(call);
  let abort: () => void = () => undefined;
  const aborted = new Promise<null>((resolve) => (abort = () => resolve(null)));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const reply = await Promise.race([call.reply, aborted]);
  signal.removeEventListener('abort', abort);
  if (reply === null || signal.aborted) {
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
  // An answer without content has no length either.
  const length = reply.status === 204 ? {} : { 'content-length': Buffer.byteLength(text) };
  outgoing.writeHead(reply.status, { ...reply.headers, ...length });
  outgoing.end(text);
  if (text.length < LARGE_LENGTH) return;
  const timer = setTimeout(() => outgoing.destroy(), UNREAD_MAX_MS).unref();
  outgoing.once('close', () => clearTimeout(timer));
}

export function toResponse(reply: CoreReply): Response {
  const text = reply.body === null ? null : JSON.stringify(reply.body);
  return new Response(text, { status: reply.status, headers: reply.headers });
}
