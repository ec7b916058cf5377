/** Converts a service's changes to rows of text, and all rows back to its state. */
import type {
  SavedChanges,
  SavedCounters,
  SavedDelivery,
  SavedEndpoint,
  SavedJob,
  SavedState,
} from '../../core/saved.js';
import {
  jobOf,
  unwrittenJob,
  rowsOfGone,
  rowsOfJob,
  addPart,
  type JobParts,
  type WrittenJob,
} from './job-rows.js';

export type Key = readonly (string | number)[];

export const COUNTERS: Key = ['counters'];

/** The latest instant in the row of the counters; 0 without one. */
export const latestMsIn = (text: string | undefined): number =>
  text === undefined ? 0 : (JSON.parse(text) as SavedCounters).latestMs;

/** Null deletes the row. */
export type Row = readonly [key: Key, text: string | null];

/** Tracks what is on disk, so that only new parts are written. */
export interface RowMapper {
  /**
   * The rows for the changes, to be written atomically. If the write fails, the mapper is out of step and has
   * to `read` again.
   */
  rowsOf(changes: SavedChanges): Row[];
  /**
   * The state that the rows describe, which the mapper tracks from then on; null where no service has written
   * yet.
   */
  read(rows: Iterable<readonly [key: Key, text: string]>): SavedState | null;
}

export function createRowMapper(): RowMapper {
  let jobs = new Map<string, WrittenJob>();
  let endpoints = new Map<string, number>();
  let lastRow = 0;

  function* rowsOfEndpoint(id: string, endpoint: SavedEndpoint | null): Iterable<Row> {
    const known = endpoints.get(id);
    if (endpoint === null) {
      endpoints.delete(id);
      if (known !== undefined) yield [['endpoint', known], null];
      return;
    }
    const row = known ?? ++lastRow;
    endpoints.set(id, row);
    yield [['endpoint', row], JSON.stringify(endpoint)];
  }

  function* rowsOfOneJob(id: string, job: SavedJob | null): Iterable<Row> {
    const known = jobs.get(id);
    if (job !== null) {
      const written = known ?? unwrittenJob(++lastRow);
      jobs.set(id, written);
      yield* rowsOfJob(job, written, known === undefined);
    } else if (known !== undefined) {
      jobs.delete(id);
      yield* rowsOfGone(known);
    }
  }

  return {
    rowsOf(changes) {
      const rows: Row[] = [[COUNTERS, JSON.stringify(changes.counters)]];
      for (const [id, endpoint] of changes.endpoints) rows.push(...rowsOfEndpoint(id, endpoint));
      for (const [id, job] of changes.jobs) for (const row of rowsOfOneJob(id, job)) rows.push(row);
      for (const [id, delivery] of changes.deliveries)
        rows.push([['delivery', id], delivery === null ? null : JSON.stringify(delivery)]);
      for (const id of changes.ids) rows.push([['id', id], '']);
      for (const id of changes.purged) rows.push([['purged', id], '']);
      return rows;
    },

    read(rows) {
      let counters: SavedCounters | null = null;
      const foundEndpoints = new Map<number, SavedEndpoint>();
      const foundJobs = new Map<number, JobParts>();
      const deliveries: SavedDelivery[] = [];
      const ids: string[] = [];
      const purged: string[] = [];
      jobs = new Map();
      endpoints = new Map();
      lastRow = 0;
      for (const [[kind, name, part, at], text] of rows) {
        if (kind === 'counters') counters = JSON.parse(text) as SavedCounters;
        else if (kind === 'delivery') deliveries.push(JSON.parse(text) as SavedDelivery);
        else if (kind === 'id') ids.push(String(name));
        else if (kind === 'purged') purged.push(String(name));
        else if (kind === 'endpoint') {
          const endpoint = JSON.parse(text) as SavedEndpoint;
          foundEndpoints.set(Number(name), endpoint);
          endpoints.set(endpoint.id, Number(name));
          lastRow = Math.max(lastRow, Number(name));
        } else if (kind === 'job') {
          const row = Number(name);
          const found = foundJobs.get(row) ?? { chunks: [], streamed: [] };
          foundJobs.set(row, found);
          addPart(found, String(part), Number(at), text);
          lastRow = Math.max(lastRow, row);
        }
      }
      if (counters === null) return null;
      // In order of arrival.
      const inOrder = [...foundJobs].sort(([a], [b]) => a - b);
      const savedJobs = inOrder.map(([row, found]) => {
        const { job, written } = jobOf(row, found);
        jobs.set(job.id, written);
        return job;
      });
      const savedEndpoints = [...foundEndpoints].sort(([a], [b]) => a - b).map(([, endpoint]) => endpoint);
      return { counters, endpoints: savedEndpoints, jobs: savedJobs, deliveries, ids, purged };
    },
  };
}
