/** Passes one call on: streams both ways, with backpressure, and tells what was seen. */
import type { ClientRequest, IncomingMessage, InformationEvent, ServerResponse } from 'node:http';
import { Readable, Transform } from 'node:stream';
import type { Upstream } from './upstream.js';
import { KeptBody } from './kept-body.js';
import type { ReadBody } from './read-body.js';
import { begunOf, pairsOf, seenHeaders, type Watched } from './tap.js';
import { ABANDONED, LOST, type Outcome } from '../history/exchange.js';

/** Of one connection, not of the call (RFC 9110, 7.6.1). How a body is framed passes: its pieces do, too. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'upgrade',
]);

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
  const sent = read?.sent ?? (watched === null ? null : new KeptBody(watched.room));
  const received = watched === null ? null : new KeptBody(watched.room);
  const method = request.method ?? 'GET';
  let passing: ClientRequest | null = null;
  let reply: IncomingMessage | null = null;
  let isOver = false;

  const begun = watched && begunOf(watched, method, target);
  if (begun !== null) watched!.tap(begun);
  // A service may answer before it has read the body: what was not all seen is not told.
  let isAllSent = !hasBody(request);
  const bodyBehind = (isRewrittenSeen: boolean): Uint8Array | undefined => {
    if (isRewrittenSeen) return Buffer.concat(read!.passed);
    return read !== null || isAllSent ? sent!.whole : undefined;
  };
  const over = (answer: IncomingMessage | null, none: Outcome<never> = LOST): void => {
    if (isOver) return;
    isOver = true;
    if (begun === null) return sent?.drop();
    const isRewritten = read?.isRewritten === true;
    // What was refused is what was passed on.
    const isRewrittenSeen = isRewritten && answer !== null && answer.statusCode! >= 400;
    watched!.tap({
      ...begun,
      byMs: Math.ceil(watched!.nowMs()),
      request: {
        ...begun.request,
        headers: seenHeaders(request.rawHeaders),
        body: bodyBehind(isRewrittenSeen),
      },
      outcome: answer === null ? none : answered(answer),
      ...(isRewritten && !isRewrittenSeen && { isWebhookSeen: true }),
    });
    sent!.drop();
    received!.drop();
  };
  const answered = ({ statusCode = 0, rawHeaders }: IncomingMessage): Outcome<Uint8Array> => ({
    ...{ kind: 'answer', status: statusCode, headers: seenHeaders(rawHeaders), body: received!.whole },
  });
  const fail = (error: Error): void => {
    if (isOver) return;
    // An idle connection was closed meanwhile: the client's would have been, and clients know what to do then.
    const breaksOff = response.headersSent || passing?.reusedSocket === true;
    over(null, breaksOff || response.destroyed ? LOST : { kind: 'lost', why: 'refused' });
    passing?.destroy();
    if (response.destroyed) return;
    if (breaksOff) breakOff(response, reply);
    else refuse(response, error);
  };
  const answerWith = (answer: IncomingMessage): void => {
    reply = answer;
    answer.on('error', fail);
    begin(request, response, answer);
    if (received !== null) answer.on('data', (piece: Buffer) => received.add(piece));
    answer.once('end', () => {
      over(answer);
      if (answer.rawTrailers.length > 0 && response.chunkedEncoding)
        response.addTrailers(pairsOf(answer.rawTrailers));
    });
    answer.pipe(response);
  };

  const body = read === null ? request : Readable.from(read.passed);
  // A client that sends no more may still wait for its answer: the upstream is told, and decides.
  let sendsNoMore = false;
  const stopSending = (): void => {
    sendsNoMore = true;
    const stop = (): void => void passing?.socket?.end();
    // What it sent may still be on its way.
    if (passing?.writableFinished === true) stop();
    else passing?.once('finish', stop);
  };
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
    over(null, ABANDONED);
    passing?.destroy();
  });
  request.once('close', () => {
    if (!request.complete) passing?.destroy();
  });
  if (sent !== null && read === null) {
    request.on('data', (piece: Buffer) => sent.add(piece));
    request.once('end', () => (isAllSent = true));
  }
  try {
    // `*` is no path.
    const path = target.startsWith('/') ? upstream.prefix + target : target;
    const headers = headersFor(request, upstream.host, read);
    passing = upstream.request(request.socket, { path, method, headers });
    passing.on('error', fail);
    passing.on('information', (told) => inform(request, response, told));
    passing.once('response', (answer) => {
      try {
        answerWith(answer);
      } catch (error) {
        fail(error as Error);
      }
    });
    passing.once('close', () => {
      // The client may still send: that is read and dropped, as its next call comes after it.
      body.unpipe();
      request.resume();
      if (reply === null && sendsNoMore) response.destroy();
      else if (reply === null) fail(new Error('it closed the connection'));
    });
    if (hasBody(request)) passing.write(NOTHING);
    const endTrailers = (): void => {
      if (request.rawTrailers.length > 0) passing?.addTrailers(pairsOf(request.rawTrailers));
    };
    if (read === null) request.once('end', endTrailers);
    else endTrailers();
    body.pipe(afterWhatWasAnswered()).pipe(passing);
  } catch (error) {
    fail(error as Error);
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

const isChunked = (coding = ''): boolean => /(?:^|[\s,])chunked\s*$/iu.test(coding);
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

/** RFC 9112, 6.3. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** What the upstream is sent. */
function headersFor(request: IncomingMessage, host: string, read: ReadBody | null): string[] {
  const { headers, method = '' } = request;
  const all = passed(request.rawHeaders, (name, value) => {
    if (name === 'trailer' && !isChunked(headers['transfer-encoding'])) return null;
    if (name === 'content-length' && read !== null)
      return String(read.passed.reduce((sum, { length }) => sum + length, 0));
    return name === 'host' ? host : value;
  });
  if (headers.host === undefined) all.unshift('Host', host);
  const isFramed = headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
  // Node would announce pieces otherwise.
  if (!isFramed && !BODILESS.has(method)) all.push('Content-Length', '0');
  return all;
}

/** Methods for which Node takes it that nothing follows where nothing is announced. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Names and values by turns, in their order and their spelling; without those of the connection and of value null. */
function passed(raw: readonly string[], valueOf: (name: string, value: string) => string | null): string[] {
  const named = new Set(OF_CONNECTION);
  for (const [name, value] of pairsOf(raw))
    if (name.toLowerCase() === 'connection')
      for (const one of value.split(',')) named.add(one.trim().toLowerCase());
  return pairsOf(raw).flatMap(([spelled, value]) => {
    const name = spelled.toLowerCase();
    const given = NEEDED.has(name) || !named.has(name) ? valueOf(name, value) : null;
    return given === null ? [] : [spelled, given];
  });
}

/** They pass even where `connection` names them: without them the message is another one. */
const NEEDED: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding']);
