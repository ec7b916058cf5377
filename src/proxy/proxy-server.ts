/** The server that clients call instead of the service. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Names } from '../spec/operation-of.js';
import { listen, type Address, type Limits } from '../wire/listen.js';
import { originForm } from '../util/path.js';
import type { Callers } from './callers.js';
import { forward } from './forward.js';
import { BodyRoom } from './kept-body.js';
import { isReadable, readBody, type ReadBody } from './read-body.js';
import type { Tap, Watched } from './tap.js';
import { createUpstream, HEAD_BYTES_MAX, receiverAt, type Upstream } from './upstream.js';
import { Webhooks, type Reach } from './webhooks.js';

export interface ProxyOptions extends Address {
  /** The service: its origin, and what the paths begin with that are put before those of calls. */
  readonly upstream: URL;
  /** Told of each call that is one of the API. */
  readonly tap: Tap;
  /** What a call names; null: it is not told. Asked once for each call, which passes whatever it says. */
  readonly namesOf: (method: string, target: string) => Names | null;
  /** Tells who makes calls. Absent: that is not told. */
  readonly callers?: Callers | undefined;
  /** Absent: webhooks go past the proxy. */
  readonly webhooks?: WebhookOptions | undefined;
}

export interface WebhookOptions {
  /** Signs the addresses that the service calls; with the same one they stay valid after a restart. */
  readonly key: string;
  /** The proxy, as the service reaches it; undefined: its address on this machine; null: only addresses given out before are valid. */
  readonly publicUrl: string | null | undefined;
  /** Which addresses it may call for clients. */
  readonly reach: Reach;
}

export interface RunningProxy {
  readonly url: string;
  /** Takes no more calls, and waits for those under way, at most so many ms. */
  close(waitMs: number): Promise<void>;
}

/** A client may take its time with an upload, wait for hours, and keep its connection. */
const LIMITS: Partial<Limits> = {
  headersTimeoutMs: 60_000,
  requestTimeoutMs: 0,
  keepAliveMs: 0,
  // Those that went away without a word.
  probeAfterMs: 60_000,
  headBytesMax: HEAD_BYTES_MAX,
};

/** @throws {Error} if the port cannot be listened on */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const calls = new PassingCalls(options);
  const answer: RequestListener = (request, response) => calls.pass(request, response);
  const { url, localUrl, close } = await listen(options, { answer, refuse: 'passed' }, LIMITS);
  calls.listenAt(localUrl);
  return { url, close };
}

class PassingCalls {
  readonly #options: ProxyOptions;
  readonly #upstream: Upstream;
  readonly #room = new BodyRoom();
  readonly #startMs = Date.now() - performance.now();
  #webhooks: Webhooks | null = null;
  #calls = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#upstream = createUpstream(options.upstream);
  }

  listenAt(url: string): void {
    if (this.#options.webhooks === undefined) return;
    const { key, publicUrl = url, reach } = this.#options.webhooks;
    this.#webhooks = new Webhooks(key, publicUrl, reach);
  }

  pass(request: IncomingMessage, response: ServerResponse): void {
    const { method = '' } = request;
    const target = originForm(request.url ?? '/');
    const webhooks = this.#webhooks;
    if (webhooks?.isOne(target) === true) {
      const found = webhooks.receiverOf(target);
      if (found === null) return notOurs(response);
      const { webhook, url } = found;
      const watched = { ...this.#watched(null), webhook };
      return forward(request, response, url.pathname + url.search, receiverAt(url, webhooks.reach), watched);
    }
    const names = this.#namesOf(method, target);
    const watched = names && this.#watched(names);
    const pass = (read: ReadBody | null): void =>
      forward(request, response, target, this.#upstream, watched, read);
    if (webhooks?.mayRewrite(method, target) !== true || !isReadable(request)) return pass(null);
    readBody(request, webhooks, this.#room, pass);
  }

  #watched(names: Names | null): Watched {
    const { callers } = this.#options;
    return {
      ...{ call: this.#calls++, tap: this.#tap, nowMs: this.#nowMs, room: this.#room, names },
      // The service calls webhooks.
      callers: names === null ? undefined : callers,
    };
  }

  /** Steady: the machine's time may be set while the proxy runs. */
  readonly #nowMs = (): number => this.#startMs + performance.now();

  /** Whatever goes wrong here, the call passes. */
  readonly #tap: Tap = (exchange) => {
    try {
      this.#options.tap(exchange);
    } catch {
      // It is not told, and so not judged.
    }
  };

  #namesOf(method: string, target: string): Names | null {
    try {
      return this.#options.namesOf(method, target);
    } catch {
      return null;
    }
  }
}

function notOurs(response: ServerResponse): void {
  const text = `${JSON.stringify({ error: 'the proxy has not given out this address: is its --state file another one?' })}\n`;
  response.writeHead(404, { 'content-type': 'application/json' }).end(text);
}
