import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { readFetchBody, readIncomingBody } from './read-body.js';
import { jsonIn } from '../../util/json.js';

/** Node's request and response, where a call came over a socket. @public */
export interface SocketBindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

const BODY_BYTES_MAX = 64 * 1024;

/** The body as JSON; null when it is not JSON, or larger than any call of test control or of the page. */
export async function readJson(c: Context<{ Bindings: SocketBindings }>): Promise<unknown> {
  const { incoming } = c.env;
  const body =
    incoming === undefined
      ? await readFetchBody(c.req.raw, BODY_BYTES_MAX)
      : await readIncomingBody(incoming, BODY_BYTES_MAX);
  return body.kind === 'read' ? (jsonIn(body.text) ?? null) : null;
}
