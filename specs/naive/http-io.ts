/** Between sockets and calls: reads bodies, writes replies in the manner that the choices ask for. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Reply } from './call.js';
import type { Choices } from './choices.js';
import { isObject, type Json } from './json.js';

/** Reads the whole body; what is longer than `bytesMax` is counted and thrown away. */
export function readBody(
  request: IncomingMessage,
  bytesMax: number,
): Promise<{ body: Buffer | null; bodyBytes: number }> {
  return new Promise((resolve, reject) => {
    let parts: Buffer[] = [];
    let bodyBytes = 0;
    request.on('data', (part: Buffer) => {
      bodyBytes += part.length;
      if (bodyBytes <= bytesMax) parts.push(part);
      else parts = [];
    });
    request.on('end', () => resolve({ body: bodyBytes > bytesMax ? null : Buffer.concat(parts), bodyBytes }));
    request.on('error', reject);
    request.on('aborted', () => reject(new Error('aborted')));
  });
}

/** Writes the reply; resolves when it has been handed to the socket, or the client is gone. */
export function writeReply(
  response: ServerResponse,
  reply: Reply,
  choices: Choices,
  acceptsGzip: boolean,
): Promise<void> {
  const over = new Promise<void>((resolve) => {
    response.once('finish', () => resolve());
    response.once('close', () => resolve());
  });
  if (reply.hangUp) {
    response.destroy();
    return over;
  }
  const [contentType, text] = shown(reply, choices);
  let bytes = Buffer.from(text, 'utf8');
  const header = (name: string, value: string): void => void response.setHeader(cased(name, choices), value);
  for (const [name, value] of Object.entries(reply.headers ?? {})) header(name, value);
  if (contentType !== null) header('content-type', contentType);
  if (!choices.keepAlive) header('connection', 'close');
  if (choices.gzip && acceptsGzip && bytes.length > 0) {
    bytes = gzipSync(bytes);
    header('content-encoding', 'gzip');
  }
  if (choices.strangeHeaders) beStrange(response);
  response.statusCode = reply.code;
  const write = (): void => {
    if (reply.code === 204) {
      response.end();
    } else if (choices.framing === 'length') {
      header('content-length', String(bytes.length));
      response.end(bytes);
    } else if (choices.framing === 'until-close') {
      // As HTTP/1.0 did: the end of the connection is the end of the body.
      response.useChunkedEncodingByDefault = false;
      header('connection', 'close');
      response.end(bytes);
    } else if (choices.framing === 'after-interim') {
      response.writeProcessing();
      header('content-length', String(bytes.length));
      response.end(bytes);
    } else if (choices.framing === 'chunked') {
      const middle = bytes.length >> 1;
      response.write(bytes.subarray(0, middle));
      response.end(bytes.subarray(middle));
    } else {
      dribble(response, bytes);
    }
  };
  if (choices.latencyMs > 0) setTimeout(write, choices.latencyMs);
  else write();
  return over;
}

function beStrange(response: ServerResponse): void {
  response.sendDate = false;
  response.statusMessage = 'As You Like It';
  response.setHeader('set-cookie', ['a=1; Path=/', 'b=2']);
  response.setHeader('etag', 'W/"1"');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('server', 'nobody/1.0');
  response.setHeader('x-request-id', '00-1');
  response.setHeader('link', '</docs>; rel="help"');
}

/** Sends the first bytes one by one, in time enough that they arrive one by one. */
function dribble(response: ServerResponse, bytes: Buffer): void {
  const head = Math.min(5, bytes.length);
  let index = 0;
  const step = (): void => {
    if (index >= head) {
      response.end(bytes.subarray(head));
      return;
    }
    response.write(bytes.subarray(index, index + 1));
    index += 1;
    setImmediate(step);
  };
  step();
}

function cased(name: string, choices: Choices): string {
  if (choices.headerCase === 'upper') return name.toUpperCase();
  if (choices.headerCase === 'lower') return name;
  return name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());
}

/** Content type and text of the reply. */
function shown(reply: Reply, choices: Choices): [string | null, string] {
  if (reply.text !== undefined) return [reply.textType ?? 'application/x-ndjson', reply.text];
  if (reply.body !== undefined) return [choices.contentType, json(reply.body, choices)];
  const problem = reply.problem ?? '';
  switch (reply.problem === undefined ? 'empty' : choices.errorBody) {
    case 'json':
      return [choices.contentType, json({ error: problem }, choices)];
    case 'problem':
      return [
        'application/problem+json',
        json({ status: reply.code, title: 'refused', detail: problem }, choices),
      ];
    case 'nested':
      return [choices.contentType, json({ errors: [{ code: reply.code, message: problem }] }, choices)];
    case 'record-like':
      return [
        choices.contentType,
        json({ id: null, status: 'error', output: null, error: problem }, choices),
      ];
    case 'text':
      return ['text/plain', problem];
    case 'html':
      return ['text/html', `<!doctype html><title>${reply.code}</title><p>${problem}</p>`];
    case 'empty':
      return [null, ''];
  }
}

function json(value: Json, choices: Choices): string {
  switch (choices.json) {
    case 'compact':
      return JSON.stringify(value);
    case 'pretty':
      return JSON.stringify(value, null, 2);
    case 'newline':
      return `\n ${JSON.stringify(value)}\n\n`;
    case 'reordered':
      return JSON.stringify(reordered(value));
    case 'fractions':
      return JSON.stringify(marked(value)).replace(/"\\u0001(-?\d+)"/g, '$1.0');
    case 'escaped':
      return JSON.stringify(value).replace(/[\u007f-\uffff/]/g, (unit) =>
        unit === '/' ? '\\/' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
  }
}

/** Integers as texts that can be found again. */
function marked(value: Json): Json {
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return `\u0001${value}`;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marked(member)]));
}

function reordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(reordered);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => [name, reordered(member)]);
  return Object.fromEntries(members.reverse());
}
