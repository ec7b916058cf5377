/** A target that dies is often stopped by a call: those that it held when it was lost, and how to send them again. */
import type { CallEvent, HistoryEvent } from '../../history/events.js';
import type { BasePath } from '../../history/served-path.js';
import { curlLine } from '../curl.js';
import { someOf } from '../formatting.js';

const LOSSES_TOLD_MAX = 3;

/** A warning for each of the first losses of the target after which it answered nothing for a while. */
export function callsAtLosses(
  history: readonly HistoryEvent[],
  url: string | null,
  basePath: BasePath | null = null,
): readonly string[] {
  return losses(history)
    .slice(0, LOSSES_TOLD_MAX)
    .map((held) => {
      const [first] = held;
      const which = held.length === 1 ? 'this call' : 'one of these calls';
      return (
        `the target was lost while it held ${someOf(held.map(inWords))}: perhaps ${which} stops it` +
        (url === null ? '' : `. Start it again, and send the first: ${curlLine(first!, url, basePath)}`)
      );
    });
}

/** The calls whose connections broke right before others were refused, the most unusual first. */
function losses(history: readonly HistoryEvent[]): readonly (readonly CallEvent[])[] {
  const found: CallEvent[][] = [];
  let lost: CallEvent[] = [];
  const end = (): void => {
    const held = lost.filter((call) => call.lost === 'reset');
    const isDown = lost.some((call) => call.lost === 'refused');
    if (held.length > 0 && isDown) found.push(held.toSorted((a, b) => rank(a) - rank(b)));
    lost = [];
  };
  // They are recorded in the order in which they ended.
  for (const event of history) {
    if (event.kind !== 'call') continue;
    if (event.reply === null) lost.push(event);
    else end();
  }
  end();
  return found;
}

/** Bodies that are no JSON stop more servers than anything else. */
function rank({ request: { body, illegal } }: CallEvent): number {
  if (body.as === 'text') return 0;
  if (illegal !== null) return body.as === 'none' ? 2 : 1;
  return 3;
}

function inWords({ call, op, request: { method, path, illegal } }: CallEvent): string {
  return `#${call} ${method} ${op === null ? path : `/${op}`}${illegal === null ? '' : ` (${illegal})`}`;
}
