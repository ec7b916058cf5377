import type { CallEvent, HistoryEvent } from '../../history/events.js';

/** A job is read once, or again after that. */
const READS: readonly unknown[] = ['status', 'stream'];

/**
 * The basic situations that a dry run reaches: each operation that is performed, and in which state it shows a job; reads
 * of an ended job for the first time and again.
 */
export function reachedBy(events: readonly HistoryEvent[]): readonly string[] {
  const reached = new Set<string>();
  const read = new Set<string>();
  for (const event of events) {
    if (event.kind !== 'call' || !isPerformed(event)) continue;
    const { op, reply, request } = event;
    const record = reply?.body.as === 'json' ? (reply.body.value as { status?: unknown } | null) : null;
    const status = typeof record?.status === 'string' ? record.status : '';
    const isAgain = READS.includes(op) && read.has(`${request.path} ${status}`);
    reached.add(`${op} ${status}${isAgain ? ' again' : ''}`);
    if (!status.startsWith('IN_')) read.add(`${request.path} ${status}`);
  }
  return [...reached];
}

function isPerformed({ op, request, reply }: CallEvent): boolean {
  const code = reply?.status ?? 0;
  return op !== null && request.illegal === null && code >= 200 && code < 300;
}
