/** Faults of /stream: chunks that are lost, repeated or garbled, or missing for some jobs. */
import type { JobView } from '../core/entities.js';
import { mapNumbers } from './json.js';
import { fault } from './mutant.js';

export const STREAMS = [
  fault(
    'stream-loses-first',
    'the first chunk is never delivered',
    ['4.4/chunks-not-lost', '4.4/chunks-while-running', '4.4/chunks-after-end'],
    (base) => ({ chunksFrom: (job) => Math.max(1, base.chunksFrom(job)) }),
  ),
  fault(
    'stream-newest-only',
    '/stream delivers only the newest chunk',
    ['4.4/chunks-not-lost', '4.4/chunks-while-running', '4.4/chunks-after-end'],
    (base) => ({ chunksFrom: (job) => Math.max(base.chunksFrom(job), job.chunks.length - 1) }),
  ),
  fault(
    'stream-keeps-hundred',
    'only 100 chunks of a job are kept',
    ['4.4/chunks-not-lost', '4.4/chunks-after-end', '4.4/chunks-while-running'],
    (base) => ({ chunksTo: (job) => Math.min(100, base.chunksTo(job)) }),
  ),
  fault(
    'stream-not-of-runsync',
    'the stream of a /runsync job is empty',
    ['4.4/chunks-not-lost', '4.4/chunks-after-end'],
    (base) => ({ chunksTo: (job) => (job.op === 'runsync' ? 0 : base.chunksTo(job)) }),
  ),
  fault(
    'stream-of-failed-empty',
    '/stream delivers no chunks of a failed job',
    ['4.4/chunks-after-end', '4.4/chunks-not-lost'],
    (base) => ({ streamAnswer: (job) => (job.status === 'FAILED' ? 'empty' : base.streamAnswer(job)) }),
  ),
  fault(
    'stream-of-timed-out-empty',
    '/stream delivers no chunks of a timed-out job',
    ['4.4/chunks-after-end', '4.4/chunks-not-lost'],
    (base) => ({ streamAnswer: (job) => (job.status === 'TIMED_OUT' ? 'empty' : base.streamAnswer(job)) }),
  ),
  fault(
    'retry-keeps-stream-position',
    'after /retry the read position of the stream is kept, so that chunks are skipped',
    ['4.4/chunks-not-lost', '4.4/chunks-after-end', '4.4/chunks-while-running'],
    (base) => {
      const read = new WeakMap<JobView, number>();
      return {
        chunksFrom: (job) => Math.max(base.chunksFrom(job), read.get(job) ?? 0),
        chunksTo: (job) => {
          const to = base.chunksTo(job);
          read.set(job, Math.max(to, read.get(job) ?? 0));
          return to;
        },
      };
    },
  ),
  fault(
    'metrics-as-text',
    'the numbers in the metrics of a chunk are written as strings',
    ['2.5/metrics-unchanged'],
    (base) => ({
      chunkOf: (output, metrics) => base.chunkOf(output, metrics && mapNumbers(metrics, String)),
    }),
  ),
  fault(
    'stream-falsy-as-null',
    'results of 0, false or "" are delivered as null',
    ['2.5/chunk-output-unchanged'],
    (base) => ({ chunkOf: (output) => base.chunkOf(output || null) }),
  ),
  fault(
    'stream-split-loses-character',
    'each piece of a split result lacks its last character',
    ['4.4/large-output-rejoins', '4.4/chunks-not-lost', '2.5/chunk-output-unchanged'],
    (base) => ({
      chunkOf: (output) =>
        base.chunkOf(typeof output === 'string' && output.length > 500_000 ? output.slice(0, -1) : output),
    }),
  ),
  fault(
    'stream-large-cut',
    'a result above 1 MB is cut off at 1 MB',
    ['4.4/large-output-split', '4.4/large-output-rejoins', '4.4/chunks-not-lost'],
    (base) => ({
      splits: () => 'not',
      chunkOf: (output) => base.chunkOf(typeof output === 'string' ? output.slice(0, 1_000_000) : output),
    }),
  ),
  fault(
    'stream-chunk-two-megabytes',
    'chunks have up to 2 MB',
    ['4.4/chunk-size', '4.4/large-output-split'],
    () => ({
      chunkBytesMax: () => 2_000_000,
    }),
  ),
  fault(
    'stream-only-new-to-nobody',
    '/status consumes the chunks produced so far',
    ['4.4/chunks-not-lost', '4.4/chunks-after-end', '4.4/chunks-while-running'],
    (base) => {
      const seen = new WeakMap<JobView, number>();
      return {
        statusShown: (job, view) => {
          if (view === 'status') seen.set(job, job.chunks.length);
          return base.statusShown(job, view);
        },
        chunksFrom: (job) => Math.max(base.chunksFrom(job), Math.min(seen.get(job) ?? 0, job.chunks.length)),
      };
    },
  ),
] as const;
