import type { Bound } from '../../../oracle/proof/contradiction.js';
import type { HistoryEvent } from '../../../history/events.js';
import { exactDuration } from '../../../util/duration.js';
import type { ReportFailure } from '../../report.js';
import { chainsOf } from '../drawings/proof-chains.js';
import type { Cycle, CycleBound } from './page-data.js';

/** With the ids of requirements, not with places of the page's list. */
export interface NamedCycle extends Omit<Cycle, 'bounds'> {
  readonly bounds: readonly (Omit<CycleBound, 'rule'> & { readonly rule: string | null })[];
}

/** The proof of a failure as a cycle: upper bounds forth, lower bounds back. Null: it is none of times. */
export function cycleOf(
  { contradiction, calls, shrunk, originMs = 0 }: ReportFailure,
  history: readonly HistoryEvent[],
  scriptMs: number,
): NamedCycle | null {
  if (contradiction?.kind !== 'time') return null;
  const shown = shrunk?.calls ?? calls;
  const sent = history.flatMap((event) =>
    event.kind === 'call' && shown.includes(event.call) ? [event.sentMs - originMs] : [],
  );
  const { atMost, atLeast, mostMs, leastMs, verdict } = chainsOf(contradiction, Math.min(...sent));
  // Bounds count from the origin of the failure, the page from the beginning of the script.
  const shift = originMs - scriptMs;
  const placed = [
    ...atMost,
    ...atLeast.toReversed().map(({ bound, fromMs, toMs }) => ({ bound, fromMs: toMs, toMs: fromMs })),
  ];
  return {
    bounds: placed.map(({ bound, fromMs, toMs }) => ({
      fromMs: fromMs + shift,
      toMs: toMs + shift,
      text: textOf(bound),
      rule: bound.requirement,
      call: bound.call,
    })),
    mostMs: mostMs + shift,
    leastMs: leastMs + shift,
    over: `${exactDuration(leastMs - mostMs)} ${verdict}`,
  };
}

const textOf = ({ from, to, limit, ms, why }: Bound): string =>
  `${to} comes ${limit === 'at-most' ? 'at most' : 'at least'} ${exactDuration(ms)} after ${from === 'clock' ? 'the beginning' : from}: ${why}`;
