/** Passes one call on: streams both ways, with backpressure, and tells what was seen. */
import type { ClientRequest, IncomingMessage, InformationEvent, ServerResponse } from 'node:http';
import { Readable, Transform } from 'node:stream';
import type { Upstream } from './upstream.js';
import { hasBody, headersFor, isChunked, passed } from './heads.js';
import { KeptBody } from './kept-body.js';
import type { ReadBody } from './read-body.js';
import { begunOf, pairsOf, seenHeaders, type Watched } from './tap.js';
import { ABANDONED, LOST, type Caller, type Exchange, type Outcome } from '../history/exchange.js';

/**
 * @param target path and query
 * @param read its body, if it was read before
 */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  upstream: Upstream,
  watched: Watched | null,
  read: ReadBody | null = null,
): void {
  new Passage(request, response, watched, read).pass(target, upstream);
}

/** One call on its way. */
class Passage {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #watched: Watched | null;
  readonly #read: ReadBody | null;
  readonly #sent: KeptBody | null;
  readonly #received: KeptBody | null;
  /** What was told as it began. */
  #begun: Exchange<Uint8Array> | null = null;
  #caller: Caller | undefined;
  #passing: ClientRequest | null = null;
  #reply: IncomingMessage | null = null;
  #isOver = false;
  /** A service may answer before it has read the body: what was not all seen is not told. */
  #isAllSent: boolean;
  /** A client that sends no more may still wait for its answer: the upstream is told, and decides. */
  #sendsNoMore = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    watched: Watched | null,
    read: ReadBody | null,
  ) {
    this.#request = request;
    this.#response = response;
    this.#watched = watched;
    this.#read = read;
    this.#sent = read?.sent ?? (watched === null ? null : new KeptBody(watched.room));
    this.#received = watched === null ? null : new KeptBody(watched.room);
    this.#isAllSent = !hasBody(request);
  }

  pass(target: string, upstream: Upstream): void {
    const { method = 'GET' } = this.#request;
    this.#begun = this.#watched && begunOf(this.#watched, method, target);
    // A connection that has broken does not say where it came from.
    this.#caller = this.#watched?.callers?.of(this.#request);
    if (this.#begun !== null) this.#watched!.tap(this.#begun);
    this.#followClient();
    try {
      // `*` is no path.
      const path = target.startsWith('/') ? upstream.prefix + target : target;
      const headers = headersFor(this.#request, upstream.host, this.#read);
      this.#send(upstream.request(this.#request.socket, { path, method, headers }));
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /** Whether it still sends, and still waits. */
  #followClient(): void {
    const [request, response, sent] = [this.#request, this.#response, this.#sent];
    const stopSending = (): void => this.#stopSending();
    // A client may send many calls before it has their answers.
    request.socket.setMaxListeners(0);
    request.socket.once('end', stopSending);
    // Both are over then, and that says more than their errors.
    request.on('error', ignore);
    response.on('error', ignore);
    // A client that goes away does not wait for an answer.
    response.once('close', () => {
      request.socket.off('end', stopSending);
      if (response.writableFinished) return;
      this.#over(null, ABANDONED);
      this.#passing?.destroy();
    });
    request.once('close', () => {
      if (!request.complete) this.#passing?.destroy();
    });
    if (sent === null || this.#read !== null) return;
    request.on('data', (piece: Buffer) => sent.add(piece));
    request.once('end', () => (this.#isAllSent = true));
  }

  #stopSending(): void {
    this.#sendsNoMore = true;
    const stop = (): void => void this.#passing?.socket?.end();
    // What it sent may still be on its way.
    if (this.#passing?.writableFinished === true) stop();
    else this.#passing?.once('finish', stop);
  }

  #send(passing: ClientRequest): void {
    const [request, read] = [this.#request, this.#read];
    const body = read === null ? request : Readable.from(read.passed);
    this.#passing = passing;
    passing.on('error', (error) => this.#fail(error));
    passing.on('information', (told) => inform(request, this.#response, told));
    passing.once('response', (answer) => {
      try {
        this.#answer(answer);
      } catch (error) {
        this.#fail(error as Error);
      }
    });
    passing.once('close', () => {
      // The client may still send: that is read and dropped, as its next call comes after it.
      body.unpipe();
      request.resume();
      if (this.#reply !== null) return;
      if (this.#sendsNoMore) this.#response.destroy();
      else this.#fail(new Error('it closed the connection'));
    });
    if (hasBody(request)) passing.write(NOTHING);
    const endTrailers = (): void => {
      if (request.rawTrailers.length > 0) passing.addTrailers(pairsOf(request.rawTrailers));
    };
    if (read === null) request.once('end', endTrailers);
    else endTrailers();
    body.pipe(afterWhatWasAnswered()).pipe(passing);
  }

  #answer(answer: IncomingMessage): void {
    const [response, received] = [this.#response, this.#received];
    this.#reply = answer;
    answer.on('error', (error) => this.#fail(error));
    begin(this.#request, response, answer);
    if (received !== null) answer.on('data', (piece: Buffer) => received.add(piece));
    answer.once('end', () => {
      this.#over(answer);
      if (answer.rawTrailers.length > 0 && response.chunkedEncoding)
        response.addTrailers(pairsOf(answer.rawTrailers));
    });
    answer.pipe(response);
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    const [response, passing] = [this.#response, this.#passing];
    // An idle connection was closed meanwhile: the client's would have been, and clients know what to do then.
    const breaksOff = response.headersSent || passing?.reusedSocket === true;
    this.#over(null, breaksOff || response.destroyed ? LOST : { kind: 'lost', why: 'refused' });
    passing?.destroy();
    if (response.destroyed) return;
    if (breaksOff) breakOff(response, this.#reply);
    else refuse(response, error);
  }

  #over(answer: IncomingMessage | null, none: Outcome<never> = LOST): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const begun = this.#begun;
    if (begun === null) return this.#sent?.drop();
    const isRewritten = this.#read?.isRewritten === true;
    // What was refused is what was passed on.
    const isRewrittenSeen = isRewritten && answer !== null && answer.statusCode! >= 400;
    this.#watched!.tap({
      ...begun,
      byMs: Math.ceil(this.#watched!.nowMs()),
      request: {
        ...begun.request,
        headers: seenHeaders(this.#request.rawHeaders),
        body: this.#bodyBehind(isRewrittenSeen),
      },
      outcome: answer === null ? none : this.#answered(answer),
      ...(isRewritten && !isRewrittenSeen && { isWebhookSeen: true }),
      ...(this.#caller && { client: this.#caller }),
    });
    this.#sent!.drop();
    this.#received!.drop();
  }

  #bodyBehind(isRewrittenSeen: boolean): Uint8Array | undefined {
    if (isRewrittenSeen) return Buffer.concat(this.#read!.passed);
    return this.#read !== null || this.#isAllSent ? this.#sent!.whole : undefined;
  }

  #answered({ statusCode = 0, rawHeaders }: IncomingMessage): Outcome<Uint8Array> {
    return {
      ...{ kind: 'answer', status: statusCode, headers: seenHeaders(rawHeaders) },
      body: this.#received!.whole,
    };
  }
}

const ignore = (): void => undefined;

/**
 * Each piece but the first a turn later: a service that refuses a body and closes the connection has been heard by then.
 * Writing to a closed connection fails, and what it answered would be lost.
 */
function afterWhatWasAnswered(): Transform {
  let isFirst = true;
  return new Transform({
    transform(piece: Buffer, _, done) {
      if (isFirst) done(null, piece);
      else setImmediate(() => setImmediate(done, null, piece));
      isFirst = false;
    },
  });
}

/** Sends the head. `flushHeaders` would write what is not ASCII in it as UTF-8. */
const NOTHING = Buffer.alloc(0);

/** The head of the reply, with what has come with it: the next piece may come much later. */
function begin(request: IncomingMessage, response: ServerResponse, answer: IncomingMessage): void {
  const { socket } = response;
  // Each write wakes the client, which costs as much as the rest of the call.
  socket?.cork();
  setImmediate(() => socket?.uncork());
  const isOld = request.httpVersion === '1.0';
  const { 'transfer-encoding': coding, 'content-length': length } = answer.headers;
  // It ends where the connection ends.
  if (coding === undefined && length === undefined) response.removeHeader('transfer-encoding');
  else if (coding !== undefined && !isChunked(coding)) response.shouldKeepAlive = false;
  // What the upstream did not say is not said. HTTP/1.0 has to be told what becomes of the connection.
  response.removeHeader('date');
  if (!isOld && response.shouldKeepAlive) response.removeHeader('connection');
  response.writeHead(
    answer.statusCode ?? 0,
    answer.statusMessage ?? '',
    passed(answer.rawHeaders, (name, value) => {
      if (name === 'transfer-encoding') return isOld ? null : value;
      return name === 'trailer' && (isOld || !isChunked(coding) || !canHaveBody(answer)) ? null : value;
    }),
  );
  response.write(NOTHING);
}

const canHaveBody = ({ statusCode }: IncomingMessage): boolean => statusCode !== 204 && statusCode !== 304;

/** 1xx. A client of HTTP/1.0 knows none of them. */
function inform(request: IncomingMessage, response: ServerResponse, told: InformationEvent): void {
  const { statusCode, statusMessage, rawHeaders } = told;
  // They may be left out, and must not pile up before a client that does not read.
  if (request.httpVersion === '1.0' || response.headersSent || response.socket?.writableNeedDrain !== false)
    return;
  if (statusCode === 100) return response.writeContinue();
  const lines = pairsOf(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  response.socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
}

/** What was begun cannot be taken back: the client sees that it is broken off, as the upstream did it. */
function breakOff(response: ServerResponse, answer: IncomingMessage | null): void {
  const { socket } = response;
  if (socket === null) response.destroy();
  // The end of the connection would be taken for the end of the body.
  else if (answer !== null && answer.headers['content-length'] === undefined && !response.chunkedEncoding)
    socket.resetAndDestroy();
  else socket.destroySoon();
}

function refuse(response: ServerResponse, { message }: Error): void {
  const text = Buffer.from(`${JSON.stringify({ error: `no answer from the upstream: ${message}` })}\n`);
  response.writeHead(502, { 'content-type': 'application/json', 'content-length': text.length });
  response.end(text);
}
