import type { ControlledClock } from './controlled-clock.js';
import { endpointIdOf, type HostedEndpoint } from '../endpoint-registry.js';
import type { Host } from '../host.js';
import type { PullAdapter } from '../pull/pull-adapter.js';

/** A host and what belongs to it. */
export interface Place {
  readonly host: Host;
  /** Null where time is real. */
  readonly control: ControlledClock | null;
  /** The present adapter for remote workers; replaced when the service restarts. */
  readonly pullAdapter: () => PullAdapter;
}

/** A place with a clock of its own. */
export type ClockedPlace = Place & { readonly control: ControlledClock };

/**
 * Which clock each endpoint is on: that of the server, or one of its own (contract `test-control`, rule 9). Each clock
 * has a host, so that none waits for another.
 */
export class EndpointClocks {
  /** Of the endpoints on the clock of the server. */
  readonly main: Place;
  readonly #make: (() => ClockedPlace) | null;
  readonly #clocks = new Map<string, { readonly place: ClockedPlace; readonly endpoints: Set<string> }>();
  /** The name of its clock, for each endpoint that is not on the clock of the server. */
  readonly #clockNames = new Map<string, string>();

  /** @param make makes a place whose clock begins at 0; null where endpoints have no clocks of their own */
  constructor(main: Place, make: (() => ClockedPlace) | null) {
    this.main = main;
    this.#make = make;
  }

  /** Endpoints can have clocks of their own. */
  get areOffered(): boolean {
    return this.#make !== null;
  }

  get all(): readonly Place[] {
    return [this.main, ...[...this.#clocks.values()].map(({ place }) => place)];
  }

  /** The clock of this name; null unless an endpoint is on it. */
  clock(name: string): ControlledClock | null {
    return this.#clocks.get(name)?.place.control ?? null;
  }

  /** Where the endpoint is, or would be if it existed. */
  placeOf(endpoint: string): Place {
    const name = this.#clockNames.get(endpoint);
    return (name === undefined ? undefined : this.#clocks.get(name)?.place) ?? this.main;
  }

  /** @param path of an API call, as it was sent */
  hostAt(path: string): Host {
    return this.#clockNames.size === 0 ? this.main.host : this.placeOf(endpointIdOf(path)).host;
  }

  get(endpoint: string): HostedEndpoint | null {
    return this.placeOf(endpoint).host.endpoints.get(endpoint);
  }

  /**
   * Creates the endpoint, or empties it.
   *
   * @param clock the name of its clock; null: that of the server
   */
  put(endpoint: string, workers: number, clock: string | null): void {
    if ((this.#clockNames.get(endpoint) ?? null) !== clock) this.delete(endpoint);
    if (clock !== null) this.#join(endpoint, clock);
    this.placeOf(endpoint).host.endpoints.put(endpoint, workers);
  }

  setWorkers(endpoint: string, workers: number): void {
    this.placeOf(endpoint).host.endpoints.setWorkers(endpoint, workers);
  }

  /** A clock goes with its last endpoint. Unknown ids are ignored. */
  delete(endpoint: string): void {
    this.placeOf(endpoint).host.endpoints.delete(endpoint);
    const name = this.#clockNames.get(endpoint);
    if (name === undefined) return;
    this.#clockNames.delete(endpoint);
    const endpoints = this.#clocks.get(name)?.endpoints;
    endpoints?.delete(endpoint);
    if (endpoints?.size === 0) this.#clocks.delete(name);
  }

  #join(endpoint: string, name: string): void {
    if (this.#make === null) throw new Error('endpoints have no clocks of their own here');
    let clock = this.#clocks.get(name);
    if (clock === undefined) this.#clocks.set(name, (clock = { place: this.#make(), endpoints: new Set() }));
    clock.endpoints.add(endpoint);
    this.#clockNames.set(endpoint, name);
  }
}
