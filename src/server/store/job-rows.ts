/** Splits a job into rows: constant parts, growing lists, and what changes often. */
import type { SavedJob, SavedTimer } from '../../core/saved.js';
import type { Json } from '../../history/events.js';
import type { Row } from './rows.js';

/** What is already on disk of a job. */
export interface WrittenJob {
  /** The job's number; jobs are numbered in order of arrival. */
  readonly row: number;
  hasOutput: boolean;
  output: Json | undefined;
  readonly chunks: WrittenList;
  readonly streamed: WrittenList;
  readonly bytes: PartBytes;
}

/** About how many bytes the lines of the job's current rows take. */
type PartBytes = { [P in 'submission' | 'output' | 'chunk' | 'streamed' | 'rest']: number };

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
    bytes: noBytes(),
  };
}

const noBytes = (): PartBytes => ({ submission: 0, output: 0, chunk: 0, streamed: 0, rest: 0 });

export const bytesOf = ({ bytes }: WrittenJob): number =>
  bytes.submission + bytes.output + bytes.chunk + bytes.streamed + bytes.rest;

/** What a line of the log has besides the text of its row. */
const LINE_BYTES = 60;
export const lineBytes = (text: string): number => LINE_BYTES + Buffer.byteLength(text);

/**
 * Adds the rows that have to be written to store the job's present state. The row `rest` is always last: once
 * it is there, the job is complete.
 */
export function addRowsOfJob(rows: Row[], job: SavedJob, written: WrittenJob, isNew: boolean): void {
  const { output, chunks, streamed } = job;
  const { row, bytes } = written;
  if (isNew) {
    const text = JSON.stringify(job.submission);
    rows.push([['job', row, 'submission'], text]);
    bytes.submission = lineBytes(text);
  }
  if (output !== written.output || (output !== undefined) !== written.hasOutput) {
    const text = output === undefined ? null : JSON.stringify(output);
    rows.push([['job', row, 'output'], text]);
    bytes.output = text === null ? 0 : lineBytes(text);
    written.output = output;
    written.hasOutput = output !== undefined;
  }
  addRowsOfList(rows, 'chunk', chunks, written.chunks, written);
  addRowsOfList(rows, 'streamed', streamed, written.streamed, written);
  const rest = restOf(job);
  rows.push([['job', row, 'rest'], rest]);
  // Mostly ASCII; to count its bytes would take as long as to make it.
  bytes.rest = LINE_BYTES + rest.length;
}

function addRowsOfList(
  rows: Row[],
  part: 'chunk' | 'streamed',
  list: readonly Json[],
  before: WrittenList,
  { row, bytes }: WrittenJob,
): void {
  if (before.list !== list) {
    for (let at = list.length; at < before.count; at++) rows.push([['job', row, part, at], null]);
    before.list = list;
    before.count = 0;
    bytes[part] = 0;
  }
  for (let at = before.count; at < list.length; at++) {
    const text = JSON.stringify(list[at]);
    rows.push([['job', row, part, at], text]);
    bytes[part] += lineBytes(text);
  }
  before.count = list.length;
}

/**
 * What changes often, as JSON text. Every change of a job writes it, and this takes a quarter of the time of
 * `JSON.stringify`.
 */
function restOf(job: SavedJob): string {
  return (
    `{"id":${JSON.stringify(job.id)},"endpoint":${JSON.stringify(job.endpoint)},"op":"${job.op}",` +
    `"waitMs":${job.waitMs},"status":"${job.status}","submittedMs":${job.submittedMs},` +
    `"queuedMs":${job.queuedMs},"startedMs":${job.startedMs},"endedMs":${job.endedMs},` +
    `"error":${textOrNull(job.error)},"chunksRead":${job.chunksRead},"retries":${job.retries},` +
    `"redispatches":${job.redispatches},"crashed":${job.crashed},"outlivedWait":${job.outlivedWait},` +
    `"waitedBeforeMs":${job.waitedBeforeMs},"ranBeforeMs":${job.ranBeforeMs},` +
    `"worker":${textOrNull(job.worker)},"readMs":${job.readMs},` +
    `"ttlSet":${job.ttlSet === null ? 'null' : JSON.stringify(job.ttlSet)},"ranBefore":${job.ranBefore},` +
    `"place":${job.place},"ttlTimer":${timerText(job.ttlTimer)},` +
    `"executionTimer":${timerText(job.executionTimer)},"retentionTimer":${timerText(job.retentionTimer)}}`
  );
}

const textOrNull = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text));
const timerText = (timer: SavedTimer | null): string =>
  timer === null ? 'null' : `[${timer[0]},${timer[1]}]`;

/** Adds the rows to delete with the job; `rest` is last. */
export function addRowsOfGone(rows: Row[], { row, hasOutput, chunks, streamed }: WrittenJob): void {
  rows.push([['job', row, 'submission'], null]);
  if (hasOutput) rows.push([['job', row, 'output'], null]);
  for (let at = 0; at < chunks.count; at++) rows.push([['job', row, 'chunk', at], null]);
  for (let at = 0; at < streamed.count; at++) rows.push([['job', row, 'streamed', at], null]);
  rows.push([['job', row, 'rest'], null]);
}

/** A job being reassembled, row by row. */
export interface JobParts {
  submission?: SavedJob['submission'];
  rest?: Rest;
  output?: Json;
  readonly chunks: Json[];
  readonly streamed: Json[];
  readonly bytes: PartBytes;
}

export const noParts = (): JobParts => ({ chunks: [], streamed: [], bytes: noBytes() });

export function addPart(found: JobParts, part: string, at: number, text: string): void {
  const value = JSON.parse(text) as never;
  if (part in found.bytes) found.bytes[part as keyof PartBytes] += lineBytes(text);
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
    bytes: found.bytes,
  };
  return { job, written };
}
