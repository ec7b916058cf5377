/** What faults remember, and what they do later. */
import type { Timer } from '../clock.js';
import type { Endpoint } from '../endpoint.js';
import type { Hooks, TimerKind } from '../hooks.js';
import type { Job } from '../job.js';
import type { Allowance } from '../limits.js';

/** Real time between the look and the deed of a server that does them apart. */
export const RACE_MS = 5;

function perKey<K extends object, V>(make: () => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const value = known.get(key) ?? make();
    known.set(key, value);
    return value;
  };
}

/** What a fault remembers of each endpoint. */
export const perEndpoint = <V>(make: () => V): ((endpoint: Endpoint) => V) => perKey(make);
export const perJob = <V>(make: () => V): ((job: Job) => V) => perKey(make);
export const perAllowance = <V>(make: () => V): ((allowance: Allowance) => V) => perKey(make);

export const nowIn = ({ service }: Endpoint): number => service.clock.now();

export function later({ service }: Endpoint, ms: number, act: () => unknown): void {
  service.clock.at(service.clock.now() + ms, () => void act());
}

export function removeIn(ms: number, job: Job, when: (job: Job) => boolean): void {
  later(job.endpoint, ms, () => when(job) && job.endpoint.remove(job));
}

/** Acts once `is` holds of the job, now or later. */
export function whenever(job: Job, is: (job: Job) => boolean, act: () => void): void {
  if (is(job)) return act();
  const watch = (): void => {
    if (!is(job)) return;
    job.watchers.delete(watch);
    act();
  };
  job.watchers.add(watch);
}

/** How often something has happened on an endpoint at this very instant, this time included. */
export function timesAtOnce(): (endpoint: Endpoint) => number {
  const latestOf = perEndpoint(() => ({ atMs: NaN, times: 0 }));
  return (endpoint) => {
    const latest = latestOf(endpoint);
    latest.times = latest.atMs === nowIn(endpoint) ? latest.times + 1 : 1;
    latest.atMs = nowIn(endpoint);
    return latest.times;
  };
}

/** One timer for all: the next one set stops the one before. */
export function sharedTimer(shared: TimerKind): Partial<Hooks> {
  const nowhere = {};
  const latestOf = perKey<object, { timer?: Timer }>(() => ({}));
  return {
    timerSet(kind, timer, endpoint) {
      if (kind !== shared) return;
      const latest = latestOf(endpoint ?? nowhere);
      if (latest.timer !== undefined) latest.timer.over = true;
      if (timer !== undefined) latest.timer = timer;
    },
  };
}

export const cutTo = (unitMs: number, ms: number): number => Math.floor(ms / unitMs) * unitMs;
export const roundedUp = (unitMs: number, ms: number): number => Math.ceil(ms / unitMs) * unitMs;
