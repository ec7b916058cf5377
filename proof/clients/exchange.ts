/** One call over HTTP/1.1. It can send what `fetch` refuses to send, such as a body with GET. */
import { request, type Agent } from 'node:http';
import type { Json } from '../../src/history/events.js';
import { jsonIn } from '../../src/util/json.js';

export interface Answer {
  readonly status: number;
  /** Of the header `retry-after`; 0 without one. */
  readonly retryAfterMs: number;
  /** Undefined: it is not JSON. */
  readonly body: Json | undefined;
}

export interface Sending {
  readonly agent: Agent;
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** @throws {Error} without a complete answer; `code` is ECONNREFUSED if nothing was sent */
export function exchange(url: string, sending: Sending): Promise<Answer> {
  const { agent, method, headers, body, timeoutMs, signal } = sending;
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { agent, method, headers: { ...headers, ...length }, signal },
      (incoming) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        incoming.once('error', reject);
        incoming.once('close', () => {
          if (!incoming.complete) return reject(new Error('the reply ended in its middle'));
          resolve({
            status: incoming.statusCode ?? 0,
            retryAfterMs: (Number(incoming.headers['retry-after']) || 0) * 1_000,
            body: jsonIn(Buffer.concat(pieces).toString()) as Json | undefined,
          });
        });
      },
    );
    outgoing.once('error', reject);
    // Node may collect a signal of AbortSignal.any before it fires.
    const timer = setTimeout(() => outgoing.destroy(new Error('no reply in time')), timeoutMs);
    outgoing.once('close', () => clearTimeout(timer));
    outgoing.end(body ?? undefined);
  });
}
