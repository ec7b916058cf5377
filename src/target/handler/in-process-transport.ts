import type { Transport, TransportReply, TransportRequest, TransportResult } from '../session/transport.js';
import type { HandlerInstance } from './handler.js';

const ORIGIN = 'http://in.process';
const NO_INSTANCE: HandlerInstance = {
  fetch: () => new Response('no implementation is up', { status: 503 }),
};

/** Carries calls to a handler in this process: no socket, and no time. */
export class InProcessTransport implements Transport {
  readonly holdsNothing = true;
  instance: HandlerInstance = NO_INSTANCE;

  clear(): void {
    this.instance = NO_INSTANCE;
  }

  /** The handler is called during this very call. Never rejects. */
  send(request: TransportRequest): Promise<TransportResult> {
    const { signal } = request;
    const answered = answer(this.instance, request);
    if (signal === undefined) return answered;
    return new Promise((resolve) => {
      const onAbort = (): void => resolve({ reply: null, lost: 'aborted', detail: 'given up' });
      signal.addEventListener('abort', onAbort, { once: true });
      void answered.then((result) => {
        signal.removeEventListener('abort', onAbort);
        resolve(result);
      });
    });
  }
}

async function answer(instance: HandlerInstance, request: TransportRequest): Promise<TransportResult> {
  try {
    const response = await instance.fetch(requestOf(request));
    return { reply: await replyOf(response), lost: null };
  } catch (error) {
    // What servers make of a handler that throws.
    const text = `the handler threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    return { reply: { status: 500, headers: { 'content-type': 'text/plain' }, text }, lost: null };
  }
}

function requestOf({ method, path, headers, body, signal }: TransportRequest): Request {
  // As bytes: a string would bring a content type of its own.
  const bytes =
    body === null || method === 'GET' || method === 'HEAD' ? null : new TextEncoder().encode(body);
  return new Request(ORIGIN + path, {
    method,
    headers: {
      host: new URL(ORIGIN).host,
      ...headers,
      ...(method === 'GET' || method === 'HEAD' ? {} : { 'content-length': String(bytes?.length ?? 0) }),
    },
    ...(bytes === null ? {} : { body: bytes }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function replyOf(response: Response): Promise<TransportReply> {
  const text = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}
