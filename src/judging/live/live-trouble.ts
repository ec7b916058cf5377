/** So many calls pass and none is judged: that is told, for silence would look like success. */
import type { LiveCalls, Unjudged } from './live-calls.js';

const TROUBLE_CALLS = 20;

export class LiveTrouble {
  /** Why what passes cannot be judged; null: it can, or nothing passes. */
  told: string | null = null;
  /** What had passed when something was judged last. */
  #known = { judged: 0, unjudged: { lost: 0, unauthorized: 0, bodiless: 0, unanswered: 0 }, missed: 0 };

  /** @param missed calls that were not told */
  look({ judged, unjudged }: Pick<LiveCalls, 'judged' | 'unjudged'>, missed: number): void {
    const known = this.#known;
    if (judged > known.judged) {
      this.told = null;
      this.#known = { judged, unjudged: { ...unjudged }, missed };
      return;
    }
    const since = (reason: keyof Unjudged): number => unjudged[reason] - known.unjudged[reason];
    const reasons = [
      [since('lost'), 'were not answered'],
      [since('unauthorized'), 'were answered with 401 or 403'],
      [
        since('bodiless'),
        'had a body of more than 24 MB, one for which there was no room, or one that was not sent in full before the answer came',
      ],
      [since('unanswered'), 'went to addresses that never answered as an endpoint does'],
      [missed - known.missed, 'came faster than they can be judged'],
    ] as const;
    if (reasons.reduce((sum, [count]) => sum + count, 0) < TROUBLE_CALLS) return;
    const told = reasons.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
    this.told ??= `none of the last calls could be judged: ${told.join(', ')}`;
  }
}
