/** Converts a service's changes to rows of text, and all rows back to its state. */
import type {
  SavedChanges,
  SavedCounters,
  SavedDelivery,
  SavedEndpoint,
  SavedJob,
  SavedState,
} from '../../core/saved/saved.js';

export type Kind = 'head' | 'counters' | 'endpoint' | 'job' | 'delivery' | 'id' | 'purged' | 'write';

/** A row is known by its kind and its name. */
export interface Row {
  readonly kind: Kind;
  readonly name: string;
  readonly text: string;
}

/** A null text deletes the row. */
export interface ChangedRow extends Omit<Row, 'text'> {
  readonly text: string | null;
}

export const rowOf = (kind: Kind, name: string | number, value: unknown): Row => ({
  kind,
  name: String(name),
  text: JSON.stringify(value),
});

/** The rows for the changes, to be written atomically. */
export function rowsOf(changes: SavedChanges): ChangedRow[] {
  const rows: ChangedRow[] = [rowOf('counters', '', changes.counters)];
  for (const [kind, values] of [
    ['endpoint', changes.endpoints],
    ['job', changes.jobs],
    ['delivery', changes.deliveries],
  ] as const)
    for (const [name, value] of values)
      rows.push(value === null ? { kind, name: String(name), text: null } : rowOf(kind, name, value));
  for (const id of changes.ids) rows.push(rowOf('id', id, null));
  for (const id of changes.purged) rows.push(rowOf('purged', id, null));
  return rows;
}

/** The state that the rows describe, in their order; null where no service has written yet. */
export function stateOf(rows: Iterable<Row>): SavedState | null {
  let counters: SavedCounters | null = null;
  const endpoints: SavedEndpoint[] = [];
  const jobs: SavedJob[] = [];
  const deliveries: SavedDelivery[] = [];
  const ids: string[] = [];
  const purged: string[] = [];
  for (const { kind, name, text } of rows) {
    const value: unknown = JSON.parse(text);
    if (kind === 'counters') counters = value as SavedCounters;
    else if (kind === 'endpoint') endpoints.push(value as SavedEndpoint);
    else if (kind === 'job') jobs.push(value as SavedJob);
    else if (kind === 'delivery') deliveries.push(value as SavedDelivery);
    else if (kind === 'id') ids.push(name);
    else if (kind === 'purged') purged.push(name);
  }
  return counters && { counters, endpoints, jobs, deliveries, ids, purged };
}
