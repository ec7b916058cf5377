/**
 * Each write leaves a record of the rows that it put or deleted, so that after damage it is known which row is not the newest.
 * A record is a row of its own, and takes the place of the one `RECORDS_KEPT` writes before.
 */
import { rowOf, type ChangedRow, type Kind, type Row } from './rows.js';

/** More than the writes in a log: SQLite empties it at 1,000 frames, and a write has at least two. */
const RECORDS_KEPT = 512;

/** Kind and name of a row; behind a minus sign where it was deleted. */
type Change = string;

type RowKey = Pick<Row, 'kind' | 'name'>;
export const keyOf = ({ kind, name }: RowKey): string => `${kind} ${name}`;
export function keyFrom(key: string): RowKey {
  const [kind] = key.split(' ', 1) as [Kind];
  return { kind, name: key.slice(kind.length + 1) };
}

/** What a write changes; the row of counters, which every write puts, is left out. */
export const changesOf = (rows: readonly ChangedRow[]): Change[] =>
  rows.filter(({ kind }) => kind !== 'counters').map((row) => (row.text === null ? '-' : '') + keyOf(row));

export const recordName = (write: number): string => String(write % RECORDS_KEPT);

/** The record of a write, with the changes of the one before it: damage at one place leaves either. */
export const recordOf = (write: number, changes: readonly Change[], before: readonly Change[]): Row =>
  rowOf('write', recordName(write), [changes, before]);

/** What a record says of its own write. */
export const changesIn = ({ text }: Pick<Row, 'text'>): Change[] =>
  (JSON.parse(text) as readonly Change[][])[0]!;

/** A row with the number of the write that put it; 0 is the creation of the file. */
export interface NumberedRow extends Row {
  readonly write: number;
}

/** What is known of the newest writes. */
export interface Newest {
  /** By key, the last change of rows. */
  readonly changes: ReadonlyMap<string, { readonly write: number; readonly isDeleted: boolean }>;
  /** The last write of which nothing is known; 0 where all are known, or are in the file since long. */
  readonly unknownWrite: number;
}

/** @param inLog the number of writes in a damaged log; each of them may have been lost */
export function newestChanges(rows: Iterable<NumberedRow>, inLog: number): Newest {
  const byWrite = new Map<number, readonly Change[]>();
  let last = 0;
  for (const { kind, text, write } of rows) {
    last = Math.max(last, write);
    if (kind !== 'write') continue;
    const [own = [], before = []] = JSON.parse(text) as Change[][];
    byWrite.set(write, own);
    if (!byWrite.has(write - 1)) byWrite.set(write - 1, before);
  }
  const changes = new Map<string, { write: number; isDeleted: boolean }>();
  const from = last - RECORDS_KEPT + 1;
  let unknownWrite = inLog > RECORDS_KEPT ? from - 1 : 0;
  for (let write = Math.max(1, from); write <= last; write++) {
    const known = byWrite.get(write);
    if (known === undefined) unknownWrite = write;
    for (const change of known ?? []) {
      const isDeleted = change.startsWith('-');
      changes.set(isDeleted ? change.slice(1) : change, { write, isDeleted });
    }
  }
  return { changes, unknownWrite };
}
