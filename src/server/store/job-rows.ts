/** Splits a job into rows: constant parts, growing lists, and what changes often. */
import type { SavedJob } from '../../core/saved.js';
import type { Json } from '../../history/events.js';
import { restOf, type Rest } from './job-text.js';
import type { Key, Row } from './rows.js';

/** What is already on disk of a job. */
export interface WrittenJob {
  /** The job's number; jobs are numbered in order of arrival. */
  readonly row: number;
  /** Undefined without an output. */
  output: Json | undefined;
  /** Null while they are empty, as most jobs have none. */
  chunks: WrittenList | null;
  streamed: WrittenList | null;
  /** About how many bytes the lines of its rows take. */
  submissionBytes: number;
  outputBytes: number;
  restBytes: number;
}

/** A list that only grows is appended to; a different list is written anew. */
interface WrittenList {
  readonly list: readonly Json[];
  count: number;
  bytes: number;
}

export const unwrittenJob = (row: number): WrittenJob => ({
  row,
  output: undefined,
  chunks: null,
  streamed: null,
  submissionBytes: 0,
  outputBytes: 0,
  restBytes: 0,
});

export const bytesOf = (job: WrittenJob): number =>
  job.submissionBytes +
  job.outputBytes +
  job.restBytes +
  (job.chunks?.bytes ?? 0) +
  (job.streamed?.bytes ?? 0);

/** What a line of the log has besides the text of its row. */
const LINE_BYTES = 60;
export const lineBytes = (text: string): number => LINE_BYTES + Buffer.byteLength(text);

/**
 * Adds the rows that have to be written to store the job's present state. The row `rest` is always last: once
 * it is there, the job is complete.
 */
export function addRowsOfJob(rows: Row[], job: SavedJob, written: WrittenJob, isNew: boolean): void {
  const { output } = job;
  const { row } = written;
  if (isNew) {
    const text = JSON.stringify(job.submission);
    rows.push([['job', row, 'submission'], text]);
    written.submissionBytes = lineBytes(text);
  }
  if (output !== written.output) {
    const text = output === undefined ? null : JSON.stringify(output);
    rows.push([['job', row, 'output'], text]);
    written.outputBytes = text === null ? 0 : lineBytes(text);
    written.output = output;
  }
  written.chunks = addRowsOfList(rows, ['job', row, 'chunk'], job.chunks, written.chunks);
  written.streamed = addRowsOfList(rows, ['job', row, 'streamed'], job.streamed, written.streamed);
  const rest = restOf(job);
  rows.push([['job', row, 'rest'], rest]);
  // Mostly ASCII; to count its bytes would take as long as to make it.
  written.restBytes = LINE_BYTES + rest.length;
}

/** Returns what is written then. */
function addRowsOfList(
  rows: Row[],
  key: Key,
  list: readonly Json[],
  before: WrittenList | null,
): WrittenList | null {
  if (list.length === 0 && before === null) return null;
  const isSame = before?.list === list;
  for (let at = list.length; !isSame && at < (before?.count ?? 0); at++) rows.push([[...key, at], null]);
  const written = isSame ? before : { list, count: 0, bytes: 0 };
  for (; written.count < list.length; written.count++) {
    const text = JSON.stringify(list[written.count]);
    rows.push([[...key, written.count], text]);
    written.bytes += lineBytes(text);
  }
  return written;
}

/** Adds the rows to delete with the job; `rest` is last. */
export function addRowsOfGone(rows: Row[], { row, output, chunks, streamed }: WrittenJob): void {
  rows.push([['job', row, 'submission'], null]);
  if (output !== undefined) rows.push([['job', row, 'output'], null]);
  for (let at = 0; at < (chunks?.count ?? 0); at++) rows.push([['job', row, 'chunk', at], null]);
  for (let at = 0; at < (streamed?.count ?? 0); at++) rows.push([['job', row, 'streamed', at], null]);
  rows.push([['job', row, 'rest'], null]);
}

/** A job being reassembled, row by row. */
export interface JobParts {
  submission?: SavedJob['submission'];
  rest?: Rest;
  output?: Json;
  readonly chunks: Json[];
  readonly streamed: Json[];
  /** About how many bytes the lines of these parts take. */
  readonly bytes: { [part: string]: number };
}

export const noParts = (): JobParts => ({ chunks: [], streamed: [], bytes: {} });

export function addPart(found: JobParts, part: string, at: number, text: string): void {
  const value = JSON.parse(text) as never;
  found.bytes[part] = (found.bytes[part] ?? 0) + lineBytes(text);
  if (part === 'chunk') found.chunks[at] = value;
  else if (part === 'streamed') found.streamed[at] = value;
  else if (part === 'submission') found.submission = value;
  else if (part === 'output') found.output = value;
  else if (part === 'rest') found.rest = value;
}

export function jobOf(
  row: number,
  found: JobParts,
): { readonly job: SavedJob; readonly written: WrittenJob } {
  const { submission, rest, output, chunks, streamed } = found;
  if (submission === undefined || rest === undefined) throw new Error(`job ${row} is incomplete`);
  const job: SavedJob = { ...rest, submission, output, chunks, streamed };
  const bytesIn = (part: string): number => found.bytes[part] ?? 0;
  const listOf = (list: readonly Json[], part: string): WrittenList | null =>
    list.length === 0 ? null : { list, count: list.length, bytes: bytesIn(part) };
  const written: WrittenJob = {
    row,
    output,
    chunks: listOf(chunks, 'chunk'),
    streamed: listOf(streamed, 'streamed'),
    submissionBytes: bytesIn('submission'),
    outputBytes: bytesIn('output'),
    restBytes: bytesIn('rest'),
  };
  return { job, written };
}
