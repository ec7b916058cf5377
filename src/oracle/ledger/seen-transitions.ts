/** The transitions that the jobs of a run certainly made, added up. */
import { getOrMake } from '../../util/maps.js';
import type { CertainTransition } from '../model/certain-transitions.js';
import { DOCUMENT_STATES } from '../model/hypothesis.js';
import type { SeenTransition } from './findings.js';

const STATES = Object.values(DOCUMENT_STATES);

const placeOf = ({ from, to }: SeenTransition): number =>
  STATES.indexOf(from) * STATES.length + STATES.indexOf(to);

export class SeenTransitions {
  private readonly sums = new Map<string, { -readonly [M in keyof SeenTransition]: SeenTransition[M] }>();

  add({ from, to, atLeastMs, atMostMs }: CertainTransition): void {
    const sum = getOrMake(this.sums, `${from} ${to}`, () => ({
      ...{ from, to, times: 0, shortestMs: null, longestMs: null },
    }));
    sum.times += 1;
    if (atMostMs !== null) sum.shortestMs = Math.min(atMostMs, sum.shortestMs ?? atMostMs);
    if (atLeastMs !== null) sum.longestMs = Math.max(atLeastMs, sum.longestMs ?? atLeastMs);
  }

  /** In the order of the states. */
  findings(): readonly SeenTransition[] {
    return [...this.sums.values()].sort((left, right) => placeOf(left) - placeOf(right));
  }
}
