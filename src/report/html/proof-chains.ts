/** Where the bounds of a contradiction lie in time: what is at most, and what is at least, both from where the circle begins. */
import type { Bound, ContradictionInTime } from '../../oracle/proof/contradiction.js';

export interface PlacedBound {
  readonly bound: Bound;
  /** Counted as the failure's times are. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Chains {
  readonly atMost: readonly PlacedBound[];
  readonly atLeast: readonly PlacedBound[];
  /** Where the first chain ends, and where the second has to begin: too late for it. */
  readonly mostMs: number;
  readonly leastMs: number;
  /** A rule says by when, and it was later; or not before when, and it was earlier. */
  readonly verdict: 'too late' | 'too early' | 'impossible';
}

/** `startMs` places a circle that the clock is no part of. */
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

/** One after the other; a bound of the other kind goes back in time. */
function placeBounds(bounds: readonly Bound[], begin: number, limit: Bound['limit']): readonly PlacedBound[] {
  let at = begin;
  return bounds.map((bound) => {
    const fromMs = at;
    at += bound.limit === limit ? bound.ms : -bound.ms;
    return { bound, fromMs, toMs: at };
  });
}
