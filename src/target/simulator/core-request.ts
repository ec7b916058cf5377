import { bodyOf } from '../../history/body.js';
import type { AuthKind, Body, CallEvent } from '../../history/events.js';
import type { OutgoingCall } from '../../runner/api.js';
import type { SimReply } from '../../sim/client-events.js';
import type { CoreRequest } from '../../sim/simulation.js';
import { getOrMake } from '../../util/maps.js';
import { authorizationOf, type Authorization } from '../authorization.js';

/** The keys that the simulated service gives out. They open nothing else. */
export const SIMULATOR_KEYS = {
  apiKey: 'simulator-key',
  unpermittedApiKey: 'unpermitted-in-simulation',
  otherApiKey: 'another-user-in-simulation',
} as const;

const AUTHORIZATIONS = new Map<AuthKind, Authorization>();

/** The call as it reaches the service. */
export function toCoreRequest(call: OutgoingCall): CoreRequest {
  const { header, query } = getOrMake(AUTHORIZATIONS, call.auth, () =>
    authorizationOf(call.auth, SIMULATOR_KEYS),
  );
  const headers: { [name: string]: string } = {};
  if (header !== null) headers['authorization'] = header;
  if (call.contentType !== null) headers['content-type'] = call.contentType;
  if (call.chunked === true) headers['transfer-encoding'] = 'chunked';
  const { bodyText, keptBody, bodyValue } = call;
  // A raw step may have written its query into the path.
  const queryAt = call.path.indexOf('?');
  return {
    method: call.method,
    path: queryAt === -1 ? call.path : call.path.slice(0, queryAt),
    query: { ...(queryAt === -1 ? {} : queryOf(call.path.slice(queryAt + 1))), ...call.query, ...query },
    headers,
    body: bodyText,
    ...(bodyValue === undefined ? {} : { bodyValue }),
    bodyBytes: bytesOf(bodyText, keptBody),
  };
}

const bytesOf = (text: string | null, kept: Body | undefined): number =>
  text === null ? 0 : kept?.as === 'json' ? kept.bytes : Buffer.byteLength(text);

const queryOf = (text: string): { readonly [name: string]: string } =>
  Object.fromEntries(new URLSearchParams(text));

/** The reply as the history keeps it. */
export function replyOf(reply: SimReply): CallEvent['reply'] {
  const { status, headers, bodyText } = reply;
  return { status, headers, contentType: headers['content-type'] ?? null, body: bodyOf(bodyText) };
}
