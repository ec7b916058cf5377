import type { CoreInput } from '../core/api.js';
import type { Scaling } from '../core/workers/scaling-settings.js';
import { segmentAt } from '../util/path.js';

export interface HostedEndpoint {
  readonly endpointId: string;
  /** The most workers it may have. */
  readonly workers: number;
  /** API calls received since it was created or emptied, including those still waiting. */
  readonly received: number;
  /** API calls of which the header fields have arrived and count as in flight, and the body is not complete yet. */
  readonly incomplete: number;
}

/** The endpoints of one host, as test control sees them. */
export interface EndpointRegistry {
  get(id: string): HostedEndpoint | null;
  /** Replaces the known endpoints by these, which exist in the core already. */
  adopt(endpoints: readonly { readonly id: string; readonly workers: number }[]): void;
  /** Creates the endpoint, or empties it. */
  put(id: string, workers: number | Scaling, jobsPerWorker?: number): void;
  /** Unknown ids are ignored. */
  setWorkers(id: string, workers: number): void;
  /** Unknown ids are ignored. */
  delete(id: string): void;
  /** @param path of an API call, as it was sent */
  countArrival(path: string): void;
  /** The header fields of a call have arrived, until `over` is called with its number. */
  begun(callId: number, path: string): void;
  /** Its body has arrived, or will not. Numbers of calls that were not begun are ignored. */
  over(callId: number): void;
}

export function createEndpointRegistry(apply: (input: CoreInput) => void): EndpointRegistry {
  const known = new Map<string, { workers: number; received: number; incomplete: number }>();
  const begun = new Map<number, { incomplete: number }>();
  return {
    get(id) {
      const endpoint = known.get(id);
      return endpoint === undefined ? null : { endpointId: id, ...endpoint };
    },
    adopt(endpoints) {
      known.clear();
      for (const { id, workers } of endpoints) known.set(id, { workers, received: 0, incomplete: 0 });
    },
    put(id, workers, jobsPerWorker = 1) {
      const most = typeof workers === 'number' ? workers : workers.max;
      known.set(id, { workers: most, received: 0, incomplete: 0 });
      apply({ kind: 'create-endpoint', endpoint: id, workers, jobsPerWorker });
    },
    setWorkers(id, workers) {
      const endpoint = known.get(id);
      if (endpoint === undefined) return;
      endpoint.workers = workers;
      apply({ kind: 'set-workers', endpoint: id, workers });
    },
    delete(id) {
      if (known.delete(id)) apply({ kind: 'delete-endpoint', endpoint: id });
    },
    countArrival(path) {
      const endpoint = known.get(endpointIdOf(path));
      if (endpoint !== undefined) endpoint.received++;
    },
    begun(callId, path) {
      const endpoint = known.get(endpointIdOf(path));
      if (endpoint === undefined) return;
      endpoint.incomplete++;
      begun.set(callId, endpoint);
    },
    over(callId) {
      const endpoint = begun.get(callId);
      if (endpoint === undefined) return;
      begun.delete(callId);
      endpoint.incomplete--;
    },
  };
}

/** Of an API call, from its path as it was sent; empty where it names none. */
export function endpointIdOf(path: string): string {
  if (!path.startsWith('/v2/')) return '';
  const raw = segmentAt(path, 2);
  try {
    return raw.includes('%') ? decodeURIComponent(raw) : raw;
  } catch {
    return raw;
  }
}
