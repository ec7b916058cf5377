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
  addPart,
  addRowsOfGone,
  addRowsOfJob,
  bytesOf,
  jobOf,
  lineBytes,
  noParts,
  unwrittenJob,
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
  /** About how many bytes the lines of all current rows take, once the last changes are written. */
  currentBytes(): number;
  /**
   * The state that the rows describe, which the mapper tracks from then on; null where no service has written
   * yet.
   */
  read(rows: Iterable<readonly [key: Key, text: string]>): SavedState | null;
}

/** The only row of an endpoint or of a webhook call. */
interface WrittenRow {
  readonly key: Key;
  readonly bytes: number;
}

/** Such a row has no text: all it says is in its key. */
const isOnlyId = (kind: unknown): boolean => kind === 'id' || kind === 'purged';

export function createRowMapper(): RowMapper {
  let jobs = new Map<string, WrittenJob>();
  let endpoints = new Map<string, WrittenRow>();
  let deliveries = new Map<number, WrittenRow>();
  let lastRow = 0;
  let currentBytes = 0;

  /** Adds a row that may be there already. */
  function addRow<K>(rows: Row[], written: Map<K, WrittenRow>, id: K, key: Key, value: object): void {
    const text = JSON.stringify(value);
    const bytes = lineBytes(text);
    currentBytes += bytes - (written.get(id)?.bytes ?? 0);
    written.set(id, { key, bytes });
    rows.push([key, text]);
  }

  function addGone<K>(rows: Row[], written: Map<K, WrittenRow>, id: K): void {
    const known = written.get(id);
    if (known === undefined) return;
    written.delete(id);
    currentBytes -= known.bytes;
    rows.push([known.key, null]);
  }

  function addRowsOfOneJob(rows: Row[], id: string, job: SavedJob | null): void {
    const known = jobs.get(id);
    if (known !== undefined) currentBytes -= bytesOf(known);
    if (job !== null) {
      const written = known ?? unwrittenJob(++lastRow);
      if (known === undefined) jobs.set(id, written);
      addRowsOfJob(rows, job, written, known === undefined);
      currentBytes += bytesOf(written);
    } else if (known !== undefined) {
      jobs.delete(id);
      addRowsOfGone(rows, known);
    }
  }

  function addRowsOfId(rows: Row[], kind: 'id' | 'purged', id: string): void {
    rows.push([[kind, id], '']);
    currentBytes += lineBytes(id);
  }

  return {
    currentBytes: () => currentBytes,

    rowsOf(changes) {
      const rows: Row[] = [[COUNTERS, JSON.stringify(changes.counters)]];
      for (const [id, endpoint] of changes.endpoints) {
        if (endpoint === null) addGone(rows, endpoints, id);
        else addRow(rows, endpoints, id, endpoints.get(id)?.key ?? ['endpoint', ++lastRow], endpoint);
      }
      for (const [id, job] of changes.jobs) addRowsOfOneJob(rows, id, job);
      for (const [id, delivery] of changes.deliveries) {
        if (delivery === null) addGone(rows, deliveries, id);
        else addRow(rows, deliveries, id, ['delivery', id], delivery);
      }
      for (const id of changes.ids) addRowsOfId(rows, 'id', id);
      for (const id of changes.purged) addRowsOfId(rows, 'purged', id);
      return rows;
    },

    read(rows) {
      let counters: SavedCounters | null = null;
      const foundEndpoints = new Map<number, SavedEndpoint>();
      const foundJobs = new Map<number, JobParts>();
      const foundDeliveries: SavedDelivery[] = [];
      const ids: string[] = [];
      const purged: string[] = [];
      jobs = new Map();
      endpoints = new Map();
      deliveries = new Map();
      lastRow = 0;
      currentBytes = 0;
      for (const [key, text] of rows) {
        const [kind, name, part, at] = key;
        const bytes = lineBytes(isOnlyId(kind) ? String(name) : text);
        currentBytes += bytes;
        if (kind === 'counters') counters = JSON.parse(text) as SavedCounters;
        else if (kind === 'delivery') {
          const delivery = JSON.parse(text) as SavedDelivery;
          foundDeliveries.push(delivery);
          deliveries.set(delivery.id, { key, bytes });
        } else if (kind === 'id') ids.push(String(name));
        else if (kind === 'purged') purged.push(String(name));
        else if (kind === 'endpoint') {
          const endpoint = JSON.parse(text) as SavedEndpoint;
          foundEndpoints.set(Number(name), endpoint);
          endpoints.set(endpoint.id, { key, bytes });
          lastRow = Math.max(lastRow, Number(name));
        } else if (kind === 'job') {
          const row = Number(name);
          const found = foundJobs.get(row) ?? noParts();
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
      return {
        counters,
        endpoints: savedEndpoints,
        jobs: savedJobs,
        deliveries: foundDeliveries,
        ids,
        purged,
      };
    },
  };
}
