/** What a target answered that a correct one does not, in words. */
import type { CallEvent, HistoryEvent } from '../history/events.js';
import { pluralize } from '../report/formatting.js';
import { isJobStatus } from '../spec/states.js';
import { isObject } from '../util/json.js';

const DIFFERENCES_TOLD_MAX = 2;

/** An answer that calls got more often than from a correct target. */
interface Difference {
  readonly text: string;
  /** A submission was refused with 400. */
  readonly isRefusal: boolean;
}

/** The most frequent first, of these scripts. */
export function differences(
  events: readonly HistoryEvent[],
  rightly: readonly HistoryEvent[],
  numbers: ReadonlySet<number>,
): readonly Difference[] {
  const rightCounts = answersIn(rightly, numbers);
  return [...answersIn(events, numbers)]
    .map(([answer, { first, times }]) => ({
      ...{ answer, first },
      more: times - (rightCounts.get(answer)?.times ?? 0),
    }))
    .filter(({ more }) => more > 0)
    .sort((left, right) => right.more - left.more || (left.answer < right.answer ? -1 : 1))
    .slice(0, DIFFERENCES_TOLD_MAX)
    .map(({ answer, first: { op, reply }, more }) => ({
      text: `${answer} (${more === 1 ? 'once' : pluralize(more, 'time')} more than from a correct target)`,
      isRefusal: (op === 'run' || op === 'runsync') && reply?.status === 400,
    }));
}

/** How often each answer was given, and the first call that got it. */
function answersIn(
  events: readonly HistoryEvent[],
  numbers: ReadonlySet<number>,
): ReadonlyMap<string, { readonly first: CallEvent; readonly times: number }> {
  const counts = new Map<string, { readonly first: CallEvent; readonly times: number }>();
  for (const event of events) {
    if (event.kind !== 'call' || !numbers.has(event.script)) continue;
    const answer = answerOf(event);
    const known = counts.get(answer);
    counts.set(answer, { first: known?.first ?? event, times: (known?.times ?? 0) + 1 });
  }
  return counts;
}

/** `/retry was answered with 500`. */
function answerOf({ op, request, reply, lost }: CallEvent): string {
  const name = op === null ? `${request.method} of another path` : `/${op}`;
  if (reply === null) return `${name} got no answer (${lost ?? 'lost'})`;
  const value = reply.body.as === 'json' ? reply.body.value : null;
  const status = isObject(value) ? value['status'] : null;
  // Any success code will do.
  const code = reply.status >= 200 && reply.status < 300 ? '2xx' : reply.status;
  return `${name} was answered with ${code}${isJobStatus(status) ? ` ${status}` : ''}`;
}
