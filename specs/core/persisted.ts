/** A store in memory: records the changes that a service reports, as JSON, and returns the whole state. */
import type { DurableService } from '../../src/core/service.js';
import type { SavedChanges, SavedState } from '../../src/core/saved/saved.js';

export interface StateRecorder {
  /** Records the changes since the last call. */
  record(service: DurableService): void;
  state(): SavedState;
}

export function createStateRecorder(): StateRecorder {
  const endpoints = new Map<string, string>();
  const jobs = new Map<string, string>();
  const deliveries = new Map<number, string>();
  const ids = new Set<string>();
  const purged = new Set<string>();
  let counters: SavedChanges['counters'] = { latestMs: 0, attempts: 0, deliveries: 0, idsMade: 0 };

  const note = <K>(kept: Map<K, string>, changed: ReadonlyMap<K, unknown>): void => {
    for (const [key, value] of changed) {
      if (value === null) kept.delete(key);
      else kept.set(key, JSON.stringify(value));
    }
  };
  const values = <V>(kept: Map<unknown, string>): V[] =>
    [...kept.values()].map((text) => JSON.parse(text) as V);

  return {
    record(service) {
      const changes = service.takeChanges();
      if (changes === null) return;
      counters = changes.counters;
      note(endpoints, changes.endpoints);
      note(jobs, changes.jobs);
      note(deliveries, changes.deliveries);
      for (const id of changes.ids) ids.add(id);
      for (const id of changes.purged) purged.add(id);
    },
    state: () => ({
      counters,
      endpoints: values(endpoints),
      jobs: values(jobs),
      deliveries: values(deliveries),
      ids: [...ids],
      purged: [...purged],
    }),
  };
}
