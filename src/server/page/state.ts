import type { EndpointSnapshot } from '../../core/snapshot.js';
import type { Edition } from '../../spec/index.js';
import type { LoggedCall } from '../call-log.js';
import type { ControlledClock } from '../controlled-clock.js';
import type { Host } from '../host.js';

/** Jobs listed of each kind: running, waiting, ended. */
const JOBS_MAX = 25;
const ENDPOINTS_MAX = 12;

export interface StateSources {
  readonly host: Host;
  readonly clock: ControlledClock | null;
  readonly edition: Edition;
  /** The key in shell syntax: the default key is public, another is shown as a variable. */
  readonly keyInShell: string;
  readonly calls: () => readonly LoggedCall[];
}

/** Everything the page shows, at one instant. */
export function pageState({ host, clock, edition, keyInShell, calls }: StateSources): object {
  const { nowMs, service } = host.view();
  const endpoints = service.snapshot(JOBS_MAX);
  const shown = mostActive(endpoints);
  return {
    edition,
    clock: clock === null ? 'real' : 'controlled',
    nowMs,
    nextEventAtMs: clock?.nextEventAtMs() ?? null,
    keyInShell,
    endpoints: endpoints.filter((endpoint) => shown.has(endpoint)),
    endpointsLeftOut: endpoints.length - shown.size,
    calls: calls(),
  };
}

/** Endpoints with active jobs first, then the newest; tests may create hundreds. */
function mostActive(endpoints: readonly EndpointSnapshot[]): ReadonlySet<EndpointSnapshot> {
  const busy = ({ held }: EndpointSnapshot): number => (held.IN_QUEUE + held.IN_PROGRESS > 0 ? 1 : 0);
  const ranked = [...endpoints].reverse().sort((a, b) => busy(b) - busy(a));
  return new Set(ranked.slice(0, ENDPOINTS_MAX));
}
