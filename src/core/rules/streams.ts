/** Sections 2.5, 4.4: streamed output. */
import type { Json } from '../../history/events.js';
import { STREAM_CHUNK_MAX } from '../../spec/limits.js';
import type { JobView } from '../entities.js';
import type { ReadingOf } from './reads.js';

/** Which size counts against the limit of a chunk. */
export type ChunkMeasure = 'output-text' | 'output-json' | 'whole-chunk';

/** The answer to `/stream`. */
export type StreamAnswer = 'chunks' | 'all-chunks' | 'empty' | 'not-found' | 'error';

/** §2.5: `metrics` are optional, and set by the worker. */
function metricsIn(
  shown: 'as-set' | 'left-out' | 'own',
  metrics: Json | undefined,
): { readonly metrics?: Json } {
  if (shown === 'left-out') return {};
  if (shown === 'as-set') return metrics === undefined ? {} : { metrics };
  return { metrics: { produced: 1, unit: 'chunk', ...(metrics as { readonly [name: string]: Json }) } };
}

export function streamRules(readingOf: ReadingOf) {
  const shape = readingOf('4.4/answer-shape');
  const secondRead = readingOf('4.4/second-read');
  const whileRunning = readingOf('4.4/while-running');
  const queued = readingOf('4.4/queued-job');
  const notStreaming = readingOf('4.4/non-streaming-handler');
  const drained = readingOf('4.4/drained');
  const ofFailed = readingOf('4.4/failed-job');
  const ofCancelled = readingOf('4.4/cancelled-job');
  const measure = readingOf('4.4/chunk-size-measure');
  const nonString = readingOf('4.4/non-string-split');
  const bytesMax = STREAM_CHUNK_MAX[readingOf('8/megabyte') === 'binary' ? 'binaryBytes' : 'decimalBytes'];
  const metricsShown = readingOf('2.5/metrics');
  const others = readingOf('2.5/chunk-other-fields') === 'some' ? { final: false } : {};

  return {
    /** §2.5: a chunk. */
    chunkOf: (output: Json, metrics?: Json): Json => ({
      output,
      ...metricsIn(metricsShown, metrics),
      ...others,
    }),

    /** §4.4, §8: the largest chunk, in bytes. */
    chunkBytesMax: (): number => bytesMax,

    /** §4.4: which size counts against that limit; not shown. */
    chunkMeasure: (): ChunkMeasure => measure,

    /** §4.4: larger outputs are split. How anything but a string is split is not shown. */
    splits: (output: Json, _metrics?: Json): 'as-text' | 'by-elements' | 'in-parts' | 'not' =>
      typeof output === 'string' || nonString === 'json-text'
        ? 'as-text'
        : nonString === 'other'
          ? 'in-parts'
          : nonString,

    /** §4.4: the index of a new chunk: chunks keep the order in which the handler produced them. */
    chunkPlace: (have: number): number => have,

    /**
     * §4.4: the first chunk that a read delivers: the very first, or the first that was not delivered before.
     */
    chunksFrom: (job: JobView): number => (secondRead === 'all-so-far' ? 0 : job.chunksRead),

    /** §4.4: the end of what a read delivers: all chunks so far. */
    chunksTo: (job: JobView): number => job.chunks.length,

    /** §4.4: outputs added to the chunks when the job ends. */
    outputsAtEnd: (job: JobView): readonly Json[] => {
      if (job.status === 'COMPLETED') {
        return notStreaming === 'output-as-chunk' && job.chunks.length === 0 ? [job.output ?? null] : [];
      }
      return ofFailed === 'chunks-and-error' && job.error !== null ? [{ error: job.error }] : [];
    },

    /** §4.4: whether `/stream` waits, and for what. */
    streamWaits: (job: JobView): 'no' | 'chunk' | 'end' => {
      if (job.endedMs !== null || job.chunks.length > job.chunksRead) {
        return job.endedMs === null && whileRunning === 'at-end' ? 'end' : 'no';
      }
      if (job.status === 'IN_QUEUE') return queued === 'waits' ? 'chunk' : 'no';
      return whileRunning === 'at-once' ? 'no' : whileRunning === 'at-end' ? 'end' : 'chunk';
    },

    /** Not in the document: how long `/stream` waits for a chunk, in ms. */
    streamWaitMs: (): number => 5_000,

    /** §4.4: the kind of answer, by the state of the job. */
    streamAnswer: (job: JobView): StreamAnswer => {
      switch (job.status) {
        case 'IN_QUEUE':
          return queued === 'error' ? 'error' : 'chunks';
        case 'IN_PROGRESS':
          return 'chunks';
        case 'CANCELLED':
          return ofCancelled === 'empty-array' ? 'empty' : ofCancelled;
        case 'FAILED':
        case 'TIMED_OUT':
          return ofFailed === 'error' ? 'error' : 'chunks';
        case 'COMPLETED':
          if (job.chunks.length === 0) return notStreaming === 'error' ? 'error' : 'chunks';
          if (job.chunksRead < job.chunks.length || drained === 'empty-array') return 'chunks';
          return drained === 'all-again' ? 'all-chunks' : 'not-found';
      }
    },

    /** §4.4: an array of chunks; deployed services wrap it in an object. */
    streamBody: (job: JobView, chunks: readonly Json[]): Json =>
      shape === 'wrapped' ? { status: job.status, stream: chunks } : chunks,
  };
}
