import type { RandomStream } from '../time/random.js';

/**
 * The kinds of events that can happen at the same instant: a timer of the service, a report of a worker, a
 * message that reaches the service, and what reaches the client (replies, webhook calls, its own timer).
 */
export type TiePriority = 'timer' | 'worker' | 'network' | 'client';

export const TIE_PRIORITIES: readonly TiePriority[] = ['timer', 'worker', 'network', 'client'];

/**
 * Which events go first at the same instant: a fixed order, or `seeded`, a new random rank for every event,
 * which makes races show.
 */
export type TieOrder = readonly TiePriority[] | 'seeded';

/** The rank of an event among those of the same instant; the lowest goes first. */
export type TieRank = (priority: TiePriority) => number;

export function tieRanking(order: TieOrder, random: () => RandomStream): TieRank {
  if (order === 'seeded') return () => random().nextUint32();
  const ranks = { timer: 0, worker: 0, network: 0, client: 0 };
  for (const priority of TIE_PRIORITIES) {
    const rank = order.indexOf(priority);
    if (rank === -1) throw new RangeError(`the tie order does not name ${priority}`);
    ranks[priority] = rank;
  }
  return (priority) => ranks[priority];
}
