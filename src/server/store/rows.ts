/** A service's memory in rows of text: from changes to rows, and from all rows back to the memory. */
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

/** The latest instant, as the row of the counters has it; 0 where there is none. */
export const latestMsIn = (text: string | undefined): number =>
  text === undefined ? 0 : (JSON.parse(text) as SavedCounters).latestMs;

/** Null takes the row away. */
export type Row = readonly [key: Key, text: string | null];

/** Knows what is on disk, so that only what is new gets written. */
export interface RowMapper {
  /** To be written all or not at all. When they are not, the book is wrong: read again. */
  rowsOf(changes: SavedChanges): Row[];
  /** What the rows say, and from now on the book knows it; null where no service has written yet. */
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
      // In the order in which they came.
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
