import type { CreatedJobs } from '../../session/created-jobs.js';
import type { TransportReply } from '../../session/transport.js';
import { TargetError } from '../../errors.js';
import { isJsonReply } from './capability-probe.js';
import type { CapabilityProbe } from './capability-probe.js';
import { cancel, submit } from './probe-jobs.js';
import { basicWanted, wantsBasic } from './probe-auth.js';

/** Not found; or what generic web servers answer for an unknown path: not allowed, gone, not implemented. */
const UNKNOWN: readonly number[] = [404, 405, 410, 501];
const KEY_REFUSED: readonly number[] = [401, 403];
/** One of these would do: the first of them is asked of every endpoint, the others only where it does not work. */
const CALLS = [
  ['GET', '/health'],
  ['POST', '/run'],
  ['POST', '/runsync?wait=1000'],
] as const;

/**
 * Makes sure that the endpoint is known and the address is that of such a service. Without an operation that counts jobs and
 * without one that makes any, nothing of the document can be tried. One operation that answers JSON, be it an error of
 * the client, is enough: what the others do wrong is for the run to judge. Submissions are valid, and whatever job one
 * makes is cancelled at once.
 *
 * @param isOwn test control has just created the endpoint
 * @throws TargetError when none of these operations works: its message says what they answer instead
 */
export async function probeEndpoint(
  probe: CapabilityProbe,
  authorization: string | null,
  input: unknown = { plan: [{ return: {} }] },
  isOwn = false,
  createdJobs: CreatedJobs | null = null,
): Promise<void> {
  const replies: TransportReply[] = [];
  for (const [method, path] of CALLS) {
    const { reply, id } =
      method === 'GET'
        ? { ...(await probe.ask(method, path, authorization)), id: null }
        : await submit(probe, authorization, input, createdJobs, { path });
    if (reply !== null && !works(reply)) {
      replies.push(reply);
      continue;
    }
    if (id !== null) await cancel(probe, authorization, id, createdJobs);
    return;
  }
  throw nothingWorks(probe, replies, isOwn);
}

function works(reply: TransportReply): boolean {
  const { status } = reply;
  const isRefusal = UNKNOWN.includes(status) || KEY_REFUSED.includes(status) || status === 429;
  return !isRefusal && status < 500 && !isRedirect(reply) && isJsonReply(reply);
}

/** What the operations answer, from the most to the least telling, and what the user can do about it. */
function nothingWorks(
  probe: CapabilityProbe,
  replies: readonly TransportReply[],
  isOwn: boolean,
): TargetError {
  const { endpoint, address, root } = probe;
  const codes = [...new Set(replies.map(({ status }) => status))].join(' and ');
  const arePages = replies.every(isPage);
  const pages = arePages ? ', with HTML pages as a web site has them' : '';
  const answers = `/health, /run and /runsync at ${root} are answered with ${codes}${pages}`;
  const isAddress = `Is the service at ${address}? Its paths continue with /v2/<endpoint_id>`;
  const isUnknown = replies.every(({ status }) => UNKNOWN.includes(status));
  if (isUnknown && isOwn)
    return new TargetError(
      'unknown-endpoint',
      `The endpoint ${endpoint}, which test control has created, is unknown here: ${answers}`,
      'Check that the address and the address of test control belong to the same server, and that PUT creates endpoints',
    );
  if (isUnknown)
    return new TargetError(
      'unknown-endpoint',
      `The endpoint ${endpoint} is unknown here: ${answers}`,
      arePages
        ? `${isAddress}; then check the endpoint id`
        : 'Check the endpoint id, and that the address does not end in an operation',
    );
  if (replies.every(wantsBasic)) return basicWanted();
  const location = replies.every(isRedirect) ? locationOf(replies[0]!) : null;
  if (location !== null)
    return new TargetError(
      'nothing-works',
      `Every call is redirected: ${answers}, the first to ${location}`,
      location.startsWith('https:') && address.startsWith('http:')
        ? 'Give the address with https'
        : 'Give the address that the service itself answers at. If a log-in stands in front of it, pass what it asks for by --header',
    );
  return new TargetError('nothing-works', ...whyRefused(replies, answers, isAddress));
}

function whyRefused(
  replies: readonly TransportReply[],
  answers: string,
  isAddress: string,
): readonly [message: string, advice: string] {
  const every = (is: (status: number) => boolean): boolean => replies.every(({ status }) => is(status));
  if (every((status) => status === 429))
    return [
      `The target refuses every call: ${answers}`,
      'Wait until its rate limit allows calls again, or use a key with a higher one',
    ];
  if (every((status) => KEY_REFUSED.includes(status)))
    return [`The key is rejected: ${answers}`, 'Check the key, and that it may use this endpoint'];
  if (every((status) => status >= 500))
    return [`The target fails at every call: ${answers}`, 'Is it running? Its log says why it fails'];
  if (replies.some(isJsonReply))
    return [`No operation works: ${answers}`, 'Check the address, the key and the endpoint id'];
  return [
    `This is not such a service: ${answers}; no answer is JSON`,
    `${isAddress}; then check the address`,
  ];
}

const isRedirect = ({ status }: TransportReply): boolean => status >= 300 && status < 400;
const isPage = ({ headers }: TransportReply): boolean =>
  headers['content-type']?.startsWith('text/html') === true;

/** Where a redirect leads, without what may be secret in it. */
function locationOf({ headers }: TransportReply): string {
  const { location } = headers;
  return location === undefined ? 'an address it does not name' : location.replace(/[?#].*$/, '');
}
