/** The transitions that the jobs of a run certainly made, added up. */
import { getOrMake } from '../../util/maps.js';
import type { CertainTransition } from '../model/lifecycle/certain-transitions.js';
import { DOCUMENT_STATES } from '../model/hypothesis.js';
import type { SeenTransition } from './findings.js';

const STATES = Object.values(DOCUMENT_STATES);

type Sum = { -readonly [M in keyof SeenTransition]: SeenTransition[M] };

const placeOf = ({ from, to }: SeenTransition): number =>
  STATES.indexOf(from) * STATES.length + STATES.indexOf(to);

export class SeenTransitions {
  private readonly sums = new Map<string, Sum>();

  add({ from, to, atLeastMs, atMostMs }: CertainTransition): void {
    this.append({ from, to, times: 1, shortestMs: atMostMs, longestMs: atLeastMs });
  }

  appendAll({ sums }: SeenTransitions): void {
    for (const one of sums.values()) this.append(one);
  }

  /** In the order of the states. */
  findings(): readonly SeenTransition[] {
    return [...this.sums.values()].sort((left, right) => placeOf(left) - placeOf(right));
  }

  private append({ from, to, times, shortestMs, longestMs }: SeenTransition): void {
    const sum = getOrMake(this.sums, `${from} ${to}`, () => ({
      ...{ from, to, times: 0, shortestMs: null, longestMs: null },
    }));
    sum.times += times;
    if (shortestMs !== null) sum.shortestMs = Math.min(shortestMs, sum.shortestMs ?? shortestMs);
    if (longestMs !== null) sum.longestMs = Math.max(longestMs, sum.longestMs ?? longestMs);
  }
}
