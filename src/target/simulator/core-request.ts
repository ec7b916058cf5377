import type { OutgoingCall } from '../../runner/api.js';
import type { CoreRequest } from '../../sim/simulation.js';
import { authorizationOf } from '../authorization.js';

/** The keys that the simulated service gives out. They open nothing else. */
export const SIMULATOR_KEYS = {
  apiKey: 'simulator-key',
  unpermittedApiKey: 'unpermitted-in-simulation',
  otherApiKey: 'another-user-in-simulation',
} as const;

/** The call as it reaches the service. */
export function toCoreRequest(call: OutgoingCall): CoreRequest {
  const { header, query } = authorizationOf(call.auth, SIMULATOR_KEYS);
  const headers: { [name: string]: string } = {};
  if (header !== null) headers['authorization'] = header;
  if (call.contentType !== null) headers['content-type'] = call.contentType;
  const { bodyText } = call;
  // A raw step may have written its query into the path.
  const [path, queryInPath] = splitAt(call.path, '?');
  return {
    method: call.method,
    path,
    query: { ...Object.fromEntries(new URLSearchParams(queryInPath)), ...call.query, ...query },
    headers,
    body: bodyText,
    bodyBytes: bodyText === null ? 0 : Buffer.byteLength(bodyText),
  };
}

function splitAt(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
