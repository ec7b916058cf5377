import type { IncomingMessage } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { writeRefusal } from '../wire/early-answers.js';
import { listen, type Address, type Inner, type Limits, type Listening } from '../wire/listen.js';
import { toResponse } from './calls/api-call.js';
import type { App } from './app.js';
import type { HostHeaderCheck } from './calls/host-header-check.js';

/** For one client. */
export const LIMITS: Partial<Limits> = {
  headersTimeoutMs: 20_000,
  // Allows 20 MB over a slow line.
  requestTimeoutMs: 300_000,
  checkEveryMs: 5_000,
  // Longer than clients usually keep idle connections, so that the client closes them first.
  keepAliveMs: 65_000,
  probeAfterMs: 30_000,
  connectionsMax: 10_000,
};

export interface HttpServerOptions extends Partial<Limits> {
  /** Default: every `host` is accepted. */
  readonly hostHeaderCheck?: HostHeaderCheck;
}

/**
 * An HTTP server that answers malformed requests with a 4xx in JSON, or closes the connection. @throws {Error} the system's, if
 * it cannot be listened on
 */
export function listenFor(
  app: App,
  address: Address,
  { hostHeaderCheck = () => null, ...limits }: HttpServerOptions = {},
): Promise<Listening> {
  return listen(address, innerOf(app, hostHeaderCheck), { ...LIMITS, ...limits });
}

function innerOf(app: App, hostHeaderCheck: HostHeaderCheck): Inner {
  const listener = getRequestListener((request, env) => app.fetch(request, env as HttpBindings), {
    // The global Request and Response belong to the embedding program.
    overrideGlobalObjects: false,
    // Unread bodies are handled in wire/early-answers.ts.
    autoCleanupIncoming: false,
    errorHandler: () =>
      toResponse(app.refusal(400, 'the request line and the host header make no valid address')),
  });
  return {
    refuse: app.refusal,
    answer(incoming, outgoing) {
      const wrongHost = hostHeaderCheck(incoming.url ?? '/', incoming.headers.host);
      if (wrongHost !== null) return writeRefusal(outgoing, app.refusal(403, wrongHost));
      if (isPlainCall(incoming)) void app.callOverSocket(incoming, outgoing);
      else void listener(incoming, outgoing);
    },
  };
}

/**
 * Whether this is a call of the API whose address needs no parsing to know that. It goes to the same `overSocket` as
 * those that Hono routes there. This second way stays because without it a `/run` costs the server 1.2 times the CPU
 * time: Hono needs a `Request`.
 */
const isPlainCall = ({ method, url = '', headers: { host = '' } }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'POST') && PLAIN_TARGET.test(url) && PLAIN_HOST.test(host);

/** Without percent-encoding and segments of dots. */
const PLAIN_TARGET = /^\/v2\/[\w/-]+(?:\?[\w=&-]*)?$/;
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-9]\d{3,4})?$/;
