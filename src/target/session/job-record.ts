import { bodyOf } from '../../history/body.js';
import type { Body } from '../../history/events.js';
import { ENDED_STATUSES } from '../../spec/states.js';
import type { Operation } from '../../spec/types.js';
import type { TransportReply } from './transport.js';

/** The id of the job record that a body holds. */
export function idIn(body: Body | undefined): string | null {
  const { id } = membersOf(body);
  return typeof id === 'string' && id !== '' ? id : null;
}

/** The record shows its job in a state that it does not leave by itself. */
export function tellsOfAnEnd(body: Body | undefined): boolean {
  const { status } = membersOf(body);
  return ENDED_STATUSES.some((ended) => ended === status);
}

/** The answer says that the job has ended: its record, or of `/status` that there is none. Of a refusal nothing is known. */
export function saysEnded(op: 'cancel' | 'status', reply: TransportReply | null): boolean {
  return reply?.status === 200 ? tellsOfAnEnd(bodyOf(reply.text)) : op === 'status' && reply?.status === 404;
}

/** The call has made a job: also one at an address of no operation, as that of another version, which was accepted. */
export function isSubmission(
  { op, method }: { readonly op: Operation | null; readonly method: string },
  body: Body | undefined,
): boolean {
  if (op === 'run' || op === 'runsync') return true;
  return op === null && method === 'POST' && membersOf(body).status === 'IN_QUEUE';
}

function membersOf(body: Body | undefined): { readonly id?: unknown; readonly status?: unknown } {
  return (body?.as === 'json' ? (body.value as object | null) : null) ?? {};
}
