/**
 * In real time a key may expire or be withdrawn while a run uses it. Then the run says nothing of the target any more: what
 * followed is judged as if the target had been lost.
 */
import type { AuthKind, CallEvent, HistoryEvent, RunEvent } from '../../history/events.js';

/** Since when each call with the valid key was answered with 401, as none was before. */
export interface LostKey {
  readonly sinceMs: number;
  readonly calls: number;
}

const FORMS: ReadonlySet<AuthKind> = new Set<AuthKind>(['bare', 'bearer']);
/** Fewer may have other reasons, as where single operations refuse the key. */
const CALLS_MIN = 5;
const OPERATIONS_MIN = 2;

/** Null where the key was not lost, and in recorded traffic, whose keys are not known. */
export function lostKeyIn(run: RunEvent, events: readonly HistoryEvent[]): LostKey | null {
  if (run.clock !== 'real' || run.capture !== undefined) return null;
  const answered = events.filter(
    (event): event is CallEvent =>
      event.kind === 'call' && event.reply !== null && FORMS.has(event.request.auth),
  );
  const accepted = answered.filter(({ reply }) => reply!.status !== 401);
  // Whether the other form of the key is accepted is open.
  const forms = new Set(accepted.map(({ request }) => request.auth));
  const refused = answered.filter(({ reply, request }) => reply!.status === 401 && forms.has(request.auth));
  const toldMs = least(refused.map(({ receivedMs }) => receivedMs!));
  if (accepted.some(({ sentMs }) => sentMs >= toldMs)) return null;
  // One that never took the key refuses it by itself.
  const took = new Set(accepted.map(({ op }) => op));
  const operations = new Set(refused.map(({ op }) => op).filter((op) => took.has(op)));
  if (refused.length < CALLS_MIN || operations.size < OPERATIONS_MIN) return null;
  return { sinceMs: least(refused.map(({ sentMs }) => sentMs)), calls: refused.length };
}

const least = (all: readonly number[]): number => all.reduce((one, other) => Math.min(one, other), Infinity);

/** Without the answers to what was sent since then. */
export function unansweredFrom(events: readonly HistoryEvent[], sinceMs: number): readonly HistoryEvent[] {
  return events.map((event) => {
    if (event.kind !== 'call' || event.sentMs < sinceMs) return event;
    const gaveUpMs = event.receivedMs ?? event.gaveUpMs ?? event.sentMs;
    return { ...event, arrivedByMs: null, receivedMs: null, reply: null, lost: 'refused', gaveUpMs };
  });
}
