import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CoreReply, CoreRequest } from '../../core/api.js';
import type { Rules } from '../../core/rules.js';
import { endTogether } from './answer-batch.js';
import { beginFaulty, type Write } from '../faults/call-faults.js';
import { FAULT_HEADER, type Faults } from '../faults/faults.js';
import { endpointIdOf } from '../endpoint-registry.js';
import type { Host } from '../host.js';
import type { ServerObserver } from '../observer.js';
import { createBodyBudget } from './body-budget.js';
import { createSmallChunkThrottle } from './small-chunk-throttle.js';
import { watchForReset } from './reset-watch.js';
import { bodyAtHand, declaredBytes, readFetchBody, readIncomingBody, type ReadBody } from './read-body.js';
import type { PullCalls } from '../pull/pull-calls.js';
import type { Refusal, Refuse } from './refusals.js';
import { operationNameIn, parseTarget, jobInBody, jobInPath } from './request-target.js';
import type { WaitingCall } from './waiting-calls.js';

export interface ApiCalls {
  /** Handles a request from a socket. Resolves when the answer was handed to the socket, or is about to be. */
  overSocket(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  /** Handles a request made within this process. */
  inProcess(request: Request): Promise<Response>;
}

export interface ApiCallOptions {
  /** The host of the endpoint that a path names. */
  readonly hostAt: (path: string) => Host;
  readonly observer: Required<ServerObserver>;
  readonly refuse: Refuse;
  readonly refusal: Refusal;
  /** Answers remote workers, which fetch their jobs. */
  readonly pull: PullCalls;
  /** Faults on demand; null without them. Calls within this process get none. */
  readonly faults: Faults | null;
  /** The observer wants the bodies of calls. */
  readonly bodies: boolean;
  /** Larger bodies are not read; the core learns their size and refuses them. */
  readonly bodyBytesMax: number;
  /** The answer to every call once the server is stopping; null before. */
  readonly refusedAsStopping: () => CoreReply | null;
  /** Rules that only the HTTP layer can carry out: it holds the connection and knows the date. */
  readonly rules: Pick<Rules, 'hangsUpOnOversize' | 'retryAfterIsDate'>;
}

/** The longest that a late answer waits for its client to read it. */
const HAND_OVER_MAX_MS = 10_000;
/** A client that takes longer to read a large answer is disconnected, because the answer occupies memory. */
const UNREAD_MAX_MS = 300_000;
const LARGE_LENGTH = 64 * 1024;
/** Bodies up to this much above the limit are still read, so that the core sees how they begin. */
export const BODY_SLACK_BYTES = 1024 * 1024;

/** Reads a body of at most `bytesMax` bytes. */
type Read = (bytesMax: number) => Promise<ReadBody>;
type Answer = CoreReply | WaitingCall;

const NO_BODY: ReadBody = { kind: 'read', text: null, bytes: 0 };

/** Carries API calls between HTTP and the core. Answers of the core are written unchanged. */
export function createApiCalls(options: ApiCallOptions): ApiCalls {
  const { hostAt, observer, refuse, refusal, pull, bodyBytesMax, rules, faults, bodies } = options;
  const readLimits = { budget: createBodyBudget(), smallChunks: createSmallChunkThrottle() };
  // Unless the observer wants it, no body occupies memory until its call is answered.
  const textOf = (body: ReadBody): string | null => (bodies && body.kind === 'read' ? body.text : null);

  /** `bodyBytes`: the declared size, 0 where none is declared. */
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

  /**
   * The answer to a request that cannot be passed to the core, null where the client has gone, undefined
   * where the request is complete.
   */
  function earlyAnswer(head: CoreRequest | null, body: ReadBody): CoreReply | null | undefined {
    if (body.kind === 'gone') return null;
    const stopping = options.refusedAsStopping();
    if (stopping !== null) return stopping;
    if (body.kind === 'stalled') return closing(refusal(408, 'the body did not arrive in time'));
    if (head === null) return refuse('malformed', 'the address is not percent-encoded UTF-8');
    return body.kind === 'malformed' ? refuse('malformed', body.detail) : undefined;
  }

  /** Answers a call: from its header fields alone where they decide it, otherwise once its body was read. */
  async function answerCall(
    head: CoreRequest | null,
    hasBody: boolean,
    read: Read,
    atHand: ReadBody | null = null,
  ): Promise<Answer | null> {
    if (head === null) return answerComplete(head, NO_BODY);
    // Header fields and body have arrived at the same instant.
    if (atHand?.kind === 'read') return answerComplete(head, atHand);
    if (!hasBody) return answerComplete(head, await read(bodyBytesMax));
    const refused = pull.refused(head);
    const host = hostAt(head.path);
    if (refused !== undefined)
      return refused === null ? answerComplete(head, await read(bodyBytesMax)) : host.whenPersisted(refused);
    const callId = host.arrive(head);
    const wanted = host.bodyWanted(callId, head);
    if (wanted === null) return host.call(head, callId);
    return answerComplete(head, await read(Math.min(bodyBytesMax, wanted + BODY_SLACK_BYTES)), {
      host,
      callId,
    });
  }

  function answerComplete(
    head: CoreRequest | null,
    body: ReadBody,
    announced?: { readonly host: Host; readonly callId: number },
  ): Answer | Promise<CoreReply> | null {
    const early = earlyAnswer(head, body);
    if (early !== undefined || head === null || !('bytes' in body)) {
      announced?.host.abandon(announced.callId);
      return early ?? null;
    }
    // The core judges an oversize body by its size alone; its text was not kept.
    const request = { ...head, body: body.kind === 'too-large' ? '' : body.text, bodyBytes: body.bytes };
    const host = announced?.host ?? hostAt(head.path);
    const pulled = pull.answer(request);
    return pulled === null ? host.call(request, announced?.callId) : host.whenPersisted(pulled);
  }

  return {
    async overSocket(incoming, outgoing) {
      const { method = 'GET', url = '/' } = incoming;
      const headers = incoming.headers as CoreRequest['headers'];
      const reportEnd = observer.called(method, url, headers);
      let job = jobInPath(url);
      let sent: string | null = null;
      let answered: CoreReply['body'] = null;
      const asked = headerOf(incoming, FAULT_HEADER);
      const fault = faults?.ofCall(operationNameIn(url), asked, endpointIdOf(url)) ?? null;
      const faultShown = fault === null || typeof fault === 'string' ? null : fault.text;
      const named = <T extends CoreReply>(reply: T): T => {
        job ??= jobInBody(reply);
        answered = reply.body;
        return reply;
      };
      outgoing.once('close', () =>
        reportEnd({
          status: outgoing.headersSent ? outgoing.statusCode : null,
          ...{ job, fault: faultShown, request: sent, reply: answered },
        }),
      );
      if (fault !== null && typeof fault !== 'string') faults?.record(operationNameIn(url), null, fault);
      if (typeof fault === 'string') return writeReply(outgoing, refusal(400, fault));
      const write =
        fault === null ? writeReply : await beginFaulty(fault, outgoing, { refusal, write: writeReply });
      if (write === null) return;
      const head = headOf(method, url, headers, declaredBytes(incoming) ?? 0);
      const withBody = hasBody(incoming);
      // Node hands over a body that came in one packet with the header fields right after them.
      if (withBody) await Promise.resolve();
      const atHand = withBody ? bodyAtHand(incoming) : NO_BODY;
      if (atHand !== null) sent = textOf(atHand);
      const read: Read = async (bytesMax) => {
        const body = atHand ?? (await readIncomingBody(incoming, bytesMax, readLimits));
        sent = textOf(body);
        return body;
      };
      const answer = await answerCall(head, withBody, read, atHand);
      if (answer === null) return;
      if (isReply(answer)) {
        if (answer.status === 413 && rules.hangsUpOnOversize()) return void outgoing.destroy();
        named(answer);
        return write(outgoing, rules.retryAfterIsDate() ? withDate(answer) : answer);
      }
      await writeLate(outgoing, { ...answer, reply: answer.reply.then(named) }, write);
    },

    async inProcess(request) {
      const { pathname, search } = new URL(request.url);
      const headers = Object.fromEntries(request.headers);
      const reportEnd = observer.called(request.method, pathname + search, headers);
      let job = jobInPath(pathname);
      const declared = Number(request.headers.get('content-length') ?? 0);
      const head = headOf(request.method, pathname + search, headers, declared);
      let sent: string | null = null;
      const read: Read = async (bytesMax) => {
        const body = await readFetchBody(request, bytesMax);
        sent = textOf(body);
        return body;
      };
      const answer = await answerCall(head, request.body !== null, read);
      let answered: CoreReply['body'] = null;
      const named = (reply: CoreReply): CoreReply => {
        job ??= jobInBody(reply);
        answered = reply.body;
        return reply;
      };
      const seen =
        answer === null
          ? null
          : isReply(answer)
            ? named(answer)
            : { ...answer, reply: answer.reply.then(named) };
      const response = seen === null ? clientGone() : await responseTo(request.signal, seen);
      reportEnd({ status: response.status, job, fault: null, request: sent, reply: answered });
      return response;
    },
  };
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/** The core knows how long to wait, but not the date. */
function withDate(reply: CoreReply): CoreReply {
  const seconds = reply.headers['retry-after'];
  if (seconds === undefined) return reply;
  const date = new Date(Date.now() + Number(seconds) * 1000).toUTCString();
  return { ...reply, headers: { ...reply.headers, 'retry-after': date } };
}

/** The rest of the request is still to come, so the connection cannot be reused. */
function closing(reply: CoreReply): CoreReply {
  return { ...reply, headers: { ...reply.headers, connection: 'close' } };
}

function isReply(answer: CoreReply | WaitingCall): answer is CoreReply {
  return 'status' in answer;
}

/** Keeps the connection open until the core answers; tells the core when the client disconnects first. */
function writeLate(outgoing: ServerResponse, call: WaitingCall, write: Write): Promise<void> {
  return new Promise((resolve) => {
    let givenUp: NodeJS.Timeout | undefined;
    let isHandedOver = false;
    outgoing.once('close', () => {
      clearTimeout(givenUp);
      // `writableFinished` is no help: it is also true of an answer that was being written when the client left.
      if (!isHandedOver) call.hangUp();
      resolve();
    });
    // `finish` means that the last byte was handed to the operating system.
    outgoing.once('finish', () => {
      isHandedOver = true;
      call.done();
      watchForReset(outgoing.req.socket, call.hangUp);
    });
    void call.reply.then((reply) => {
      givenUp = setTimeout(call.done, HAND_OVER_MAX_MS).unref();
      write(outgoing, reply);
    });
  });
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
    return clientGone();
  }
  call.done();
  return toResponse(reply);
}

/** The client has gone; proxies log 499 in this case. */
function clientGone(): Response {
  return new Response(null, { status: 499 });
}

export function writeReply(outgoing: ServerResponse, reply: CoreReply): void {
  if (outgoing.destroyed || outgoing.headersSent) return;
  const text = reply.body === null ? '' : JSON.stringify(reply.body);
  // A 204 has no content length.
  const length = reply.status === 204 ? {} : { 'content-length': Buffer.byteLength(text) };
  outgoing.writeHead(reply.status, { ...reply.headers, ...length });
  endTogether(outgoing, text);
  if (text.length < LARGE_LENGTH) return;
  const timer = setTimeout(() => outgoing.destroy(), UNREAD_MAX_MS).unref();
  outgoing.once('close', () => clearTimeout(timer));
}

export function toResponse(reply: CoreReply): Response {
  const text = reply.body === null ? null : JSON.stringify(reply.body);
  return new Response(text, { status: reply.status, headers: reply.headers });
}
