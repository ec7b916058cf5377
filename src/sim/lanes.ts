import type { RandomStream } from '../time/random.js';

/**
 * What can fall on the same instant: a deadline of the service, a worker's report, a message that reaches the
 * service, and news that reach the client (replies, webhook calls, its own alarm clock).
 */
export type Lane = 'timer' | 'worker' | 'network' | 'client';

export const LANES: readonly Lane[] = ['timer', 'worker', 'network', 'client'];

/**
 * Which lane goes first on a tie: a fixed order, the same for every tie; or `seeded`, a new draw for every
 * event, which is what shows races.
 */
export type TieOrder = readonly Lane[] | 'seeded';

/** Gives the rank of an event of that lane among those of the same instant. */
export type RankLane = (lane: Lane) => number;

export function laneRanking(order: TieOrder, random: () => RandomStream): RankLane {
  if (order === 'seeded') return () => random().nextUint32();
  const ranks = { timer: 0, worker: 0, network: 0, client: 0 };
  for (const lane of LANES) {
    const rank = order.indexOf(lane);
    if (rank === -1) throw new RangeError(`the order of ties does not name ${lane}`);
    ranks[lane] = rank;
  }
  return (lane) => ranks[lane];
}
