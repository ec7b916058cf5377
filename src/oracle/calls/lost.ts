/** Operations of which no call was ever answered: nothing is decided of them, and somebody may be in between. */
import type { CallEvent } from '../../history/events.js';
import type { Ledger } from '../ledger/ledger.js';

/** Fewer may be lost by chance. */
const CALLS_MIN = 3;

const WORDS: { readonly [reason: string]: string } = {
  reset: 'the connection was closed',
  refused: 'the connection was refused',
  timeout: 'no answer came in time',
  oversize: 'the answer was too large',
};

export function tallyLost(ledger: Ledger, { op, request, lost }: CallEvent): void {
  if (op === null || lost === 'aborted') return;
  const key = `${request.method} /${op}`;
  let outcomes = ledger.outcomes.get(key);
  if (outcomes === undefined) ledger.outcomes.set(key, (outcomes = { answered: 0, lost: new Map() }));
  if (lost === null) outcomes.answered += 1;
  else outcomes.lost.set(lost, (outcomes.lost.get(lost) ?? 0) + 1);
}

/** Told once for the whole run. Where nothing answers at all any more, that is told instead. */
export function neverAnswered(ledger: Ledger): void {
  if (ledger.targetGone) return;
  for (const [name, { answered, lost }] of ledger.outcomes) {
    const all = [...lost.values()].reduce((sum, count) => sum + count, 0);
    if (answered > 0 || all < CALLS_MIN) continue;
    const how = [...lost]
      .sort(([, left], [, right]) => right - left)
      .map(([reason, count]) => `${WORDS[reason] ?? reason}${lost.size > 1 ? ` (${count})` : ''}`);
    ledger.warn(
      `not one of ${all} calls of ${name} was answered: ${how.join(', ')}. Nothing is decided of it; ` +
        'does a proxy or the server itself end these calls?',
    );
  }
}
