/** Violations of sections 4.1 to 4.4: waiting, payloads, retention, status, stream. */
import type { Changes } from './mutant.js';

const MINUTE_MS = 60_000;
const NEVER = Number.POSITIVE_INFINITY;

export const SECTION_4: Changes = {
  'wait-ignored': () => ({ waitMs: () => 90_000 }),
  'wait-default-thirty-seconds': (base) => ({
    waitMs: (asked) => (asked === null ? 30_000 : base.waitMs(asked)),
  }),
  'wait-default-two-minutes': (base) => ({
    waitMs: (asked) => (asked === null ? 120_000 : base.waitMs(asked)),
  }),
  'wait-at-most-ninety-seconds': (base) => ({ waitMs: (asked) => Math.min(90_000, base.waitMs(asked)) }),
  'wait-halved': (base) => ({
    waitDeadlineMs: (callMs, waitMs) => base.waitDeadlineMs(callMs, Math.ceil(waitMs / 2)),
  }),
  'wait-never-shortened': () => ({ endsWait: () => false }),
  'wait-not-ended-by-failure': (base) => ({
    endsWait: (status) => status !== 'FAILED' && base.endsWait(status),
  }),
  'wait-not-ended-by-timeout': (base) => ({
    endsWait: (status) => status !== 'TIMED_OUT' && base.endsWait(status),
  }),
  'wait-cancels-job': () => ({ elapsedWaitStopsJob: () => true }),
  'wait-above-max-taken': (base) => ({
    outOfRange: (field, value, bounds) =>
      field === 'wait' && value > bounds.max ? value : base.outOfRange(field, value, bounds),
  }),
  'wait-below-min-taken': (base) => ({
    outOfRange: (field, value, bounds) =>
      field === 'wait' && value > 0 && value < bounds.min ? value : base.outOfRange(field, value, bounds),
  }),
  'wait-max-refused': (base) => ({
    boundsOf: (field) =>
      field === 'wait' ? { ...base.boundsOf(field), max: 299_999 } : base.boundsOf(field),
  }),
  'wait-min-refused': (base) => ({
    boundsOf: (field) => (field === 'wait' ? { ...base.boundsOf(field), min: 1_001 } : base.boundsOf(field)),
  }),
  'wait-any-text': (base) => ({
    integerIn: (field, value) =>
      field === 'wait' && typeof value === 'string' ? 'absent' : base.integerIn(field, value),
  }),
  'retention-sync-like-run': () => ({ retentionMs: () => 30 * MINUTE_MS }),
  'retention-sync-half': (base) => ({
    retentionMs: (job) => (job.op === 'run' ? base.retentionMs(job) : MINUTE_MS / 2),
  }),
  'retention-run-like-sync': () => ({ retentionMs: () => MINUTE_MS }),
  'retention-run-unlimited': (base) => ({
    retentionMs: (job) => (job.op === 'run' ? NEVER : base.retentionMs(job)),
  }),
  'retention-from-submission': () => ({
    retentionDeadlineMs: (job, retentionMs) => (job.endedMs === null ? NEVER : job.submittedMs + retentionMs),
  }),
  'retention-restarts-by-reading': () => ({
    readSetsTimersAnew: () => true,
    retentionDeadlineMs: (job, retentionMs) =>
      job.endedMs === null ? NEVER : Math.max(job.endedMs, job.readMs ?? 0) + retentionMs,
  }),
  'retention-shortened-by-wait': (base) => ({
    retentionMs: (job) =>
      job.op === 'runsync' && job.waitMs !== null ? Math.min(job.waitMs, MINUTE_MS) : base.retentionMs(job),
  }),
  'payload-run-half': (base) => ({
    bodyBytesMax: (op) => (op === 'run' ? 5_000_000 : base.bodyBytesMax(op)),
  }),
  'payload-run-double': (base) => ({
    bodyBytesMax: (op) => (op === 'run' ? base.bodyBytesMax('runsync') : base.bodyBytesMax(op)),
  }),
  'payload-chunked-unlimited': (base) => {
    let isChunked = false;
    return {
      // The first that each request is asked for.
      authorizationOf: (request) => {
        isChunked = request.headers['transfer-encoding'] === 'chunked';
        return base.authorizationOf(request);
      },
      bodyBytesMax: (op) => (isChunked ? Number.POSITIVE_INFINITY : base.bodyBytesMax(op)),
    };
  },
  'payload-sync-like-run': (base) => ({ bodyBytesMax: () => base.bodyBytesMax('run') }),
  'payload-sync-with-wait-like-run': (base) => ({
    bodyBytesMax: (op, query) => base.bodyBytesMax(query?.['wait'] === undefined ? op : 'run'),
  }),
  'payload-sync-more': (base) => ({
    bodyBytesMax: (op) => base.bodyBytesMax(op) * (op === 'runsync' ? 2 : 1),
  }),
  'run-answers-in-progress': (base) => ({
    statusShown: (job, view) => (view === 'run' ? 'IN_PROGRESS' : base.statusShown(job, view)),
  }),
  'status-ttl-ignored': (base) => ({
    ttlDeadlineMs: (job, ttlMs) => base.ttlDeadlineMs({ ...job, ttlSet: null }, ttlMs),
  }),
  'status-ttl-in-seconds': (base) => ({
    ttlDeadlineMs: (job, ttlMs) =>
      base.ttlDeadlineMs(
        job.ttlSet === null ? job : { ...job, ttlSet: { ...job.ttlSet, ttlMs: job.ttlSet.ttlMs * 1000 } },
        ttlMs,
      ),
  }),
  'status-ttl-at-once': (base) => ({
    ttlDeadlineMs: (job, ttlMs) =>
      job.ttlSet === null
        ? base.ttlDeadlineMs(job, ttlMs)
        : job.ttlSet.atMs + Math.floor(job.ttlSet.ttlMs / 1000),
  }),
  'status-ttl-any-text': (base) => ({
    integerIn: (field, value) =>
      field === 'ttl' && typeof value === 'string' ? 'absent' : base.integerIn(field, value),
  }),
  'result-read-once': () => ({ readConsumes: (job) => job.status === 'COMPLETED' }),
  'stream-wrapped': () => ({ streamBody: (job, chunks) => ({ status: job.status, stream: chunks }) }),
  'stream-reversed': () => ({ chunkPlace: () => 0 }),
  'stream-loses-last': (base) => ({ chunksTo: (job) => Math.max(0, base.chunksTo(job) - 1) }),
  'stream-only-after-end': (base) => ({ chunksTo: (job) => (job.endedMs === null ? 0 : base.chunksTo(job)) }),
  'stream-gone-at-end': (base) => ({ chunksTo: (job) => (job.endedMs === null ? base.chunksTo(job) : 0) }),
  'stream-repeats-at-end': () => ({ outputsAtEnd: (job) => job.streamed }),
  'stream-not-split': () => ({ splits: () => 'not' }),
  'stream-list-not-split': () => ({ splits: (output) => (typeof output === 'string' ? 'as-text' : 'not') }),
  'stream-chunk-too-large': () => ({ chunkBytesMax: () => 1_500_000 }),
  'stream-split-small': () => ({ chunkBytesMax: () => 16_384 }),
};
