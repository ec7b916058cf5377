import { canBeNamed, segmentOf } from '../../history/job-path.js';
import type { TransportReply } from '../session/transport.js';
import { TargetError } from '../errors.js';
import { membersOf } from './capability-probe.js';
import type { CapabilityProbe } from './capability-probe.js';

/** Not found; or, as web servers have it that know no such path, not allowed, gone, or not made. */
const UNKNOWN: readonly number[] = [404, 405, 410, 501];
/** One of these would do: the first of them is asked of every endpoint, the others only where it is unknown. */
const CALLS = [
  ['GET', '/health'],
  ['POST', '/run'],
  ['POST', '/runsync?wait=1000'],
] as const;

/**
 * Makes sure that the endpoint is known: section 7 has 404 for a wrong endpoint id. Without an operation that counts its jobs
 * and without one that makes any, nothing of the document can be tried. Submissions are valid, and whatever job one makes is
 * cancelled at once.
 *
 * @throws TargetError when none of these operations is known
 */
export async function probeEndpoint(
  probe: CapabilityProbe,
  authorization: string | null,
  input: unknown = { plan: [{ return: {} }] },
): Promise<void> {
  const replies: TransportReply[] = [];
  for (const [method, path] of CALLS) {
    const body = { input, policy: { executionTimeout: 30_000, ttl: 120_000 } };
    const { reply } = await probe.ask(method, path, authorization, method === 'POST' ? body : undefined);
    if (reply !== null && UNKNOWN.includes(reply.status)) {
      replies.push(reply);
      continue;
    }
    const { id } = membersOf(reply);
    if (typeof id === 'string' && canBeNamed(id))
      await probe.ask('POST', `/cancel/${segmentOf(id)}`, authorization);
    return;
  }
  throw unknownEndpoint(probe, replies);
}

function unknownEndpoint(
  { endpoint, address }: CapabilityProbe,
  replies: readonly TransportReply[],
): TargetError {
  const codes = [...new Set(replies.map(({ status }) => status))].join(' and ');
  const root = `${address}/v2/${encodeURIComponent(endpoint)}`;
  const pages = replies.every(({ headers }) => headers['content-type']?.startsWith('text/html') === true);
  return new TargetError(
    'unknown-endpoint',
    `The endpoint ${endpoint} is unknown here: /health, /run and /runsync at ${root} are answered ${codes}` +
      (pages ? ', with HTML pages as a web site has them' : ''),
    pages
      ? `Does the service stand at ${address}? Its paths go on with /v2/<endpoint_id>; then check the endpoint id`
      : 'Check the endpoint id, and that the address is that of the service, without an operation behind it',
  );
}
