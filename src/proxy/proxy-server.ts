/** The server that clients call instead of the service. */
import * as http from 'node:http';
import * as https from 'node:https';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Names } from '../spec/operation-of.js';
import { forward } from './forward.js';
import type { Tap } from './tap.js';
import { localNameOf, urlOf } from '../util/address.js';
import { closed, listening } from './listening.js';
import { BodyRoom } from './kept-body.js';
import { isReadable, readBody, type ReadBody } from './read-body.js';
import { createUpstream, HEAD_BYTES_MAX, receiverAt } from './upstream.js';
import { Webhooks, type Reach } from './webhooks.js';

export interface ProxyOptions {
  /** The service: its origin, and what the paths begin with that are put before those of calls. */
  readonly upstream: URL;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Told of each call that is one of the API. */
  readonly tap: Tap;
  /** What a call names; null: it is not told. Asked once for each call, which passes whatever it says. */
  readonly namesOf: (method: string, target: string) => Names | null;
  /** With these, clients call it by HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
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

/** Before it is asked whether it is still there. */
const SILENT_MS_MAX = 60_000;

/** @throws {Error} if the port cannot be listened on */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { upstream: url, host, port, namesOf, tls } = options;
  let webhooks: Webhooks | null = null;
  const upstream = createUpstream(url);
  const startMs = Date.now() - performance.now();
  // Steady: the machine's time may be set while the proxy runs.
  const nowMs = (): number => startMs + performance.now();
  // Whatever goes wrong here, the call passes.
  const tap: Tap = (exchange) => {
    try {
      options.tap(exchange);
    } catch {
      // It is not told, and so not judged.
    }
  };
  const room = new BodyRoom();
  let calls = 0;
  const answer: RequestListener = (request, response) => {
    const method = request.method ?? '';
    const target = pathOf(request.url ?? '/');
    if (webhooks?.isOne(target) === true) {
      const found = webhooks.receiverOf(target);
      if (found === null) return notOurs(response);
      const { webhook, url: to } = found;
      const watched = { call: calls++, tap, nowMs, room, names: null, webhook };
      return forward(request, response, to.pathname + to.search, receiverAt(to, webhooks.reach), watched);
    }
    const names = namesSafely(namesOf, method, target);
    const watched = names === null ? null : { call: calls++, tap, nowMs, room, names };
    const pass = (read: ReadBody | null): void => forward(request, response, target, upstream, watched, read);
    if (webhooks?.mayRewrite(method, target) !== true || !isReadable(request)) return pass(null);
    readBody(request, webhooks, room, pass);
  };
  const settings = {
    requireHostHeader: false,
    maxHeaderSize: HEAD_BYTES_MAX,
    // Clients that went away without a word.
    keepAlive: true,
    keepAliveInitialDelay: SILENT_MS_MAX,
  };
  const server: http.Server =
    tls === undefined ? http.createServer(settings) : https.createServer({ ...settings, ...tls });
  // Node would take the end of what a client sends for its going away.
  (server as http.Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('request', answer);
  // The upstream says whether it wants the body.
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  server.maxHeadersCount = 0;
  // A client may take its time with an upload, wait for hours, and keep its connection.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.keepAliveTimeout = 0;
  const bound = await listening(server, host, port);
  const scheme = tls === undefined ? 'http' : 'https';
  if (options.webhooks !== undefined) {
    const { key, publicUrl = urlOf(scheme, localNameOf(host), bound), reach } = options.webhooks;
    webhooks = new Webhooks(key, publicUrl, reach);
  }
  return { url: urlOf(scheme, host, bound), close: (waitMs) => closed(server, waitMs) };
}

/** Clients may name the whole URL (RFC 9112, 3.2.2). */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/iu, '');
  return path === '' || path.startsWith('?') ? `/${path}` : path;
}

function namesSafely(namesOf: ProxyOptions['namesOf'], method: string, target: string): Names | null {
  try {
    return namesOf(method, target);
  } catch {
    return null;
  }
}

function notOurs(response: ServerResponse): void {
  const text = `${JSON.stringify({ error: 'this is no address that the proxy has given out: is its --state file another one?' })}\n`;
  response.writeHead(404, { 'content-type': 'application/json' }).end(text);
}
