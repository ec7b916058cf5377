/** Faults of /stream: chunks that are lost, repeated or garbled, or missing for some jobs. */
import type { JobView } from '../core/entities.js';
import { mapNumbers } from './json.js';
import type { Changes } from './mutant.js';

export const STREAMS: Changes = {
  'stream-loses-first': (base) => ({ chunksFrom: (job) => Math.max(1, base.chunksFrom(job)) }),
  'stream-newest-only': (base) => ({
    chunksFrom: (job) => Math.max(base.chunksFrom(job), job.chunks.length - 1),
  }),
  'stream-keeps-hundred': (base) => ({ chunksTo: (job) => Math.min(100, base.chunksTo(job)) }),
  'stream-not-of-runsync': (base) => ({ chunksTo: (job) => (job.op === 'runsync' ? 0 : base.chunksTo(job)) }),
  'stream-of-failed-empty': (base) => ({
    streamAnswer: (job) => (job.status === 'FAILED' ? 'empty' : base.streamAnswer(job)),
  }),
  'stream-of-timed-out-empty': (base) => ({
    streamAnswer: (job) => (job.status === 'TIMED_OUT' ? 'empty' : base.streamAnswer(job)),
  }),
  'retry-keeps-stream-position': (base) => {
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
  'metrics-as-text': (base) => ({
    chunkOf: (output, metrics) => base.chunkOf(output, metrics && mapNumbers(metrics, String)),
  }),
  'stream-falsy-as-null': (base) => ({ chunkOf: (output) => base.chunkOf(output || null) }),
  'stream-split-loses-character': (base) => ({
    chunkOf: (output) =>
      base.chunkOf(typeof output === 'string' && output.length > 500_000 ? output.slice(0, -1) : output),
  }),
  'stream-large-cut': (base) => ({
    splits: () => 'not',
    chunkOf: (output) => base.chunkOf(typeof output === 'string' ? output.slice(0, 1_000_000) : output),
  }),
  'stream-metrics-not-split': (base) => ({
    splits: (output, metrics) => (metrics === undefined ? base.splits(output) : 'not'),
  }),
  'stream-chunk-two-megabytes': () => ({ chunkBytesMax: () => 2_000_000 }),
  'stream-only-new-to-nobody': (base) => {
    const seen = new WeakMap<JobView, number>();
    return {
      statusShown: (job, view) => {
        if (view === 'status') seen.set(job, job.chunks.length);
        return base.statusShown(job, view);
      },
      chunksFrom: (job) => Math.max(base.chunksFrom(job), Math.min(seen.get(job) ?? 0, job.chunks.length)),
    };
  },
};
