import type { CallEvent } from '../../history/events.js';
import { isObject } from '../../util/json.js';

/** The job that a call is about: the last segment of its path, or the id in its reply. */
export function jobOf({ op, request, reply }: CallEvent): string | null {
  if (op === 'status' || op === 'stream' || op === 'cancel' || op === 'retry')
    return decoded(request.path.slice(request.path.lastIndexOf('/') + 1));
  const value = reply?.body.as === 'json' ? reply.body.value : null;
  return isObject(value) && typeof value['id'] === 'string' ? value['id'] : null;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
