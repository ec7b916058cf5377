import type { RandomStream } from '../time/random.js';

/**
 * What can fall on the same instant: a deadline of the service, a worker's report, a message that reaches the
 * service, and news that reach the client (replies, webhook calls, its own alarm clock).
 */
export type TiePriority = 'timer' | 'worker' | 'network' | 'client';

export const TIE_PRIORITIES: readonly TiePriority[] = ['timer', 'worker', 'network', 'client'];

/**
 * Which lane goes first on a tie: a fixed order, the same for every tie; or `seeded`, a new draw for every
 * event, which is what shows races.
 */
export type TieOrder = readonly TiePriority[] | 'seeded';

/** Gives the rank of an event of that lane among those of the same instant. */
export type TieRank = (priority: TiePriority) => number;

export function tieRanking(order: TieOrder, random: () => RandomStream): TieRank {
  if (order === 'seeded') return () => random().nextUint32();
  const ranks = { timer: 0, worker: 0, network: 0, client: 0 };
  for (const priority of TIE_PRIORITIES) {
    const rank = order.indexOf(priority);
    if (rank === -1) throw new RangeError(`the order of ties does not name ${priority}`);
    ranks[priority] = rank;
  }
  return (priority) => ranks[priority];
}
