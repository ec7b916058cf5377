import type { Body } from '../../history/events.js';
import { ENDED_STATUSES } from '../../spec/states.js';

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

function membersOf(body: Body | undefined): { readonly id?: unknown; readonly status?: unknown } {
  return (body?.as === 'json' ? (body.value as object | null) : null) ?? {};
}

/** The record shows its job waiting, as that of an accepted submission does. */
export function isSubmitted(body: Body | undefined): boolean {
  return membersOf(body).status === 'IN_QUEUE';
}
