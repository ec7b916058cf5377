import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type {
  LostReason,
  Transport,
  TransportReply,
  TransportRequest,
  TransportResult,
} from '../session/transport.js';
import { ReplyMemory, type Incoming } from '../session/reply-memory.js';
import { blamingProxy, usedProxy, type UsedProxy } from './used-proxy.js';

/** The largest reply that is read to its end. */
const REPLY_BYTES_MAX = 64 * 1024 * 1024;
/** More than the largest documented concurrency (section 8: 400), so that a burst beyond it is not queued here. */
const CONNECTIONS_MAX = 1024;
/** Shorter than the idle timeouts of common servers, so that no call is written to a socket that just closed. */
const KEEP_ALIVE_MS = 2_000;

const STOPPED = 'the run is over';

/** Firewalls reject requests without a user agent; no reply is unpacked here. */
const HEADERS = { 'user-agent': 'runproof', accept: 'application/json', 'accept-encoding': 'identity' };

/** How a target over HTTP is called. @public */
export interface ConnectionOptions {
  /** Certificate authority to trust, as PEM. */
  readonly caCert?: string | undefined;
  /** Accept any certificate. */
  readonly insecure?: boolean | undefined;
  /** Address of an HTTP proxy for every call; else `proxies` are asked. */
  readonly proxy?: string | undefined;
  /** Proxies by scheme, as environments name them. Undefined: none. */
  readonly proxies?: Proxies | undefined;
  /** Sent with every request. */
  readonly headers?: { readonly [name: string]: string } | undefined;
}

/** What the variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY say. @public */
export interface Proxies {
  /** Address of the proxy for http, and for https unless that has one. Empty: none. */
  readonly http: string;
  /** Address of the proxy for https. Empty: that for http. */
  readonly https: string;
  /** Hosts, or ends of their names, that are reached without a proxy: separated by commas; `*`: all. */
  readonly none: string;
}

/** Sockets to one origin. A request is sent once: nothing is retried and no redirect is followed. */
export class Connection implements Transport {
  readonly #origin: string;
  readonly #newDispatcher: () => Dispatcher;
  readonly #dispatcher: Dispatcher;
  readonly #headers: { readonly [name: string]: string };
  readonly #open = new Set<Exchange>();
  readonly #room = new ReplyMemory();
  readonly #proxy: UsedProxy | null;
  #stopped = false;

  private constructor(origin: string, newDispatcher: () => Dispatcher, options: ConnectionOptions) {
    this.#proxy = usedProxy(origin, options);
    this.#origin = origin;
    this.#newDispatcher = newDispatcher;
    this.#dispatcher = newDispatcher();
    this.#headers = { ...HEADERS, ...lowerCased(options.headers ?? {}) };
  }

  static async to(origin: string, options: ConnectionOptions = {}): Promise<Connection> {
    // Loaded late: it takes longer to load than all else of the library.
    const { EnvHttpProxyAgent, ProxyAgent } = await import('undici');
    const tls = {
      ...(options.caCert !== undefined ? { ca: options.caCert } : {}),
      ...(options.insecure === true ? { rejectUnauthorized: false } : {}),
    };
    const pool = {
      connections: CONNECTIONS_MAX,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: 4 * KEEP_ALIVE_MS,
    };
    const newDispatcher = (): Dispatcher =>
      options.proxy !== undefined
        ? new ProxyAgent({ ...pool, uri: options.proxy, requestTls: tls })
        : new EnvHttpProxyAgent({ ...pool, connect: tls, requestTls: tls, ...agentProxies(options.proxies) });
    return new Connection(origin, newDispatcher, options);
  }

  /** Writes the request during this very call, as far as a socket is free. Never rejects. */
  async send(request: TransportRequest): Promise<TransportResult> {
    const { method, path, headers, body, timeoutMs, signal, held, fresh, chunked } = request;
    if (this.#stopped) return lost('aborted', STOPPED);
    const exchange = new Exchange(this.#room);
    const dispatcher = fresh === true ? this.#newDispatcher() : this.#dispatcher;
    this.#open.add(exchange);
    const timer =
      timeoutMs === null
        ? null
        : setTimeout(() => exchange.giveUp('timeout', `no answer within ${timeoutMs} ms`), timeoutMs);
    const onAbort = (): void => exchange.giveUp('aborted');
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    try {
      if (!signal?.aborted)
        dispatcher.dispatch(
          {
            origin: this.#origin,
            path,
            method: method,
            headers: { ...this.#headers, ...headers, ...(held === undefined ? {} : lengthOf(body)) },
            // Its types do not know that it takes these; a stream would be read ahead of what is written.
            body:
              held === undefined && chunked === undefined
                ? body
                : (inTwoParts(body, held) as unknown as Readable),
          },
          exchange,
        );
      return blamingProxy(this.#proxy, await exchange.result);
    } catch (error) {
      // An agent for a proxy throws where others tell the handler.
      return blamingProxy(this.#proxy, lost(isRefusal(error) ? 'refused' : 'reset', detailOf(error)));
    } finally {
      this.#open.delete(exchange);
      exchange.leave();
      if (timer !== null) clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (dispatcher !== this.#dispatcher) void dispatcher.destroy();
    }
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Gives up every call that is open, and from now on every other as well. */
  stop(): void {
    this.#stopped = true;
    for (const exchange of this.#open) exchange.giveUp('aborted', STOPPED);
  }

  /** Ends all sockets, also those whose call is still open. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

/** Empty rather than absent: the agent would ask the environment of the process. */
const agentProxies = ({ http = '', https = '', none = '' }: Partial<Proxies> = {}) => ({
  httpProxy: http,
  httpsProxy: https,
  noProxy: none,
});

const lengthOf = (body: string | null): { readonly 'content-length': string } => ({
  'content-length': String(Buffer.byteLength(body ?? '')),
});

/** What asks for the second part has written the first. */
async function* inTwoParts(body: string | null, held: TransportRequest['held']): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body ?? '');
  if (bytes.length > 1) yield bytes.subarray(0, -1);
  held?.written();
  await held?.rest;
  yield bytes.subarray(-1);
}

/** One request and what comes of it. Streams and signals of their own would cost more than the call itself. */
class Exchange implements Dispatcher.DispatchHandler, Incoming {
  readonly result: Promise<TransportResult>;
  readonly #settle: (result: TransportResult) => void;
  /** Set once the request has a socket. */
  #controller: Dispatcher.DispatchController | null = null;
  #gaveUp = false;
  #status = 0;
  #headers: TransportReply['headers'] = {};
  #chunks: Buffer[] = [];
  #bytes = 0;
  readonly #room: ReplyMemory;

  constructor(room: ReplyMemory) {
    this.#room = room;
    let settle!: (result: TransportResult) => void;
    this.result = new Promise((resolve) => (settle = resolve));
    this.#settle = settle;
  }

  giveUp(reason: LostReason, detail = 'given up'): void {
    this.#gaveUp = true;
    this.#settle(lost(reason, detail));
    this.#controller?.abort(new Error(detail));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#gaveUp) controller.abort(new Error('given up'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = flatten(headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    // What was on its way when it was given up.
    if (this.#gaveUp) return;
    this.#bytes += chunk.length;
    if (this.#bytes > REPLY_BYTES_MAX)
      return this.giveUp('oversize', `a reply of more than ${REPLY_BYTES_MAX} bytes`);
    this.#chunks.push(chunk);
    this.#room.take(this, chunk.length);
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  /** What was held of it is free for others. */
  leave(): void {
    this.#chunks = [];
    this.#room.leave(this);
  }

  onResponseEnd(): void {
    const text = Buffer.concat(this.#chunks, this.#bytes).toString('utf8');
    this.#settle({ reply: { status: this.#status, headers: this.#headers, text }, lost: null });
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    this.#settle(lost(isRefusal(error) ? 'refused' : 'reset', detailOf(error)));
  }
}

function lost(reason: LostReason, detail: string): TransportResult {
  return { reply: null, lost: reason, detail };
}

function isRefusal(error: unknown): boolean {
  const codes = errorCodes(error);
  return codes.some((code) =>
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|.*CERT.*|ERR_TLS.*|EPROTO|UND_ERR_INVALID_ARG)$/.test(
      code,
    ),
  );
}

/** Codes of the error and of what caused it; several addresses of one host fail as one aggregate. */
function errorCodes(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const code = (error as { code?: unknown }).code;
  const inner = error instanceof AggregateError ? error.errors : [];
  return [
    ...(typeof code === 'string' ? [code] : []),
    ...inner.flatMap(errorCodes),
    ...(error.cause === undefined ? [] : errorCodes(error.cause)),
  ];
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = errorCodes(error)[0];
  const message = error.message === '' ? error.name : error.message;
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}

function flatten(headers: { readonly [name: string]: string | string[] | undefined }): {
  readonly [name: string]: string;
} {
  const flat: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

function lowerCased(headers: { readonly [name: string]: string }): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
