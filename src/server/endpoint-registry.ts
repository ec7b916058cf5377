import type { CoreInput } from '../core/api.js';
import type { Scaling } from '../core/scaling-settings.js';

export interface HostedEndpoint {
  readonly endpointId: string;
  /** The most workers it may have. */
  readonly workers: number;
  /** API calls received since it was created or emptied, including those still waiting. */
  readonly received: number;
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
}

export function createEndpointRegistry(apply: (input: CoreInput) => void): EndpointRegistry {
  const known = new Map<string, { workers: number; received: number }>();
  return {
    get(id) {
      const endpoint = known.get(id);
      return endpoint === undefined ? null : { endpointId: id, ...endpoint };
    },
    adopt(endpoints) {
      known.clear();
      for (const { id, workers } of endpoints) known.set(id, { workers, received: 0 });
    },
    put(id, workers, jobsPerWorker = 1) {
      known.set(id, { workers: typeof workers === 'number' ? workers : workers.max, received: 0 });
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
  };
}

function endpointIdOf(path: string): string {
  if (!path.startsWith('/v2/')) return '';
  const end = path.indexOf('/', 4);
  const raw = end === -1 ? path.slice(4) : path.slice(4, end);
  try {
    return raw.includes('%') ? decodeURIComponent(raw) : raw;
  } catch {
    return raw;
  }
}
