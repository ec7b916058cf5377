/** Violations of sections 4.1 to 4.4: waiting, payloads, retention, status, stream. */
import { fault } from './mutant.js';

const MINUTE_MS = 60_000;
const NEVER = Number.POSITIVE_INFINITY;

export const SECTION_4 = [
  fault(
    'wait-ignored',
    '`wait` is ignored, and the default used instead',
    ['4.1/wait-answers-when-elapsed', '4.1/wait-max-honoured', '4.1/wait-not-early'],
    () => ({
      waitMs: () => 90_000,
    }),
  ),
  fault(
    'wait-default-thirty-seconds',
    '/runsync without `wait` is answered after 30 s',
    ['4.1/wait-default-not-early'],
    (base) => ({
      waitMs: (asked) => (asked === null ? 30_000 : base.waitMs(asked)),
    }),
  ),
  fault(
    'wait-default-two-minutes',
    '/runsync without `wait` is answered after 2 minutes',
    ['4.1/wait-default-answers'],
    (base) => ({
      waitMs: (asked) => (asked === null ? 120_000 : base.waitMs(asked)),
    }),
  ),
  fault(
    'wait-at-most-ninety-seconds',
    'a `wait` above 90 s is cut to 90 s',
    ['4.1/wait-max-honoured', '4.1/wait-not-early'],
    (base) => ({
      waitMs: (asked) => Math.min(90_000, base.waitMs(asked)),
    }),
  ),
  fault(
    'wait-halved',
    '/runsync is answered after half its `wait`',
    ['4.1/wait-not-early', '4.1/wait-default-not-early', '4.1/wait-max-honoured'],
    (base) => ({
      waitDeadlineMs: (callMs, waitMs) => base.waitDeadlineMs(callMs, Math.ceil(waitMs / 2)),
    }),
  ),
  fault(
    'wait-never-shortened',
    '/runsync is answered only at the end of `wait`',
    ['4.1/wait-answers-on-completion', '4.1/wait-answers-on-failure'],
    () => ({
      endsWait: () => false,
    }),
  ),
  fault(
    'wait-not-ended-by-failure',
    '/runsync of a failed job is answered only at the end of `wait`',
    ['4.1/wait-answers-on-failure'],
    (base) => ({
      endsWait: (status) => status !== 'FAILED' && base.endsWait(status),
    }),
  ),
  fault(
    'wait-not-ended-by-timeout',
    '/runsync of a timed-out job is answered only at the end of `wait`',
    ['4.1/wait-answers-on-timeout'],
    (base) => ({
      endsWait: (status) => status !== 'TIMED_OUT' && base.endsWait(status),
    }),
  ),
  fault(
    'wait-cancels-job',
    'a job is cancelled when the `wait` of its call ends first',
    ['4.1/wait-leaves-job-alive'],
    () => ({
      elapsedWaitStopsJob: () => true,
    }),
  ),
  fault(
    'wait-above-max-taken',
    'a `wait` above 300000 takes effect as given',
    ['4.1/wait-max-enforced'],
    (base) => ({
      outOfRange: (field, value, bounds) =>
        field === 'wait' && value > bounds.max ? value : base.outOfRange(field, value, bounds),
    }),
  ),
  fault(
    'wait-below-min-taken',
    'a `wait` below 1000 takes effect as given',
    ['4.1/wait-min-enforced'],
    (base) => ({
      outOfRange: (field, value, bounds) =>
        field === 'wait' && value > 0 && value < bounds.min ? value : base.outOfRange(field, value, bounds),
    }),
  ),
  fault(
    'wait-max-refused',
    'a `wait` of exactly 300000 is refused',
    ['4.1/wait-max-accepted', '4.1/wait-max-honoured'],
    (base) => ({
      boundsOf: (field) =>
        field === 'wait' ? { ...base.boundsOf(field), max: 299_999 } : base.boundsOf(field),
    }),
  ),
  fault('wait-min-refused', 'a `wait` of exactly 1000 is refused', ['4.1/wait-min-accepted'], (base) => ({
    boundsOf: (field) => (field === 'wait' ? { ...base.boundsOf(field), min: 1_001 } : base.boundsOf(field)),
  })),
  fault('wait-any-text', 'a `wait` that is not a number is ignored', ['7/wait-not-integer'], (base) => ({
    integerIn: (field, value) =>
      field === 'wait' && typeof value === 'string' ? 'absent' : base.integerIn(field, value),
  })),
  fault(
    'retention-sync-like-run',
    'results of /runsync are kept for 30 minutes',
    ['4.1/retention-gone', '4.1/retention-with-wait-gone'],
    () => ({
      retentionMs: () => 30 * MINUTE_MS,
    }),
  ),
  fault(
    'retention-sync-half',
    'results of /runsync are kept for 30 seconds',
    ['4.1/retention-kept', '4.1/wait-does-not-shorten-retention'],
    (base) => ({
      retentionMs: (job) => (job.op === 'run' ? base.retentionMs(job) : MINUTE_MS / 2),
    }),
  ),
  fault('retention-run-like-sync', 'results of /run are kept for 1 minute', ['4.2/retention-kept'], () => ({
    retentionMs: () => MINUTE_MS,
  })),
  fault(
    'retention-run-unlimited',
    'results of /run are kept until their ttl',
    ['4.2/retention-gone', '7/result-expired-run-status'],
    (base) => ({
      retentionMs: (job) => (job.op === 'run' ? NEVER : base.retentionMs(job)),
    }),
  ),
  fault(
    'retention-from-submission',
    'retention counts from submission',
    [
      '4.2/retention-from-completion',
      '4.1/retention-from-completion',
      '4.2/retention-kept',
      '4.1/retention-kept',
    ],
    () => ({
      retentionDeadlineMs: (job, retentionMs) =>
        job.endedMs === null ? NEVER : job.submittedMs + retentionMs,
    }),
  ),
  fault(
    'retention-restarts-by-reading',
    'each read restarts the retention',
    [
      '4.2/retention-not-restarted-by-reading',
      '4.1/retention-not-restarted-by-reading',
      '4.1/retention-gone',
    ],
    () => ({
      readSetsTimersAnew: () => true,
      retentionDeadlineMs: (job, retentionMs) =>
        job.endedMs === null ? NEVER : Math.max(job.endedMs, job.readMs ?? 0) + retentionMs,
    }),
  ),
  fault(
    'retention-shortened-by-wait',
    'a result is kept only as long as `wait`, even below one minute',
    ['4.1/wait-does-not-shorten-retention'],
    (base) => ({
      retentionMs: (job) =>
        job.op === 'runsync' && job.waitMs !== null ? Math.min(job.waitMs, MINUTE_MS) : base.retentionMs(job),
    }),
  ),
  fault(
    'payload-run-half',
    '/run refuses bodies above 5 MB',
    ['4.2/payload-up-to-limit-accepted'],
    (base) => ({
      bodyBytesMax: (op) => (op === 'run' ? 5_000_000 : base.bodyBytesMax(op)),
    }),
  ),
  fault(
    'payload-run-double',
    '/run accepts bodies up to 20 MB',
    ['4.2/payload-above-limit-refused'],
    (base) => ({
      bodyBytesMax: (op) => (op === 'run' ? base.bodyBytesMax('runsync') : base.bodyBytesMax(op)),
    }),
  ),
  fault(
    'payload-sync-like-run',
    '/runsync refuses bodies above 10 MB',
    ['4.1/payload-up-to-limit-accepted'],
    (base) => ({
      bodyBytesMax: () => base.bodyBytesMax('run'),
    }),
  ),
  fault(
    'payload-sync-more',
    '/runsync accepts bodies up to 40 MB',
    ['4.1/payload-above-limit-refused'],
    (base) => ({
      bodyBytesMax: (op) => base.bodyBytesMax(op) * (op === 'runsync' ? 2 : 1),
    }),
  ),
  fault('run-answers-in-progress', '/run answers IN_PROGRESS', ['4.2/status-in-queue'], (base) => ({
    statusShown: (job, view) => (view === 'run' ? 'IN_PROGRESS' : base.statusShown(job, view)),
  })),
  fault(
    'status-ttl-ignored',
    '`ttl` of /status has no effect',
    ['4.3/ttl-shortens-life', '4.3/ttl-lengthens-life'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => base.ttlDeadlineMs({ ...job, ttlSet: null }, ttlMs),
    }),
  ),
  fault(
    'status-ttl-in-seconds',
    '`ttl` of /status is read as seconds',
    ['4.3/ttl-shortens-life'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) =>
        base.ttlDeadlineMs(
          job.ttlSet === null ? job : { ...job, ttlSet: { ...job.ttlSet, ttlMs: job.ttlSet.ttlMs * 1000 } },
          ttlMs,
        ),
    }),
  ),
  fault(
    'status-ttl-at-once',
    '`ttl` of /status deletes the job after a thousandth of the time',
    ['4.3/ttl-not-at-once', '4.3/ttl-lengthens-life', '4.3/ttl-accepted'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) =>
        job.ttlSet === null
          ? base.ttlDeadlineMs(job, ttlMs)
          : job.ttlSet.atMs + Math.floor(job.ttlSet.ttlMs / 1000),
    }),
  ),
  fault(
    'status-ttl-any-text',
    'a `ttl` of /status that is not a number is ignored',
    ['7/status-ttl-not-integer'],
    (base) => ({
      integerIn: (field, value) =>
        field === 'ttl' && typeof value === 'string' ? 'absent' : base.integerIn(field, value),
    }),
  ),
  fault('result-read-once', 'a result can be read only once', ['4.3/reading-does-not-consume'], () => ({
    readConsumes: (job) => job.status === 'COMPLETED',
  })),
  fault('stream-wrapped', 'the array of /stream is wrapped in an object', ['4.4/answer-is-array'], () => ({
    streamBody: (job, chunks) => ({ status: job.status, stream: chunks }),
  })),
  fault('stream-reversed', '/stream delivers the newest chunk first', ['4.4/chunks-in-order'], () => ({
    chunkPlace: () => 0,
  })),
  fault(
    'stream-loses-last',
    'the last chunk is never delivered',
    ['4.4/chunks-not-lost', '4.4/chunks-after-end'],
    (base) => ({
      chunksTo: (job) => Math.max(0, base.chunksTo(job) - 1),
    }),
  ),
  fault(
    'stream-only-after-end',
    'a running job delivers no chunks',
    ['4.4/chunks-while-running'],
    (base) => ({
      chunksTo: (job) => (job.endedMs === null ? 0 : base.chunksTo(job)),
    }),
  ),
  fault(
    'stream-gone-at-end',
    'chunks that were not read before the end of the job are lost',
    ['4.4/chunks-after-end', '4.4/chunks-not-lost'],
    (base) => ({
      chunksTo: (job) => (job.endedMs === null ? base.chunksTo(job) : 0),
    }),
  ),
  fault(
    'stream-repeats-at-end',
    'all chunks are delivered again at the end of the job',
    ['4.4/chunks-not-duplicated', '4.4/chunks-not-invented'],
    () => ({
      outputsAtEnd: (job) => job.streamed,
    }),
  ),
  fault(
    'stream-not-split',
    'results above the chunk limit are not split',
    ['4.4/chunk-size', '4.4/large-output-split'],
    () => ({ splits: () => 'not' }),
  ),
  fault('stream-list-not-split', 'a list above 1 MB is sent as one chunk', ['4.4/chunk-size'], () => ({
    splits: (output) => (typeof output === 'string' ? 'as-text' : 'not'),
  })),
  fault('stream-chunk-too-large', 'chunks have up to 1.5 MB', ['4.4/chunk-size'], () => ({
    chunkBytesMax: () => 1_500_000,
  })),
  fault(
    'stream-split-small',
    'results above 64 kB are split, whatever they are',
    ['4.4/chunk-below-limit-whole', '4.4/chunks-not-invented'],
    () => ({
      chunkBytesMax: () => 65_536,
    }),
  ),
] as const;
