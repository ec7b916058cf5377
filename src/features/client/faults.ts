/** What a fault does to a call, in words. */
import type { Fault } from '../../server/faults/faults.js';
import type { Effect } from '../../server/faults/grammar.js';

/** Longer than a condition lasts. */
const NEVER_MS = 240_000;

export function faultWords({ delayMs, effect }: Fault): string {
  const late =
    delayMs > 0 ? [delayMs < NEVER_MS ? `the reply came ${delayMs / 1_000} s late` : 'no reply came'] : [];
  return [...late, ...(effect === null ? [] : [effectWords(effect)])].join(', ');
}

function effectWords(effect: Effect): string {
  switch (effect.kind) {
    case 'status': {
      const after = effect.retryAfterS === null ? '' : ` with Retry-After: ${effect.retryAfterS}`;
      return `answered ${effect.status}${after}${effect.html ? ' by a gateway' : ''}`;
    }
    case 'lost-request':
      return 'the connection was reset before the call was handled';
    case 'lost-reply':
      return 'handled, and its reply was lost';
    case 'truncated-reply':
      return 'the reply ended in its middle';
    case 'slow-reply':
      return `the reply took ${effect.overMs / 1_000} s to arrive`;
    case 'closed-after-reply':
      return 'the connection was closed after the reply';
    default:
      return effect.kind;
  }
}
