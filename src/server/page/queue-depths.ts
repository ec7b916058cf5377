/** How many jobs waited and ran at each endpoint over the last while: recorded while the page is open. */
import type { EndpointSnapshot } from '../../core/saved/snapshot.js';
import { getOrMake } from '../../util/maps.js';
import type { ServerObserver } from '../observer.js';

/** From this instant on so many jobs waited, and so many ran. */
export type DepthPoint = readonly [atMs: number, waiting: number, running: number];

/** Kept for each endpoint. */
const POINTS_MAX = 200;
/** The page asks more often, while it is open. */
const UNWATCHED_MS = 15_000;

export interface QueueDepths extends Required<Pick<ServerObserver, 'changed'>> {
  /** The page is shown: keeps these numbers, and those of the changes that follow. */
  look(nowMs: number, endpoints: readonly EndpointSnapshot[]): void;
  /** The oldest first. */
  of(endpoint: string): readonly DepthPoint[];
}

/**
 * @param spacingMs changes of the service that come sooner after the last are not looked at; 0: all are
 * @param realNowMs the real time, whatever the clock of the endpoints
 */
export function createQueueDepths(spacingMs: number, realNowMs: () => number): QueueDepths {
  const depths = new Map<string, DepthPoint[]>();
  let lookedAtMs = -Infinity;
  let lastMs = -Infinity;
  const isWatched = (): boolean => realNowMs() - lookedAtMs < UNWATCHED_MS;
  function note(nowMs: number, endpoints: readonly EndpointSnapshot[]): void {
    lastMs = nowMs;
    for (const { id, held } of endpoints) {
      const points = getOrMake(depths, id, () => []);
      const [atMs, waiting, running] = points.at(-1) ?? [null, 0, 0];
      if (atMs !== null && waiting === held.IN_QUEUE && running === held.IN_PROGRESS) continue;
      if (atMs === nowMs) points.pop();
      points.push([nowMs, held.IN_QUEUE, held.IN_PROGRESS]);
      if (points.length > POINTS_MAX) points.shift();
    }
    if (depths.size === endpoints.length) return;
    const known = new Set(endpoints.map(({ id }) => id));
    for (const id of depths.keys()) if (!known.has(id)) depths.delete(id);
  }
  return {
    look(nowMs, endpoints) {
      // Nothing is known of the time between.
      if (!isWatched()) depths.clear();
      lookedAtMs = realNowMs();
      note(nowMs, endpoints);
    },
    changed(nowMs, service) {
      if (isWatched() && nowMs - lastMs >= spacingMs) note(nowMs, service.snapshot(0));
    },
    of: (endpoint) => depths.get(endpoint) ?? [],
  };
}
