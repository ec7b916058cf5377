import { UNKNOWN_JOB_ID } from '../../../spec/operations.js';
import { TargetError } from '../../errors.js';
import type { TransportReply } from '../../session/transport.js';
import type { CapabilityProbe } from './capability-probe.js';

/** Calls that need no job and change nothing. The second is for targets whose first is at fault. */
const CALLS = ['/health', `/status/${UNKNOWN_JOB_ID}`];

/** How the key stands in the `authorization` header. @internal */
export type AuthForm = 'bare' | 'bearer';

/**
 * Which way of writing the key the target accepts, the bare one first (section 5.2 shows both). Everything but
 * 401 and 403 counts as accepted: a target that fails otherwise is for the run to judge.
 */
export async function probeAuth(probe: CapabilityProbe, apiKey: string | null): Promise<AuthForm> {
  const refusals: TransportReply[] = [];
  for (const call of CALLS) {
    for (const form of ['bare', 'bearer'] as const) {
      const { reply, ...failure } = await probe.ask('GET', call, authorizationOf(form, apiKey));
      if (reply === null && call === CALLS[0]) throw unreachable('detail' in failure ? failure.detail : '');
      if (reply !== null && reply.status !== 401 && reply.status !== 403) return form;
      if (reply !== null) refusals.push(reply);
      if (apiKey === null) break;
    }
  }
  if (refusals.every(wantsBasic)) throw basicWanted();
  throw new TargetError(
    'key-refused',
    apiKey === null
      ? 'The target requires an API key'
      : 'The target refuses the API key, bare and after "Bearer "',
    apiKey === null
      ? 'Give one by --api-key, --api-key-file or RUNPROOF_API_KEY'
      : `Check the key, and that it may use the endpoint ${probe.endpoint}`,
  );
}

/** The service takes a key (section 5): who asks for nothing but a user and a password stands in front of it. */
export const wantsBasic = ({ status, headers }: TransportReply): boolean => {
  const asked = headers['www-authenticate'] ?? '';
  return status === 401 && /^\s*basic\b/i.test(asked) && !/\bbearer\b/i.test(asked);
};

export function basicWanted(): TargetError {
  return new TargetError(
    'key-refused',
    'A gateway in front of the target asks for Basic authentication (401 with www-authenticate: Basic)',
    'It wants a password in the header authorization, where the API key stands, and a call has this header once. ' +
      'Let the gateway pass the calls to this endpoint, or give the address behind it. ' +
      "A gateway that also takes a header of its own gets it by --header 'Name: value'",
  );
}

/** Makes sure that something answers at all. */
export async function probeReach(probe: CapabilityProbe, authorization: string | null): Promise<void> {
  const { reply, ...failure } = await probe.ask('GET', '/health', authorization);
  if (reply === null) throw unreachable('detail' in failure ? failure.detail : '');
}

export function authorizationOf(form: AuthForm, apiKey: string | null): string | null {
  if (apiKey === null) return null;
  return form === 'bearer' ? `Bearer ${apiKey}` : apiKey;
}

/** By what a failed call says: what is wrong, where that can be said better, and what to do. The first that fits counts. */
const REASONS: readonly (readonly [detail: RegExp, what: string | null, advice: string])[] = [
  [/^the proxy \S+ which HTTPS_PROXY /, null, 'Check HTTPS_PROXY, or add the host of the target to NO_PROXY'],
  [/^the proxy \S+ which HTTP_PROXY /, null, 'Check HTTP_PROXY, or add the host of the target to NO_PROXY'],
  [/^the proxy /, null, 'Check --proxy'],
  [/^no answer within/, null, 'Is it running? --timeout sets how long a call may take'],
  [
    // What OpenSSL says of a server that answers in plain text.
    /ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG/,
    'it speaks http, not https, on this port',
    'Give the address with http:// instead of https://',
  ],
  [
    /UND_ERR_SOCKET|ECONNRESET/,
    'it closes the connection without an answer',
    'If it speaks TLS on this port, give the address with https://',
  ],
  [/certificate|CERT|TLS/, null, 'Name its certificate authority by --cacert, or accept any by --insecure'],
  [
    /ENOTFOUND|EAI_AGAIN|TIMEOUT|ENETUNREACH/,
    null,
    'Is the address right? Behind a proxy, set HTTPS_PROXY or add --proxy',
  ],
];

function unreachable(detail: string): TargetError {
  const [, what, advice] = REASONS.find(([says]) => says.test(detail)) ?? [];
  return new TargetError(
    'unreachable',
    `The target does not answer: ${what ?? detail}`,
    advice ?? 'Is it running, and is the address right?',
  );
}
