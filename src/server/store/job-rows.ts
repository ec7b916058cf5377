/** Splits a job into rows: constant parts, growing lists, and what changes often. */
import type { SavedJob } from '../../core/saved.js';
import type { Json } from '../../history/events.js';
import type { Key, Row } from './rows.js';

/** What is already on disk of a job. */
export interface WrittenJob {
  /** The job's number; jobs are numbered in order of arrival. */
  readonly row: number;
  hasOutput: boolean;
  output: Json | undefined;
  readonly chunks: WrittenList;
  readonly streamed: WrittenList;
}

/** A list that only grows is appended to; a different list is written anew. */
interface WrittenList {
  list: readonly Json[] | null;
  count: number;
}

type Rest = Omit<SavedJob, 'submission' | 'output' | 'chunks' | 'streamed'>;

export function unwrittenJob(row: number): WrittenJob {
  return {
    row,
    hasOutput: false,
    output: undefined,
    chunks: { list: null, count: 0 },
    streamed: { list: null, count: 0 },
  };
}

/**
 * The rows that have to be written to store the job's present state. The row `rest` is always last: once it
 * is there, the job is complete.
 */
export function* rowsOfJob(job: SavedJob, written: WrittenJob, isNew: boolean): Iterable<Row> {
  const { submission, output, chunks, streamed, ...rest } = job;
  const { row } = written;
  if (isNew) yield [['job', row, 'submission'], JSON.stringify(submission)];
  if (output !== written.output || (output !== undefined) !== written.hasOutput) {
    yield [['job', row, 'output'], output === undefined ? null : JSON.stringify(output)];
    written.output = output;
    written.hasOutput = output !== undefined;
  }
  yield* rowsOfList(['job', row, 'chunk'], chunks, written.chunks);
  yield* rowsOfList(['job', row, 'streamed'], streamed, written.streamed);
  yield [['job', row, 'rest'], JSON.stringify(rest satisfies Rest)];
}

function* rowsOfList(key: Key, list: readonly Json[], written: WrittenList): Iterable<Row> {
  if (written.list !== list) {
    for (let at = list.length; at < written.count; at++) yield [[...key, at], null];
    written.list = list;
    written.count = 0;
  }
  for (let at = written.count; at < list.length; at++) yield [[...key, at], JSON.stringify(list[at])];
  written.count = list.length;
}

/** The rows to delete with the job; `rest` is last. */
export function* rowsOfGone({ row, hasOutput, chunks, streamed }: WrittenJob): Iterable<Row> {
  yield [['job', row, 'submission'], null];
  if (hasOutput) yield [['job', row, 'output'], null];
  for (let at = 0; at < chunks.count; at++) yield [['job', row, 'chunk', at], null];
  for (let at = 0; at < streamed.count; at++) yield [['job', row, 'streamed', at], null];
  yield [['job', row, 'rest'], null];
}

/** A job being reassembled, row by row. */
export interface JobParts {
  submission?: SavedJob['submission'];
  rest?: Rest;
  output?: Json;
  readonly chunks: Json[];
  readonly streamed: Json[];
}

export function addPart(found: JobParts, part: string, at: number, text: string): void {
  const value = JSON.parse(text) as never;
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
  const { submission, rest, chunks, streamed } = found;
  if (submission === undefined || rest === undefined) throw new Error(`job ${row} is incomplete`);
  const hasOutput = found.output !== undefined;
  const job: SavedJob = {
    ...rest,
    submission,
    chunks,
    streamed,
    ...(found.output === undefined ? {} : { output: found.output }),
  };
  const written: WrittenJob = {
    row,
    hasOutput,
    output: found.output,
    chunks: { list: chunks, count: chunks.length },
    streamed: { list: streamed, count: streamed.length },
  };
  return { job, written };
}
