import { request } from 'undici';

export interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
  /** The body as JSON; undefined when it is empty. */
  // oxlint-disable-next-line typescript/no-explicit-any -- specs reach into bodies of every shape
  readonly json: any;
}

/** A caller of one server, with a valid key unless the call brings its own headers. */
export interface Caller {
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
}

export interface SendOptions {
  readonly headers?: { readonly [name: string]: string };
  /** Sent unchanged when it is a string or bytes, otherwise as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** @param base address that every path is appended to */
export function createCaller(base: string, apiKey: string): Caller {
  async function send(method: string, path: string, { headers, body, signal }: SendOptions = {}) {
    const raw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
    const reply = await request(base + path, {
      method: method as 'GET',
      headers: headers ?? {
        authorization: apiKey,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: raw ? (body ?? null) : JSON.stringify(body),
      ...(signal && { signal }),
    });
    const text = await reply.body.text();
    const contentType = reply.headers['content-type'];
    return {
      status: reply.statusCode,
      contentType: typeof contentType === 'string' ? contentType : null,
      text,
      json: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  }
  return {
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body === undefined ? {} : { body }),
  };
}
