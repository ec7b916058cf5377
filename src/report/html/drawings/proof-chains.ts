/** The bounds of a contradiction placed in time: upper and lower bounds, both from the start of the negative cycle. */
import type { Bound, ContradictionInTime } from '../../../oracle/proof/contradiction.js';

export interface PlacedBound {
  readonly bound: Bound;
  /** From the same origin as the failure's times. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Chains {
  readonly atMost: readonly PlacedBound[];
  readonly atLeast: readonly PlacedBound[];
  /** The latest end of the first chain, and the earliest begin of the second, which is later. */
  readonly mostMs: number;
  readonly leastMs: number;
  /** Whether an upper bound of a requirement was exceeded, or a lower bound not reached. */
  readonly verdict: 'too late' | 'too early' | 'impossible';
}

/** `startMs` places a cycle that does not contain the clock. */
export function chainsOf({ bounds }: ContradictionInTime, startMs: number): Chains {
  const turn = bounds.findIndex(({ limit, ms }) => limit === 'at-least' && ms > 0);
  const forth = bounds.slice(0, turn < 0 ? bounds.length : turn);
  const back = turn < 0 ? [] : bounds.slice(turn).reverse();
  const begin = bounds[0]?.from === 'clock' ? 0 : startMs;
  const atMost = placeBounds(forth, begin, 'at-most');
  const atLeast = placeBounds(back, begin, 'at-least');
  const ruledBy = (chain: readonly PlacedBound[]): boolean =>
    chain.some(({ bound }) => bound.requirement !== null);
  const [late, early] = [ruledBy(atMost), ruledBy(atLeast)];
  return {
    atMost,
    atLeast,
    mostMs: atMost.at(-1)?.toMs ?? begin,
    leastMs: atLeast.at(-1)?.toMs ?? begin,
    verdict: late === early ? 'impossible' : late ? 'too late' : 'too early',
  };
}

/** Without those of zero length, unless a call is behind them. */
export const drawnBounds = ({ atMost, atLeast }: Chains): readonly PlacedBound[] =>
  [...atMost, ...atLeast].filter(({ bound }) => bound.ms !== 0 || bound.call !== null);

/** Places the bounds consecutively; a bound of the other kind goes back in time. */
function placeBounds(bounds: readonly Bound[], begin: number, limit: Bound['limit']): readonly PlacedBound[] {
  let at = begin;
  return bounds.map((bound) => {
    const fromMs = at;
    at += bound.limit === limit ? bound.ms : -bound.ms;
    return { bound, fromMs, toMs: at };
  });
}
